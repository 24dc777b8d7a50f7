// runtime/engine/interpret/alu/scaled_matrix.h - matrix products whose operands have a format of 8, 6 or 4 bits each, and
// scales of 32 elements each (gfx950). Included in mfma.cpp, behind isa/matrix.inl and `registers`.
//
// A lane holds 32 elements of a row of A (of a column of B). Those of 6 and 4 bits are consecutive in k; those of 8 bits are two
// runs of 16, half of K apart. Lane r + kM * b holds the scale of row r and elements 32 * b to 32 * b + 31 (ERRATA 50).
#pragma once

// Formats, as cbsz and blgp number them.
enum class ElementFormat : uint32_t { Fp8, Bf8, Fp6, Bf6, Fp4 };

struct PlainF32 : FloatSteps<F32> {
  static constexpr uint32_t kBits = 32, kUnits = 1;
};
template <uint32_t kM, uint32_t kK> using BlockProduct = Matrix<PlainF32, PlainF32, kM, kK, 1>;

// The elements of all lanes as units of BlockProduct, which are in the order of k.
template <class Format, uint32_t kBits, uint32_t kM, uint32_t kK>
void numbers_of(const Register* rows, const Register* scale, F32* units) {
  constexpr uint32_t kHeld = 32, kRowStrips = kM / kLanes, kRun = kBits == 8 ? 16 : 32;
  for (uint32_t e = 0; e < kHeld; ++e) {
    const uint32_t bit = e * kBits, shift = bit % 32;
    for (uint32_t q = 0; q < kQuarters; ++q) {
      U32 code = rows[bit / 32][q] >> shift;
      if (shift + kBits > 32) code |= rows[bit / 32 + 1][q] << (32 - shift);
      const uint32_t k = e / kRun * (kK / 2) + q / kRowStrips * kRun + e % kRun, strip = q % kRowStrips;
      F32 v = from_small<Format>(code & ((1u << kBits) - 1));
      if (scale) {
        const U32 exponent = (*scale)[k / 32 * kRowStrips + strip];
        v = sel(CMP(exponent == splat<U32>(255)), default_nan<F32>(), ldexp(v, bits<I32>(exponent) - 127));
      }
      units[k * kRowStrips + strip] = v;
    }
  }
}
template <uint32_t kM, uint32_t kK> void numbers(uint32_t format, const Register* rows, const Register* scale, F32* units) {
  switch (ElementFormat(format)) {
  case ElementFormat::Fp8:
    return numbers_of<E4m3, 8, kM, kK>(rows, scale, units);
  case ElementFormat::Bf8:
    return numbers_of<E5m2, 8, kM, kK>(rows, scale, units);
  case ElementFormat::Fp6:
    return numbers_of<E2m3, 6, kM, kK>(rows, scale, units);
  case ElementFormat::Bf6:
    return numbers_of<E3m2, 6, kM, kK>(rows, scale, units);
  case ElementFormat::Fp4:
    return numbers_of<E2m1, 4, kM, kK>(rows, scale, units);
  }
}
// One byte of each lane of the scale at `offset` of the wave.
void read_scale(Wave* w, uint32_t offset, bool is_vector, uint32_t byte, Register& out) {
  for (uint32_t q = 0; q < kQuarters; ++q) {
    const U32 v = is_vector ? at<Register>(w, offset)[q] : splat<U32>(at<uint32_t>(w, offset));
    out[q] = (v >> (8 * byte)) & 0xffu;
  }
}

template <uint32_t kM, uint32_t kK> void RT_HANDLER_CC execute_scaled(Wave* w, const Inst* i) {
  using Product = BlockProduct<kM, kK>;
  const uint32_t fields = uint32_t(i->imm[1]);
  Register scale_a, scale_b, sums[Product::kSumRegisters];
  const bool scaled = i->imm[0] != 0;
  if (scaled) {
    read_scale(w, uint32_t(i->imm[0]), fields & kMatrixScaleAVector, fields >> kMatrixByteAShift & 3, scale_a);
    read_scale(w, uint32_t(i->imm[0] >> 32), fields & kMatrixScaleBVector, fields >> kMatrixByteBShift & 3, scale_b);
  }
  if (i->flags & (kSrcConst << 2)) {
    for (Register& sum : sums)
      for (U32& strip : sum) strip = U32(uint32_t(i->imm[2]));
  } else {
    std::memcpy(sums, registers(w, i->src[2]), sizeof sums);
  }
  F32 units_a[kK * kM / kLanes], units_b[kK * kM / kLanes];
  numbers<kM, kK>(fields & 7, registers(w, i->src[0]), scaled ? &scale_a : nullptr, units_a);
  numbers<kM, kK>(fields >> kMatrixBlgpShift & 7, registers(w, i->src[1]), scaled ? &scale_b : nullptr, units_b);
  const typename Product::Factors factors{units_a, units_b};
  Product::multiply(&factors, 1, sums);
  std::memcpy(&at<Register>(w, i->dst), sums, sizeof sums);
  RT_NEXT(w, i);
}
