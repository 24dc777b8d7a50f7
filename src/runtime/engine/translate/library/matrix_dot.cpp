// runtime/engine/translate/library/matrix_dot.cpp - matrix instructions for hosts with dot products of pairs of bf16
// (vdpbf16ps), which are two fused multiply-adds, the odd element first, at twice the rate. They take denormal numbers
// for 0. So they are used where there can be none: when all factors and sums are multiples of 2^-126, in products and
// sums of which nothing is smaller, but 0. Everything else goes the way of isa/matrix.inl, and nobody sees a
// difference. Compiled to bitcode; see entries.h and docs/decisions/0004-matrix-instructions.md.
#include "runtime/engine/exec/level.h"
#include "runtime/engine/exec/wave.h"
#include "runtime/engine/translate/library/entries.h"

#include <array>
#include <immintrin.h>
#include <utility>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// clang-format off: each needs those before it
#include "runtime/engine/isa/types.inl"
#include "runtime/engine/isa/helpers.inl"
#include "runtime/engine/isa/vop_fp8.inl"
#include "runtime/engine/isa/matrix.inl"
#include "runtime/engine/isa/end.inl"
#include "runtime/engine/translate/library/matrix.h"
// clang-format on

// A unit is a pair of bf16.
struct PairSteps {
  using Unit = U32;
  using Sum = F32;
  static constexpr uint32_t kDwords = 1, kSwapped = 0;
  [[gnu::always_inline]] static F32 step(F32 c, U32 a, U32 b) {
    return F32(_mm512_dpbf16_ps(__m512(c), bits<__m512bh>(a), bits<__m512bh>(b)));
  }
};
struct PairBf16 : PairSteps {
  static constexpr uint32_t kBits = 16, kUnits = 1;
  static constexpr bool kCoarse = false;
  [[gnu::always_inline]] static U32 unit(const Register* rows, uint32_t q, uint32_t u) { return rows[u][q]; }
};
template<int kMantissa, int kBias> struct PairFp8 : PairSteps {
  static constexpr uint32_t kBits = 8, kUnits = 2;
  static constexpr bool kCoarse = true; // no value is small
  [[gnu::always_inline]] static U32 unit(const Register* rows, uint32_t q, uint32_t u) {
    const U32 pair = rows[u / 2][q] >> (u % 2 * 16);
    const U32 low = bits<U32>(from_fp8<kMantissa, kBias>(pair & 0xffu));
    return bits<U32>(from_fp8<kMantissa, kBias>((pair >> 8) & 0xffu)) | low >> 16; // (they have few bits)
  }
};
using PairE4m3 = PairFp8<3, 8>;
using PairE5m2 = PairFp8<2, 16>;

// Magnitudes less than `limit`, but for 0, in numbers of T; smallest() is fed with all of them.
template<class T> struct Smallest {
  using Element = LaneOf<T>;
  static constexpr Element kMagnitude = Element(~Element(0)) >> 1;
  T least = splat<T>(Element(~Element(0)));
  [[gnu::always_inline]] void add(U32 v) {
    least = __builtin_elementwise_min(least, T((bits<T>(v) & kMagnitude) - Element(1)));
  }
  [[gnu::always_inline]] bool below(Element limit) const {
    using Bools = bool __attribute__((ext_vector_type(sizeof(T) / sizeof(Element))));
    const Bools low = __builtin_convertvector(least < Element(limit - 1), Bools);
    if constexpr (sizeof low == 4)
      return __builtin_bit_cast(uint32_t, low) != 0;
    else
      return __builtin_bit_cast(uint16_t, low) != 0;
  }
};
// Exponents of the smallest numbers that may take part. Two bf16 of at least 2^-56 are multiples of 2^-63, their
// product is one of 2^-126; so are all floats of at least 2^-103.
constexpr uint16_t kLeastFactor = uint16_t((127 - 56) << 7);
constexpr uint32_t kLeastSum = uint32_t(127 - 103) << 23;

template<class EA, class EB, uint32_t kM, uint32_t kK, uint32_t kBlocks> struct PairMatrix
    : Matrix<EA, EB, kM, kK, kBlocks> {
  using Pairs = Matrix<EA, EB, kM, kK, kBlocks>;
  using Single = Matrix<ElementBf16, ElementBf16, kM, kK, kBlocks>;
  static constexpr uint32_t kUnitStrips = Pairs::kUnitStrips;
  // Behind the units: whether there are small ones.
  static constexpr uint32_t kUnitBytesA = Pairs::kUnitBytesA + sizeof(U32), kUnitBytesB = kUnitBytesA;

  template<class E> [[gnu::always_inline]] static void prepare(const Register* rows, U32* units) {
    Pairs::template prepare<E>(rows, units);
    if constexpr (!E::kCoarse) {
      Smallest<Lane<2 * kLanes>::U16> smallest;
      for (uint32_t k = 0; k < Pairs::kSourceRegisters; ++k)
        for (uint32_t q = 0; q < kQuarters; ++q) smallest.add(rows[k][q]);
      *reinterpret_cast<uint32_t*>(units + kUnitStrips) = smallest.below(kLeastFactor);
    }
  }
  [[gnu::always_inline]] static void prepare_a(const Register* rows, const Register*, U32* units) {
    prepare<EA>(rows, units);
  }
  [[gnu::always_inline]] static void prepare_b(const Register* rows, U32* units) { prepare<EB>(rows, units); }

  // `coarse`: the sums are known to be multiples of 2^-126. Returns whether they then are.
  [[gnu::always_inline]] static uint32_t multiply(const U32* a, const U32* b, Register* sums, uint32_t coarse) {
    uint32_t small = 0;
    if constexpr (!EA::kCoarse) small |= *reinterpret_cast<const uint32_t*>(a + kUnitStrips);
    if constexpr (!EB::kCoarse) small |= *reinterpret_cast<const uint32_t*>(b + kUnitStrips);
    if (!coarse) {
      Smallest<U32> smallest;
      for (uint32_t k = 0; k < Pairs::kSumRegisters; ++k)
        for (uint32_t q = 0; q < kQuarters; ++q) smallest.add(sums[k][q]);
      small |= smallest.below(kLeastSum);
    }
    if (small) [[unlikely]] {
      multiply_single(a, b, sums);
      return 0;
    }
    Pairs::multiply(a, b, sums);
    return 1;
  }

private:
  // Units of one element each, of pairs.
  static void split(const U32* pairs, F32* units) {
    constexpr uint32_t kStrips = Pairs::kGroupStrips;
    for (uint32_t n = 0; n < kUnitStrips; ++n) {
      F32* to = units + n / kStrips * 2 * kStrips + n % kStrips;
      to[0] = bits<F32>(pairs[n] & 0xffff0000u);
      to[kStrips] = bits<F32>(pairs[n] << 16);
    }
  }
  [[gnu::noinline]] static void multiply_single(const U32* a, const U32* b, Register* sums) {
    F32 units_a[2 * kUnitStrips], units_b[2 * kUnitStrips];
    split(a, units_a);
    split(b, units_b);
    Single::multiply(units_a, units_b, sums);
  }
};
constexpr const char* kNeeds = "+avx512bf16";

} // namespace

extern "C" __attribute__((used)) const std::array omnihip_matrix_dot = {
    entry<PairMatrix<PairBf16, PairBf16, 32, 4, 2>>("v_mfma_f32_32x32x4_2b_bf16", true, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 16, 4, 4>>("v_mfma_f32_16x16x4_4b_bf16", true, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 32, 8, 1>>("v_mfma_f32_32x32x8_bf16", false, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 16, 16, 1>>("v_mfma_f32_16x16x16_bf16", false, kNeeds),
    entry<PairMatrix<PairE5m2, PairE5m2, 16, 32, 1>>("v_mfma_f32_16x16x32_bf8_bf8", false, kNeeds),
    entry<PairMatrix<PairE5m2, PairE4m3, 16, 32, 1>>("v_mfma_f32_16x16x32_bf8_fp8", false, kNeeds),
    entry<PairMatrix<PairE4m3, PairE5m2, 16, 32, 1>>("v_mfma_f32_16x16x32_fp8_bf8", false, kNeeds),
    entry<PairMatrix<PairE4m3, PairE4m3, 16, 32, 1>>("v_mfma_f32_16x16x32_fp8_fp8", false, kNeeds),
    entry<PairMatrix<PairE5m2, PairE5m2, 32, 16, 1>>("v_mfma_f32_32x32x16_bf8_bf8", false, kNeeds),
    entry<PairMatrix<PairE5m2, PairE4m3, 32, 16, 1>>("v_mfma_f32_32x32x16_bf8_fp8", false, kNeeds),
    entry<PairMatrix<PairE4m3, PairE5m2, 32, 16, 1>>("v_mfma_f32_32x32x16_fp8_bf8", false, kNeeds),
    entry<PairMatrix<PairE4m3, PairE4m3, 32, 16, 1>>("v_mfma_f32_32x32x16_fp8_fp8", false, kNeeds),
};

} // namespace hip::engine::OMNIHIP_LEVEL
