// runtime/engine/isa/wmma.h - how waves of gfx11 and gfx12 hold the matrices of a WMMA or SWMMAC instruction. Lanes come in strips of
// 16; a row of A, or a column of B, lies in lanes of one number of a strip, as dwords of consecutive k. Both tiers gather these strips in the
// order in which MFMA has them, and multiply as MFMA does (isa/matrix.inl).
// Source: AMD's matrix instruction calculator for RDNA3 and RDNA4.
#pragma once

#include "runtime/engine/isa/matrix_shape.h"

namespace hip::engine {

// A strip of a register.
struct StripPlace {
  uint32_t row, strip;
};

// The registers of `dwords` dwords of each row, or of as many rows of sums.
constexpr uint32_t wmma_registers(MatrixLayout layout, uint32_t dwords) {
  const bool wave64 = layout == MatrixLayout::Gfx11Wave64 || layout == MatrixLayout::Gfx12Wave64;
  return (dwords + (wave64 ? 3 : 1)) / (wave64 ? 4 : 2);
}
constexpr bool is_gfx11(MatrixLayout layout) { return layout == MatrixLayout::Gfx11Wave32 || layout == MatrixLayout::Gfx11Wave64; }
// Likewise, of a factor: gfx11 holds each row once in every strip, and the engine reads the first one (ERRATA 62).
constexpr uint32_t wmma_factor_registers(MatrixLayout layout, uint32_t dwords) {
  return is_gfx11(layout) ? dwords : wmma_registers(layout, dwords);
}

// Waves of 64 lanes have the upper half of a smaller wave's registers in their upper half.
constexpr StripPlace wave64_place(StripPlace in_wave32, uint32_t registers) {
  const uint32_t half = registers < 2 ? registers : registers / 2;
  return {in_wave32.row % half, in_wave32.strip + 2 * (in_wave32.row / half)};
}
// Row `m` of the sums, where each has a register's whole strip.
constexpr StripPlace wmma_sum_place(MatrixLayout layout, uint32_t m) {
  switch (layout) {
  case MatrixLayout::Gfx11Wave32: return {m / 2, m % 2};
  case MatrixLayout::Gfx11Wave64: return {m / 4, m % 4};
  case MatrixLayout::Gfx12Wave32: return {m % 8, m / 8};
  default: return wave64_place({m % 8, m / 8}, 8);
  }
}
// Dword `j` of the `dwords` that a factor's rows have, of which `run` in a row are in registers of the same strip.
constexpr StripPlace wmma_factor_place(MatrixLayout layout, WmmaFactor factor, uint32_t j) {
  if (is_gfx11(layout)) return {j, 0};
  const StripPlace place{factor.run * (j / (2 * factor.run)) + j % factor.run, j / factor.run % 2};
  return layout == MatrixLayout::Gfx12Wave32 ? place : wave64_place(place, factor.dwords / 2);
}
// Sparse: where the index of A's stored elements from `element` on begins. It lies in the lanes that hold the elements.
struct IndexPlace {
  uint32_t strip, bit;
};
constexpr IndexPlace wmma_index_place(MatrixLayout layout, WmmaFactor a, uint32_t element_bits, uint32_t element) {
  const uint32_t per_dword = 32 / element_bits;
  if (element / per_dword >= a.dwords) return {0, 0}; // a 0 that is not gathered, whatever its place
  const StripPlace place = wmma_factor_place(layout, a, element / per_dword);
  return {place.strip, 2 * (place.row * per_dword + element % per_dword)};
}

// How sums lie in registers and what happens to them, as one word: SumForm to functions of both tiers.
struct SumForm {
  MatrixLayout layout = MatrixLayout::Mfma;
  SumFormat format = SumFormat::F32;
  bool high = false;      // gfx11, 16 bits: the sums are in the upper halves of the registers, and the lower ones stay
  bool saturates = false; // I32
  constexpr uint32_t word() const {
    return uint32_t(layout) | uint32_t(format) << 3 | uint32_t(high) << 5 | uint32_t(saturates) << 6;
  }
  static constexpr SumForm of(uint32_t word) {
    return {MatrixLayout(word & 7), SumFormat(word >> 3 & 3), (word >> 5 & 1) != 0, (word >> 6 & 1) != 0};
  }
  constexpr bool is_half() const { return format == SumFormat::F16 || format == SumFormat::Bf16; }
  // 16 bits: two rows in a register.
  constexpr bool is_packed() const { return is_half() && !is_gfx11(layout); }
  constexpr uint32_t registers() const { return wmma_registers(layout, is_packed() ? 8 : 16); }
  // The bits of a register that an instruction writes.
  constexpr uint32_t mask() const { return !is_half() || is_packed() ? ~0u : high ? 0xffff0000u : 0xffffu; }
  // What an inline constant is in each register of the addend.
  constexpr uint32_t constant(uint64_t value) const { return is_half() ? uint32_t(value & 0xffff) * 0x10001u : uint32_t(value); }
  constexpr uint32_t sign() const { return is_half() ? 0x80008000u : 0x80000000u; }
};
// The most instructions whose products one call adds: sums of integers, which are f32 meanwhile, are exact.
inline constexpr uint32_t kMostProducts = 8;
// The bits that neg_lo and neg_hi flip in a factor's registers.
constexpr uint32_t wmma_flipped(bool low, bool high) { return (low ? 0x8000u : 0) | (high ? 0x80000000u : 0); }

} // namespace hip::engine
