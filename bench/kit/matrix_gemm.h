// bench/kit/matrix_gemm.h - a matrix product on the matrix instructions of gfx942 (v_mfma_f32_32x32x*): a work-group of
// four waves makes 64 x 64 elements of C, each wave 32 x 32, with slices of A and B staged in LDS.
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

namespace kit {

using Sums = float __attribute__((ext_vector_type(16)));

// Per element type: how many elements of a row a lane gives to one instruction, and the instruction.
template<class T> struct Matrix;
template<> struct Matrix<float> {
  static constexpr int kPerLane = 1;
  using Operand = float;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x2f32(a, b, c, 0, 0, 0);
  }
};
template<> struct Matrix<uint16_t> { // bfloat16
  static constexpr int kPerLane = 4;
  using Operand = short __attribute__((ext_vector_type(4)));
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, 0, 0, 0);
  }
};
template<> struct Matrix<uint8_t> { // fp8
  static constexpr int kPerLane = 8;
  using Operand = long;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    return __builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8(a, b, c, 0, 0, 0);
  }
};

constexpr int kGemmTile = 64, kGemmThreads = 256;

// C = A B^T, all n x n and row-major, n a multiple of 64. Grid: n / 64 by n / 64.
template<class T> __global__ __launch_bounds__(kGemmThreads) void matrix_gemm(const T* a, const T* b, float* c, int n) {
  constexpr int kRowBytes = 64, kDepth = kRowBytes / sizeof(T), kPadding = 16 / sizeof(T);
  constexpr int kVector = 16 / sizeof(T), kStep = 2 * Matrix<T>::kPerLane;
  using Operand = typename Matrix<T>::Operand;
  __shared__ alignas(16) T as[kGemmTile][kDepth + kPadding], bs[kGemmTile][kDepth + kPadding];
  const int t = threadIdx.x, lane = t % 64, wave = t / 64;
  const int row = blockIdx.y * kGemmTile, column = blockIdx.x * kGemmTile;
  const int stage_row = t / 4, stage_k = t % 4 * kVector; // 16 bytes of each slice per thread
  const int wave_row = wave / 2 * 32, wave_column = wave % 2 * 32, k_of_lane = lane / 32 * Matrix<T>::kPerLane;
  Sums sums = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    *reinterpret_cast<uint4*>(&as[stage_row][stage_k]) =
        *reinterpret_cast<const uint4*>(&a[(row + stage_row) * n + k0 + stage_k]);
    *reinterpret_cast<uint4*>(&bs[stage_row][stage_k]) =
        *reinterpret_cast<const uint4*>(&b[(column + stage_row) * n + k0 + stage_k]);
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kDepth; k += kStep) {
      const Operand left = *reinterpret_cast<const Operand*>(&as[wave_row + lane % 32][k + k_of_lane]);
      const Operand right = *reinterpret_cast<const Operand*>(&bs[wave_column + lane % 32][k + k_of_lane]);
      sums = Matrix<T>::multiply(left, right, sums);
    }
    __syncthreads();
  }
  for (int i = 0; i < 16; ++i)
    c[(row + wave_row + i / 4 * 8 + lane / 32 * 4 + i % 4) * n + column + wave_column + lane % 32] = sums[i];
}

} // namespace kit
