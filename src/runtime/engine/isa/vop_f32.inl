// runtime/engine/isa/vop_f32.inl - f32 arithmetic. Bodies round as the host does and keep denormals; what else MODE may ask for is done
// around them (interpret/by_mode.h, ERRATA 11).
OP(v_add_f32, F32, (F32 a, F32 b)) { return a + b; }
OP(v_sub_f32, F32, (F32 a, F32 b)) { return a - b; }
OP(v_subrev_f32, F32, (F32 a, F32 b)) { return b - a; }
OP(v_mul_f32, F32, (F32 a, F32 b)) { return a * b; }
// A factor that is the lowest number, the lower infinity or a NaN, or a third operand that is not above 0, gives the lowest number.
OP(v_mullit_f32, F32, (F32 a, F32 b, F32 c)) {
  const F32 lowest = splat<F32>(-__FLT_MAX__);
  return sel(CMP(b > lowest) & CMP(c > splat<F32>(0.0f)), a * b, lowest);
}
OP(v_mul_legacy_f32, F32, (F32 a, F32 b)) { // DX9: 0 * anything = 0
  return sel(CMP(a == 0.0f) | CMP(b == 0.0f), splat<F32>(0.0f), a * b);
}
OP(v_min_f32, F32, (F32 a, F32 b)) { return min_ieee(a, b); }
OP(v_max_f32, F32, (F32 a, F32 b)) { return max_ieee(a, b); }
OP(v_fma_f32, F32, (F32 a, F32 b, F32 c)) { return fma(a, b, c); }
OP(v_fmac_f32, F32, (F32 a, F32 b, F32 d)) { return fma(a, b, d); }
OP(v_fmamk_f32, F32, (F32 a, F32 k, F32 b)) { return fma(a, k, b); }
OP(v_fmaak_f32, F32, (F32 a, F32 b, F32 k)) { return fma(a, b, k); }
OP(v_madmk_f32, F32, (F32 a, F32 k, F32 b)) { return a * k + b; }
OP(v_madak_f32, F32, (F32 a, F32 b, F32 k)) { return a * b + k; }
OP(v_mac_f32, F32, (F32 a, F32 b, F32 d)) { return a * b + d; }
OP(v_mad_f32, F32, (F32 a, F32 b, F32 c)) { return a * b + c; }
OP(v_mad_legacy_f32, F32, (F32 a, F32 b, F32 c)) { return v_mul_legacy_f32(a, b) + c; }
OP(v_mac_legacy_f32, F32, (F32 a, F32 b, F32 d)) { return v_mul_legacy_f32(a, b) + d; }
OP(v_fma_legacy_f32, F32, (F32 a, F32 b, F32 c)) { return sel(CMP(a == 0.0f) | CMP(b == 0.0f), c + 0.0f, fma(a, b, c)); }
OP(v_fmac_legacy_f32, F32, (F32 a, F32 b, F32 d)) { return v_fma_legacy_f32(a, b, d); }
OP(v_min3_f32, F32, (F32 a, F32 b, F32 c)) { return min_ieee(min_ieee(a, b), c); }
OP(v_max3_f32, F32, (F32 a, F32 b, F32 c)) { return max_ieee(max_ieee(a, b), c); }
OP(v_med3_f32, F32, (F32 a, F32 b, F32 c)) { return med3_ieee(a, b, c); }
OP(v_trunc_f32, F32, (F32 a)) { return __builtin_elementwise_trunc(a); }
OP(v_ceil_f32, F32, (F32 a)) { return __builtin_elementwise_ceil(a); }
OP(v_floor_f32, F32, (F32 a)) { return __builtin_elementwise_floor(a); }
OP(v_rndne_f32, F32, (F32 a)) { return __builtin_elementwise_roundeven(a); }
OP(v_fract_f32, F32, (F32 a)) { // below 1 for tiny negative inputs too (ERRATA 17)
  const F32 r = a - __builtin_elementwise_floor(a);
  return sel(CMP(r >= 1.0f), splat<F32>(0x1.fffffep-1f), r);
}
OP(v_ldexp_f32, F32, (F32 a, I32 n)) { return ldexp(a, n); }
OP(v_frexp_exp_i32_f32, I32, (F32 a)) {
  const M tiny = CMP(absf(a) < 0x1p-126f);
  const F32 n = sel(tiny, a * 0x1p24f, a);
  const I32 e = bits<I32>((ubits(n) >> 23) & 0xffu) - sel(tiny, splat<I32>(126 + 24), splat<I32>(126));
  return sel(CMP(a == 0.0f) | is_nan(a) | is_inf(a), splat<I32>(0), e);
}
OP(v_frexp_mant_f32, F32, (F32 a)) {
  const F32 n = sel(CMP(absf(a) < 0x1p-126f), a * 0x1p24f, a);
  const F32 m = bits<F32>((ubits(n) & 0x807fffffu) | 0x3f000000u);
  return sel(CMP(a == 0.0f) | is_nan(a) | is_inf(a), a, m);
}

// Division: compilers emit the sequence v_div_scale, v_rcp, v_fma, v_div_fmas, v_div_fixup, which gives a correctly rounded
// quotient.
OP(v_div_scale_f32, F32C, (F32 s0, F32 den, F32 num)) {
  const I32 en = bits<I32>((ubits(num) >> 23) & 0xffu), ed = bits<I32>((ubits(den) >> 23) & 0xffu);
  const M zero = CMP(num == 0.0f) | CMP(den == 0.0f);
  const M far = CMP(en - ed >= 96);                                    // quotient near overflow
  const M den_tiny = CMP(ed == 0);                                     // denominator denormal
  const M rcp_tiny = CMP(ed >= 253);                                   // reciprocal denormal
  const M quo_tiny = CMP(absf(num / den) < 0x1p-126f);                 // quotient denormal
  const M num_tiny = CMP(en <= 23);
  const M same_den = CMP(ubits(s0) == ubits(den)), same_num = CMP(ubits(s0) == ubits(num));
  const F32 up = s0 * 0x1p64f, down = s0 * 0x1p-64f;
  F32 r = sel(num_tiny, up, s0);
  M c{};
  r = sel(quo_tiny, sel(same_num, up, s0), r), c = c | quo_tiny;
  r = sel(rcp_tiny, sel(quo_tiny, sel(same_den, down, s0), down), r), c = sel(rcp_tiny, quo_tiny, c);
  r = sel(den_tiny, up, r), c = c & not_(den_tiny);
  r = sel(far, sel(same_den, up, s0), r), c = c | far;
  r = sel(zero, default_nan<F32>(), r), c = c & not_(zero);
  return {r, c};
}
OP(v_div_fmas_f32, F32, (F32 a, F32 b, F32 c, M scaled)) {
  // Undoes what v_div_scale did: 2^64 for large and 2^-64 for small quotients, in one rounding (ERRATA 7).
  const F64 wide = add_odd(to<F64>(a) * to<F64>(b), to<F64>(c));
  const F64 factor = sel(CMP(absf(c) >= 2.0f), splat<F64>(0x1p64), splat<F64>(0x1p-64));
  return sel(scaled, to<F32>(wide * factor), fma(a, b, c));
}
OP(v_div_fixup_f32, F32, (F32 q, F32 den, F32 num)) {
  const F32 sign = bits<F32>(ubits(den) ^ ubits(num));
  const I32 en = bits<I32>((ubits(num) >> 23) & 0xffu), ed = bits<I32>((ubits(den) >> 23) & 0xffu);
  const M nz = CMP(num == 0.0f), dz = CMP(den == 0.0f), ni = is_inf(num), di = is_inf(den);
  F32 r = sel(is_nan(q), infinity<F32>(), absf(q)); // a NaN estimate stands for an overflow (ERRATA 8)
  r = sel(CMP(en - ed < -150), splat<F32>(0.0f), r);
  r = sel(di | nz, splat<F32>(0.0f), r);
  r = sel(dz | ni, infinity<F32>(), r);
  r = copysign(r, sign);
  r = sel((nz & dz) | (ni & di), bits<F32>(splat<U32>(0xffc00000u)), r);
  r = sel(is_nan(den), quiet(den), r);
  return sel(is_nan(num), quiet(num), r);
}

OP(v_cubeid_f32, F32, (F32 x, F32 y, F32 z)) {
  const F32 ax = absf(x), ay = absf(y), az = absf(z);
  const F32 fx = sel(CMP(x < 0.0f), splat<F32>(1.0f), splat<F32>(0.0f));
  const F32 fy = sel(CMP(y < 0.0f), splat<F32>(3.0f), splat<F32>(2.0f));
  const F32 fz = sel(CMP(z < 0.0f), splat<F32>(5.0f), splat<F32>(4.0f));
  return sel(CMP(az >= ax) & CMP(az >= ay), fz, sel(CMP(ay >= ax), fy, fx));
}
OP(v_cubema_f32, F32, (F32 x, F32 y, F32 z)) {
  const F32 ax = absf(x), ay = absf(y), az = absf(z);
  return 2.0f * sel(CMP(az >= ax) & CMP(az >= ay), z, sel(CMP(ay >= ax), y, x));
}
OP(v_cubesc_f32, F32, (F32 x, F32 y, F32 z)) {
  const F32 ax = absf(x), ay = absf(y), az = absf(z);
  const F32 on_z = sel(CMP(z < 0.0f), -x, x), on_x = sel(CMP(x < 0.0f), z, -z);
  return sel(CMP(az >= ax) & CMP(az >= ay), on_z, sel(CMP(ay >= ax), x, on_x));
}
OP(v_cubetc_f32, F32, (F32 x, F32 y, F32 z)) {
  const F32 ax = absf(x), ay = absf(y), az = absf(z);
  const F32 on_y = sel(CMP(y < 0.0f), -z, z);
  return sel(CMP(az >= ax) & CMP(az >= ay), -y, sel(CMP(ay >= ax), on_y, -y));
}

// --- packed f32: two registers per operand
OP(v_pk_fma_f32, PF32, (PF32 a, PF32 b, PF32 c)) { return {fma(a.lo, b.lo, c.lo), fma(a.hi, b.hi, c.hi)}; }
OP(v_pk_mul_f32, PF32, (PF32 a, PF32 b)) { return {a.lo * b.lo, a.hi * b.hi}; }
OP(v_pk_add_f32, PF32, (PF32 a, PF32 b)) { return {a.lo + b.lo, a.hi + b.hi}; }
OP(v_minimum_f32, F32, (F32 a, F32 b)) { return minimum(a, b); }
OP(v_maximum_f32, F32, (F32 a, F32 b)) { return maximum(a, b); }
OP(v_minimum3_f32, F32, (F32 a, F32 b, F32 c)) { return minimum(minimum(a, b), c); }
OP(v_maximum3_f32, F32, (F32 a, F32 b, F32 c)) { return maximum(maximum(a, b), c); }
OP(v_minimummaximum_f32, F32, (F32 a, F32 b, F32 c)) { return maximum(minimum(a, b), c); }
OP(v_maximumminimum_f32, F32, (F32 a, F32 b, F32 c)) { return minimum(maximum(a, b), c); }
OP(v_maxmin_f32, F32, (F32 a, F32 b, F32 c)) { return min_ieee(max_ieee(a, b), c); }
OP(v_minmax_f32, F32, (F32 a, F32 b, F32 c)) { return max_ieee(min_ieee(a, b), c); }
OP(v_min_f32_dx10, F32, (F32 a, F32 b)) { return min_dx10(a, b); }
OP(v_max_f32_dx10, F32, (F32 a, F32 b)) { return max_dx10(a, b); }
OP(v_min3_f32_dx10, F32, (F32 a, F32 b, F32 c)) { return min_dx10(min_dx10(a, b), c); }
OP(v_max3_f32_dx10, F32, (F32 a, F32 b, F32 c)) { return max_dx10(max_dx10(a, b), c); }
OP(v_med3_f32_dx10, F32, (F32 a, F32 b, F32 c)) { return med3_dx10(a, b, c); }
OP(v_maxmin_f32_dx10, F32, (F32 a, F32 b, F32 c)) { return min_dx10(max_dx10(a, b), c); }
OP(v_minmax_f32_dx10, F32, (F32 a, F32 b, F32 c)) { return max_dx10(min_dx10(a, b), c); }
OP(v_min_num_f32, F32, (F32 a, F32 b)) { return min_num(a, b); }
OP(v_max_num_f32, F32, (F32 a, F32 b)) { return max_num(a, b); }
OP(v_min3_num_f32, F32, (F32 a, F32 b, F32 c)) { return min_num(min_num(a, b), c); }
OP(v_max3_num_f32, F32, (F32 a, F32 b, F32 c)) { return max_num(max_num(a, b), c); }
OP(v_med3_num_f32, F32, (F32 a, F32 b, F32 c)) { return med3_num(a, b, c); }
OP(v_maxmin_num_f32, F32, (F32 a, F32 b, F32 c)) { return min_num(max_num(a, b), c); }
OP(v_minmax_num_f32, F32, (F32 a, F32 b, F32 c)) { return max_num(min_num(a, b), c); }
