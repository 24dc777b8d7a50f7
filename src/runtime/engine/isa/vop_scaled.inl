// runtime/engine/isa/vop_scaled.inl - gfx950's conversions: OCP's formats of 8 and 4 bits with and without a scale, and
// numbers of 16 bits. A scale is the exponent of an f32: conversions to a small format divide by that power of two, others
// multiply by it; an exponent of 255 makes NaNs. Formats are in vop_fp8.inl; conversions of 32 elements at once, which
// take more registers than a body can, in interpret/alu/blocks.cpp.
// gfx12 has no SDWA, and names a byte (byte_sel) or a half (op_sel) instead.
OP(v_cvt_f32_fp8_ocp, F32, (U32 a, Field f)) { return from_small<E4m3>(a >> ((f.value & 3u) * 8u)); }
OP(v_cvt_f32_bf8_ocp, F32, (U32 a, Field f)) { return from_small<E5m2>(a >> ((f.value & 3u) * 8u)); }
OP(v_cvt_pk_f32_fp8_ocp, PF32, (U16 a)) { return {from_small<E4m3>(to<U32>(a)), from_small<E4m3>(to<U32>(a) >> 8)}; }
OP(v_cvt_pk_f32_bf8_ocp, PF32, (U16 a)) { return {from_small<E5m2>(to<U32>(a)), from_small<E5m2>(to<U32>(a) >> 8)}; }
OP_TO_SMALL(v_cvt_pk_fp8_f32_ocp, E4m3, HU16, (F32 a, F32 b), {two_bytes(to_small<F>(a), to_small<F>(b))})
OP_TO_SMALL(v_cvt_pk_bf8_f32_ocp, E5m2, HU16, (F32 a, F32 b), {two_bytes(to_small<F>(a), to_small<F>(b))})
OP_TO_SMALL(v_cvt_sr_fp8_f32_ocp, E4m3, U32, (F32 a, U32 seed, Old d, Field f), with_byte(d, f, to_small_stochastic<F>(a, seed)))
OP_TO_SMALL(v_cvt_sr_bf8_f32_ocp, E5m2, U32, (F32 a, U32 seed, Old d, Field f), with_byte(d, f, to_small_stochastic<F>(a, seed)))

// --- bf16
OP(v_cvt_f32_bf16, F32, (U16 a)) { return from_bf16(a); }
OP(v_cvt_pk_bf16_f32, PU16, (F32 a, F32 b)) { return {to_bf16(a), to_bf16(b)}; }
OP(v_cvt_pk_f16_f32, PU16, (F32 a, F32 b)) { return {to<U16>(to_small<E5m10>(a)), to<U16>(to_small<E5m10>(b))}; }
OP(v_cvt_sr_f16_f32, HU16, (F32 a, U32 seed)) { return {to<U16>(to_small_stochastic<E5m10>(a, seed))}; }
OP(v_cvt_sr_bf16_f32, HU16, (F32 a, U32 seed)) {
  return {bf16_of(a, sel(is_inf(a), ubits(a), ubits(a) + (seed >> 16)))};
}
OP(v_dot2_f32_bf16, F32, (PU16 a, PU16 b, F32 c)) { // the products are added first
  return fma(from_bf16(a.hi), from_bf16(b.hi), from_bf16(a.lo) * from_bf16(b.lo)) + c;
}
OP(v_dot2c_f32_bf16, F32, (PU16 a, PU16 b, F32 d)) {
  return fma(from_bf16(a.hi), from_bf16(b.hi), fma(from_bf16(a.lo), from_bf16(b.lo), d));
}

// --- scales
[[gnu::always_inline]] inline I32 scale_exponent(F32 scale) { return bits<I32>((ubits(scale) >> 23) & 0xffu); }
[[gnu::always_inline]] inline F32 times_scale(F32 a, F32 scale) {
  const I32 e = scale_exponent(scale);
  return sel(CMP(e == splat<I32>(255)), default_nan<F32>(), ldexp(a, e - 127));
}
[[gnu::always_inline]] inline F32 by_scale(F32 a, F32 scale) {
  const I32 e = scale_exponent(scale);
  return sel(CMP(e == splat<I32>(255)), default_nan<F32>(), ldexp(a, 127 - e));
}
// The same for a conversion to F, to which a quotient that is too large for an f32 is a number (ERRATA 58).
template <class F> [[gnu::always_inline]] inline F32 scaled_for(F32 a, F32 scale) {
  const F32 v = by_scale(a, scale);
  if constexpr (!F::kLimits) return v;
  return bits<F32>(ubits(v) - sel(is_inf(v) & not_(is_inf(a)), splat<U32>(1), splat<U32>(0)));
}
// The seed of the second number of a pair is the first one's after one step of v_prng_b32.
[[gnu::always_inline]] inline U32 next_random(U32 seed) { return (seed << 1) ^ ((seed >> 31) * 197u); }
template <class F> [[gnu::always_inline]] inline U16 small_pair(F32 a, F32 b, F32 scale) {
  return two_bytes(to_small<F>(scaled_for<F>(a, scale)), to_small<F>(scaled_for<F>(b, scale)));
}
template <class F> [[gnu::always_inline]] inline U32 small_stochastic(F32 a, U32 seed, F32 scale) {
  return to_small_stochastic<F>(scaled_for<F>(a, scale), seed);
}
[[gnu::always_inline]] inline U32 fp4_pair(F32 a, F32 b, F32 scale) {
  return to_small<E2m1>(by_scale(a, scale)) | (to_small<E2m1>(by_scale(b, scale)) << 4);
}
[[gnu::always_inline]] inline U32 fp4_pair_stochastic(F32 a, F32 b, U32 seed, F32 scale) {
  return small_stochastic<E2m1>(a, seed, scale) | (small_stochastic<E2m1>(b, next_random(seed), scale) << 4);
}
// Byte op_sel[1:0] of a register.
[[gnu::always_inline]] inline U32 byte_by(U32 a, Field op_sel) { return (a >> ((op_sel.value & 3u) * 8u)) & 0xffu; }
template <class F> [[gnu::always_inline]] inline PF32 two_numbers(U32 a, int bits_each, F32 scale) {
  return {times_scale(from_small<F>(a), scale), times_scale(from_small<F>(a >> bits_each), scale)};
}
[[gnu::always_inline]] inline PF16 as_f16(PF32 v) { return {to<F16>(v.lo), to<F16>(v.hi)}; }
[[gnu::always_inline]] inline PU16 as_bf16(PF32 v) { return {to_bf16(v.lo), to_bf16(v.hi)}; }
// A 16-bit result for the half that op_sel[3] names.
[[gnu::always_inline]] inline U32 with_half(Old d, Field op_sel, U16 value) {
  const U32 at = (op_sel.value >> 3 & 1u) * 16u;
  return (d.value & ~(splat<U32>(0xffff) << at)) | (to<U32>(value) << at);
}

// --- to 8 and 4 bits, to nearest even
OP_TO_SMALL(v_cvt_scalef32_pk_fp8_f32, E4m3, HU16, (F32 a, F32 b, F32 s), {small_pair<F>(a, b, s)})
OP_TO_SMALL(v_cvt_scalef32_pk_bf8_f32, E5m2, HU16, (F32 a, F32 b, F32 s), {small_pair<F>(a, b, s)})
OP_TO_SMALL(v_cvt_scalef32_pk_fp8_f16, E4m3, HU16, (PF16 a, F32 s), {small_pair<F>(to<F32>(a.lo), to<F32>(a.hi), s)})
OP_TO_SMALL(v_cvt_scalef32_pk_bf8_f16, E5m2, HU16, (PF16 a, F32 s), {small_pair<F>(to<F32>(a.lo), to<F32>(a.hi), s)})
OP_TO_SMALL(v_cvt_scalef32_pk_fp8_bf16, E4m3, HU16, (PU16 a, F32 s), {small_pair<F>(from_bf16(a.lo), from_bf16(a.hi), s)})
OP_TO_SMALL(v_cvt_scalef32_pk_bf8_bf16, E5m2, HU16, (PU16 a, F32 s), {small_pair<F>(from_bf16(a.lo), from_bf16(a.hi), s)})
OP(v_cvt_scalef32_pk_fp4_f32, U32, (F32 a, F32 b, F32 s, Old d, Field f)) { return with_byte(d, f, fp4_pair(a, b, s)); }
OP(v_cvt_scalef32_pk_fp4_f16, U32, (PF16 a, F32 s, Old d, Field f)) { return with_byte(d, f, fp4_pair(to<F32>(a.lo), to<F32>(a.hi), s)); }
OP(v_cvt_scalef32_pk_fp4_bf16, U32, (PU16 a, F32 s, Old d, Field f)) { return with_byte(d, f, fp4_pair(from_bf16(a.lo), from_bf16(a.hi), s)); }

// --- stochastically
OP_TO_SMALL(v_cvt_scalef32_sr_fp8_f32, E4m3, U32, (F32 a, U32 r, F32 s, Old d, Field f), with_byte(d, f, small_stochastic<F>(a, r, s)))
OP_TO_SMALL(v_cvt_scalef32_sr_bf8_f32, E5m2, U32, (F32 a, U32 r, F32 s, Old d, Field f), with_byte(d, f, small_stochastic<F>(a, r, s)))
OP_TO_SMALL(v_cvt_scalef32_sr_fp8_f16, E4m3, U32, (F16 a, U32 r, F32 s, Old d, Field f), with_byte(d, f, small_stochastic<F>(to<F32>(a), r, s)))
OP_TO_SMALL(v_cvt_scalef32_sr_bf8_f16, E5m2, U32, (F16 a, U32 r, F32 s, Old d, Field f), with_byte(d, f, small_stochastic<F>(to<F32>(a), r, s)))
OP_TO_SMALL(v_cvt_scalef32_sr_fp8_bf16, E4m3, U32, (U16 a, U32 r, F32 s, Old d, Field f), with_byte(d, f, small_stochastic<F>(from_bf16(a), r, s)))
OP_TO_SMALL(v_cvt_scalef32_sr_bf8_bf16, E5m2, U32, (U16 a, U32 r, F32 s, Old d, Field f), with_byte(d, f, small_stochastic<F>(from_bf16(a), r, s)))
OP(v_cvt_scalef32_sr_pk_fp4_f32, U32, (PF32 a, U32 r, F32 s, Old d, Field f)) { return with_byte(d, f, fp4_pair_stochastic(a.lo, a.hi, r, s)); }
OP(v_cvt_scalef32_sr_pk_fp4_f16, U32, (PF16 a, U32 r, F32 s, Old d, Field f)) {
  return with_byte(d, f, fp4_pair_stochastic(to<F32>(a.lo), to<F32>(a.hi), r, s));
}
OP(v_cvt_scalef32_sr_pk_fp4_bf16, U32, (PU16 a, U32 r, F32 s, Old d, Field f)) {
  return with_byte(d, f, fp4_pair_stochastic(from_bf16(a.lo), from_bf16(a.hi), r, s));
}

// --- from 8 and 4 bits
OP(v_cvt_scalef32_f32_fp8, F32, (U32 a, F32 s, Field f)) { return times_scale(from_small<E4m3>(byte_by(a, f)), s); }
OP(v_cvt_scalef32_f32_bf8, F32, (U32 a, F32 s, Field f)) { return times_scale(from_small<E5m2>(byte_by(a, f)), s); }
OP(v_cvt_scalef32_f16_fp8, U32, (U32 a, F32 s, Old d, Field f)) {
  return with_half(d, f, ubits(to<F16>(times_scale(from_small<E4m3>(byte_by(a, f)), s))));
}
OP(v_cvt_scalef32_f16_bf8, U32, (U32 a, F32 s, Old d, Field f)) {
  return with_half(d, f, ubits(to<F16>(times_scale(from_small<E5m2>(byte_by(a, f)), s))));
}
OP(v_cvt_scalef32_pk_f32_fp8, PF32, (U16 a, F32 s)) { return two_numbers<E4m3>(to<U32>(a), 8, s); }
OP(v_cvt_scalef32_pk_f32_bf8, PF32, (U16 a, F32 s)) { return two_numbers<E5m2>(to<U32>(a), 8, s); }
OP(v_cvt_scalef32_pk_f16_fp8, PF16, (U16 a, F32 s)) { return as_f16(two_numbers<E4m3>(to<U32>(a), 8, s)); }
OP(v_cvt_scalef32_pk_f16_bf8, PF16, (U16 a, F32 s)) { return as_f16(two_numbers<E5m2>(to<U32>(a), 8, s)); }
OP(v_cvt_scalef32_pk_bf16_fp8, PU16, (U16 a, F32 s)) { return as_bf16(two_numbers<E4m3>(to<U32>(a), 8, s)); }
OP(v_cvt_scalef32_pk_bf16_bf8, PU16, (U16 a, F32 s)) { return as_bf16(two_numbers<E5m2>(to<U32>(a), 8, s)); }
OP(v_cvt_scalef32_pk_f32_fp4, PF32, (U32 a, F32 s, Field f)) { return two_numbers<E2m1>(byte_by(a, f), 4, s); }
OP(v_cvt_scalef32_pk_f16_fp4, PF16, (U32 a, F32 s, Field f)) { return as_f16(two_numbers<E2m1>(byte_by(a, f), 4, s)); }
OP(v_cvt_scalef32_pk_bf16_fp4, PU16, (U32 a, F32 s, Field f)) { return as_bf16(two_numbers<E2m1>(byte_by(a, f), 4, s)); }
#undef OP_TO_SMALL

// --- gfx12's products of four 8-bit floats, which are added one after the other
template <class A, class B> [[gnu::always_inline]] inline F32 dot4(U32 a, U32 b, F32 c) {
  for (uint32_t k = 0; k < 32; k += 8) c = fma(from_small<A>(a >> k), from_small<B>(b >> k), c);
  return c;
}
OP(v_dot4_f32_fp8_fp8, F32, (U32 a, U32 b, F32 c)) { return dot4<E4m3, E4m3>(a, b, c); }
OP(v_dot4_f32_fp8_bf8, F32, (U32 a, U32 b, F32 c)) { return dot4<E4m3, E5m2>(a, b, c); }
OP(v_dot4_f32_bf8_fp8, F32, (U32 a, U32 b, F32 c)) { return dot4<E5m2, E4m3>(a, b, c); }
OP(v_dot4_f32_bf8_bf8, F32, (U32 a, U32 b, F32 c)) { return dot4<E5m2, E5m2>(a, b, c); }
