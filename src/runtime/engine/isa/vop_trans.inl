// runtime/engine/isa/vop_trans.inl - transcendental instructions. Their precision is not that of the cards, which use tables:
// reciprocals and square roots are correctly rounded (v_rsq: see rsqrt of helpers.inl), v_exp and v_log stay within 2 ULP,
// v_sin and v_cos within 1e-6, and denormals are exact (ERRATA 15, 16).
OP(v_rcp_f32, F32, (F32 a)) { return 1.0f / a; }
OP(v_rcp_iflag_f32, F32, (F32 a)) { return 1.0f / a; }
OP(v_rsq_f32, F32, (F32 a)) { return rsqrt(a); }
OP(v_sqrt_f32, F32, (F32 a)) { return __builtin_elementwise_sqrt(a); }

// 2^a: a = n + f with |f| <= 1/2, Taylor series of 2^f to the 7th power (next term: 5e-9); denormal results are rounded once.
// A NaN operand passes through every step and comes out as a NaN.
[[gnu::always_inline]] inline F32 exp2(F32 a) {
  const F32 x = sel(CMP(a > 130.0f), splat<F32>(130.0f), sel(CMP(a < -160.0f), splat<F32>(-160.0f), a));
  const F32 n = __builtin_elementwise_roundeven(x), f = x - n;
  F32 p = fma(splat<F32>(1.5252734e-5f), f, splat<F32>(1.5403530e-4f));
  p = fma(p, f, splat<F32>(1.3333558e-3f));
  p = fma(p, f, splat<F32>(9.6181291e-3f));
  p = fma(p, f, splat<F32>(5.5504109e-2f));
  p = fma(p, f, splat<F32>(2.4022651e-1f));
  p = fma(p, f, splat<F32>(6.9314718e-1f));
  p = fma(p, f, splat<F32>(1.0f));
  return scaled(p, n);
}
// log2(a) = e + log2(m), m in [sqrt(1/2), sqrt(2)), by the series of atanh((m - 1) / (m + 1)).
[[gnu::always_inline]] inline F32 log2(F32 a) {
  const M tiny = CMP(a < 0x1p-126f);
  const F32 x = sel(tiny, a * 0x1p24f, a);
  const U32 shifted = ubits(x) - 0x3f3504f3u; // exponent counted from sqrt(1/2)
  const I32 e = bits<I32>(shifted) >> 23;
  const F32 m = bits<F32>(ubits(x) - bits<U32>(e << 23));
  const F32 s = (m - 1.0f) / (m + 1.0f), s2 = s * s;
  F32 p = fma(splat<F32>(0.26230818f), s2, splat<F32>(0.32059890f)); // 2/(k ln 2), k = 11, 9, 7, 5, 3
  p = fma(p, s2, splat<F32>(0.41219858f));
  p = fma(p, s2, splat<F32>(0.57707803f));
  p = fma(p, s2, splat<F32>(0.96179670f));
  p = p * s2 * s;
  const F32 lead = s * 2.8853900f;                                                    // 2/ln 2; `tail` holds its rounding error:
  const F32 tail = fma(s, splat<F32>(2.8853900f), -lead) + s * 3.8519260e-8f + p;
  const F32 n = to<F32>(e - sel(tiny, splat<I32>(24), splat<I32>(0)));
  F32 r = n + lead;
  r = r + (((n - r) + lead) + tail);
  r = sel(CMP(a == 0.0f), -infinity<F32>(), r);
  r = sel(CMP(a < 0.0f), default_nan<F32>(), r);
  r = sel(is_inf(a) & CMP(a > 0.0f), a, r);
  return sel(is_nan(a), quiet(a), r);
}
// sin(2 pi r) for |r| <= 1/4, Taylor series to the 15th power.
[[gnu::always_inline]] inline F32 sin_quarter(F32 r) {
  const F32 t = r * r;
  F32 p = fma(splat<F32>(-0.7181223f), t, splat<F32>(3.8199526f));
  p = fma(p, t, splat<F32>(-15.094643f));
  p = fma(p, t, splat<F32>(42.058694f));
  p = fma(p, t, splat<F32>(-76.705860f));
  p = fma(p, t, splat<F32>(81.605249f));
  p = fma(p, t, splat<F32>(-41.341702f));
  return fma(p * t, r, r * 6.2831853f);
}
// Arguments are revolutions, of any magnitude (ERRATA 16).
[[gnu::always_inline]] inline F32 sin_turns(F32 a) {
  const F32 r = a - __builtin_elementwise_roundeven(a);
  const F32 folded = sel(CMP(absf(r) > 0.25f), copysign(splat<F32>(0.5f), r) - r, r);
  const F32 s = sel(CMP(folded == 0.0f), copysign(splat<F32>(0.0f), a), sin_quarter(folded));
  return sel(is_nan(a) | is_inf(a), default_nan<F32>(), s);
}
[[gnu::always_inline]] inline F32 cos_turns(F32 a) {
  const F32 r = absf(a - __builtin_elementwise_roundeven(a));
  const F32 c = sin_quarter(0.25f - r);
  return sel(is_nan(a) | is_inf(a), default_nan<F32>(), c);
}
OP(v_exp_f32, F32, (F32 a)) { return exp2(a); }
OP(v_exp_legacy_f32, F32, (F32 a)) { return exp2(a); }
OP(v_log_f32, F32, (F32 a)) { return log2(a); }
OP(v_log_legacy_f32, F32, (F32 a)) { return log2(a); }
OP(v_sin_f32, F32, (F32 a)) { return sin_turns(a); }
OP(v_cos_f32, F32, (F32 a)) { return cos_turns(a); }
OP(v_exp_f16, F16, (F16 a)) { return to<F16>(exp2(to<F32>(a))); }
OP(v_log_f16, F16, (F16 a)) { return to<F16>(log2(to<F32>(a))); }
OP(v_sin_f16, F16, (F16 a)) { return to<F16>(sin_turns(to<F32>(a))); }
OP(v_cos_f16, F16, (F16 a)) { return to<F16>(cos_turns(to<F32>(a))); }
