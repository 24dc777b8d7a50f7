// runtime/engine/isa/vop_16.inl - 16-bit arithmetic. A 16-bit result clears the upper half of its register, unless its type is
// Half: these few instructions keep what they do not write on gfx9 (ERRATA 18).
OP(v_add_f16, F16, (F16 a, F16 b)) { return a + b; }
OP(v_sub_f16, F16, (F16 a, F16 b)) { return a - b; }
OP(v_subrev_f16, F16, (F16 a, F16 b)) { return b - a; }
OP(v_mul_f16, F16, (F16 a, F16 b)) { return a * b; }
OP(v_min_f16, F16, (F16 a, F16 b)) { return min_ieee(a, b); }
OP(v_max_f16, F16, (F16 a, F16 b)) { return max_ieee(a, b); }
OP(v_min3_f16, F16, (F16 a, F16 b, F16 c)) { return min_ieee(min_ieee(a, b), c); }
OP(v_max3_f16, F16, (F16 a, F16 b, F16 c)) { return max_ieee(max_ieee(a, b), c); }
OP(v_med3_f16, F16, (F16 a, F16 b, F16 c)) { return med3_ieee(a, b, c); }
OP(v_fma_f16, HF16, (F16 a, F16 b, F16 c)) { return {fma(a, b, c)}; }
OP(v_fmac_f16, HF16, (F16 a, F16 b, F16 d)) { return {fma(a, b, d)}; }
OP(v_fmamk_f16, HF16, (F16 a, F16 k, F16 b)) { return {fma(a, k, b)}; }
OP(v_fmaak_f16, HF16, (F16 a, F16 b, F16 k)) { return {fma(a, b, k)}; }
OP(v_mad_f16, HF16, (F16 a, F16 b, F16 c)) { return {F16(F16(a * b) + c)}; }
OP(v_mac_f16, HF16, (F16 a, F16 b, F16 d)) { return {F16(F16(a * b) + d)}; }
OP(v_madmk_f16, HF16, (F16 a, F16 k, F16 b)) { return {F16(F16(a * k) + b)}; }
OP(v_madak_f16, HF16, (F16 a, F16 b, F16 k)) { return {F16(F16(a * b) + k)}; }
OP(v_trunc_f16, F16, (F16 a)) { return to<F16>(__builtin_elementwise_trunc(to<F32>(a))); }
OP(v_ceil_f16, F16, (F16 a)) { return to<F16>(__builtin_elementwise_ceil(to<F32>(a))); }
OP(v_floor_f16, F16, (F16 a)) { return to<F16>(__builtin_elementwise_floor(to<F32>(a))); }
OP(v_rndne_f16, F16, (F16 a)) { return to<F16>(__builtin_elementwise_roundeven(to<F32>(a))); }
OP(v_fract_f16, F16, (F16 a)) {
  const F32 w = to<F32>(a), r = w - __builtin_elementwise_floor(w);
  const F16 h = to<F16>(r);
  return sel(CMP(to<F32>(h) >= 1.0f), to<F16>(splat<F32>(0x1.ffcp-1f)), h);
}
OP(v_ldexp_f16, F16, (F16 a, I16 n)) {
  const I32 e = imax(imin(to<I32>(n), splat<I32>(60)), splat<I32>(-60));
  return to<F16>(to<F32>(a) * pow2_f32(e));
}
OP(v_frexp_exp_i16_f16, I16, (F16 a)) {
  const F32 w = to<F32>(a);
  const I32 e = bits<I32>((ubits(w) >> 23) & 0xffu) - 126;
  return to<I16>(sel(CMP(w == 0.0f) | is_nan(w) | is_inf(w), splat<I32>(0), e));
}
OP(v_frexp_mant_f16, F16, (F16 a)) {
  const F32 w = to<F32>(a);
  const F32 m = bits<F32>((ubits(w) & 0x807fffffu) | 0x3f000000u);
  return sel(CMP(w == 0.0f) | is_nan(w) | is_inf(w), a, to<F16>(m));
}
OP(v_rcp_f16, F16, (F16 a)) { return to<F16>(1.0f / to<F32>(a)); }
OP(v_sqrt_f16, F16, (F16 a)) { return to<F16>(__builtin_elementwise_sqrt(to<F32>(a))); }
OP(v_rsq_f16, F16, (F16 a)) { return to<F16>(1.0f / __builtin_elementwise_sqrt(to<F32>(a))); }
OP(v_div_fixup_f16, HF16, (F16 q, F16 den, F16 num)) {
  const F32 d = to<F32>(den), n = to<F32>(num);
  const M nz = CMP(n == 0.0f), dz = CMP(d == 0.0f), ni = is_inf(n), di = is_inf(d);
  F16 r = absf(q);
  r = sel(di | nz, to<F16>(splat<F32>(0.0f)), r);
  r = sel(dz | ni, infinity<F16>(), r);
  r = copysign(r, bits<F16>(U16(ubits(den) ^ ubits(num))));
  r = sel((nz & dz) | (ni & di), bits<F16>(splat<U16>(0xfe00)), r);
  r = sel(is_nan(den), quiet(den), r);
  return {sel(is_nan(num), quiet(num), r)};
}

// The legacy forms clear the upper half (ERRATA 18).
OP(v_mad_legacy_f16, F16, (F16 a, F16 b, F16 c)) { return F16(F16(a * b) + c); }
OP(v_fma_legacy_f16, F16, (F16 a, F16 b, F16 c)) { return fma(a, b, c); }
OP(v_div_fixup_legacy_f16, F16, (F16 q, F16 den, F16 num)) { return v_div_fixup_f16(q, den, num).value; }

// --- 16-bit integers
[[gnu::always_inline]] inline U16 shl16(U16 n, U16 a) { return to<U16>(to<U32>(a) << (to<U32>(n) & 15u)); }
[[gnu::always_inline]] inline U16 shr16(U16 n, U16 a) { return to<U16>(to<U32>(a) >> (to<U32>(n) & 15u)); }
[[gnu::always_inline]] inline I16 sar16(U16 n, I16 a) { return to<I16>(to<I32>(a) >> bits<I32>(to<U32>(n) & 15u)); }
[[gnu::always_inline]] inline U16 mul16(U16 a, U16 b) { return to<U16>(to<U32>(a) * to<U32>(b)); }
[[gnu::always_inline]] inline U16 add16(U16 a, U16 b) { return to<U16>(to<U32>(a) + to<U32>(b)); }
[[gnu::always_inline]] inline U16 sub16(U16 a, U16 b) { return to<U16>(to<U32>(a) - to<U32>(b)); }
OP(v_add_u16, U16, (U16 a, U16 b)) { return add16(a, b); }
OP(v_add_u16_clamp, U16, (U16 a, U16 b)) { return __builtin_elementwise_add_sat(a, b); }
OP(v_sub_u16, U16, (U16 a, U16 b)) { return sub16(a, b); }
OP(v_sub_u16_clamp, U16, (U16 a, U16 b)) { return __builtin_elementwise_sub_sat(a, b); }
OP(v_subrev_u16, U16, (U16 a, U16 b)) { return sub16(b, a); }
OP(v_subrev_u16_clamp, U16, (U16 a, U16 b)) { return __builtin_elementwise_sub_sat(b, a); }
OP(v_add_i16, U16, (U16 a, U16 b)) { return add16(a, b); }
OP(v_add_i16_clamp, I16, (I16 a, I16 b)) { return __builtin_elementwise_add_sat(a, b); }
OP(v_sub_i16, U16, (U16 a, U16 b)) { return sub16(a, b); }
OP(v_sub_i16_clamp, I16, (I16 a, I16 b)) { return __builtin_elementwise_sub_sat(a, b); }
OP(v_mul_lo_u16, U16, (U16 a, U16 b)) { return mul16(a, b); }
OP(v_mad_u16, HU16, (U16 a, U16 b, U16 c)) { return {add16(mul16(a, b), c)}; }
[[gnu::always_inline]] inline U16 mad_u16_sat(U16 a, U16 b, U16 c) {
  return to<U16>(imin(__builtin_elementwise_add_sat(U32(to<U32>(a) * to<U32>(b)), to<U32>(c)), splat<U32>(0xffffu)));
}
[[gnu::always_inline]] inline I16 mad_i16_sat(I16 a, I16 b, I16 c) { return sat16(I32(to<I32>(a) * to<I32>(b) + to<I32>(c))); }
OP(v_mad_u16_clamp, HU16, (U16 a, U16 b, U16 c)) { return {mad_u16_sat(a, b, c)}; }
OP(v_mad_i16, HU16, (U16 a, U16 b, U16 c)) { return {add16(mul16(a, b), c)}; }
OP(v_mad_i16_clamp, HU16, (I16 a, I16 b, I16 c)) { return {bits<U16>(mad_i16_sat(a, b, c))}; }
OP(v_mad_legacy_u16, U16, (U16 a, U16 b, U16 c)) { return add16(mul16(a, b), c); }
OP(v_mad_legacy_u16_clamp, U16, (U16 a, U16 b, U16 c)) { return mad_u16_sat(a, b, c); }
OP(v_mad_legacy_i16, U16, (U16 a, U16 b, U16 c)) { return add16(mul16(a, b), c); }
OP(v_mad_legacy_i16_clamp, I16, (I16 a, I16 b, I16 c)) { return mad_i16_sat(a, b, c); }
OP(v_lshlrev_b16, U16, (U16 n, U16 a)) { return shl16(n, a); }
OP(v_lshrrev_b16, U16, (U16 n, U16 a)) { return shr16(n, a); }
OP(v_ashrrev_i16, I16, (U16 n, I16 a)) { return sar16(n, a); }
OP(v_min_u16, U16, (U16 a, U16 b)) { return imin(a, b); }
OP(v_max_u16, U16, (U16 a, U16 b)) { return imax(a, b); }
OP(v_min_i16, I16, (I16 a, I16 b)) { return imin(a, b); }
OP(v_max_i16, I16, (I16 a, I16 b)) { return imax(a, b); }
OP(v_min3_u16, U16, (U16 a, U16 b, U16 c)) { return imin(imin(a, b), c); }
OP(v_max3_u16, U16, (U16 a, U16 b, U16 c)) { return imax(imax(a, b), c); }
OP(v_med3_u16, U16, (U16 a, U16 b, U16 c)) { return med3(a, b, c); }
OP(v_min3_i16, I16, (I16 a, I16 b, I16 c)) { return imin(imin(a, b), c); }
OP(v_max3_i16, I16, (I16 a, I16 b, I16 c)) { return imax(imax(a, b), c); }
OP(v_med3_i16, I16, (I16 a, I16 b, I16 c)) { return med3(a, b, c); }
OP(v_pack_b32_f16, PF16, (F16 a, F16 b)) { return {a, b}; }

// --- packed 16-bit
OP(v_pk_add_f16, HalvesF16, (HalvesF16 a, HalvesF16 b)) { return {a.value + b.value}; }
OP(v_pk_mul_f16, HalvesF16, (HalvesF16 a, HalvesF16 b)) { return {a.value * b.value}; }
OP(v_pk_fma_f16, HalvesF16, (HalvesF16 a, HalvesF16 b, HalvesF16 c)) { return fma(a, b, c); }
OP(v_pk_fmac_f16, HalvesF16, (HalvesF16 a, HalvesF16 b, HalvesF16 d)) { return fma(a, b, d); }
OP(v_pk_minimum_f16, PF16, (PF16 a, PF16 b)) { return {minimum(a.lo, b.lo), minimum(a.hi, b.hi)}; }
OP(v_pk_maximum_f16, PF16, (PF16 a, PF16 b)) { return {maximum(a.lo, b.lo), maximum(a.hi, b.hi)}; }
OP(v_pk_minimum3_f16, PF16, (PF16 a, PF16 b, PF16 c)) {
  return {minimum(minimum(a.lo, b.lo), c.lo), minimum(minimum(a.hi, b.hi), c.hi)};
}
OP(v_pk_maximum3_f16, PF16, (PF16 a, PF16 b, PF16 c)) {
  return {maximum(maximum(a.lo, b.lo), c.lo), maximum(maximum(a.hi, b.hi), c.hi)};
}
OP(v_pk_min_f16, PF16, (PF16 a, PF16 b)) { return {min_ieee(a.lo, b.lo), min_ieee(a.hi, b.hi)}; }
OP(v_pk_max_f16, PF16, (PF16 a, PF16 b)) { return {max_ieee(a.lo, b.lo), max_ieee(a.hi, b.hi)}; }
OP(v_pk_min_f16_dx10, PF16, (PF16 a, PF16 b)) { return {min_dx10(a.lo, b.lo), min_dx10(a.hi, b.hi)}; }
OP(v_pk_max_f16_dx10, PF16, (PF16 a, PF16 b)) { return {max_dx10(a.lo, b.lo), max_dx10(a.hi, b.hi)}; }
OP(v_pk_min_num_f16, PF16, (PF16 a, PF16 b)) { return {min_num(a.lo, b.lo), min_num(a.hi, b.hi)}; }
OP(v_pk_max_num_f16, PF16, (PF16 a, PF16 b)) { return {max_num(a.lo, b.lo), max_num(a.hi, b.hi)}; }
OP(v_pk_add_u16, PU16, (PU16 a, PU16 b)) { return {add16(a.lo, b.lo), add16(a.hi, b.hi)}; }
OP(v_pk_add_u16_clamp, PU16, (PU16 a, PU16 b)) { return {v_add_u16_clamp(a.lo, b.lo), v_add_u16_clamp(a.hi, b.hi)}; }
OP(v_pk_sub_u16, PU16, (PU16 a, PU16 b)) { return {sub16(a.lo, b.lo), sub16(a.hi, b.hi)}; }
OP(v_pk_sub_u16_clamp, PU16, (PU16 a, PU16 b)) { return {v_sub_u16_clamp(a.lo, b.lo), v_sub_u16_clamp(a.hi, b.hi)}; }
OP(v_pk_add_i16, PU16, (PU16 a, PU16 b)) { return {add16(a.lo, b.lo), add16(a.hi, b.hi)}; }
OP(v_pk_add_i16_clamp, PI16, (PI16 a, PI16 b)) { return {v_add_i16_clamp(a.lo, b.lo), v_add_i16_clamp(a.hi, b.hi)}; }
OP(v_pk_sub_i16, PU16, (PU16 a, PU16 b)) { return {sub16(a.lo, b.lo), sub16(a.hi, b.hi)}; }
OP(v_pk_sub_i16_clamp, PI16, (PI16 a, PI16 b)) { return {v_sub_i16_clamp(a.lo, b.lo), v_sub_i16_clamp(a.hi, b.hi)}; }
OP(v_pk_mul_lo_u16, PU16, (PU16 a, PU16 b)) { return {mul16(a.lo, b.lo), mul16(a.hi, b.hi)}; }
OP(v_pk_mad_u16, PU16, (PU16 a, PU16 b, PU16 c)) { return {add16(mul16(a.lo, b.lo), c.lo), add16(mul16(a.hi, b.hi), c.hi)}; }
OP(v_pk_mad_u16_clamp, PU16, (PU16 a, PU16 b, PU16 c)) {
  return {mad_u16_sat(a.lo, b.lo, c.lo), mad_u16_sat(a.hi, b.hi, c.hi)};
}
OP(v_pk_mad_i16, PU16, (PU16 a, PU16 b, PU16 c)) { return {add16(mul16(a.lo, b.lo), c.lo), add16(mul16(a.hi, b.hi), c.hi)}; }
OP(v_pk_mad_i16_clamp, PI16, (PI16 a, PI16 b, PI16 c)) {
  return {mad_i16_sat(a.lo, b.lo, c.lo), mad_i16_sat(a.hi, b.hi, c.hi)};
}
OP(v_pk_lshlrev_b16, PU16, (PU16 n, PU16 a)) { return {shl16(n.lo, a.lo), shl16(n.hi, a.hi)}; }
OP(v_pk_lshrrev_b16, PU16, (PU16 n, PU16 a)) { return {shr16(n.lo, a.lo), shr16(n.hi, a.hi)}; }
OP(v_pk_ashrrev_i16, PI16, (PU16 n, PI16 a)) { return {sar16(n.lo, a.lo), sar16(n.hi, a.hi)}; }
OP(v_pk_min_u16, PU16, (PU16 a, PU16 b)) { return {imin(a.lo, b.lo), imin(a.hi, b.hi)}; }
OP(v_pk_max_u16, PU16, (PU16 a, PU16 b)) { return {imax(a.lo, b.lo), imax(a.hi, b.hi)}; }
OP(v_pk_min_i16, PI16, (PI16 a, PI16 b)) { return {imin(a.lo, b.lo), imin(a.hi, b.hi)}; }
OP(v_pk_max_i16, PI16, (PI16 a, PI16 b)) { return {imax(a.lo, b.lo), imax(a.hi, b.hi)}; }

// --- dot products and mixed precision
OP(v_dot2_f32_f16, F32, (PF16 a, PF16 b, F32 c)) {
  return fma(to<F32>(a.hi), to<F32>(b.hi), fma(to<F32>(a.lo), to<F32>(b.lo), c));
}
OP(v_dot2c_f32_f16, F32, (PF16 a, PF16 b, F32 d)) { return v_dot2_f32_f16(a, b, d); }
OP(v_dot2_f16_f16, HF16, (PF16 a, PF16 b, F16 c)) { return {fma(a.hi, b.hi, fma(a.lo, b.lo, c))}; }
OP(v_dot2_bf16_bf16, HU16, (PU16 a, PU16 b, U16 c)) {
  const F32 low = from_bf16(to_bf16(fma(from_bf16(a.lo), from_bf16(b.lo), from_bf16(c))));
  return {to_bf16(fma(from_bf16(a.hi), from_bf16(b.hi), low))};
}
OP(v_fma_mix_f32, F32, (MixF32 a, MixF32 b, MixF32 c)) { return fma(a.value, b.value, c.value); }
OP(v_fma_mixlo_f16, HF16, (MixF32 a, MixF32 b, MixF32 c)) { return {to<F16>(fma(a.value, b.value, c.value))}; }
OP(v_fma_mixhi_f16, High<F16>, (MixF32 a, MixF32 b, MixF32 c)) { return {to<F16>(fma(a.value, b.value, c.value))}; }
OP(v_mad_mix_f32, F32, (MixF32 a, MixF32 b, MixF32 c)) { return a.value * b.value + c.value; }
OP(v_mad_mixlo_f16, HF16, (MixF32 a, MixF32 b, MixF32 c)) { return {to<F16>(a.value * b.value + c.value)}; }
OP(v_mad_mixhi_f16, High<F16>, (MixF32 a, MixF32 b, MixF32 c)) { return {to<F16>(a.value * b.value + c.value)}; }

// --- 16-bit moves and logic of gfx11 and later
OP(v_mov_b16, U16, (U16 a)) { return a; }
OP(v_not_b16, U16, (U16 a)) { return U16(~a); }
OP(v_and_b16, U16, (U16 a, U16 b)) { return U16(a & b); }
OP(v_or_b16, U16, (U16 a, U16 b)) { return U16(a | b); }
OP(v_xor_b16, U16, (U16 a, U16 b)) { return U16(a ^ b); }
OP(v_cndmask_b16, U16, (U16 a, U16 b, M m)) { return sel(m, b, a); }
OP(v_minimum_f16, F16, (F16 a, F16 b)) { return minimum(a, b); }
OP(v_maximum_f16, F16, (F16 a, F16 b)) { return maximum(a, b); }
OP(v_minimum3_f16, F16, (F16 a, F16 b, F16 c)) { return minimum(minimum(a, b), c); }
OP(v_maximum3_f16, F16, (F16 a, F16 b, F16 c)) { return maximum(maximum(a, b), c); }
OP(v_minimummaximum_f16, F16, (F16 a, F16 b, F16 c)) { return maximum(minimum(a, b), c); }
OP(v_maximumminimum_f16, F16, (F16 a, F16 b, F16 c)) { return minimum(maximum(a, b), c); }
OP(v_maxmin_f16, F16, (F16 a, F16 b, F16 c)) { return min_ieee(max_ieee(a, b), c); }
OP(v_minmax_f16, F16, (F16 a, F16 b, F16 c)) { return max_ieee(min_ieee(a, b), c); }
OP(v_min_f16_dx10, F16, (F16 a, F16 b)) { return min_dx10(a, b); }
OP(v_max_f16_dx10, F16, (F16 a, F16 b)) { return max_dx10(a, b); }
OP(v_min3_f16_dx10, F16, (F16 a, F16 b, F16 c)) { return min_dx10(min_dx10(a, b), c); }
OP(v_max3_f16_dx10, F16, (F16 a, F16 b, F16 c)) { return max_dx10(max_dx10(a, b), c); }
OP(v_med3_f16_dx10, F16, (F16 a, F16 b, F16 c)) { return med3_dx10(a, b, c); }
OP(v_maxmin_f16_dx10, F16, (F16 a, F16 b, F16 c)) { return min_dx10(max_dx10(a, b), c); }
OP(v_minmax_f16_dx10, F16, (F16 a, F16 b, F16 c)) { return max_dx10(min_dx10(a, b), c); }
OP(v_min_num_f16, F16, (F16 a, F16 b)) { return min_num(a, b); }
OP(v_max_num_f16, F16, (F16 a, F16 b)) { return max_num(a, b); }
OP(v_min3_num_f16, F16, (F16 a, F16 b, F16 c)) { return min_num(min_num(a, b), c); }
OP(v_max3_num_f16, F16, (F16 a, F16 b, F16 c)) { return max_num(max_num(a, b), c); }
OP(v_med3_num_f16, F16, (F16 a, F16 b, F16 c)) { return med3_num(a, b, c); }
OP(v_maxmin_num_f16, F16, (F16 a, F16 b, F16 c)) { return min_num(max_num(a, b), c); }
OP(v_minmax_num_f16, F16, (F16 a, F16 b, F16 c)) { return max_num(min_num(a, b), c); }
OP(v_cvt_i32_i16, I32, (I16 a)) { return to<I32>(a); }
OP(v_cvt_u32_u16, U32, (U16 a)) { return to<U32>(a); }
