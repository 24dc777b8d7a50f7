// Libraries: code that belongs to no device, and its kernels.
#include "testing.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace {

hipError_t load(hipLibrary_t* library, const void* code) {
  return hipLibraryLoadData(library, code, nullptr, nullptr, 0, nullptr, nullptr, 0);
}
hipError_t load_file(hipLibrary_t* library, const char* path) {
  return hipLibraryLoadFromFile(library, path, nullptr, nullptr, 0, nullptr, nullptr, 0);
}

// Multiplies 64 numbers on the current device and checks the product.
template<class Launch> void check_scale(Launch launch) {
  std::vector<int> in(64), out(64, -1);
  for (int i = 0; i < 64; ++i) in[size_t(i)] = i - 20;
  int *from, *to, factor = 3;
  unsigned count = 64;
  OK(hipMalloc(reinterpret_cast<void**>(&from), 256));
  OK(hipMalloc(reinterpret_cast<void**>(&to), 256));
  OK(hipMemcpy(from, in.data(), 256, hipMemcpyHostToDevice));
  OK(hipMemset(to, 0, 256));
  void* args[] = {&to, &from, &factor, &count};
  OK(launch(args));
  OK(hipMemcpy(out.data(), to, 256, hipMemcpyDeviceToHost));
  if (kernels_run() && !on_nvidia()) // the fake driver's kernels have no effect
    for (int i = 0; i < 64; ++i) CHECK(out[size_t(i)] == 3 * (i - 20));
  OK(hipFree(from));
  OK(hipFree(to));
}

} // namespace

TEST_CASE("Libraries from memory and from files") {
  const std::string dir = CODE_DIR;
  const size_t kernels = on_nvidia() ? 7 : 8;
  for (const std::string name : {"kernels.hipfb", bare_code()}) {
    CAPTURE(name);
    hipLibrary_t library = nullptr, found = nullptr;
    {
      const auto image = read_file(name);
      OK(load(&library, image.data()));
    } // the library has a copy
    unsigned count = 0;
    OK(hipLibraryGetKernelCount(&count, library));
    CHECK(count == kernels);
    std::vector<hipKernel_t> all(kernels + 1, nullptr);
    OK(hipLibraryEnumerateKernels(all.data(), unsigned(all.size()), library));
    CHECK(all.back() == nullptr);
    all.pop_back();
    std::vector<std::string> names;
    for (hipKernel_t kernel : all) {
      const char* text = nullptr;
      OK(hipKernelGetName(&text, kernel));
      names.push_back(text);
      OK(hipKernelGetLibrary(&found, kernel));
      CHECK(found == library);
      hipKernel_t same = nullptr;
      OK(hipLibraryGetKernel(&same, library, text));
      CHECK(same == kernel);
    }
    CHECK(std::count(names.begin(), names.end(), "scale") == 1);
    CHECK(std::count(names.begin(), names.end(), "count_up") == 1);
    hipKernel_t one[2] = {nullptr, nullptr};
    OK(hipLibraryEnumerateKernels(one, 1, library));
    CHECK((one[0] == all[0] && one[1] == nullptr));
    OK(hipLibraryUnload(library));
    OK(load_file(&library, (dir + "/" + name).c_str()));
    OK(hipLibraryGetKernelCount(&count, library));
    CHECK(count == kernels);
    OK(hipLibraryUnload(library));
  }
}

TEST_CASE("A library's kernel is launched like a kernel of the program, and like a function") {
  hipLibrary_t library;
  hipKernel_t kernel;
  const auto image = read_file(bare_code());
  hipLibraryOption options[] = {hipLibraryBinaryIsPreserved};
  void* values[] = {nullptr};
  OK(hipLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, options, values, 1));
  OK(hipLibraryGetKernel(&kernel, library, "scale"));
  check_scale([&](void** args) { return hipLaunchKernel(kernel, dim3(1), dim3(64), args, 0, nullptr); });
  check_scale([&](void** args) {
    return hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(kernel), 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr);
  });
  hipFuncAttributes attributes;
  OK(hipFuncGetAttributes(&attributes, kernel));
  CHECK(attributes.maxThreadsPerBlock > 0);
  OK(hipLibraryUnload(library));
  void* none[] = {nullptr};
  FAILS(hipLaunchKernel(kernel, dim3(1), dim3(64), none, 0, nullptr), hipErrorInvalidDeviceFunction);
  FAILS(hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(kernel), 1, 1, 1, 64, 1, 1, 0, nullptr, none, nullptr),
        hipErrorInvalidHandle);
}

TEST_CASE("A library's kernel runs on every device", "[two]") {
  int devices = 0;
  OK(hipGetDeviceCount(&devices));
  hipLibrary_t library;
  hipKernel_t kernel;
  const auto image = read_file(bare_code());
  OK(load(&library, image.data()));
  OK(hipLibraryGetKernel(&kernel, library, "scale"));
  for (int device = devices; device-- > 0;) {
    OK(hipSetDevice(device));
    check_scale([&](void** args) { return hipLaunchKernel(kernel, dim3(1), dim3(64), args, 0, nullptr); });
  }
  OK(hipLibraryUnload(library));
}

TEST_CASE("Libraries and kernels that cannot be") {
  hipLibrary_t library = garbage_handle<hipLibrary_t>();
  hipKernel_t kernel = nullptr;
  const auto image = read_file(bare_code());
  FAILS(load(nullptr, image.data()), hipErrorInvalidValue);
  FAILS(load(&library, nullptr), hipErrorInvalidValue);
  FAILS(load(&library, "no code"), hipErrorInvalidImage);
  CHECK(library == nullptr);
  FAILS(hipLibraryLoadData(&library, image.data(), nullptr, nullptr, 1, nullptr, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, nullptr, nullptr, 1), hipErrorInvalidValue);
  auto unknown = static_cast<hipLibraryOption>(7);
  void* value = nullptr;
  FAILS(hipLibraryLoadData(&library, image.data(), nullptr, nullptr, 0, &unknown, &value, 1), hipErrorInvalidValue);
  FAILS(load_file(nullptr, "x"), hipErrorInvalidValue);
  FAILS(load_file(&library, nullptr), hipErrorInvalidValue);
  FAILS(load_file(&library, ""), hipErrorInvalidValue);
  FAILS(load_file(&library, "no such file"), hipErrorFileNotFound);
  const std::string cut = std::string(CODE_DIR) + "/cut." + std::to_string(getpid()) + ".co";
  std::ofstream(cut, std::ios::binary).write(image.data(), std::streamsize(image.size() / 3));
  FAILS(load_file(&library, cut.c_str()), hipErrorInvalidImage);
  std::remove(cut.c_str());
  FAILS(load_file(&library, (std::string(CODE_DIR) + "/kernels.other.hipfb").c_str()), hipErrorNoBinaryForGpu);

  FAILS(hipLibraryUnload(nullptr), hipErrorInvalidHandle);
  FAILS(hipLibraryUnload(garbage_handle<hipLibrary_t>()), hipErrorInvalidHandle);
  unsigned count = 0;
  const char* name = nullptr;
  FAILS(hipLibraryGetKernelCount(&count, garbage_handle<hipLibrary_t>()), hipErrorInvalidHandle);
  FAILS(hipLibraryGetKernel(&kernel, garbage_handle<hipLibrary_t>(), "scale"), hipErrorInvalidHandle);
  FAILS(hipLibraryEnumerateKernels(&kernel, 1, garbage_handle<hipLibrary_t>()), hipErrorInvalidHandle);
  FAILS(hipKernelGetName(&name, garbage_handle<hipKernel_t>()), hipErrorInvalidHandle);
  FAILS(hipKernelGetLibrary(&library, garbage_handle<hipKernel_t>()), hipErrorInvalidHandle);
  FAILS(hipKernelGetLibrary(&library, nullptr), hipErrorInvalidHandle);

  OK(load(&library, image.data()));
  FAILS(hipLibraryGetKernel(&kernel, library, "no_such_kernel"), hipErrorNotFound);
  CHECK(kernel == nullptr);
  FAILS(hipLibraryGetKernel(nullptr, library, "scale"), hipErrorInvalidValue);
  FAILS(hipLibraryGetKernel(&kernel, library, nullptr), hipErrorInvalidValue);
  FAILS(hipLibraryGetKernelCount(nullptr, library), hipErrorInvalidValue);
  FAILS(hipLibraryEnumerateKernels(nullptr, 1, library), hipErrorInvalidValue);
  OK(hipLibraryGetKernel(&kernel, library, "scale"));
  FAILS(hipKernelGetName(nullptr, kernel), hipErrorInvalidValue);
  FAILS(hipKernelGetLibrary(nullptr, kernel), hipErrorInvalidValue);
  OK(hipLibraryUnload(library));
  FAILS(hipLibraryUnload(library), hipErrorInvalidHandle);
  FAILS(hipKernelGetName(&name, kernel), hipErrorInvalidHandle);
}

TEST_CASE("Parameters, attributes and functions of a library's kernels") {
  hipLibrary_t library;
  hipKernel_t kernel, none = nullptr;
  const auto image = read_file(bare_code());
  OK(load(&library, image.data()));
  OK(hipLibraryGetKernel(&kernel, library, "scale")); // (int*, const int*, int, unsigned)
  constexpr size_t kOffsets[] = {0, 8, 16, 20}, kSizes[] = {8, 8, 4, 4};
  size_t offset = 99, bytes = 99;
  for (size_t i = 0; i < 4; ++i) {
    OK(hipKernelGetParamInfo(kernel, i, &offset, &bytes));
    CHECK(offset == kOffsets[i]);
    CHECK(bytes == kSizes[i]);
    OK(hipKernelGetParamInfo(kernel, i, &offset, nullptr));
  }
  FAILS(hipKernelGetParamInfo(kernel, 4, &offset, &bytes), hipErrorInvalidValue);
  FAILS(hipKernelGetParamInfo(kernel, 0, nullptr, &bytes), hipErrorInvalidValue);
  FAILS(hipKernelGetParamInfo(none, 0, &offset, &bytes), hipErrorInvalidHandle);

  hipFunction_t function = nullptr;
  OK(hipKernelGetFunction(&function, kernel));
  CHECK(std::string(hipKernelNameRef(function)) == "scale");
  check_scale(
      [&](void** args) { return hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr); });
  FAILS(hipKernelGetFunction(nullptr, kernel), hipErrorInvalidValue);
  FAILS(hipKernelGetFunction(&function, garbage_handle<hipKernel_t>()), hipErrorInvalidHandle);
  CHECK(function == nullptr);
  OK(hipKernelGetFunction(&function, kernel));

  int of_kernel = -1, of_function = -2;
  for (int attribute = 0; attribute < HIP_FUNC_ATTRIBUTE_MAX; ++attribute) {
    OK(hipKernelGetAttribute(&of_kernel, hipFunction_attribute(attribute), kernel, 0));
    OK(hipFuncGetAttribute(&of_function, hipFunction_attribute(attribute), function));
    CHECK(of_kernel == of_function);
  }
  FAILS(hipKernelGetAttribute(&of_kernel, HIP_FUNC_ATTRIBUTE_MAX, kernel, 0), hipErrorInvalidValue);
  FAILS(hipKernelGetAttribute(nullptr, HIP_FUNC_ATTRIBUTE_NUM_REGS, kernel, 0), hipErrorInvalidValue);
  FAILS(hipKernelGetAttribute(&of_kernel, HIP_FUNC_ATTRIBUTE_NUM_REGS, none, 0), hipErrorInvalidHandle);
  FAILS(hipKernelGetAttribute(&of_kernel, HIP_FUNC_ATTRIBUTE_NUM_REGS, kernel, 99), hipErrorInvalidDevice);

  OK(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024, kernel, 0));
  OK(hipKernelGetAttribute(&of_kernel, HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, kernel, 0));
  CHECK(of_kernel == 1024);
  OK(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50, kernel, 0));
  OK(hipKernelGetAttribute(&of_kernel, HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, kernel, 0));
  CHECK(of_kernel == 50);
  FAILS(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, -1, kernel, 0), hipErrorInvalidValue);
  FAILS(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 101, kernel, 0),
        hipErrorInvalidValue);
  FAILS(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_NUM_REGS, 8, kernel, 0), hipErrorInvalidValue);
  FAILS(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 1, none, 0), hipErrorInvalidHandle);
  FAILS(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 1, kernel, -1),
        hipErrorInvalidDevice);
  OK(hipLibraryUnload(library));
  FAILS(hipFuncGetAttribute(&of_function, HIP_FUNC_ATTRIBUTE_NUM_REGS, function), hipErrorInvalidHandle);
}

TEST_CASE("Variables of libraries") {
  hipLibrary_t library;
  const auto image = read_file(bare_code());
  OK(load(&library, image.data()));
  void* address = nullptr;
  size_t bytes = 0;
  int value = 0;
  OK(hipLibraryGetGlobal(&address, &bytes, library, "counter"));
  CHECK(bytes == sizeof value);
  OK(hipMemcpy(&value, address, sizeof value, hipMemcpyDeviceToHost));
  CHECK(value == 41);
  OK(hipLibraryGetGlobal(nullptr, &bytes, library, "factors"));
  CHECK(bytes == 16);
  OK(hipLibraryGetGlobal(&address, nullptr, library, "factors"));
  FAILS(hipLibraryGetGlobal(nullptr, nullptr, library, "counter"), hipErrorInvalidValue);
  FAILS(hipLibraryGetGlobal(&address, &bytes, library, ""), hipErrorInvalidValue);
  FAILS(hipLibraryGetGlobal(&address, &bytes, library, nullptr), hipErrorInvalidValue);
  FAILS(hipLibraryGetGlobal(&address, &bytes, library, "no_such_variable"), hipErrorNotFound);
  FAILS(hipLibraryGetGlobal(&address, &bytes, garbage_handle<hipLibrary_t>(), "counter"), hipErrorInvalidHandle);

  FAILS(hipLibraryGetManaged(&address, &bytes, library, "counter"), hipErrorNotFound); // is none
  FAILS(hipLibraryGetManaged(nullptr, nullptr, library, "shared_total"), hipErrorInvalidValue);
  FAILS(hipLibraryGetManaged(&address, &bytes, library, ""), hipErrorInvalidValue);
  FAILS(hipLibraryGetManaged(&address, &bytes, library, nullptr), hipErrorInvalidValue);
  FAILS(hipLibraryGetManaged(&address, &bytes, nullptr, "shared_total"), hipErrorInvalidHandle);
  if (!on_nvidia()) { // its PTX has no managed variable
    int* shared = nullptr;
    OK(hipLibraryGetManaged(reinterpret_cast<void**>(&shared), &bytes, library, "shared_total"));
    CHECK(bytes == sizeof(int));
    CHECK(*shared == 5);
    hipKernel_t kernel;
    OK(hipLibraryGetKernel(&kernel, library, "add_to_shared"));
    int by = 7;
    void* args[] = {&by};
    OK(hipLaunchKernel(kernel, dim3(1), dim3(1), args, 0, nullptr));
    OK(hipDeviceSynchronize());
    CHECK(*shared == (kernels_run() ? 12 : 5));
    OK(hipLibraryGetGlobal(&address, nullptr, library, "shared_total"));
    CHECK(address == shared);
  }
  OK(hipLibraryUnload(library));
}

TEST_CASE("A library's managed variable is one for all devices", "[two]") {
  if (on_nvidia() || !kernels_run()) return;
  int devices = 0;
  OK(hipGetDeviceCount(&devices));
  hipLibrary_t library;
  hipKernel_t kernel;
  const auto image = read_file(bare_code());
  OK(load(&library, image.data()));
  OK(hipLibraryGetKernel(&kernel, library, "add_to_shared"));
  int *shared = nullptr, by = 1;
  void* args[] = {&by};
  for (int device = devices; device-- > 0;) {
    OK(hipSetDevice(device));
    OK(hipLaunchKernel(kernel, dim3(1), dim3(1), args, 0, nullptr));
    OK(hipDeviceSynchronize());
    int* here = nullptr;
    OK(hipLibraryGetManaged(reinterpret_cast<void**>(&here), nullptr, library, "shared_total"));
    CHECK((shared == nullptr || here == shared));
    shared = here;
  }
  CHECK(*shared == 5 + devices);
  OK(hipLibraryUnload(library));
}
