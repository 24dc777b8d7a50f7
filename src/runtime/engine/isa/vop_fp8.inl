// runtime/engine/isa/vop_fp8.inl - floating-point formats of 4, 6 and 8 bits as numbers, and the conversions that gfx942 has.
// gfx942's fp8 is E4M3 with bias 8, its bf8 E5M2 with bias 16; neither has infinities or a negative zero, and 0x80 is their
// only NaN (FNUZ). gfx950's are those of the Open Compute Project (ERRATA 20, 49).
enum class Specials {
  Fnuz,    // 0x80 is the NaN; there is no infinity and no negative zero
  NanOnly, // all ones are the NaN; there is no infinity
  Ieee,    // the largest exponent is infinity and NaNs
  None,    // every code is a number
};
template <int kMantissa_, int kBias_, int kBits_, Specials kSpecials_> struct SmallFloat {
  static constexpr int kMantissa = kMantissa_, kBias = kBias_, kCut = 23 - kMantissa_; // kCut: bits of an f32 that go away
  static constexpr uint32_t kSign = 1u << (kBits_ - 1), kAllOnes = kSign - 1;
  static constexpr Specials kSpecials = kSpecials_;
  static constexpr bool kLimits = false;
  static constexpr uint32_t kInfinity = kAllOnes >> kMantissa << kMantissa; // Specials::Ieee
  static constexpr uint32_t kLargest = kSpecials_ == Specials::Ieee      ? kInfinity - 1
                                       : kSpecials_ == Specials::NanOnly ? kAllOnes - 1
                                                                         : kAllOnes;
  static constexpr float kLeast = __builtin_bit_cast(float, uint32_t(127 + 1 - kBias) << 23); // smallest normal number
};
using E4m3Fnuz = SmallFloat<3, 8, 8, Specials::Fnuz>;
using E5m2Fnuz = SmallFloat<2, 16, 8, Specials::Fnuz>;
using E4m3 = SmallFloat<3, 7, 8, Specials::NanOnly>;
using E5m2 = SmallFloat<2, 15, 8, Specials::Ieee>;
using E2m3 = SmallFloat<3, 1, 6, Specials::None>;
using E3m2 = SmallFloat<2, 3, 6, Specials::None>;
using E2m1 = SmallFloat<1, 1, 4, Specials::None>;
using E5m10 = SmallFloat<10, 15, 16, Specials::Ieee>; // f16
// The format as conversions to it see it while MODE.FP16_OVFL is 1: what overflows becomes the largest number, and infinities
// and NaNs what they are otherwise (ERRATA 58).
template <class F> struct Limited : F {
  static constexpr bool kLimits = true;
};

template <class F> [[gnu::always_inline]] inline F32 from_small(U32 code) { // bits above the format's are ignored
  const U32 magnitude = code & F::kAllOnes, mantissa = code & ((1u << F::kMantissa) - 1);
  const F32 normal = bits<F32>((magnitude << F::kCut) + (uint32_t(127 - F::kBias) << 23));
  const F32 tiny = to<F32>(mantissa) * __builtin_bit_cast(float, uint32_t(127 + 1 - F::kBias - F::kMantissa) << 23);
  const F32 v = sel(CMP((magnitude >> F::kMantissa) == splat<U32>(0)), tiny, normal);
  const F32 r = bits<F32>(ubits(v) | ((code & F::kSign) * (0x80000000u / F::kSign)));
  if constexpr (F::kSpecials == Specials::Fnuz)
    return sel(CMP((code & 0xffu) == splat<U32>(0x80)), default_nan<F32>(), r);
  else if constexpr (F::kSpecials == Specials::NanOnly)
    return sel(CMP(magnitude == splat<U32>(F::kAllOnes)), default_nan<F32>(), r);
  else if constexpr (F::kSpecials == Specials::Ieee) // an infinity or a NaN is one of f32
    return sel(CMP(magnitude >= splat<U32>(F::kInfinity)),
               bits<F32>(ubits(r) | 0x7f800000u | sel(CMP(magnitude > splat<U32>(F::kInfinity)), splat<U32>(0x400000), splat<U32>(0))), r);
  else
    return r;
}
// `code` is the magnitude of `a`, rounded; it may be too large for the format.
template <class F> [[gnu::always_inline]] inline U32 small_code(F32 a, U32 code) {
  if constexpr (F::kLimits)
    code = sel(is_nan(a) | is_inf(a), code, __builtin_elementwise_min(code, splat<U32>(F::kLargest)));
  const M above = CMP(code > splat<U32>(F::kLargest));
  if constexpr (F::kSpecials == Specials::Fnuz) {
    const U32 sign = sel(CMP(code == splat<U32>(0)), splat<U32>(0), (ubits(a) >> 24) & 0x80u);
    return sel(above, splat<U32>(0x80), code | sign);
  } else {
    // A NaN that the format lacks becomes its largest number (ERRATA 49).
    constexpr uint32_t kNan = F::kSpecials == Specials::None ? F::kLargest : F::kAllOnes;
    constexpr uint32_t kAbove = F::kSpecials == Specials::Ieee ? F::kInfinity : kNan;
    const U32 magnitude = sel(is_nan(a), splat<U32>(kNan), sel(above, splat<U32>(kAbove), code));
    return magnitude | ((ubits(a) >> 31) * F::kSign);
  }
}
template <class F> [[gnu::always_inline]] inline U32 to_small(F32 a) { // to nearest even
  const F32 m = absf(a);
  const U32 u = ubits(m);
  const U32 normal = ((u + ((1u << (F::kCut - 1)) - 1) + ((u >> F::kCut) & 1u)) >> F::kCut) - (uint32_t(127 - F::kBias) << F::kMantissa);
  const M small = CMP(m < F::kLeast);
  const F32 units = sel(small, m, splat<F32>(0.0f)) * __builtin_bit_cast(float, uint32_t(127 - 1 + F::kBias + F::kMantissa) << 23);
  return small_code<F>(a, sel(small, to<U32>(__builtin_elementwise_roundeven(units)), normal));
}
// Stochastic rounding: the upper bits of the seed are added to what the format has no room for, and the rest is cut off
// (ERRATA 48).
template <class F> [[gnu::always_inline]] inline U32 to_small_stochastic(F32 a, U32 seed) {
  const F32 m = absf(a);
  const U32 random = seed >> (32 - F::kCut);
  const U32 normal = ((ubits(m) + random) >> F::kCut) - (uint32_t(127 - F::kBias) << F::kMantissa);
  const M small = CMP(m < F::kLeast);
  const F32 units = sel(small, m, splat<F32>(0.0f)) * __builtin_bit_cast(float, uint32_t(127 - 1 + F::kBias + 23) << 23);
  return small_code<F>(a, sel(small, (to<U32>(units) + random) >> F::kCut, normal));
}
[[gnu::always_inline]] inline U16 two_bytes(U32 lo, U32 hi) { return to<U16>(lo | (hi << 8)); }
// Byte op_sel[3:2] of a register gets a value, the others stay.
[[gnu::always_inline]] inline U32 with_byte(Old d, Field op_sel, U32 value) {
  const U32 at = (op_sel.value >> 2 & 3u) * 8u;
  return (d.value & ~(splat<U32>(0xff) << at)) | (value << at);
}
// An instruction that converts to format F, and what it is while MODE.FP16_OVFL is 1.
#define OP_TO_SMALL(name_, format_, result_, parameters_, ...) \
  OP(name_, result_, parameters_) { \
    using F = format_; \
    return __VA_ARGS__; \
  } \
  OP(name_##_ovfl, result_, parameters_) { \
    using F = Limited<format_>; \
    return __VA_ARGS__; \
  }

OP(v_cvt_f32_fp8, F32, (U32 a)) { return from_small<E4m3Fnuz>(a & 0xffu); }
OP(v_cvt_f32_bf8, F32, (U32 a)) { return from_small<E5m2Fnuz>(a & 0xffu); }
OP(v_cvt_pk_f32_fp8, PF32, (U32 a)) { return {from_small<E4m3Fnuz>(a & 0xffu), from_small<E4m3Fnuz>((a >> 8) & 0xffu)}; }
OP(v_cvt_pk_f32_bf8, PF32, (U32 a)) { return {from_small<E5m2Fnuz>(a & 0xffu), from_small<E5m2Fnuz>((a >> 8) & 0xffu)}; }
OP_TO_SMALL(v_cvt_pk_fp8_f32, E4m3Fnuz, HU16, (F32 a, F32 b), {two_bytes(to_small<F>(a), to_small<F>(b))})
OP_TO_SMALL(v_cvt_pk_bf8_f32, E5m2Fnuz, HU16, (F32 a, F32 b), {two_bytes(to_small<F>(a), to_small<F>(b))})
OP_TO_SMALL(v_cvt_sr_fp8_f32, E4m3Fnuz, U32, (F32 a, U32 seed, Old d, Field f), with_byte(d, f, to_small_stochastic<F>(a, seed)))
OP_TO_SMALL(v_cvt_sr_bf8_f32, E5m2Fnuz, U32, (F32 a, U32 seed, Old d, Field f), with_byte(d, f, to_small_stochastic<F>(a, seed)))
