// bench/kit/native/gemm.h - a blocked matrix product: a slice of B packed once for all threads, blocks of A packed per
// thread into the second-level cache, and a kernel that keeps 8 x 2 vectors of C in registers (4 x 2 where there are 16).
#pragma once

#include "kit.h"

#ifdef __AVX512BF16__
#include <immintrin.h>
#endif

namespace kit {

#ifdef __AVX512F__
inline constexpr int kVectorBytes = 64, kRowsInRegisters = 8;
#else
inline constexpr int kVectorBytes = 32, kRowsInRegisters = 4;
#endif

// What one step of the kernel takes of a row: T alone, or two bfloat16 values at once where the host multiplies them.
template<class T> struct Scalar {
  using Packed = T;
  using Sum = T;
  static constexpr int kDepth = 1; // values of k in a Packed
  typedef T Vector __attribute__((vector_size(kVectorBytes)));
  static Vector load(const Packed* p) { return *reinterpret_cast<const Vector*>(p); }
  static Vector step(Packed left, Vector right, Vector sum) { return sum + left * right; }
};
#ifdef __AVX512BF16__
struct PairOfBf16 {
  using Packed = uint32_t;
  using Sum = float;
  static constexpr int kDepth = 2;
  using Vector = float __attribute__((vector_size(64)));
  static __m512bh load(const Packed* p) { return (__m512bh)_mm512_load_si512(p); }
  static Vector step(Packed left, __m512bh right, Vector sum) {
    return _mm512_dpbf16_ps(sum, (__m512bh)_mm512_set1_epi32(static_cast<int>(left)), right);
  }
};
#endif

// C (n x n, row-major) = A B. left(row, k) and right(k, column) give what is packed for k / Kind::kDepth.
template<class Kind, class Left, class Right>
void gemm(int n, typename Kind::Sum* c, const Left& left, const Right& right) {
  using Packed = typename Kind::Packed;
  using Vector = typename Kind::Vector;
  constexpr int kRows = kRowsInRegisters, kLanes = kVectorBytes / sizeof(typename Kind::Sum), kColumns = 2 * kLanes;
  constexpr int kSlice = 256, kBlock = 64; // k values (packed) of a slice; rows of a block
  const int depth = n / Kind::kDepth;
  Array<Packed> b(static_cast<size_t>(kSlice) * n);
#pragma omp parallel
  {
    Array<Packed> a(kBlock * kSlice);
    for (int k0 = 0; k0 < depth; k0 += kSlice) {
      const int slice = std::min(kSlice, depth - k0);
#pragma omp for schedule(static)
      for (int column = 0; column < n; column += kColumns)
        for (int k = 0; k < slice; ++k)
          for (int j = 0; j < kColumns; ++j) b[column * slice + k * kColumns + j] = right(k0 + k, column + j);
#pragma omp for schedule(dynamic)
      for (int row = 0; row < n; row += kBlock) {
        for (int r = 0; r < kBlock; r += kRows)
          for (int k = 0; k < slice; ++k)
            for (int i = 0; i < kRows; ++i) a[r * slice + k * kRows + i] = left(row + r + i, k0 + k);
        for (int column = 0; column < n; column += kColumns)
          for (int r = 0; r < kBlock; r += kRows) {
            Vector sum[kRows][2] = {};
            const Packed *pa = &a[r * slice], *pb = &b[column * slice];
            for (int k = 0; k < slice; ++k, pa += kRows, pb += kColumns) {
              const auto b0 = Kind::load(pb), b1 = Kind::load(pb + kLanes);
#pragma GCC unroll 8
              for (int i = 0; i < kRows; ++i) {
                sum[i][0] = Kind::step(pa[i], b0, sum[i][0]);
                sum[i][1] = Kind::step(pa[i], b1, sum[i][1]);
              }
            }
            for (int i = 0; i < kRows; ++i) {
              Vector* to = reinterpret_cast<Vector*>(&c[static_cast<size_t>(row + r + i) * n + column]);
              to[0] = k0 ? to[0] + sum[i][0] : sum[i][0];
              to[1] = k0 ? to[1] + sum[i][1] : sum[i][1];
            }
          }
      }
    }
  }
}

} // namespace kit
