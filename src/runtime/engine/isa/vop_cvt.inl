// runtime/engine/isa/vop_cvt.inl - conversions. Float to integer saturates, NaN becomes 0.
OP(v_cvt_f32_i32, F32, (I32 a)) { return to<F32>(a); }
OP(v_cvt_f32_u32, F32, (U32 a)) { return single_of(a); }
OP(v_cvt_f64_i32, F64, (I32 a)) { return to<F64>(a); }
OP(v_cvt_f64_u32, F64, (U32 a)) { return double_of(a); }
OP(v_cvt_i32_f32, I32, (F32 a)) { return to_i32(a); }
OP(v_cvt_u32_f32, U32, (F32 a)) { return to_u32(a); }
OP(v_cvt_i32_f64, I32, (F64 a)) { return to_i32(a); }
OP(v_cvt_u32_f64, U32, (F64 a)) { return to_u32(a); }
OP(v_cvt_f32_f64, F32, (F64 a)) { return to<F32>(a); }
OP(v_cvt_f64_f32, F64, (F32 a)) { return to<F64>(a); }
OP(v_cvt_f16_f32, F16, (F32 a)) { return to<F16>(a); }
OP(v_cvt_f32_f16, F32, (F16 a)) { return to<F32>(a); }
OP(v_cvt_f16_u16, F16, (U16 a)) { return to<F16>(to<F32>(a)); }
OP(v_cvt_f16_i16, F16, (I16 a)) { return to<F16>(to<F32>(a)); }
OP(v_cvt_u16_f16, U16, (F16 a)) { return to_u16(a); }
OP(v_cvt_i16_f16, I16, (F16 a)) { return to_i16(a); }
OP(v_cvt_rpi_i32_f32, I32, (F32 a)) { return to_i32(__builtin_elementwise_floor(a + 0.5f)); }
OP(v_cvt_flr_i32_f32, I32, (F32 a)) { return to_i32(__builtin_elementwise_floor(a)); }
OP(v_cvt_off_f32_i4, F32, (I32 a)) { return to<F32>((a << 28) >> 28) * 0.0625f; }
OP(v_cvt_f32_ubyte0, F32, (U32 a)) { return to<F32>(byte_of(a, 0)); }
OP(v_cvt_f32_ubyte1, F32, (U32 a)) { return to<F32>(byte_of(a, 1)); }
OP(v_cvt_f32_ubyte2, F32, (U32 a)) { return to<F32>(byte_of(a, 2)); }
OP(v_cvt_f32_ubyte3, F32, (U32 a)) { return to<F32>(byte_of(a, 3)); }

// Towards zero whatever MODE says: round, then step back where the magnitude grew.
[[gnu::always_inline]] inline F16 f16_towards_zero(F32 a) {
  const F16 h = to<F16>(a);
  const M grew = CMP(absf(to<F32>(h)) > absf(a));
  return bits<F16>(sel(grew, to<U16>(to<U32>(ubits(h)) - 1u), ubits(h)));
}
OP(v_cvt_pkrtz_f16_f32, PF16, (F32 a, F32 b)) { return {f16_towards_zero(a), f16_towards_zero(b)}; }
// (Products are exact as doubles: rounded twice, they would be wrong where the first rounding makes them halfway numbers.)
[[gnu::always_inline]] inline I16 snorm16(F32 a) {
  const F32 c = sel(is_nan(a), splat<F32>(0.0f), sel(CMP(a > 1.0f), splat<F32>(1.0f), sel(CMP(a < -1.0f), splat<F32>(-1.0f), a)));
  return to<I16>(to_i32(__builtin_elementwise_roundeven(to<F64>(c) * 32767.0)));
}
[[gnu::always_inline]] inline U16 unorm16(F32 a) {
  const F32 c = sel(CMP(a > 0.0f), sel(CMP(a > 1.0f), splat<F32>(1.0f), a), splat<F32>(0.0f));
  return to<U16>(to_u32(__builtin_elementwise_roundeven(to<F64>(c) * 65535.0)));
}
OP(v_cvt_pknorm_i16_f32, PI16, (F32 a, F32 b)) { return {snorm16(a), snorm16(b)}; }
OP(v_cvt_pknorm_u16_f32, PU16, (F32 a, F32 b)) { return {unorm16(a), unorm16(b)}; }
OP(v_cvt_pknorm_i16_f16, PI16, (F16 a, F16 b)) { return {snorm16(to<F32>(a)), snorm16(to<F32>(b))}; }
OP(v_cvt_pknorm_u16_f16, PU16, (F16 a, F16 b)) { return {unorm16(to<F32>(a)), unorm16(to<F32>(b))}; }
OP(v_cvt_norm_i16_f16, I16, (F16 a)) { return snorm16(to<F32>(a)); }
OP(v_cvt_norm_u16_f16, U16, (F16 a)) { return unorm16(to<F32>(a)); }
OP(v_cvt_pk_u16_u32, PU16, (U32 a, U32 b)) { return {sat16(a), sat16(b)}; }
OP(v_cvt_pk_u16_f32, PU16, (F32 a, F32 b)) { return {sat16(to_u32(a)), sat16(to_u32(b))}; }
OP(v_cvt_pk_i16_f32, PI16, (F32 a, F32 b)) { return {sat16(to_i32(a)), sat16(to_i32(b))}; }
OP(v_cvt_pk_i16_i32, PI16, (I32 a, I32 b)) { return {sat16(a), sat16(b)}; }
[[gnu::always_inline]] inline U32 to_u8(F32 a) {
  return imin(to_u32(__builtin_elementwise_roundeven(a)), splat<U32>(255));
}
OP(v_cvt_pk_u8_f32, U32, (F32 a, U32 index, U32 old)) {
  const U32 at = (index & 3u) * 8u;
  return (old & ~(splat<U32>(0xff) << at)) | (to_u8(a) << at);
}
OP(v_cvt_pkaccum_u8_f32, U32, (F32 a, U32 index, U32 d)) { return v_cvt_pk_u8_f32(a, index, d); }
OP(v_sat_pk_u8_i16, U32, (PI16 a)) {
  const I32 lo = imax(imin(to<I32>(a.lo), splat<I32>(255)), splat<I32>(0));
  const I32 hi = imax(imin(to<I32>(a.hi), splat<I32>(255)), splat<I32>(0));
  return bits<U32>(lo | (hi << 8));
}
