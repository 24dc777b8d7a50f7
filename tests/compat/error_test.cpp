// The last error, launches that cannot be, entries that we lack.
#include "older.h"

#include <cstdio>
#include <cstring>
#include <unistd.h>

namespace {

// What the process writes to its error output meanwhile.
template<class F> std::string error_output_of(const F& body) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file);
  std::fflush(stderr);
  const int before = dup(2);
  dup2(fileno(file), 2);
  body();
  std::fflush(stderr);
  dup2(before, 2);
  close(before);
  std::rewind(file);
  std::string text(4096, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file));
  std::fclose(file);
  return text;
}

} // namespace

TEST_CASE("The last error was the last result before HIP 7") {
  int device;
  for (const int number : {5, 6}) {
    INFO(number);
    (void)IN(7, hipGetLastError)();
    CHECK(IN(number, hipSetDevice)(-1) == hipErrorInvalidDevice);
    CHECK(IN(number, hipPeekAtLastError)() == hipErrorInvalidDevice);
    CHECK(IN(number, hipPeekAtLastError)() == hipErrorInvalidDevice); // looking changes nothing
    OK(IN(number, hipGetDevice)(&device));
    CHECK(IN(number, hipPeekAtLastError)() == hipSuccess);
    CHECK(IN(number, hipGetLastError)() == hipSuccess);
    CHECK(IN(number, hipSetDevice)(-1) == hipErrorInvalidDevice);
    CHECK(IN(number, hipGetLastError)() == hipErrorInvalidDevice);
    CHECK(IN(number, hipGetLastError)() == hipSuccess);
    CHECK(IN(7, hipGetLastError)() == hipSuccess); // it was asked for
  }
  CHECK(IN(7, hipSetDevice)(-1) == hipErrorInvalidDevice);
  OK(IN(7, hipGetDevice)(&device));
  CHECK(IN(7, hipPeekAtLastError)() == hipErrorInvalidDevice);
  CHECK(IN(6, hipPeekAtLastError)() == hipSuccess);
  CHECK(IN(7, hipGetLastError)() == hipErrorInvalidDevice);
}

TEST_CASE("What is not ready was the last error, too") {
  const TestModule code(7);
  if (!kernels_run()) return;
  int* flag = nullptr;
  OK(IN(6, hipHostMalloc)(reinterpret_cast<void**>(&flag), sizeof *flag, 0));
  *flag = 0;
  void* args[] = {&flag};
  OK(IN(6, hipModuleLaunchKernel)(code.function("wait_for"), 1, 1, 1, 1, 1, 1, 0, nullptr, args, nullptr));
  (void)IN(7, hipGetLastError)();
  CHECK(IN(6, hipStreamQuery)(nullptr) == hipErrorNotReady);
  CHECK(IN(7, hipGetLastError)() == hipSuccess);
  CHECK(IN(6, hipStreamQuery)(nullptr) == hipErrorNotReady);
  CHECK(IN(6, hipGetLastError)() == hipErrorNotReady);
  *static_cast<volatile int*>(flag) = 1;
  OK(IN(6, hipDeviceSynchronize)());
  OK(IN(6, hipHostFree)(flag));
}

TEST_CASE("Functions that cannot be launched have the errors of their time") {
  const TestModule code(7);
  const hipFunction_t nothing = code.function("nothing");
  const auto launch = [&](int number, unsigned grid, unsigned block, hipStream_t stream) {
    return IN(number, hipModuleLaunchKernel)(nothing, grid, 1, 1, block, 1, 1, 0, stream, nullptr, nullptr);
  };
  const auto launch_items = [&](int number, unsigned items, unsigned block, hipStream_t stream) {
    return IN(number, hipExtModuleLaunchKernel)(nothing, items, 1, 1, block, 1, 1, 0, stream, nullptr, nullptr, nullptr,
                                                nullptr, 0);
  };
  hipStream_t gone = nullptr;
  OK(IN(7, hipStreamCreate)(&gone));
  OK(IN(7, hipStreamDestroy)(gone));
  for (const int number : {5, 6, 7}) {
    INFO(number);
    OK(launch(number, 1, 64, nullptr));
    OK(launch_items(number, 64, 64, nullptr));
    FAILS_IN(number, launch(number, 0, 64, nullptr), hipErrorInvalidValue);
    FAILS_IN(number, launch(number, 1, 0, nullptr), hipErrorInvalidValue);
    FAILS_IN(number, launch_items(number, 0, 64, nullptr),
             number == 7 ? hipErrorInvalidConfiguration : hipErrorInvalidValue);
    FAILS_IN(number, launch_items(number, 64, 0, nullptr),
             number == 5 ? hipErrorInvalidValue : hipErrorInvalidConfiguration);
    const hipError_t large = number == 7 ? hipErrorInvalidConfiguration : hipErrorInvalidValue;
    FAILS_IN(number, launch(number, 1, 1 << 20, nullptr), large);
    FAILS_IN(number, launch_items(number, 1 << 20, 1 << 20, nullptr), large);
    const hipError_t no_stream = number == 7 ? hipErrorContextIsDestroyed : hipErrorInvalidValue;
    FAILS_IN(number, launch(number, 1, 64, gone), no_stream);
    FAILS_IN(number, launch_items(number, 64, 64, gone), no_stream);
    // What is the same in all: 2^32 work-items, a function that is none.
    FAILS_IN(number, launch(number, 1u << 30, 1024, nullptr), hipErrorInvalidConfiguration);
    FAILS_IN(number, launch(number, 1u << 31, 1024, nullptr), // more blocks than 7's function takes, too
             number == 7 ? hipErrorInvalidValue : hipErrorInvalidConfiguration);
    FAILS_IN(number, IN(number, hipModuleLaunchKernel)(nullptr, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr),
             hipErrorInvalidHandle);
    FAILS_IN(number, IN(number, hipModuleLaunchCooperativeKernel)(nothing, 1, 1, 1, 1 << 20, 1, 1, 0, nullptr, nullptr),
             large);
    FAILS_IN(number,
             IN(number, hipModuleLaunchCooperativeKernel)(nothing, 1, 1, 1, 64, 1, 1, 1 << 30, nullptr, nullptr),
             number == 7 ? hipErrorCooperativeLaunchTooLarge : hipErrorInvalidValue);
  }
  OK(IN(7, hipDeviceSynchronize)());
}

TEST_CASE("A kernel was launched on the stream's device, whatever the thread's was") {
  int devices = 0;
  OK(IN(7, hipGetDeviceCount)(&devices));
  if (devices < 2) return; // test compat_two_devices
  OK(IN(7, hipSetDevice)(1));
  {
    const TestModule code(7);
    const hipFunction_t f = code.function("apply_factors");
    hipStream_t stream = nullptr;
    int* data = nullptr;
    OK(IN(7, hipStreamCreate)(&stream));
    OK(IN(7, hipMalloc)(reinterpret_cast<void**>(&data), 4 * sizeof(int)));
    OK(IN(7, hipSetDevice)(0));
    void* args[] = {&data};
    for (const int number : {5, 6}) {
      INFO(number);
      const int ones[] = {1, 1, 1, 1};
      OK(IN(7, hipMemcpy)(data, ones, sizeof ones, hipMemcpyHostToDevice));
      OK(IN(number, hipModuleLaunchKernel)(f, 1, 1, 1, 4, 1, 1, 0, stream, args, nullptr));
      OK(IN(number, hipExtModuleLaunchKernel)(f, 4, 1, 1, 4, 1, 1, 0, stream, args, nullptr, nullptr, nullptr, 0));
      OK(IN(number, hipModuleLaunchCooperativeKernel)(f, 1, 1, 1, 4, 1, 1, 0, stream, args));
      FAILS_IN(7, IN(7, hipModuleLaunchKernel)(f, 1, 1, 1, 4, 1, 1, 0, stream, args, nullptr), hipErrorInvalidHandle);
      OK(IN(7, hipStreamSynchronize)(stream));
      int got[4] = {};
      OK(IN(7, hipMemcpy)(got, data, sizeof got, hipMemcpyDeviceToHost));
      if (kernels_run())
        for (int i = 0; i < 4; ++i) CHECK(got[i] == (i + 1) * (i + 1) * (i + 1));
    }
    OK(IN(7, hipFree)(data));
    OK(IN(7, hipStreamDestroy)(stream));
  }
  OK(IN(7, hipSetDevice)(0));
}

TEST_CASE("Nodes and lists of kernels that cannot be launched have the errors of their time") {
  const TestModule code(7);
  const hipFunction_t nothing = code.function("nothing");
  for (const int number : {5, 6, 7}) {
    INFO(number);
    const hipError_t empty = number == 7 ? hipErrorInvalidConfiguration : hipErrorInvalidValue;
    hipStream_t stream = nullptr;
    OK(IN(number, hipStreamCreate)(&stream));
    hipFunctionLaunchParams list{};
    list.function = nothing;
    list.hStream = stream;
    const auto launch = [&](unsigned grid, unsigned block) {
      list.gridDimX = list.gridDimY = list.gridDimZ = grid;
      list.blockDimX = list.blockDimY = list.blockDimZ = block;
      return IN(number, hipModuleLaunchCooperativeKernelMultiDevice)(&list, 1, 0);
    };
    OK(launch(1, 1));
    FAILS_IN(number, launch(0, 1), empty);
    FAILS_IN(number, launch(1, 0), hipErrorInvalidConfiguration);
    FAILS_IN(number, launch(1, 200), empty);
    FAILS_IN(number, launch(1u << 31, 2), hipErrorInvalidConfiguration);

    hipGraph_t graph = nullptr;
    hipGraphNode_t node = nullptr, none = nullptr;
    OK(IN(number, hipGraphCreate)(&graph, 0));
    hipKernelNodeParams params{};
    params.func = reinterpret_cast<void*>(nothing);
    params.gridDim = params.blockDim = {1, 1, 1};
    OK(IN(number, hipGraphAddKernelNode)(&node, graph, nullptr, 0, &params));
    for (const unsigned block : {0u, 1u << 20}) {
      params.blockDim.x = block;
      FAILS_IN(number, IN(number, hipGraphAddKernelNode)(&none, graph, nullptr, 0, &params), empty);
      FAILS_IN(number, IN(number, hipGraphKernelNodeSetParams)(node, &params), empty);
    }
    FAILS_IN(number, IN(number, hipGraphAddKernelNode)(&none, graph, nullptr, 0, nullptr), hipErrorInvalidValue);
    OK(IN(number, hipGraphDestroy)(graph));
    OK(IN(number, hipStreamDestroy)(stream));
  }
}

TEST_CASE("C++ names of launches") {
  const TestModule code(6);
  using Ext = hipError_t(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, hipStream_t,
                         void**, void**, hipEvent_t, hipEvent_t, uint32_t);
  using Hcc = hipError_t(hipFunction_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, hipStream_t,
                         void**, void**, hipEvent_t, hipEvent_t);
  int* data = nullptr;
  OK(IN(7, hipMalloc)(reinterpret_cast<void**>(&data), 4 * sizeof(int)));
  for (const int number : {5, 6}) {
    const int ones[] = {1, 1, 1, 1};
    OK(IN(7, hipMemcpy)(data, ones, sizeof ones, hipMemcpyHostToDevice));
    void* args[] = {&data};
    const hipFunction_t f = code.function("apply_factors");
    OK(library(number).find<Ext>("_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11"
                                 "ihipEvent_tS6_j")(f, 4, 1, 1, 4, 1, 1, 0, nullptr, args, nullptr, nullptr, nullptr,
                                                    0));
    OK(library(number).find<Hcc>("_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11"
                                 "ihipEvent_tS6_")(f, 4, 1, 1, 4, 1, 1, 0, nullptr, args, nullptr, nullptr, nullptr));
    int got[4] = {};
    OK(IN(7, hipMemcpy)(got, data, sizeof got, hipMemcpyDeviceToHost));
    if (kernels_run())
      for (int i = 0; i < 4; ++i) CHECK(got[i] == (i + 1) * (i + 1)); // factors 1 2 3 4, twice
  }
  OK(IN(7, hipFree)(data));
}

TEST_CASE("A module file that is empty") {
  const std::string path = std::string(CODE_DIR) + "/empty-module";
  std::ofstream(path).flush();
  hipModule_t module = nullptr;
  FAILS_IN(5, IN(5, hipModuleLoad)(&module, path.c_str()), hipErrorInvalidValue);
  FAILS_IN(6, IN(6, hipModuleLoad)(&module, path.c_str()), hipErrorInvalidValue);
  FAILS_IN(7, IN(7, hipModuleLoad)(&module, path.c_str()), hipErrorInvalidImage);
  std::ofstream(path) << "text";
  for (const int number : {5, 6, 7}) {
    FAILS_IN(number, IN(number, hipModuleLoad)(&module, path.c_str()), hipErrorInvalidImage);
    FAILS_IN(number, IN(number, hipModuleLoad)(&module, "/nonexistent"), hipErrorFileNotFound);
    FAILS_IN(number, IN(number, hipModuleLoad)(nullptr, path.c_str()), hipErrorInvalidValue);
  }
}

TEST_CASE("A code object of version 3") {
  hipDeviceProp_tR0600 p;
  OK(IN(7, hipGetDevicePropertiesR0600)(&p, 0));
  if (std::string(p.gcnArchName).rfind("gfx90a", 0) != 0) return;
  std::ifstream file(CODE_DIR "/kernels.gfx90a.co", std::ios::binary);
  std::vector<char> image(std::istreambuf_iterator<char>(file), {});
  REQUIRE(image.size() > 64);
  image[8] = 1;                                         // the ABI version
  const uint32_t with_xnack_and_sramecc = 0x3f | 0x300; // of gfx90a
  std::memcpy(&image[48], &with_xnack_and_sramecc, 4);
  hipModule_t module = nullptr;
  hipFunction_t scale = nullptr;
  OK(IN(5, hipModuleLoadData)(&module, image.data()));
  OK(IN(5, hipModuleGetFunction)(&scale, module, "scale"));
  int *in = nullptr, *out = nullptr, factor = 3;
  unsigned count = 64;
  OK(IN(5, hipMalloc)(reinterpret_cast<void**>(&in), 256));
  OK(IN(5, hipMalloc)(reinterpret_cast<void**>(&out), 256));
  int host[64];
  for (int i = 0; i < 64; ++i) host[i] = i - 5;
  OK(IN(5, hipMemcpy)(in, host, sizeof host, hipMemcpyHostToDevice));
  void* args[] = {&out, &in, &factor, &count};
  OK(IN(5, hipModuleLaunchKernel)(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, args, nullptr));
  OK(IN(5, hipMemcpy)(host, out, sizeof host, hipMemcpyDeviceToHost));
  for (int i = 0; i < 64; ++i) CHECK(host[i] == 3 * (i - 5));
  OK(IN(5, hipFree)(in));
  OK(IN(5, hipFree)(out));
  OK(IN(5, hipModuleUnload)(module));
  const uint32_t without_sramecc = 0x3f | 0x100;
  std::memcpy(&image[48], &without_sramecc, 4);
  FAILS_IN(5, IN(5, hipModuleLoadData)(&module, image.data()), hipErrorNoBinaryForGpu);
}

TEST_CASE("An entry that we lack says its name") {
  for (const char* name : {"hipRegisterApiCallback", "hipInitActivityCallback"}) {
    const std::string said = error_output_of([&] {
      FAILS_IN(5, library(5).find<hipError_t(uint32_t, void*, void*)>(name)(1, nullptr, nullptr), hipErrorNotSupported);
    });
    CHECK(said.find(std::string(name) + " is not part of OmniHIP") != std::string::npos);
  }
  CHECK_FALSE(dlsym(library(6).handle, "hipRegisterApiCallback"));
}
