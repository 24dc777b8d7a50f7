// runtime/engine/compile/library/matrix_dot.cpp - matrix instructions for hosts with dot products. Those of pairs of bf16
// (vdpbf16ps) are two fused multiply-adds, the odd element first, at twice the rate. They take denormal numbers
// for 0. So they are used where there can be none: when all factors and sums are multiples of 2^-126, in products and
// sums of which nothing is smaller, but 0. Everything else goes the way of isa/matrix.inl, and nobody sees a
// difference. Those of four bytes (vpdpbusd) take one operand for unsigned, so A is made 128 greater, and what that adds is
// taken from the sums. Compiled to bitcode; see entries.h and docs/decisions/0004-matrix-instructions.md.
#include "runtime/engine/interpret/level.h"
#include "runtime/engine/wave/wave.h"
#include "runtime/engine/compile/library/entries.h"
#include "runtime/engine/isa/wmma.h"

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
#include "runtime/engine/isa/wmma.inl"
#include "runtime/engine/isa/end.inl"
#include "runtime/engine/compile/library/matrix.h"
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
  static constexpr bool kCoarse = false, kInPlace = true, kAsIs = true;
  [[gnu::always_inline]] static U32 unit(const Register* rows, uint32_t q, uint32_t u) { return rows[u][q]; }
};
template<class Format> struct PairFp8 : PairSteps {
  static constexpr uint32_t kBits = 8, kUnits = 2;
  static constexpr bool kCoarse = true /* no value is small */, kInPlace = false, kAsIs = false;
  [[gnu::always_inline]] static U32 unit(const Register* rows, uint32_t q, uint32_t u) {
    const U32 pair = rows[u / 2][q] >> (u % 2 * 16);
    const U32 low = bits<U32>(from_small<Format>(pair & 0xffu));
    return bits<U32>(from_small<Format>((pair >> 8) & 0xffu)) | low >> 16; // (they have few bits)
  }
};
using PairE4m3Fnuz = PairFp8<E4m3Fnuz>;
using PairE5m2Fnuz = PairFp8<E5m2Fnuz>;
using PairE4m3 = PairFp8<E4m3>;
using PairE5m2 = PairFp8<E5m2>;

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

  using Factors = typename Pairs::Factors;
  // `coarse`: the sums are known to be multiples of 2^-126. Returns whether they then are.
  [[gnu::always_inline]] static uint32_t multiply(const Factors* all, uint32_t count, Register* sums, uint32_t coarse) {
    uint32_t small = 0;
    for (uint32_t n = 0; n < count; ++n) {
      if constexpr (!EA::kCoarse) small |= *reinterpret_cast<const uint32_t*>(all[n].a + kUnitStrips);
      if constexpr (!EB::kCoarse) small |= *reinterpret_cast<const uint32_t*>(all[n].b + kUnitStrips);
    }
    if (small) [[unlikely]] {
      multiply_single(all, count, sums, ~0u);
      return 0;
    }
    const uint32_t left = Pairs::multiply_tiles(all, count, sums, [&](auto& c, uint32_t) {
      if (coarse) return true;
      Smallest<U32> smallest;
      for (auto& row : c)
        for (F32& strip : row) smallest.add(bits<U32>(strip));
      return !smallest.below(kLeastSum);
    });
    if (left) [[unlikely]] multiply_single(all, count, sums, left);
    return left == 0;
  }

private:
  // Units of one element each, of pairs.
  static void split(const U32* pairs, F32* units) {
    for (uint32_t g = 0; g < Pairs::kGroups; ++g)
      for (uint32_t u = 0; u < Pairs::kLaneUnits; ++u)
        for (uint32_t q = 0; q < Pairs::kGroupStrips; ++q) {
          const U32 pair = pairs[g * Pairs::kGroupStride + u * Pairs::kUnitStride + q];
          F32* to = units + g * Single::kGroupStride + 2 * u * Single::kUnitStride + q;
          to[0] = bits<F32>(pair & 0xffff0000u);
          to[Single::kUnitStride] = bits<F32>(pair << 16);
        }
  }
  // The tiles of which `tiles` has the bits.
  [[gnu::noinline]] static void multiply_single(const Factors* all, uint32_t count, Register* sums, uint32_t tiles) {
    F32 units_a[2 * kUnitStrips], units_b[2 * kUnitStrips];
    const typename Single::Factors factors{units_a, units_b};
    for (uint32_t n = 0; n < count; ++n) {
      split(all[n].a, units_a);
      split(all[n].b, units_b);
#pragma clang loop unroll(disable)
      for (uint32_t k = 0; k < Single::kTiles; ++k)
        if (tiles >> k & 1) Single::tile(&factors, 1, sums, k, [](auto&, uint32_t) { return true; });
    }
  }
};

// Four bytes of A, each as 128 more than it is and unsigned; of B.
struct ByteSteps {
  using Unit = U32;
  using Sum = U32;
  static constexpr uint32_t kBits = 8, kUnits = 1, kDwords = 1;
  static constexpr bool kInPlace = true, kAsIs = false;
  [[gnu::always_inline]] static U32 step(U32 c, U32 a, U32 b) {
    return U32(_mm512_dpbusd_epi32(__m512i(c), __m512i(a), __m512i(b)));
  }
};
struct BytesA : ByteSteps {
  [[gnu::always_inline]] static U32 unit(const Register* rows, uint32_t q, uint32_t u) { return rows[u][q] ^ 0x80808080u; }
};
struct BytesB : ByteSteps {
  [[gnu::always_inline]] static U32 unit(const Register* rows, uint32_t q, uint32_t u) { return rows[u][q]; }
};
template<uint32_t kM, uint32_t kK, uint32_t kBlocks> struct ByteMatrix : Matrix<BytesA, BytesB, kM, kK, kBlocks> {
  using Bytes = Matrix<BytesA, BytesB, kM, kK, kBlocks>;
  using Factors = typename Bytes::Factors;
  // Behind the units of B: for each column, what is too much.
  static constexpr uint32_t kUnitBytesB = Bytes::kUnitBytesB + Bytes::kGroupStrips * sizeof(U32);
  static constexpr uint32_t kColumnStrips = kM / kLanes;

  [[gnu::always_inline]] static void prepare_b(const Register* rows, U32* units) {
    Bytes::prepare_b(rows, units);
#pragma clang loop unroll(full)
    for (uint32_t q = 0; q < Bytes::kGroupStrips; ++q) {
      U32 more = splat<U32>(0);
      for (uint32_t k = 0; k < Bytes::kUnitStrips; k += Bytes::kGroupStrips)
        more = ByteSteps::step(more, splat<U32>(0x80808080u), units[k + q]);
      units[Bytes::kUnitStrips + q] = more;
    }
  }
  [[gnu::always_inline]] static void multiply(const Factors* all, uint32_t count, Register* sums) {
    Bytes::multiply_tiles(all, count, sums, [&](auto& c, uint32_t block) {
      U32 more[kColumnStrips] = {};
      for (uint32_t n = 0; n < count; ++n)
        for (uint32_t q = 0; q < kColumnStrips; ++q) more[q] += all[n].b[Bytes::kUnitStrips + block * kColumnStrips + q];
      for (auto& row : c)
        for (uint32_t q = 0; q < kQuarters; ++q) row[q] -= more[q % kColumnStrips];
      return true;
    });
  }
};
constexpr const char *kNeeds = "+avx512bf16", *kNeedsBytes = "+avx512vnni";

} // namespace

extern "C" __attribute__((used)) const std::array omnihip_matrix_dot = {
    entry<PairMatrix<PairBf16, PairBf16, 32, 4, 2>>(Opcode::v_mfma_f32_32x32x4_2b_bf16, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 16, 4, 4>>(Opcode::v_mfma_f32_16x16x4_4b_bf16, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 32, 8, 1>>(Opcode::v_mfma_f32_32x32x8_bf16, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 16, 16, 1>>(Opcode::v_mfma_f32_16x16x16_bf16, kNeeds),
    entry<PairMatrix<PairE5m2Fnuz, PairE5m2Fnuz, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_bf8_bf8, kNeeds),
    entry<PairMatrix<PairE5m2Fnuz, PairE4m3Fnuz, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_bf8_fp8, kNeeds),
    entry<PairMatrix<PairE4m3Fnuz, PairE5m2Fnuz, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_fp8_bf8, kNeeds),
    entry<PairMatrix<PairE4m3Fnuz, PairE4m3Fnuz, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_fp8_fp8, kNeeds),
    entry<PairMatrix<PairE5m2Fnuz, PairE5m2Fnuz, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_bf8_bf8, kNeeds),
    entry<PairMatrix<PairE5m2Fnuz, PairE4m3Fnuz, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_bf8_fp8, kNeeds),
    entry<PairMatrix<PairE4m3Fnuz, PairE5m2Fnuz, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_fp8_bf8, kNeeds),
    entry<PairMatrix<PairE4m3Fnuz, PairE4m3Fnuz, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_fp8_fp8, kNeeds),
    entry<PairMatrix<PairE5m2, PairE5m2, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_bf8_bf8_ocp, kNeeds),
    entry<PairMatrix<PairE5m2, PairE4m3, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_bf8_fp8_ocp, kNeeds),
    entry<PairMatrix<PairE4m3, PairE5m2, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_fp8_bf8_ocp, kNeeds),
    entry<PairMatrix<PairE4m3, PairE4m3, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_fp8_fp8_ocp, kNeeds),
    entry<PairMatrix<PairE5m2, PairE5m2, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_bf8_bf8_ocp, kNeeds),
    entry<PairMatrix<PairE5m2, PairE4m3, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_bf8_fp8_ocp, kNeeds),
    entry<PairMatrix<PairE4m3, PairE5m2, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_fp8_bf8_ocp, kNeeds),
    entry<PairMatrix<PairE4m3, PairE4m3, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_fp8_fp8_ocp, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 16, 32, 1>>(Opcode::v_mfma_f32_16x16x32_bf16, kNeeds),
    entry<PairMatrix<PairBf16, PairBf16, 32, 16, 1>>(Opcode::v_mfma_f32_32x32x16_bf16, kNeeds),
    entry<ByteMatrix<32, 4, 2>>(Opcode::v_mfma_i32_32x32x4_2b_i8, kNeedsBytes),
    entry<ByteMatrix<16, 4, 4>>(Opcode::v_mfma_i32_16x16x4_4b_i8, kNeedsBytes),
    entry<ByteMatrix<32, 16, 1>>(Opcode::v_mfma_i32_32x32x16_i8, kNeedsBytes),
    entry<ByteMatrix<16, 32, 1>>(Opcode::v_mfma_i32_16x16x32_i8, kNeedsBytes),
    entry<ByteMatrix<32, 32, 1>>(Opcode::v_mfma_i32_32x32x32_i8, kNeedsBytes),
    entry<ByteMatrix<16, 64, 1>>(Opcode::v_mfma_i32_16x16x64_i8, kNeedsBytes),
};

} // namespace hip::engine::OMNIHIP_LEVEL
