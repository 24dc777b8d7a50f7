// runtime/engine/isa/vop_fp8.inl - 8-bit floats of gfx942: fp8 is E4M3 with bias 8, bf8 is E5M2 with bias 16. Neither has
// infinities or a negative zero; 0x80 is the only NaN, and numbers that are too large become the NaN (ERRATA 20).
template <int kMantissa, int kBias> [[gnu::always_inline]] inline F32 from_fp8(U32 code) {
  const U32 magnitude = code & 0x7fu, mantissa = code & ((1u << kMantissa) - 1);
  const F32 normal = bits<F32>((magnitude << (23 - kMantissa)) + (uint32_t(127 - kBias) << 23));
  const F32 tiny = to<F32>(mantissa) * __builtin_bit_cast(float, uint32_t(127 + 1 - kBias - kMantissa) << 23);
  const F32 v = sel(CMP((magnitude >> kMantissa) == splat<U32>(0)), tiny, normal);
  const F32 r = bits<F32>(ubits(v) | ((code & 0x80u) << 24));
  return sel(CMP((code & 0xffu) == splat<U32>(0x80)), default_nan<F32>(), r);
}
template <int kMantissa, int kBias> [[gnu::always_inline]] inline U32 to_fp8(F32 a) { // to nearest even
  constexpr int kCut = 23 - kMantissa;
  const F32 m = absf(a);
  const U32 u = ubits(m);
  const U32 normal = ((u + ((1u << (kCut - 1)) - 1) + ((u >> kCut) & 1u)) >> kCut) - (uint32_t(127 - kBias) << kMantissa);
  const float least = __builtin_bit_cast(float, uint32_t(127 + 1 - kBias) << 23); // smallest normal number
  const M small = CMP(m < least);
  const F32 units = sel(small, m, splat<F32>(0.0f)) * __builtin_bit_cast(float, uint32_t(127 - 1 + kBias + kMantissa) << 23);
  const U32 code = sel(small, to<U32>(__builtin_elementwise_roundeven(units)), normal);
  const U32 sign = sel(CMP(code == splat<U32>(0)), splat<U32>(0), (ubits(a) >> 24) & 0x80u);
  return sel(not_(small) & CMP(normal > splat<U32>(0x7f)), splat<U32>(0x80), code | sign);
}
[[gnu::always_inline]] inline U16 two_bytes(U32 lo, U32 hi) { return to<U16>(lo | (hi << 8)); }

OP(v_cvt_f32_fp8, F32, (U32 a)) { return from_fp8<3, 8>(a & 0xffu); }
OP(v_cvt_f32_bf8, F32, (U32 a)) { return from_fp8<2, 16>(a & 0xffu); }
OP(v_cvt_pk_f32_fp8, PF32, (U32 a)) { return {from_fp8<3, 8>(a & 0xffu), from_fp8<3, 8>((a >> 8) & 0xffu)}; }
OP(v_cvt_pk_f32_bf8, PF32, (U32 a)) { return {from_fp8<2, 16>(a & 0xffu), from_fp8<2, 16>((a >> 8) & 0xffu)}; }
OP(v_cvt_pk_fp8_f32, HU16, (F32 a, F32 b)) { return {two_bytes(to_fp8<3, 8>(a), to_fp8<3, 8>(b))}; }
OP(v_cvt_pk_bf8_f32, HU16, (F32 a, F32 b)) { return {two_bytes(to_fp8<2, 16>(a), to_fp8<2, 16>(b))}; }
