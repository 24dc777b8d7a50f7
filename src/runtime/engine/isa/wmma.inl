// runtime/engine/isa/wmma.inl - WMMA's and SWMMAC's sums, which lie in registers as a SumForm (isa/wmma.h) says, of any format.
// What is multiplied, and in which order products are added, is as in isa/matrix.inl; sums of 16 bits are f32 until an
// instruction has added all its products (ERRATA 62). Included behind matrix.inl.
// The meaning X with factors of K = kK_.
template <uint32_t kK_, class X> struct Placed : X {
  static constexpr uint32_t kDwords = kK_ * X::kElementBits / 32;
  static constexpr bool kSparse = X::kIndexBits != 0;
  static constexpr uint32_t kDwordsA = kSparse ? kDwords / 2 : kDwords, kRun = kDwordsA < 4 ? 1 : 2;
  static constexpr WmmaFactor kFactorA = {kDwordsA, kRun}, kFactorB = {kDwords, kSparse ? 2 * kRun : kRun};
};
[[gnu::always_inline]] inline F32 sum_of_half(SumFormat format, U32 half) {
  return format == SumFormat::F16 ? to<F32>(bits<F16>(to<U16>(half))) : bits<F32>(half << 16);
}
[[gnu::always_inline]] inline U32 half_of_sum(SumFormat format, F32 sum) {
  return format == SumFormat::F16 ? to<U32>(bits<U16>(to<F16>(sum))) : to<U32>(to_bf16(sum));
}
// `count` instructions of meaning X with the same sums, one after the other.
template <class X> inline void multiply_placed(const typename X::Factors* all, uint32_t count, Register* sums, uint32_t word) {
  const SumForm form = SumForm::of(word);
  U32* const strips = &sums[0][0];
  struct Place {
    uint32_t strip, shift;
  };
  const auto place = [&](uint32_t m) -> Place {
    const StripPlace at = wmma_sum_place(form.layout, m);
    if (form.is_packed()) return {at.row / 2 * kQuarters + at.strip, at.row % 2 * 16};
    return {at.row * kQuarters + at.strip, form.high ? 16u : 0u};
  };
  Register whole[4]; // as MFMA's lie: row m is strip m / 4 of register m % 4
  U32 addends[16];   // I32
  for (uint32_t m = 0; m < 16; ++m) {
    const Place at = place(m);
    const U32 v = strips[at.strip];
    U32& to_strip = whole[m % 4][m / 4];
    if (form.format == SumFormat::I32)
      addends[m] = v, to_strip = splat<U32>(0);
    else
      to_strip = form.is_half() ? bits<U32>(sum_of_half(form.format, (v >> at.shift) & 0xffffu)) : v;
  }
  // Sums of f32 are those of all instructions; others have an end after each, but wrapping integers, which are exact.
  const uint32_t together = form.format == SumFormat::F32 || (form.format == SumFormat::I32 && !form.saturates) ? count : 1;
  for (uint32_t n = 0; n < count; n += together) {
    X::multiply(all + n, together, whole);
    for (uint32_t m = 0; m < 16 && form.format != SumFormat::F32; ++m) {
      U32& strip = whole[m % 4][m / 4];
      if (form.format == SumFormat::I32) {
        const I32 products = to<I32>(bits<F32>(strip)), addend = bits<I32>(addends[m]);
        addends[m] = form.saturates ? bits<U32>(__builtin_elementwise_add_sat(addend, products)) : addends[m] + bits<U32>(products);
        strip = splat<U32>(0);
      } else {
        strip = bits<U32>(sum_of_half(form.format, half_of_sum(form.format, bits<F32>(strip))));
      }
    }
  }
  for (uint32_t m = 0; m < 16; ++m) {
    const Place at = place(m);
    const U32 strip = whole[m % 4][m / 4];
    if (form.is_half())
      strips[at.strip] = (strips[at.strip] & ~(0xffffu << at.shift)) | (half_of_sum(form.format, bits<F32>(strip)) << at.shift);
    else
      strips[at.strip] = form.format == SumFormat::I32 ? addends[m] : strip;
  }
}
