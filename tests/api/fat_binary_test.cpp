// Fat binaries registered by hand, with the calls that clang generates.
#include "registered.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

TEST_CASE("Kernels and variables of a fat binary") {
  Registered r("kernels.hipfb");
  int by = 1;
  void* args[] = {&by};
  OK(hipLaunchKernel(&r.count_up, dim3(1), dim3(64), args, 0, nullptr));
  int value = 0;
  OK(hipMemcpyFromSymbol(&value, r.counter, sizeof value, 0, hipMemcpyDeviceToHost));
  CHECK(value == (kernels_run() ? 42 : 41));
  value = 100;
  OK(hipMemcpyToSymbol(r.counter, &value, sizeof value, 0, hipMemcpyHostToDevice));
  OK(hipMemcpyFromSymbolAsync(&by, r.counter, sizeof by, 0, hipMemcpyDeviceToHost, nullptr));
  CHECK(by == 100);
  void* address = nullptr;
  size_t bytes = 0;
  OK(hipGetSymbolAddress(&address, r.factors));
  OK(hipGetSymbolSize(&bytes, r.factors));
  CHECK(bytes == 16);
  int ten = 10;
  OK(hipMemcpyToSymbolAsync(r.factors, &ten, 4, 8, hipMemcpyHostToDevice, nullptr));
  OK(hipMemcpy(&value, static_cast<char*>(address) + 8, 4, hipMemcpyDeviceToHost));
  CHECK(value == 10);
  FAILS(hipMemcpyToSymbol(r.factors, &ten, 4, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpyToSymbol(r.factors, &ten, 17, 0, hipMemcpyHostToDevice), hipErrorInvalidValue);
  FAILS(hipMemcpyToSymbol(static_cast<const void*>(nullptr), &ten, 4, 0, hipMemcpyHostToDevice), hipErrorInvalidSymbol);
  FAILS(hipMemcpyToSymbol(ten, &ten, 4, 0, hipMemcpyHostToDevice), hipErrorInvalidSymbol);
  FAILS(hipMemcpyToSymbol(r.factors, &ten, 4, 0, hipMemcpyDeviceToHost), hipErrorInvalidMemcpyDirection);
  FAILS(hipMemcpyFromSymbol(&ten, r.factors, 4, 0, hipMemcpyHostToDevice), hipErrorInvalidMemcpyDirection);
  FAILS(hipGetSymbolAddress(nullptr, r.factors), hipErrorInvalidValue);
  FAILS(hipGetSymbolAddress(&address, ten), hipErrorInvalidSymbol);
  FAILS(hipGetSymbolSize(&bytes, static_cast<const void*>(nullptr)), hipErrorInvalidSymbol);
}

TEST_CASE("Functions by their host address") {
  Registered r("kernels.hipfb");
  hipFuncAttributes a;
  OK(hipFuncGetAttributes(&a, &r.scale));
  CHECK(a.maxThreadsPerBlock == 1024);
  CHECK(a.numRegs > 0);
  FAILS(hipFuncGetAttributes(nullptr, &r.scale), hipErrorInvalidValue);
  FAILS(hipFuncGetAttributes(&a, &a), hipErrorInvalidDeviceFunction);
  FAILS(hipFuncGetAttributes(&a, nullptr), hipErrorInvalidDeviceFunction);
  FAILS(hipFuncGetAttributes(&a, &r.missing), hipErrorInvalidDeviceFunction);
  OK(hipFuncSetAttribute(&r.scale, hipFuncAttributeMaxDynamicSharedMemorySize, 1000));
  FAILS(hipFuncSetAttribute(&r.scale, hipFuncAttributeMaxDynamicSharedMemorySize, 1 << 20), hipErrorInvalidValue);
  FAILS(hipFuncSetAttribute(&r.scale, static_cast<hipFuncAttribute>(-1), 1), hipErrorInvalidValue);
  FAILS(hipFuncSetAttribute(nullptr, hipFuncAttributeMaxDynamicSharedMemorySize, 1), hipErrorInvalidDeviceFunction);
  OK(hipFuncSetCacheConfig(&r.scale, hipFuncCachePreferL1));
  OK(hipFuncSetSharedMemConfig(&r.scale, hipSharedMemBankSizeDefault));
  FAILS(hipFuncSetSharedMemConfig(&r.scale, static_cast<hipSharedMemConfig>(-1)), hipErrorInvalidValue);
  hipFunction_t f = nullptr;
  OK(hipGetFuncBySymbol(&f, &r.scale));
  CHECK(std::string(hipKernelNameRef(f)) == "scale");
  CHECK(std::string(hipKernelNameRefByPtr(&r.scale, nullptr)) == "scale");
  CHECK(hipKernelNameRefByPtr(&f, nullptr) == nullptr);
  FAILS(hipGetFuncBySymbol(&f, &f), hipErrorInvalidDeviceFunction);
  FAILS(hipGetFuncBySymbol(nullptr, &r.scale), hipErrorInvalidValue);
  int blocks = 0, grid = 0, block = 0;
  size_t bytes = 0;
  OK(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &r.scale, 256, 0));
  CHECK(blocks >= 1);
  OK(hipOccupancyMaxPotentialBlockSize(&grid, &block, &r.scale, 0, 0));
  CHECK(block > 0);
  OK(hipOccupancyAvailableDynamicSMemPerBlock(&bytes, &r.scale, 1, 256));
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  CHECK(bytes == p.sharedMemPerBlockOptin);
  FAILS(hipOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, static_cast<const void*>(nullptr), 256, 0),
        hipErrorInvalidDeviceFunction);
  FAILS(hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, &r.scale, 256, 0, 77), hipErrorInvalidValue);
}

TEST_CASE("Launches by host address") {
  Registered r("kernels.hipfb");
  int *in, *out;
  OK(hipMalloc(reinterpret_cast<void**>(&in), 256));
  OK(hipMalloc(reinterpret_cast<void**>(&out), 256));
  OK(hipMemsetD32(in, 7, 64));
  OK(hipMemsetD32(out, 0, 64));
  int factor = 6, result = -1;
  unsigned count = 64;
  void* args[] = {&out, &in, &factor, &count};
  auto check = [&] {
    OK(hipMemcpy(&result, out + 63, 4, hipMemcpyDeviceToHost));
    CHECK(result == (kernels_run() ? 7 * factor : 0));
  };
  OK(hipLaunchKernel(&r.scale, dim3(1), dim3(64), args, 0, nullptr));
  check();
  factor = 7;
  OK(hipLaunchKernel(&r.scale, dim3(1), dim3(64), args, 0, hipStreamPerThread));
  OK(hipStreamSynchronize(hipStreamPerThread));
  check();
  factor = 8;
  hipLaunchConfig_t config{dim3(1), dim3(64), 0, nullptr, nullptr, 0};
  OK(hipLaunchKernelExC(&config, &r.scale, args));
  check();
  factor = 9;
  OK(hipLaunchCooperativeKernel(&r.scale, dim3(1), dim3(64), args, 0, nullptr));
  check();
  factor = 10;
  hipEvent_t start, stop;
  OK(hipEventCreate(&start));
  OK(hipEventCreate(&stop));
  OK(hipExtLaunchKernel(&r.scale, dim3(1), dim3(64), args, 0, nullptr, start, stop, 0));
  OK(hipEventSynchronize(stop));
  check();
  factor = 11;
  OK(__hipPushCallConfiguration(dim3(1), dim3(64), 0, nullptr)); // the same stack as hipConfigureCall's
  OK(hipConfigureCall(dim3(1), dim3(64), 0, nullptr));
  OK(hipSetupArgument(&out, 8, 0));
  OK(hipSetupArgument(&in, 8, 8));
  OK(hipSetupArgument(&factor, 4, 16));
  OK(hipSetupArgument(&count, 4, 20));
  OK(hipLaunchByPtr(&r.scale));
  check();
  OK(hipSetupArgument(&out, 8, 0));
  FAILS(hipLaunchByPtr(&r.scale), hipErrorInvalidValue); // arguments are missing
  FAILS(hipLaunchByPtr(&r.scale), hipErrorMissingConfiguration);
  FAILS(hipSetupArgument(&out, 8, 0), hipErrorMissingConfiguration);
  FAILS(hipLaunchKernel(nullptr, dim3(1), dim3(64), args, 0, nullptr), hipErrorInvalidDeviceFunction);
  FAILS(hipLaunchKernel(&count, dim3(1), dim3(64), args, 0, nullptr), hipErrorInvalidDeviceFunction);
  FAILS(hipLaunchKernel(&r.scale, dim3(1), dim3(64), args, 0, garbage_handle<hipStream_t>()),
        hipErrorContextIsDestroyed);
  FAILS(hipLaunchKernel(&r.scale, dim3(0), dim3(64), args, 0, nullptr), hipErrorInvalidConfiguration);
  FAILS(hipLaunchKernel(&r.scale, dim3(1), dim3(2048), args, 0, nullptr), hipErrorInvalidConfiguration);
  FAILS(hipLaunchKernel(&r.scale, dim3(1), dim3(64), args, 1 << 20, nullptr), hipErrorInvalidValue);
  FAILS(hipLaunchCooperativeKernel(&r.scale, dim3(1), dim3(64), args, 0, garbage_handle<hipStream_t>()),
        hipErrorInvalidHandle);
  OK(hipEventDestroy(start));
  OK(hipEventDestroy(stop));
  OK(hipFree(in));
  OK(hipFree(out));
}

TEST_CASE("A fat binary without code for the device says so at the first launch") {
  Registered r("kernels.other.hipfb");
  int by = 1;
  void* args[] = {&by};
  FAILS(hipLaunchKernel(&r.count_up, dim3(1), dim3(64), args, 0, nullptr), hipErrorNoBinaryForGpu);
  FAILS(hipLaunchKernel(&r.count_up, dim3(1), dim3(64), args, 0, nullptr), hipErrorNoBinaryForGpu);
}

// A bundle with one entry, a cubin for the device without contents: the driver of the tests takes it.
std::vector<char> bundle_with_cubin() {
  std::vector<char> cubin(64);
  std::memcpy(cubin.data(),
              "\x7f"
              "ELF\2\1\1\x33\7",
              9);
  const uint16_t machine = 190;
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  const uint32_t number = static_cast<uint32_t>(10 * p.major + p.minor), flags = number << 16 | 0x500 | number;
  std::memcpy(cubin.data() + 18, &machine, sizeof machine);
  std::memcpy(cubin.data() + 48, &flags, sizeof flags);
  const std::string magic = "__CLANG_OFFLOAD_BUNDLE__",
                    id = "hip-nvptx64-nvidia-cuda-cubin-sm_" + std::to_string(number);
  const uint64_t numbers[] = {1, magic.size() + 4 * sizeof(uint64_t) + id.size(), cubin.size(), id.size()};
  std::vector<char> bundle(magic.begin(), magic.end());
  bundle.insert(bundle.end(), reinterpret_cast<const char*>(numbers), reinterpret_cast<const char*>(numbers + 4));
  bundle.insert(bundle.end(), id.begin(), id.end());
  bundle.insert(bundle.end(), cubin.begin(), cubin.end());
  return bundle;
}

TEST_CASE(
    "Machine code for NVIDIA GPUs is loaded where a program allocates, not by a launch that a stream may wait for") {
  const char* file = std::getenv("OMNIHIP_CUDA_DRIVER");
  if (!on_nvidia() || !file) return; // only where a driver of ours stands for NVIDIA's
  void* const driver = dlopen(file, RTLD_NOW);
  REQUIRE(driver);
  const auto calls = reinterpret_cast<int (*)(const char*)>(dlsym(driver, "fake_cuda_calls"));
  REQUIRE(calls);
  const auto image = bundle_with_cubin();
  Wrapper wrapper{};
  wrapper.bundle = image.data();
  const int before = calls("cuModuleLoadDataEx");
  void** const modules = __hipRegisterFatBinary(&wrapper);
  CHECK(calls("cuModuleLoadDataEx") == before);
  void* memory = nullptr;
  OK(hipMalloc(&memory, 16));
  CHECK(calls("cuModuleLoadDataEx") == before + 1);
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  CHECK(calls("cuModuleLoadDataEx") == before + 1);
  // A library that the program loads later.
  void** const more = __hipRegisterFatBinary(&wrapper);
  hipStream_t another = nullptr;
  OK(hipStreamCreate(&another));
  CHECK(calls("cuModuleLoadDataEx") == before + 2);
  OK(hipStreamDestroy(another));
  OK(hipStreamDestroy(stream));
  OK(hipFree(memory));
  __hipUnregisterFatBinary(more);
  __hipUnregisterFatBinary(modules);
  dlclose(driver);
}

TEST_CASE("PTX and code for other devices wait for their first use") {
  const char* file = std::getenv("OMNIHIP_CUDA_DRIVER");
  if (!on_nvidia() || !file) return; // only where a driver of ours stands for NVIDIA's
  void* const driver = dlopen(file, RTLD_NOW);
  REQUIRE(driver);
  const auto calls = reinterpret_cast<int (*)(const char*)>(dlsym(driver, "fake_cuda_calls"));
  const int before = calls("cuModuleLoadDataEx");
  const Registered ptx("kernels.hipfb"), other("kernels.other.hipfb");
  void* memory = nullptr;
  OK(hipMalloc(&memory, 16));
  CHECK(calls("cuModuleLoadDataEx") == before);
  OK(hipFree(memory));
  dlclose(driver);
}

TEST_CASE("References of textures and surfaces are variables of the device") {
  Registered code("kernels.hipfb");
  char factors[] = "factors", counter[] = "counter", missing[] = "no_such_reference";
  int texture[4] = {}, surface = 0, unknown = 0;
  __hipRegisterTexture(code.modules, texture, factors, factors, 2, 0, 0);
  __hipRegisterSurface(code.modules, &surface, counter, counter, 2, 0);
  __hipRegisterTexture(code.modules, &unknown, missing, missing, 2, 0, 0);
  const std::pair<const void*, const void*> same[] = {{texture, code.factors}, {&surface, &code.counter}};
  for (const auto& [reference, variable] : same) {
    void *a = nullptr, *b = nullptr;
    size_t bytes = 0, of_variable = 0;
    OK(hipGetSymbolAddress(&a, reference));
    OK(hipGetSymbolAddress(&b, variable));
    CHECK((a && a == b));
    OK(hipGetSymbolSize(&bytes, reference));
    OK(hipGetSymbolSize(&of_variable, variable));
    CHECK(bytes == of_variable);
  }
  void* address = nullptr;
  FAILS(hipGetSymbolAddress(&address, &unknown), hipErrorInvalidSymbol);
}

TEST_CASE("After unregistering, the kernel is unknown") {
  const void* host = nullptr;
  {
    Registered r("kernels.hipfb");
    host = &r.scale;
    hipFuncAttributes a;
    OK(hipFuncGetAttributes(&a, host));
  }
  FAILS(hipLaunchKernel(host, dim3(1), dim3(64), nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
}

TEST_CASE("Managed variables have storage at once") {
  const auto image = read_file("kernels.hipfb");
  Wrapper wrapper{};
  wrapper.bundle = image.data();
  void** modules = __hipRegisterFatBinary(&wrapper);
  int initial[3] = {5, 6, 7};
  int* shadow = nullptr;
  __hipRegisterManagedVar(modules, reinterpret_cast<void**>(&shadow), initial, "managed_thing", sizeof initial, 4);
  REQUIRE(shadow != nullptr);
  CHECK(shadow[2] == 7);
  hipPointerAttribute_t a;
  OK(hipPointerGetAttributes(&a, shadow));
  CHECK(a.type == hipMemoryTypeManaged);
  int eight = 8;
  OK(hipMemcpyToSymbol(static_cast<const void*>(shadow), &eight, 4, 0, hipMemcpyHostToDevice));
  OK(hipDeviceSynchronize());
  CHECK(shadow[0] == 8);
  __hipUnregisterFatBinary(modules);
}

TEST_CASE("Something that is no fat binary is not registered") {
  Wrapper wrapper{};
  wrapper.magic = 1;
  CHECK(__hipRegisterFatBinary(&wrapper) == nullptr);
  CHECK(__hipRegisterFatBinary(nullptr) == nullptr);
  char handle = 0;
  __hipRegisterFunction(nullptr, &handle, nullptr, "x", 0, nullptr, nullptr, nullptr, nullptr, nullptr);
  __hipUnregisterFatBinary(nullptr);
  FAILS(hipLaunchKernel(&handle, dim3(1), dim3(1), nullptr, 0, nullptr), hipErrorInvalidDeviceFunction);
}

TEST_CASE("Half conversions of old objects") {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const auto half = static_cast<unsigned short>(bits);
    _Float16 expected;
    std::memcpy(&expected, &half, 2);
    const float value = __gnu_h2f_ieee(half);
    if (expected != expected) {
      REQUIRE(value != value);
      continue;
    }
    REQUIRE(value == static_cast<float>(expected));
    REQUIRE(__gnu_f2h_ieee(value) == half);
  }
  for (float value :
       {65519.0f, 65520.0f, 1e-8f, 2.98e-8f, 5.96e-8f, 0.1f, 1.0004883f, 1.00146484375f, -3.14159f, 1e30f}) {
    const auto expected = static_cast<_Float16>(value);
    unsigned short bits;
    std::memcpy(&bits, &expected, 2);
    CAPTURE(value);
    CHECK(__gnu_f2h_ieee(value) == bits);
  }
}

TEST_CASE("A managed variable outlives a reset of the device and cannot be freed") {
  const auto image = read_file("kernels.hipfb");
  Wrapper wrapper{};
  wrapper.bundle = image.data();
  void** modules = __hipRegisterFatBinary(&wrapper);
  int initial = 5;
  int* shadow = nullptr;
  __hipRegisterManagedVar(modules, reinterpret_cast<void**>(&shadow), &initial, "managed_thing", sizeof initial, 4);
  FAILS(hipFree(shadow), hipErrorInvalidValue);
  OK(hipDeviceReset());
  CHECK(*shadow == 5);
  __hipUnregisterFatBinary(modules);
}
