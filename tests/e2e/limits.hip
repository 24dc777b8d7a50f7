// Launches that cannot start: too large blocks, grids and shared memory, launch bounds, missing kernels and wrong
// arguments. Nothing of them runs, and the error is the documented one.
#include "e2e.h"

namespace {

__global__ void mark(int* p) { *p = 1; }
__global__ void __launch_bounds__(128) at_most_128(int* p) { *p = 1; }
__global__ void uses_lds(int* p) {
  __shared__ int local[12288]; // 48 KiB
  local[threadIdx.x * 16] = 1;
  __syncthreads();
  *p = local[0];
}
void not_a_kernel() {}

// nvcc made this program, for CUDA's runtime.
#if defined(__HIP_PLATFORM_NVIDIA__)
constexpr bool kCudaRuntime = true;
#else
constexpr bool kCudaRuntime = false;
#endif

// CUDA's runtime says cudaErrorInvalidConfiguration or cudaErrorInvalidValue, by its version, to every launch that cannot be.
template<class F> void expect_no_launch(hipError_t wanted, F launch) {
  e2e::Device<int> marked(1);
  (void)hipGetLastError();
  launch(marked.data());
  const hipError_t got = hipGetLastError();
  if (!kCudaRuntime || got != hipErrorInvalidConfiguration)
    CHECK_EQ(got, kCudaRuntime ? hipErrorInvalidValue : wanted);
  HIP_OK(hipDeviceSynchronize());
  CHECK_EQ(marked.download()[0], 0);
}

} // namespace

E2E_CASE(blocks_too_large) {
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<1, 1025>>>(p); });
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<1, dim3(32, 32, 2)>>>(p); });
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<1, dim3(1, 1, 2048)>>>(p); });
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<1, 0xffffffffu>>>(p); });
}

E2E_CASE(blocks_and_grids_of_nothing) {
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<0, 64>>>(p); });
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<1, 0>>>(p); });
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<dim3(1, 0, 1), 64>>>(p); });
  expect_no_launch(hipErrorInvalidConfiguration, [](int* p) { mark<<<1, dim3(64, 1, 0)>>>(p); });
}

E2E_CASE(launch_bounds) {
  e2e::Device<int> marked(1);
  at_most_128<<<1, 128>>>(marked);
  RUN_OK();
  CHECK_EQ(marked.download()[0], 1);
  expect_no_launch(hipErrorLaunchFailure, [](int* p) { at_most_128<<<1, 256>>>(p); });
}

E2E_CASE(too_much_shared_memory) {
  int most = 0; // of a block, static and dynamic; what sharedMemPerBlock says may be less on NVIDIA GPUs
  HIP_OK(hipDeviceGetAttribute(&most, e2e::on_nvidia() ? hipDeviceAttributeSharedMemPerBlockOptin
                                                       : hipDeviceAttributeMaxSharedMemoryPerBlock, 0));
  const unsigned rest = static_cast<unsigned>(most) - 49152;
  expect_no_launch(hipErrorInvalidValue, [=](int* p) { mark<<<1, 64, most + 1>>>(p); });
  expect_no_launch(hipErrorInvalidValue, [=](int* p) { uses_lds<<<1, 64, rest + 1>>>(p); });
  e2e::Device<int> marked(1);
#if defined(__HIP_PLATFORM_NVIDIA__) // CUDA's kernels ask for more than 48 KiB
  HIP_OK(hipFuncSetAttribute(reinterpret_cast<const void*>(uses_lds), hipFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(rest)));
#endif
  uses_lds<<<1, 64, rest>>>(marked);
  RUN_OK();
  CHECK_EQ(marked.download()[0], 1);
}

E2E_CASE(functions_that_are_no_kernels) {
  if (kCudaRuntime) return; // there it is cudaErrorInvalidResourceHandle, or a fault of the host
  void* arguments[] = {nullptr};
  CHECK_EQ(hipLaunchKernel(reinterpret_cast<const void*>(&not_a_kernel), dim3(1), dim3(1), arguments, 0, nullptr),
           hipErrorInvalidDeviceFunction);
  CHECK_EQ(hipLaunchKernel(nullptr, dim3(1), dim3(1), arguments, 0, nullptr), hipErrorInvalidDeviceFunction);
  (void)hipGetLastError();
}

E2E_CASE(memory_that_cannot_be_had) {
  void* p = nullptr;
  CHECK_EQ(hipMalloc(&p, size_t{1} << 55), hipErrorOutOfMemory);
  CHECK_EQ(hipMalloc(&p, ~size_t{0}), hipErrorOutOfMemory);
  HIP_OK(hipMalloc(&p, 0));
  CHECK(p == nullptr);
  (void)hipGetLastError();
}

E2E_CASE(attributes_tell_the_limits) {
  hipFuncAttributes attributes{};
  HIP_OK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&at_most_128)));
  CHECK_EQ(attributes.maxThreadsPerBlock, 128);
  HIP_OK(hipFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&uses_lds)));
  CHECK_EQ(attributes.sharedSizeBytes, size_t{49152});
}
