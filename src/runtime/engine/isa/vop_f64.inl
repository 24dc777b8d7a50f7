// runtime/engine/isa/vop_f64.inl - f64 arithmetic; operands are register pairs.
OP(v_add_f64, F64, (F64 a, F64 b)) { return a + b; }
OP(v_mul_f64, F64, (F64 a, F64 b)) { return a * b; }
OP(v_min_f64, F64, (F64 a, F64 b)) { return min_ieee(a, b); }
OP(v_max_f64, F64, (F64 a, F64 b)) { return max_ieee(a, b); }
OP(v_minimum_f64, F64, (F64 a, F64 b)) { return minimum(a, b); }
OP(v_maximum_f64, F64, (F64 a, F64 b)) { return maximum(a, b); }
OP(v_min_f64_dx10, F64, (F64 a, F64 b)) { return min_dx10(a, b); }
OP(v_max_f64_dx10, F64, (F64 a, F64 b)) { return max_dx10(a, b); }
OP(v_min_num_f64, F64, (F64 a, F64 b)) { return min_num(a, b); }
OP(v_max_num_f64, F64, (F64 a, F64 b)) { return max_num(a, b); }
OP(v_fma_f64, F64, (F64 a, F64 b, F64 c)) { return fma(a, b, c); }
OP(v_fmac_f64, F64, (F64 a, F64 b, F64 d)) { return fma(a, b, d); }
OP(v_trunc_f64, F64, (F64 a)) { return __builtin_elementwise_trunc(a); }
OP(v_ceil_f64, F64, (F64 a)) { return __builtin_elementwise_ceil(a); }
OP(v_floor_f64, F64, (F64 a)) { return __builtin_elementwise_floor(a); }
OP(v_rndne_f64, F64, (F64 a)) { return __builtin_elementwise_roundeven(a); }
OP(v_fract_f64, F64, (F64 a)) {
  const F64 r = a - __builtin_elementwise_floor(a);
  return sel(CMP(r >= 1.0), splat<F64>(0x1.fffffffffffffp-1), r);
}
OP(v_ldexp_f64, F64, (F64 a, I32 n)) { return ldexp(a, n); }
OP(v_frexp_exp_i32_f64, I32, (F64 a)) {
  const M tiny = CMP(absf(a) < 0x1p-1022);
  const F64 n = sel(tiny, a * 0x1p54, a);
  const I32 e = to<I32>((ubits(n) >> 52) & splat<U64>(0x7ff)) - sel(tiny, splat<I32>(1022 + 54), splat<I32>(1022));
  return sel(CMP(a == 0.0) | is_nan(a) | is_inf(a), splat<I32>(0), e);
}
OP(v_frexp_mant_f64, F64, (F64 a)) {
  const F64 n = sel(CMP(absf(a) < 0x1p-1022), a * 0x1p54, a);
  const F64 m = bits<F64>((ubits(n) & splat<U64>(0x800fffffffffffffull)) | splat<U64>(0x3fe0000000000000ull));
  return sel(CMP(a == 0.0) | is_nan(a) | is_inf(a), a, m);
}
OP(v_rcp_f64, F64, (F64 a)) { return 1.0 / a; }
OP(v_rsq_f64, F64, (F64 a)) { return 1.0 / __builtin_elementwise_sqrt(a); }
OP(v_sqrt_f64, F64, (F64 a)) { return __builtin_elementwise_sqrt(a); }
OP(v_div_scale_f64, F64C, (F64 s0, F64 den, F64 num)) {
  const I32 en = to<I32>((ubits(num) >> 52) & splat<U64>(0x7ff)), ed = to<I32>((ubits(den) >> 52) & splat<U64>(0x7ff));
  const M zero = CMP(num == 0.0) | CMP(den == 0.0);
  const M far = CMP(en - ed >= 768);
  const M den_tiny = CMP(ed == 0);
  const M rcp_tiny = CMP(ed >= 2045);
  const M quo_tiny = CMP(absf(num / den) < 0x1p-1022);
  const M num_tiny = CMP(en <= 53);
  const M same_den = CMP(ubits(s0) == ubits(den)), same_num = CMP(ubits(s0) == ubits(num));
  const F64 up = s0 * 0x1p128, down = s0 * 0x1p-128;
  F64 r = sel(num_tiny, up, s0);
  M c{};
  r = sel(quo_tiny, sel(same_num, up, s0), r), c = c | quo_tiny;
  r = sel(rcp_tiny, sel(quo_tiny, sel(same_den, down, s0), down), r), c = sel(rcp_tiny, quo_tiny, c);
  r = sel(den_tiny, up, r), c = c & not_(den_tiny);
  r = sel(far, sel(same_den, up, s0), r), c = c | far;
  r = sel(zero, default_nan<F64>(), r), c = c & not_(zero);
  return {r, c};
}
OP(v_div_fmas_f64, F64, (F64 a, F64 b, F64 c, M scaled)) {
  // Undoes what v_div_scale did: 2^128 or 2^-128 (ERRATA 7). A denormal result must be rounded only once, at the place of its
  // last bit: `near` is the sum s + err rounded there, and err decides where s alone lies half way.
  const F64 r = fma(a, b, c), p = a * b, s = p + c, t = s - p;
  const F64 err = (p - (s - t)) + (c - t) + fma(a, b, -p);
  const M up = CMP(absf(c) >= 2.0);
  const F64 factor = sel(up, splat<F64>(0x1p128), splat<F64>(0x1p-128));
  const M overflowed = is_inf(r) & not_(is_inf(a) | is_inf(b) | up); // where scaling down first gives a number
  const F64 rounded = sel(overflowed, fma(a * factor, b, c * factor), r * factor);
  const F64 last_bit = copysign(splat<F64>(0x1p-894), s), near = (s + last_bit) - last_bit, off = s - near; // 2^-946 scaled
  const M same_side = CMP(bits<I64>(ubits(err) ^ ubits(off)) >= splat<I64>(0)) & (CMP(err < 0.0) | CMP(err > 0.0));
  const M other = CMP(absf(off) == 0x1p-947) & same_side;
  const F64 once = sel(other, near + 2.0 * off, near) * 0x1p-128;
  return sel(scaled, sel(CMP(absf(rounded) < 0x1p-1022), copysign(once, rounded), rounded), r);
}
OP(v_div_fixup_f64, F64, (F64 q, F64 den, F64 num)) {
  const F64 sign = bits<F64>(ubits(den) ^ ubits(num));
  const I32 en = to<I32>((ubits(num) >> 52) & splat<U64>(0x7ff)), ed = to<I32>((ubits(den) >> 52) & splat<U64>(0x7ff));
  const M nz = CMP(num == 0.0), dz = CMP(den == 0.0), ni = is_inf(num), di = is_inf(den);
  F64 r = sel(is_nan(q), infinity<F64>(), absf(q)); // a NaN estimate stands for an overflow (ERRATA 8)
  r = sel(CMP(en - ed < -1075), splat<F64>(0.0), r);
  r = sel(di | nz, splat<F64>(0.0), r);
  r = sel(dz | ni, infinity<F64>(), r);
  r = copysign(r, sign);
  r = sel((nz & dz) | (ni & di), bits<F64>(splat<U64>(0xfff8000000000000ull)), r);
  r = sel(is_nan(den), quiet(den), r);
  return sel(is_nan(num), quiet(num), r);
}

// Argument reduction for large sines: 53 bits of 2/pi, from the position that the exponent of `a` and the segment give.
inline constexpr uint32_t kTwoOverPi[] = { // bits of 2/pi after the point, most significant word first
#include "runtime/engine/isa/two_over_pi.def"
};
inline double trig_preop(double a, uint32_t segment) {
  const int exponent = int(__builtin_bit_cast(uint64_t, a) >> 52 & 0x7ff);
  int shift = int(segment & 31) * 53;
  if (exponent > 1077) shift += exponent - 1077;
  uint64_t window = 0; // bits [shift, shift + 53) after the point
  for (int i = 0; i < 53; ++i) {
    const int bit = shift + i;
    const uint32_t word = bit < 1216 ? kTwoOverPi[bit / 32] : 0;
    window = window << 1 | (word >> (31 - bit % 32) & 1);
  }
  int scale = -53 - shift;
  if (exponent >= 1968) scale += 128;
  double result = double(window); // scaled without a call of the host's library; only the last step rounds
  for (; scale < -1022; scale += 969) result *= 0x1p-969;
  return result * __builtin_bit_cast(double, uint64_t(scale + 1023) << 52);
}
OP(v_trig_preop_f64, F64, (F64 a, U32 segment)) {
  return per_lane<F64>([](double x, uint32_t s) { return trig_preop(x, s); }, a, segment);
}
