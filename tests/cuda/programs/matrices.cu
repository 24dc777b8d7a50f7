// Matrices of halves and of bytes, in all sizes and layouts, and sums of bytes that stop at the ends of int.
#include "matrices.h"

#include <cuda_fp16.h>

__global__ void to_the_end(int* out, int start, bool saturate) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
  wmma::fill_fragment(a, start > 0 ? 100 : -100);
  wmma::fill_fragment(b, 100);
  wmma::fill_fragment(c, start);
  wmma::mma_sync(c, a, b, c, saturate);
  wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}

int wrong_ends() {
  int* out = nullptr;
  int wrong = cudaMallocManaged(&out, 256 * sizeof(int)) != cudaSuccess;
  const int most = 0x7fffffff, least = -most - 1;
  const struct {
    int start, saturated, wrapped;
  } cases[] = {{most - 1000, most, least + 158999}, {least + 1000, least, most - 158999}, {5, 160005, 160005}};
  for (const auto& one : cases)
    for (const bool saturate : {false, true}) {
      to_the_end<<<1, 32>>>(out, one.start, saturate);
      if (cudaDeviceSynchronize() != cudaSuccess) return 1;
      for (int i = 0; i < 256; ++i) wrong += out[i] != (saturate ? one.saturated : one.wrapped);
    }
  cudaFree(out);
  if (wrong) std::printf("%d sums at the ends of int are wrong\n", wrong);
  return wrong;
}

int main() {
  int wrong = wrong_in_sizes<half, float, float>() + wrong_in_sizes<half, half, half>();
  wrong += wrong_in_sizes<half, half, float>() + wrong_in_sizes<half, float, half>();
  wrong += wrong_in_sizes<signed char, int, int>() + wrong_in_sizes<unsigned char, int, int>();
  wrong += wrong_ends();
  std::printf("%d wrong\n", wrong);
  return wrong != 0;
}
