// runtime/engine/exec/mfma.cpp - matrix instructions of one host ISA level: D = A * B + C on 1 to 16 blocks. EXEC is
// ignored, as on the hardware. Products are accumulated in ascending k, each step one fma in the accumulator's type (i8:
// wrapping i32); the hardware's own order within an instruction is not documented.
#include "runtime/engine/decode/raw_inst.h"
#include "runtime/engine/exec/level.h"
#include "runtime/engine/exec/lift.h"

#include <cstddef>

namespace hip::engine::OMNIHIP_LEVEL {
namespace {

// --- element types of A and B: what is stored, and its value
struct ElemF32 {
  using Stored = uint32_t;
  using Sum = float;
  static float value(uint32_t v) { return __builtin_bit_cast(float, v); }
};
struct ElemF64 {
  using Stored = uint64_t;
  using Sum = double;
  static double value(uint64_t v) { return __builtin_bit_cast(double, v); }
};
struct ElemF16 {
  using Stored = uint16_t;
  using Sum = float;
  static float value(uint16_t v) { return static_cast<float>(__builtin_bit_cast(_Float16, v)); }
};
struct ElemBf16 {
  using Stored = uint16_t;
  using Sum = float;
  static float value(uint16_t v) { return __builtin_bit_cast(float, uint32_t(v) << 16); }
};
struct ElemI8 {
  using Stored = uint8_t;
  using Sum = uint32_t;
  static uint32_t value(uint8_t v) { return uint32_t(int32_t(int8_t(v))); }
};

// Instruction fields in Inst::imm[1].
constexpr uint32_t kAbidShift = 4, kBlgpShift = 8;

// The lane whose B element a lane takes, as blgp says.
uint32_t b_lane(uint32_t blgp, uint32_t lane) {
  switch (blgp) {
  case 1: return lane % 32;
  case 2: return 32 + lane % 32;
  case 3: return (lane + 16) % 64;
  case 4:
  case 5:
  case 6:
  case 7: return (blgp - 4) * 16 + lane % 16;
  default: return lane;
  }
}

template <class T> T multiply_add(T a, T b, T c) {
  if constexpr (std::is_same_v<T, uint32_t>)
    return a * b + c;
  else
    return __builtin_elementwise_fma(a, b, c);
}

// Element e of lane l of a matrix operand, which holds `kStored` bytes per element, packed into consecutive registers.
template <class Stored> Stored element(const char* rows, uint32_t lane, uint32_t e) {
  constexpr uint32_t kPerRegister = sizeof(Stored) >= 4 ? 1 : 4 / sizeof(Stored);
  Stored v;
  if constexpr (sizeof(Stored) == 8) {
    uint32_t halves[2];
    std::memcpy(&halves[0], rows + 2 * e * kRowBytes + lane * 4, 4);
    std::memcpy(&halves[1], rows + (2 * e + 1) * kRowBytes + lane * 4, 4);
    std::memcpy(&v, halves, 8);
  } else {
    std::memcpy(&v, rows + e / kPerRegister * kRowBytes + lane * 4 + e % kPerRegister * sizeof(Stored), sizeof v);
  }
  return v;
}

template <class E, uint32_t kM, uint32_t kN, uint32_t kK, uint32_t kBlocks>
void RT_HANDLER_CC mfma(Wave* w, const Inst* i) {
  using Stored = typename E::Stored;
  using Sum = typename E::Sum;
  constexpr uint32_t kPerLane = kM * kK * kBlocks / kMaxLanes; // elements of A (and B) in one lane
  static_assert(kM == kN && kPerLane * kMaxLanes == kM * kK * kBlocks);
  const uint32_t cbsz = uint32_t(i->imm[1]) & 7, abid = uint32_t(i->imm[1]) >> kAbidShift & 15,
                 blgp = uint32_t(i->imm[1]) >> kBlgpShift & 7;
  // f64 has no lane groups: blgp negates A, B and C instead.
  constexpr bool kWide = sizeof(Stored) == 8;
  alignas(64) Sum a[kBlocks][kM][kK], b[kBlocks][kK][kN];
  const char* rows_a = reinterpret_cast<const char*>(w) + i->src[0];
  const char* rows_b = reinterpret_cast<const char*>(w) + i->src[1];
  for (uint32_t lane = 0; lane < kMaxLanes; ++lane) {
    const uint32_t row = lane % kM, block = lane / kM % kBlocks, group = lane / kM / kBlocks;
    const uint32_t from_b = kWide ? lane : b_lane(blgp, lane);
    for (uint32_t e = 0; e < kPerLane; ++e) {
      const uint32_t k = group * kPerLane + e;
      a[block][row][k] = E::value(element<Stored>(rows_a, lane, e));
      b[block][k][row] = E::value(element<Stored>(rows_b, from_b, e));
      if constexpr (kWide) {
        if (blgp & 1) a[block][row][k] = -a[block][row][k];
        if (blgp & 2) b[block][k][row] = -b[block][k][row];
      }
    }
  }
  // Where D[row][column] of a block lies: lane group and register. 32-bit results go by quads of rows.
  auto place = [](uint32_t block, uint32_t row, uint32_t& lane, uint32_t& reg) {
    constexpr uint32_t kGroups = kMaxLanes / kN;
    if constexpr (kWide) {
      const uint32_t t = kBlocks == 1 ? row : block + kBlocks * row; // 16x16: row = 4 * register + group
      lane = t % kGroups * kN, reg = t / kGroups;
    } else {
      const uint32_t t = row / 4 + kM / 4 * block;
      lane = t % kGroups * kN, reg = t / kGroups * 4 + row % 4;
    }
  };
  const bool constant_c = (i->flags & (kSrcConst << 2)) != 0;
  const char* rows_c = reinterpret_cast<const char*>(w) + i->src[2];
  alignas(64) Sum d[kBlocks][kM][kN];
  for (uint32_t block = 0; block < kBlocks; ++block) {
    const uint32_t from_a = cbsz ? (block >> cbsz << cbsz) + abid : block;
    for (uint32_t row = 0; row < kM; ++row) {
      uint32_t lane, reg;
      place(block, row, lane, reg);
      Sum sum[kN];
      for (uint32_t n = 0; n < kN; ++n) {
        using Bits = std::conditional_t<kWide, uint64_t, uint32_t>;
        const Bits c = constant_c ? Bits(i->imm[2]) : element<Bits>(rows_c, lane + n, reg);
        sum[n] = __builtin_bit_cast(Sum, c);
        if constexpr (kWide) {
          if (blgp & 4) sum[n] = -sum[n];
        }
      }
      for (uint32_t k = 0; k < kK; ++k) {
        const Sum factor = a[from_a % kBlocks][row][k];
        for (uint32_t n = 0; n < kN; ++n) sum[n] = multiply_add<Sum>(factor, b[block][k][n], sum[n]);
      }
      std::memcpy(d[block][row], sum, sizeof sum);
    }
  }
  char* rows_d = reinterpret_cast<char*>(w) + i->dst;
  for (uint32_t block = 0; block < kBlocks; ++block)
    for (uint32_t row = 0; row < kM; ++row) {
      uint32_t lane, reg;
      place(block, row, lane, reg);
      for (uint32_t n = 0; n < kN; ++n) {
        if constexpr (kWide) {
          uint32_t halves[2];
          std::memcpy(halves, &d[block][row][n], 8);
          std::memcpy(rows_d + 2 * reg * kRowBytes + (lane + n) * 4, &halves[0], 4);
          std::memcpy(rows_d + (2 * reg + 1) * kRowBytes + (lane + n) * 4, &halves[1], 4);
        } else {
          std::memcpy(rows_d + reg * kRowBytes + (lane + n) * 4, &d[block][row][n], 4);
        }
      }
    }
  RT_NEXT(w, i);
}

#define MFMA(name, E, m, k, blocks) {name, lift_mfma, {mfma<E, m, m, k, blocks>, nullptr, nullptr, nullptr}, {blocks, 0}}
constexpr OpRow kRows[] = {
    MFMA("v_mfma_f32_32x32x1_2b_f32", ElemF32, 32, 1, 2),
    MFMA("v_mfma_f32_16x16x1_4b_f32", ElemF32, 16, 1, 4),
    MFMA("v_mfma_f32_4x4x1_16b_f32", ElemF32, 4, 1, 16),
    MFMA("v_mfma_f32_32x32x2_f32", ElemF32, 32, 2, 1),
    MFMA("v_mfma_f32_16x16x4_f32", ElemF32, 16, 4, 1),
    MFMA("v_mfma_f32_32x32x4_2b_f16", ElemF16, 32, 4, 2),
    MFMA("v_mfma_f32_16x16x4_4b_f16", ElemF16, 16, 4, 4),
    MFMA("v_mfma_f32_4x4x4_16b_f16", ElemF16, 4, 4, 16),
    MFMA("v_mfma_f32_32x32x8_f16", ElemF16, 32, 8, 1),
    MFMA("v_mfma_f32_16x16x16_f16", ElemF16, 16, 16, 1),
    MFMA("v_mfma_f32_32x32x4_2b_bf16", ElemBf16, 32, 4, 2),
    MFMA("v_mfma_f32_16x16x4_4b_bf16", ElemBf16, 16, 4, 4),
    MFMA("v_mfma_f32_4x4x4_16b_bf16", ElemBf16, 4, 4, 16),
    MFMA("v_mfma_f32_32x32x8_bf16", ElemBf16, 32, 8, 1),
    MFMA("v_mfma_f32_16x16x16_bf16", ElemBf16, 16, 16, 1),
    MFMA("v_mfma_i32_32x32x4_2b_i8", ElemI8, 32, 4, 2),
    MFMA("v_mfma_i32_16x16x4_4b_i8", ElemI8, 16, 4, 4),
    MFMA("v_mfma_i32_4x4x4_16b_i8", ElemI8, 4, 4, 16),
    MFMA("v_mfma_i32_32x32x16_i8", ElemI8, 32, 16, 1),
    MFMA("v_mfma_i32_16x16x32_i8", ElemI8, 16, 32, 1),
    MFMA("v_mfma_f64_16x16x4_f64", ElemF64, 16, 4, 1),
    MFMA("v_mfma_f64_4x4x4_4b_f64", ElemF64, 4, 4, 4),
};

} // namespace

std::span<const OpRow> mfma_rows() noexcept { return kRows; }

} // namespace hip::engine::OMNIHIP_LEVEL
