// A product of matrices by nvcuda::wmma, 64 x 48 x 32, in halves with sums in float, as textbooks have it: a warp
// computes a tile of 16 x 16. One kernel counts warps by 32 threads, the other by warpSize; where waves have 64 lanes
// that one has each tile computed by both halves of a wave. The values are small, so that sums are exact.
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <mma.h>

using namespace nvcuda;

constexpr int kM = 64, kN = 48, kK = 32;

__device__ void tile(const half* a, const half* b, const float* c, float* d, int warp) {
  const int row = warp % (kM / 16) * 16, column = warp / (kM / 16) * 16;
  if (column >= kN) return;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum, before;
  wmma::fill_fragment(sum, 0.0f);
  for (int i = 0; i < kK; i += 16) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::load_matrix_sync(x, a + row * kK + i, kK);
    wmma::load_matrix_sync(y, b + column * kK + i, kK);
    wmma::mma_sync(sum, x, y, sum);
  }
  wmma::load_matrix_sync(before, c + row * kN + column, kN, wmma::mem_row_major);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = 0.5f * sum.x[i] + 2.0f * before.x[i];
  wmma::store_matrix_sync(d + row * kN + column, sum, kN, wmma::mem_row_major);
}

__global__ void by_threads(const half* a, const half* b, const float* c, float* d) {
  tile(a, b, c, d, (blockIdx.x * blockDim.x + threadIdx.x) / 32);
}
__global__ void by_warp_size(const half* a, const half* b, const float* c, float* d) {
  tile(a, b, c, d, (blockIdx.x * blockDim.x + threadIdx.x) / warpSize);
}

int main() {
  static half a[kM * kK], b[kK * kN];
  static float c[kM * kN], d[kM * kN];
  for (int i = 0; i < kM * kK; ++i) a[i] = static_cast<half>(i * 7 % 9 - 4.0f);
  for (int i = 0; i < kK * kN; ++i) b[i] = static_cast<half>(i * 5 % 11 - 5.0f);
  for (int i = 0; i < kM * kN; ++i) c[i] = static_cast<float>(i % 13);
  half *device_a = nullptr, *device_b = nullptr;
  float *device_c = nullptr, *device_d = nullptr;
  cudaMalloc(&device_a, sizeof(a));
  cudaMalloc(&device_b, sizeof(b));
  cudaMalloc(&device_c, sizeof(c));
  cudaMalloc(&device_d, sizeof(d));
  cudaMemcpy(device_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof(b), cudaMemcpyHostToDevice);
  cudaMemcpy(device_c, c, sizeof(c), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (int form = 0; form < 2; ++form) {
    cudaMemset(device_d, 0, sizeof(d));
    if (form == 0)
      by_threads<<<3, 128>>>(device_a, device_b, device_c, device_d);
    else
      by_warp_size<<<6, 128>>>(device_a, device_b, device_c, device_d);
    if (cudaMemcpy(d, device_d, sizeof(d), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    for (int row = 0; row < kM; ++row)
      for (int column = 0; column < kN; ++column) {
        float sum = 0;
        for (int i = 0; i < kK; ++i)
          sum += static_cast<float>(a[row * kK + i]) * static_cast<float>(b[column * kK + i]);
        if (d[row * kN + column] != 0.5f * sum + 2.0f * c[row * kN + column]) ++wrong;
      }
  }
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
