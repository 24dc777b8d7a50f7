#include "testing.h"

#include <algorithm>
#include <cstddef>
#include <dlfcn.h>
#include <numeric>

namespace {

struct Buffers {
  explicit Buffers(unsigned n) : count(n), host(n) {
    OK(hipMalloc(reinterpret_cast<void**>(&in), n * sizeof(int)));
    OK(hipMalloc(reinterpret_cast<void**>(&out), n * sizeof(int)));
    std::iota(host.begin(), host.end(), 1);
    OK(hipMemcpy(in, host.data(), n * sizeof(int), hipMemcpyHostToDevice));
    OK(hipMemset(out, 0, n * sizeof(int)));
  }
  ~Buffers() {
    (void)hipFree(in);
    (void)hipFree(out);
  }
  // out == in * factor, if kernels run at all
  void check(int factor) {
    std::vector<int> result(count);
    OK(hipMemcpy(result.data(), out, count * sizeof(int), hipMemcpyDeviceToHost));
    if (!kernels_run()) return;
    for (unsigned i = 0; i < count; ++i) REQUIRE(result[i] == host[i] * factor);
  }
  unsigned count;
  int *in = nullptr, *out = nullptr;
  std::vector<int> host;
};

} // namespace

TEST_CASE("Launching a function of a module") {
  TestModule m;
  const hipFunction_t scale = m.function("scale");
  Buffers b(1000);
  int factor = 3;
  void* params[] = {&b.out, &b.in, &factor, &b.count};
  SECTION("with pointers to arguments") {
    OK(hipModuleLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr));
    b.check(3);
  }
  SECTION("with a packed block") {
    struct Block {
      int *out, *in;
      int factor;
      unsigned count;
    } block{b.out, b.in, 5, b.count};
    size_t bytes = sizeof block;
    void* extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     HIP_LAUNCH_PARAM_END};
    OK(hipModuleLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
    b.check(5);
    FAILS(hipModuleLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, params, extra), hipErrorInvalidValue);
    // The block ends in front of the last argument, the number of elements: none is touched.
    bytes = offsetof(Block, count);
    OK(hipMemset(b.out, 0xff, 1000 * sizeof(int)));
    if (on_nvidia())
      FAILS(hipModuleLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra), hipErrorInvalidValue);
    else
      OK(hipModuleLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra));
    std::vector<int> untouched(1000);
    OK(hipMemcpy(untouched.data(), b.out, 1000 * sizeof(int), hipMemcpyDeviceToHost));
    CHECK(std::count(untouched.begin(), untouched.end(), -1) == 1000);
    void* nonsense[] = {&block, &block, HIP_LAUNCH_PARAM_END};
    FAILS(hipModuleLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, nonsense), hipErrorInvalidValue);
    void* half[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &block, HIP_LAUNCH_PARAM_END};
    FAILS(hipModuleLaunchKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, half), hipErrorInvalidValue);
  }
  SECTION("with all arguments in one block") {
    struct Block {
      int *out, *in;
      int factor;
      unsigned count;
    } block{b.out, b.in, 7, b.count};
    OK(hipLaunchKernelBundledArgs(scale, dim3(4), dim3(256), &block, sizeof block, 0, nullptr));
    b.check(7);
    FAILS(hipLaunchKernelBundledArgs(scale, dim3(4), dim3(256), nullptr, sizeof block, 0, nullptr),
          hipErrorInvalidValue);
    FAILS(hipLaunchKernelBundledArgs(scale, dim3(4), dim3(256), nullptr, 0, 0, nullptr), hipErrorInvalidValue);
    FAILS(hipLaunchKernelBundledArgs(scale, dim3(4), dim3(0), &block, sizeof block, 0, nullptr),
          hipErrorInvalidConfiguration);
    FAILS(hipLaunchKernelBundledArgs(&block, dim3(4), dim3(256), &block, sizeof block, 0, nullptr),
          hipErrorInvalidDeviceFunction);
    OK(hipLaunchKernelBundledArgs(m.function("nothing"), dim3(1), dim3(1), nullptr, 0, 0, nullptr));
  }
  SECTION("with the grid in work-items, and events") {
    hipEvent_t start, stop;
    OK(hipEventCreate(&start));
    OK(hipEventCreate(&stop));
    // NVIDIA GPUs have whole blocks only; what is beyond the data the kernel leaves alone.
    const unsigned items = on_nvidia() ? 1024 : 1000;
    if (on_nvidia())
      FAILS(hipExtModuleLaunchKernel(scale, 1000, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, nullptr, nullptr, 0),
            hipErrorInvalidConfiguration);
    OK(hipExtModuleLaunchKernel(scale, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, start, stop, 0));
    OK(hipEventSynchronize(stop));
    float ms = -1;
    OK(hipEventElapsedTime(&ms, start, stop));
    CHECK(ms >= 0);
    b.check(3);
    factor = 4;
    OK(hipHccModuleLaunchKernel(scale, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, nullptr, nullptr));
    b.check(4);
    // The C++ names of both, which programs of old headers were linked against.
    using Ext = decltype(&hipExtModuleLaunchKernel);
    using Hcc = decltype(&hipHccModuleLaunchKernel);
    const auto ext = reinterpret_cast<Ext>(
        dlsym(RTLD_DEFAULT,
              "_Z24hipExtModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_j"));
    const auto hcc = reinterpret_cast<Hcc>(
        dlsym(RTLD_DEFAULT,
              "_Z24hipHccModuleLaunchKernelP18ihipModuleSymbol_tjjjjjjmP12ihipStream_tPPvS4_P11ihipEvent_tS6_"));
    REQUIRE(ext);
    REQUIRE(hcc);
    factor = 5;
    OK(ext(scale, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, start, stop, 0));
    b.check(5);
    factor = 6;
    OK(hcc(scale, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, nullptr, nullptr));
    b.check(6);
    FAILS(ext(nullptr, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, nullptr, nullptr, 0),
          hipErrorInvalidHandle);
    FAILS(hcc(nullptr, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, nullptr, nullptr), hipErrorInvalidHandle);
    FAILS(hipExtModuleLaunchKernel(scale, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, start, stop, 0xf0),
          hipErrorInvalidValue);
    OK(hipEventDestroy(start));
    FAILS(hipExtModuleLaunchKernel(scale, items, 1, 1, 256, 1, 1, 0, nullptr, params, nullptr, start, stop, 0),
          hipErrorInvalidValue);
    FAILS(hipHccModuleLaunchKernel(scale, 1000, 1, 1, ~0u, 1, 1, 0, nullptr, params, nullptr, nullptr, nullptr),
          hipErrorInvalidValue);
    OK(hipEventDestroy(stop));
  }
  SECTION("with a configuration") {
    HIP_LAUNCH_CONFIG config{4, 1, 1, 256, 1, 1, 0, nullptr, nullptr, 0};
    OK(hipDrvLaunchKernelEx(&config, scale, params, nullptr));
    b.check(3);
    config.numAttrs = 1;
    FAILS(hipDrvLaunchKernelEx(&config, scale, params, nullptr), hipErrorInvalidValue);
    FAILS(hipDrvLaunchKernelEx(nullptr, scale, params, nullptr), hipErrorInvalidValue);
  }
  SECTION("cooperatively") {
    OK(hipModuleLaunchCooperativeKernel(scale, 4, 1, 1, 256, 1, 1, 0, nullptr, params));
    b.check(3);
    FAILS(hipModuleLaunchCooperativeKernel(scale, 100000, 1, 1, 1024, 1, 1, 0, nullptr, params),
          hipErrorCooperativeLaunchTooLarge);
  }
}

TEST_CASE("Launches that cannot be") {
  TestModule m;
  const hipFunction_t scale = m.function("scale");
  Buffers b(64);
  int factor = 3;
  void* params[] = {&b.out, &b.in, &factor, &b.count};
  auto launch = [&](dim3 grid, dim3 block, unsigned lds = 0, hipStream_t stream = nullptr) {
    return hipModuleLaunchKernel(scale, grid.x, grid.y, grid.z, block.x, block.y, block.z, lds, stream, params,
                                 nullptr);
  };
  OK(launch({1, 1, 1}, {64, 1, 1}));
  for (dim3 zero : {dim3(0, 1, 1), dim3(1, 0, 1), dim3(1, 1, 0)}) {
    FAILS(launch(zero, {64, 1, 1}), hipErrorInvalidValue);
    FAILS(launch({1, 1, 1}, zero), hipErrorInvalidValue);
  }
  FAILS(launch({1, 1, 1}, {1025, 1, 1}), hipErrorInvalidConfiguration);
  FAILS(launch({1, 1, 1}, {64, 64, 64}), hipErrorInvalidConfiguration);
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  FAILS(launch({1, 1, 1}, {64, 1, 1}, static_cast<unsigned>(p.sharedMemPerBlockOptin) + 1), hipErrorInvalidValue);
  FAILS(launch({1, 1, 1}, {64, 1, 1}, ~0u), hipErrorInvalidValue);
  FAILS(launch({0xffffffff, 1, 1}, {64, 1, 1}), hipErrorInvalidValue); // of blocks alone
  FAILS(launch({0x40000000, 1, 1}, {4, 1, 1}), hipErrorInvalidConfiguration);
  FAILS(launch({1, 1, 1}, {64, 1, 1}, 0, garbage_handle<hipStream_t>()), hipErrorContextIsDestroyed);
  FAILS(hipModuleLaunchKernel(nullptr, 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr), hipErrorInvalidHandle);
  FAILS(hipModuleLaunchKernel(garbage_handle<hipFunction_t>(), 1, 1, 1, 64, 1, 1, 0, nullptr, params, nullptr),
        hipErrorInvalidHandle);
  FAILS(hipModuleLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr), hipErrorInvalidValue);
  void* missing[] = {&b.out, nullptr, &factor, &b.count};
  FAILS(hipModuleLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, missing, nullptr), hipErrorInvalidValue);
  const hipFunction_t bounded = m.function("bounded");
  void* one[] = {&b.out};
  OK(hipModuleLaunchKernel(bounded, 1, 1, 1, 64, 1, 1, 0, nullptr, one, nullptr));
  FAILS(hipModuleLaunchKernel(bounded, 1, 1, 1, 65, 1, 1, 0, nullptr, one, nullptr), hipErrorLaunchFailure);
  hipStream_t gone;
  OK(hipStreamCreate(&gone));
  OK(hipStreamDestroy(gone));
  FAILS(launch({1, 1, 1}, {64, 1, 1}, 0, gone), hipErrorContextIsDestroyed);
  OK(hipDeviceSynchronize());
}

TEST_CASE("A fault in a kernel comes from the next synchronising call, and life goes on") {
  if (!kernels_run()) return;
  TestModule m;
  hipStream_t faulty, other;
  OK(hipStreamCreateWithFlags(&faulty, hipStreamNonBlocking));
  OK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
  int* wild = reinterpret_cast<int*>(0x10);
  void* params[] = {&wild};
  OK(hipModuleLaunchKernel(m.function("wild_store"), 1, 1, 1, 64, 1, 1, 0, faulty, params, nullptr));
  CHECK(hipStreamSynchronize(faulty) == hipErrorIllegalAddress);
  CHECK(hipGetLastError() == hipErrorIllegalAddress);
  if (on_nvidia()) { // where the device has ended for the process
    CHECK(hipStreamSynchronize(other) == hipErrorIllegalAddress);
    return;
  }
  OK(hipStreamSynchronize(other));
  Buffers b(64);
  int factor = 2;
  void* good[] = {&b.out, &b.in, &factor, &b.count};
  OK(hipModuleLaunchKernel(m.function("scale"), 1, 1, 1, 64, 1, 1, 0, other, good, nullptr));
  OK(hipStreamSynchronize(other));
  b.check(2);
  OK(hipModuleLaunchKernel(m.function("scale"), 1, 1, 1, 64, 1, 1, 0, faulty, good, nullptr));
  OK(hipStreamSynchronize(faulty));
  OK(hipStreamDestroy(faulty));
  OK(hipStreamDestroy(other));
}

TEST_CASE("The default stream's kernels and blocking streams' kernels are in order") {
  if (!kernels_run()) return;
  TestModule m;
  const hipFunction_t scale = m.function("scale");
  Buffers b(256);
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  int two = 2, three = 3;
  // out = in * 2 on one stream, in = out * 3 on the other, alternating: each reads what the other wrote.
  void* forth[] = {&b.out, &b.in, &two, &b.count};
  void* back[] = {&b.in, &b.out, &three, &b.count};
  int expected = 1;
  for (int i = 0; i < 6; ++i) {
    OK(hipModuleLaunchKernel(scale, 1, 1, 1, 256, 1, 1, 0, stream, forth, nullptr));
    OK(hipModuleLaunchKernel(scale, 1, 1, 1, 256, 1, 1, 0, nullptr, back, nullptr));
    expected *= 6;
  }
  std::vector<int> result(256);
  OK(hipMemcpy(result.data(), b.in, 256 * sizeof(int), hipMemcpyDeviceToHost));
  for (int i = 0; i < 256; ++i) REQUIRE(result[static_cast<size_t>(i)] == (i + 1) * expected);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Pushed configurations come back in reverse") {
  dim3 grid, block;
  size_t bytes = 0;
  hipStream_t stream = nullptr;
  CHECK(__hipPopCallConfiguration(&grid, &block, &bytes, &stream) == hipErrorMissingConfiguration);
  for (unsigned i = 1; i <= 10; ++i)
    OK(__hipPushCallConfiguration({i, 2, 3}, {4, 5, i}, i * 10, reinterpret_cast<hipStream_t>(uintptr_t{i})));
  CHECK(__hipPopCallConfiguration(nullptr, &block, &bytes, &stream) == hipErrorInvalidValue);
  CHECK(__hipPopCallConfiguration(&grid, nullptr, &bytes, &stream) == hipErrorInvalidValue);
  CHECK(__hipPopCallConfiguration(&grid, &block, nullptr, &stream) == hipErrorInvalidValue);
  CHECK(__hipPopCallConfiguration(&grid, &block, &bytes, nullptr) == hipErrorInvalidValue); // which takes none
  for (unsigned i = 10; i >= 1; --i) {
    OK(__hipPopCallConfiguration(&grid, &block, &bytes, &stream));
    CHECK(grid.x == i);
    CHECK(block.z == i);
    CHECK(bytes == i * 10);
    CHECK(stream == reinterpret_cast<hipStream_t>(uintptr_t{i}));
  }
  CHECK(__hipPopCallConfiguration(&grid, &block, &bytes, &stream) == hipErrorMissingConfiguration);
  (void)hipGetLastError();
}
