// Sums: shared memory, shuffles with masks, constants, attributes of kernels, occupancy, cooperative groups. No #include of
// the runtime, which nvcc does not need either.
#include <cooperative_groups.h>
#include <cstdio>
#include <device_launch_parameters.h>
#include <vector>

#define FULL_MASK 0xffffffff
#ifdef __CUDA_ARCH__
#define SIDE 1
#else
#define SIDE 0
#endif

namespace cg = cooperative_groups;

__constant__ float weights[2];
__device__ int side_of_device;

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(FULL_MASK, value, offset);
  return value;
}

template <int Threads, bool Weighted> __global__ void sum(const float* data, int n, float* result) {
  extern __shared__ float parts[];
  cg::thread_block block = cg::this_thread_block();
  float value = 0;
  for (int i = threadIdx.x; i < n; i += Threads) value += data[i] * (Weighted ? weights[i % 2] : 1.0f);
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
  block.sync();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < Threads / 32; ++i) all += parts[i];
    *result = all;
    side_of_device = SIDE;
  }
}

__global__ void votes(int* result) {
  bool all = __all_sync(0xffffffffu, threadIdx.x < 1000);
  bool any = __any_sync(~0u, threadIdx.x == 5);
  __syncwarp(-1);
  if (threadIdx.x == 0) *result = all * 2 + any;
}

int main() {
  const int n = 1000;
  std::vector<float> host(n);
  float expected = 0;
  for (int i = 0; i < n; ++i) {
    host[i] = float(i % 7);
    expected += host[i] * (i % 2 ? 3.0f : 2.0f);
  }
  const float values[] = {2.0f, 3.0f};
  float *data, *result, sums[2] = {};
  int *vote, vote_host = 0, side = -1;
  bool good = cudaMalloc(&data, n * sizeof(float)) == cudaSuccess && cudaMalloc(&result, sizeof sums) == cudaSuccess;
  good = good && cudaMalloc(&vote, sizeof(int)) == cudaSuccess;
  good = good && cudaMemcpy(data, host.data(), n * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess;
  good = good && cudaMemcpyToSymbol(weights, values, sizeof values) == cudaSuccess;
  good = good && cudaFuncSetAttribute(sum<256, true>, cudaFuncAttributeMaxDynamicSharedMemorySize, 4096) == cudaSuccess;
  good = good && cudaFuncSetCacheConfig(votes, cudaFuncCachePreferL1) == cudaSuccess;
  cudaFuncAttributes attributes;
  good = good && cudaFuncGetAttributes(&attributes, sum<128, true>) == cudaSuccess;
  int blocks = 0;
  good = good && cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum<256, true>, 256, 1024) == cudaSuccess;
  if (!good || blocks < 1 || attributes.maxThreadsPerBlock < 128) {
    std::printf("before the launches: %s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  sum<256, true><<<1, 256, 8 * sizeof(float)>>>(data, n, result);
  sum<128, true><<<1, 128, (128 / 32) * sizeof(float)>>>(data, n, result + 1);
  votes<<<1, 64>>>(vote);
  good = cudaMemcpy(sums, result, sizeof sums, cudaMemcpyDeviceToHost) == cudaSuccess;
  good = good && cudaMemcpy(&vote_host, vote, sizeof(int), cudaMemcpyDeviceToHost) == cudaSuccess;
  good = good && cudaMemcpyFromSymbol(&side, side_of_device, sizeof side) == cudaSuccess;
  good = good && sums[0] == expected && sums[1] == expected && vote_host / 2 == 1 && side == 1 && SIDE == 0;
  if (!good) std::printf("sums %f %f, expected %f; votes %d, side %d\n", sums[0], sums[1], expected, vote_host, side);
  return !good;
}
