// bench/kit/matrix_gemm.h - a matrix product on the matrix instructions of gfx942 (v_mfma_f32_32x32x*): a work-group of
// eight waves makes 256 x 256 elements of C, each wave 128 x 64. Slices of A and B are staged in LDS as chunks of 16
// bytes, those of neighbouring rows side by side, so that a wave's operands are whole stretches of LDS. (A compute unit has
// registers for eight waves with as many sums, as one work-group or as two of four; one stages a third less.)
#pragma once

#include <hip/hip_runtime.h>

#include <cstdint>

namespace kit {

using Sums = float __attribute__((ext_vector_type(16)));
using Chunk = uint32_t __attribute__((ext_vector_type(4))); // 16 bytes of a row

// Per element type: what a lane gives to one instruction, and the instruction. Processors without it stop with a trap.
#if defined(__HIP_DEVICE_COMPILE__) && __has_builtin(__builtin_amdgcn_mfma_f32_32x32x16_fp8_fp8)
#define KIT_MATRIX(name, a, b, c) __builtin_amdgcn_mfma_f32_##name(a, b, c, 0, 0, 0)
#else
#define KIT_MATRIX(name, a, b, c) (static_cast<void>(a), static_cast<void>(b), __builtin_trap(), c)
#endif
template<class T> struct Matrix;
template<> struct Matrix<float> {
  using Operand = float;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    return KIT_MATRIX(32x32x2f32, a, b, c);
  }
};
template<> struct Matrix<uint16_t> { // bfloat16
  using Operand = short __attribute__((ext_vector_type(4)));
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    return KIT_MATRIX(32x32x8bf16_1k, a, b, c);
  }
};
template<> struct Matrix<uint8_t> { // fp8
  using Operand = long;
  static __device__ Sums multiply(Operand a, Operand b, Sums c) {
    return KIT_MATRIX(32x32x16_fp8_fp8, a, b, c);
  }
};

constexpr int kGemmRows = 256, kGemmColumns = 256, kGemmThreads = 512;

// C = A B^T, all n x n and row-major, n a multiple of 256. Grid: n / 256 by n / 256.
template<class T> __global__ __launch_bounds__(kGemmThreads) void matrix_gemm(const T* a, const T* b, float* c, int n) {
  constexpr int kChunks = 4, kPadding = 1,
                kStagedRows = kGemmThreads / kChunks; // rows staged at a time, 64 bytes of each
  constexpr int kStepsA = kGemmRows / kStagedRows, kStepsB = kGemmColumns / kStagedRows;
  constexpr int kWavesAcross = 4, kWavesDown = kGemmThreads / 64 / kWavesAcross;
  constexpr int kWaveRows = kGemmRows / kWavesDown, kWaveColumns = kGemmColumns / kWavesAcross;
  constexpr int kTile = 32, kTilesDown = kWaveRows / kTile, kTilesAcross = kWaveColumns / kTile; // of a wave
  using Operand = typename Matrix<T>::Operand;
  constexpr int kParts = sizeof(Chunk) / sizeof(Operand);
  struct Parts {
    Operand part[kParts];
  };
  __shared__ Chunk as[kChunks][kGemmRows + kPadding], bs[kChunks][kGemmColumns + kPadding];

  const int t = threadIdx.x, lane = t % 64, wave = t / 64;
  const int row = blockIdx.y * kGemmRows, column = blockIdx.x * kGemmColumns;
  const int wave_row = wave / kWavesAcross * kWaveRows, wave_column = wave % kWavesAcross * kWaveColumns;
  const int staged_row = t / kChunks, staged_chunk = t % kChunks, row_chunks = n * static_cast<int>(sizeof(T)) / 16;
  const Chunk* from_a = reinterpret_cast<const Chunk*>(a) + (row + staged_row) * row_chunks + staged_chunk;
  const Chunk* from_b = reinterpret_cast<const Chunk*>(b) + (column + staged_row) * row_chunks + staged_chunk;

  Sums sums[kTilesDown][kTilesAcross] = {};
  for (int k = 0; k < row_chunks; k += kChunks) {
    Chunk next_a[kStepsA], next_b[kStepsB];
#pragma unroll
    for (int i = 0; i < kStepsA; ++i) next_a[i] = from_a[i * kStagedRows * row_chunks + k];
#pragma unroll
    for (int i = 0; i < kStepsB; ++i) next_b[i] = from_b[i * kStagedRows * row_chunks + k];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kStepsA; ++i) as[staged_chunk][staged_row + i * kStagedRows] = next_a[i];
#pragma unroll
    for (int i = 0; i < kStepsB; ++i) bs[staged_chunk][staged_row + i * kStagedRows] = next_b[i];
    __syncthreads();
#pragma unroll
    for (int chunk = 0; chunk < kChunks; chunk += 2) { // half of the lanes take the one, half the next
      Parts left[kTilesDown], right[kTilesAcross];
#pragma unroll
      for (int i = 0; i < kTilesDown; ++i)
        left[i] = __builtin_bit_cast(Parts, as[chunk + lane / kTile][wave_row + i * kTile + lane % kTile]);
#pragma unroll
      for (int j = 0; j < kTilesAcross; ++j)
        right[j] = __builtin_bit_cast(Parts, bs[chunk + lane / kTile][wave_column + j * kTile + lane % kTile]);
#pragma unroll
      for (int part = 0; part < kParts; ++part)
#pragma unroll
        for (int i = 0; i < kTilesDown; ++i)
#pragma unroll
          for (int j = 0; j < kTilesAcross; ++j)
            sums[i][j] = Matrix<T>::multiply(left[i].part[part], right[j].part[part], sums[i][j]);
    }
  }
#pragma unroll
  for (int i = 0; i < kTilesDown; ++i)
#pragma unroll
    for (int j = 0; j < kTilesAcross; ++j)
#pragma unroll
      for (int e = 0; e < 16; ++e) {
        const int at = row + wave_row + i * kTile + e / 4 * 8 + lane / kTile * 4 + e % 4;
        c[at * n + column + wave_column + j * kTile + lane % kTile] = sums[i][j][e];
      }
}

} // namespace kit
