// runtime/engine/isa/helpers.inl - what several definitions share: bit views of floats, NaN rules, scaling by powers of
// two, saturating conversions. Included inside an instantiation's namespace.

// --- floats as bits
[[gnu::always_inline]] inline U32 ubits(F32 a) { return bits<U32>(a); }
[[gnu::always_inline]] inline U64 ubits(F64 a) { return bits<U64>(a); }
[[gnu::always_inline]] inline U16 ubits(F16 a) { return bits<U16>(a); }
template <class F> struct FloatBits;
template <> struct FloatBits<F32> {
  using U = U32;
  static constexpr uint32_t kSign = 0x80000000u, kExp = 0x7f800000u, kMant = 0x007fffffu, kQuiet = 0x00400000u;
  static constexpr int kMantBits = 23, kBias = 127;
};
template <> struct FloatBits<F64> {
  using U = U64;
  static constexpr uint64_t kSign = 1ull << 63, kExp = 0x7ffull << 52, kMant = (1ull << 52) - 1, kQuiet = 1ull << 51;
  static constexpr int kMantBits = 52, kBias = 1023;
};
template <> struct FloatBits<F16> {
  using U = U16;
  static constexpr uint16_t kSign = 0x8000, kExp = 0x7c00, kMant = 0x03ff, kQuiet = 0x0200;
  static constexpr int kMantBits = 10, kBias = 15;
};
template <class F> using UintOf = typename FloatBits<F>::U;
// A constant as value of the unsigned or float type T; 16-bit scalars would otherwise promote to int.
template <class T, class C> [[gnu::always_inline]] inline T splat(C c) {
  if constexpr (is_scalar<T>)
    return static_cast<T>(c);
  else
    return T(c);
}
template <class F> [[gnu::always_inline]] inline F from_bits(UintOf<F> u) { return bits<F>(u); }
template <class F> [[gnu::always_inline]] inline F absf(F a) {
  using B = FloatBits<F>;
  return bits<F>(UintOf<F>(ubits(a) & splat<UintOf<F>>(~B::kSign)));
}
template <class F> [[gnu::always_inline]] inline F copysign(F magnitude, F sign) {
  using U = UintOf<F>;
  const U s = splat<U>(FloatBits<F>::kSign);
  return bits<F>(U((ubits(magnitude) & U(~s)) | (ubits(sign) & s)));
}
template <class F> [[gnu::always_inline]] inline M is_nan(F a) { return mask_of<M>(a != a); }
template <class F> [[gnu::always_inline]] inline M is_snan(F a) {
  using U = UintOf<F>;
  return is_nan(a) & mask_of<M>(U(ubits(a) & splat<U>(FloatBits<F>::kQuiet)) == splat<U>(0));
}
template <class F> [[gnu::always_inline]] inline F quiet(F a) {
  using U = UintOf<F>;
  return bits<F>(U(ubits(a) | splat<U>(FloatBits<F>::kQuiet)));
}
template <class F> [[gnu::always_inline]] inline M is_inf(F a) {
  using U = UintOf<F>;
  return mask_of<M>(U(ubits(a) & splat<U>(U(~splat<U>(FloatBits<F>::kSign)))) == splat<U>(FloatBits<F>::kExp));
}
template <class F> [[gnu::always_inline]] inline F infinity() { return bits<F>(splat<UintOf<F>>(FloatBits<F>::kExp)); }
template <class F> [[gnu::always_inline]] inline F default_nan() {
  return bits<F>(splat<UintOf<F>>(FloatBits<F>::kExp | FloatBits<F>::kQuiet));
}
[[gnu::always_inline]] inline M not_(M m) { return ~m; }
// Logic on comparison results goes through M: a scalar comparison is a bool, a strip's an integer vector.
#define CMP(...) mask_of<M>(__VA_ARGS__)

// --- min and max in IEEE mode (ERRATA 10): a signalling NaN wins and is quieted, else the number wins; -0 < +0.
template <class F> [[gnu::always_inline]] inline F nan_rule(F r, F a, F b) {
  r = sel(is_nan(b) & not_(is_nan(a)), a, r);
  r = sel(is_nan(a), b, r);
  r = sel(is_snan(b), quiet(b), r);
  return sel(is_snan(a), quiet(a), r);
}
template <class F> [[gnu::always_inline]] inline F min_ieee(F a, F b) {
#ifdef OMNIHIP_LIBRARY // some hosts have an instruction
  if constexpr (std::is_same_v<F, HostF32>) return omnihip_host_min_f32(a, b);
  if constexpr (std::is_same_v<F, HostF64>) return omnihip_host_min_f64(a, b);
#endif
  F r = sel(CMP(a < b), a, b);
  r = sel(CMP(a == b), bits<F>(UintOf<F>(ubits(a) | ubits(b))), r);
  return nan_rule(r, a, b);
}
template <class F> [[gnu::always_inline]] inline F max_ieee(F a, F b) {
#ifdef OMNIHIP_LIBRARY // some hosts have an instruction
  if constexpr (std::is_same_v<F, HostF32>) return omnihip_host_max_f32(a, b);
  if constexpr (std::is_same_v<F, HostF64>) return omnihip_host_max_f64(a, b);
#endif
  F r = sel(CMP(a > b), a, b);
  r = sel(CMP(a == b), bits<F>(UintOf<F>(ubits(a) & ubits(b))), r);
  return nan_rule(r, a, b);
}
// minimum and maximum of IEEE 754-2019: any NaN comes out, a signalling one before a quiet one, made quiet.
template <class F> [[gnu::always_inline]] inline F any_nan(F r, F a, F b) {
  r = sel(is_nan(b), quiet(b), r);
  r = sel(is_nan(a), quiet(a), r);
  r = sel(is_snan(b), quiet(b), r);
  return sel(is_snan(a), quiet(a), r);
}
template <class F> [[gnu::always_inline]] inline F minimum(F a, F b) { return any_nan(min_ieee(a, b), a, b); }
template <class F> [[gnu::always_inline]] inline F maximum(F a, F b) { return any_nan(max_ieee(a, b), a, b); }
template <class F> [[gnu::always_inline]] inline F med3_ieee(F a, F b, F c) {
  const F m = max_ieee(max_ieee(a, b), c);
  F r = sel(CMP(m == b), max_ieee(a, c), max_ieee(a, b));
  r = sel(CMP(m == a), max_ieee(b, c), r);
  return sel(is_nan(a) | is_nan(b) | is_nan(c), min_ieee(min_ieee(a, b), c), r);
}
// With MODE.IEEE = 0 a number wins over any NaN, and of two NaNs the second one comes out as it is.
template <class F> [[gnu::always_inline]] inline F dx10_rule(F r, F a, F b) {
  r = sel(is_nan(b), a, r);
  return sel(is_nan(a), b, r);
}
template <class F> [[gnu::always_inline]] inline F min_dx10(F a, F b) {
  F r = sel(CMP(a < b), a, b);
  r = sel(CMP(a == b), bits<F>(UintOf<F>(ubits(a) | ubits(b))), r);
  return dx10_rule(r, a, b);
}
template <class F> [[gnu::always_inline]] inline F max_dx10(F a, F b) {
  F r = sel(CMP(a > b), a, b);
  r = sel(CMP(a == b), bits<F>(UintOf<F>(ubits(a) & ubits(b))), r);
  return dx10_rule(r, a, b);
}
template <class F> [[gnu::always_inline]] inline F med3_dx10(F a, F b, F c) {
  const F m = max_dx10(max_dx10(a, b), c);
  F r = sel(CMP(m == b), max_dx10(a, c), max_dx10(a, b));
  r = sel(CMP(m == a), max_dx10(b, c), r);
  return sel(is_nan(a) | is_nan(b) | is_nan(c), min_dx10(min_dx10(a, b), c), r);
}
// gfx12 has no IEEE mode: a number wins over any NaN, and of two NaNs the first one comes out, quieted (ERRATA 10).
template <class F> [[gnu::always_inline]] inline F number_rule(F r, F a, F b) {
  r = sel(is_nan(b), a, r);
  return sel(is_nan(a), sel(is_nan(b), quiet(a), b), r);
}
template <class F> [[gnu::always_inline]] inline F min_num(F a, F b) {
  F r = sel(CMP(a < b), a, b);
  r = sel(CMP(a == b), bits<F>(UintOf<F>(ubits(a) | ubits(b))), r);
  return number_rule(r, a, b);
}
template <class F> [[gnu::always_inline]] inline F max_num(F a, F b) {
  F r = sel(CMP(a > b), a, b);
  r = sel(CMP(a == b), bits<F>(UintOf<F>(ubits(a) & ubits(b))), r);
  return number_rule(r, a, b);
}
template <class F> [[gnu::always_inline]] inline F med3_num(F a, F b, F c) {
  const F m = max_num(max_num(a, b), c);
  F r = sel(CMP(m == b), max_num(a, c), max_num(a, b));
  r = sel(CMP(m == a), max_num(b, c), r);
  return sel(is_nan(a) | is_nan(b) | is_nan(c), min_num(min_num(a, b), c), r);
}
template <class I> [[gnu::always_inline]] inline I imin(I a, I b) { return __builtin_elementwise_min(a, b); }
template <class I> [[gnu::always_inline]] inline I imax(I a, I b) { return __builtin_elementwise_max(a, b); }
template <class I> [[gnu::always_inline]] inline I med3(I a, I b, I c) { return imax(imin(imax(a, b), c), imin(a, b)); }

// Unsigned numbers as floating-point ones. Hosts without AVX-512 convert signed ones alone. What compilers make of unsigned conversions there, and
// of numbers that they know to be positive, are differences of large numbers, which turn 0 into -0 where the host rounds down.
#ifdef __AVX512F__
[[gnu::always_inline]] inline F64 double_of(U32 a) { return to<F64>(a); }
[[gnu::always_inline]] inline F32 single_of(U32 a) { return to<F32>(a); }
#else
[[gnu::always_inline]] inline F64 double_of(U32 a) {
  const I32 number = bits<I32>(a);
  return to<F64>(number) + sel(CMP(number < splat<I32>(0)), splat<F64>(0x1p32), splat<F64>(0.0));
}
[[gnu::always_inline]] inline F32 single_of(U32 a) { return to<F32>(double_of(a)); }
#endif
[[gnu::always_inline]] inline F32 fma(F32 a, F32 b, F32 c) { return __builtin_elementwise_fma(a, b, c); }
[[gnu::always_inline]] inline F64 fma(F64 a, F64 b, F64 c) { return __builtin_elementwise_fma(a, b, c); }
// s + err rounded to odd, where s is the rounded sum and err its exact error. A later rounding to fewer bits then gives what
// one rounding of the exact sum would have given.
[[gnu::always_inline]] inline F64 to_odd(F64 s, F64 err) {
  const U64 u = ubits(s);
  const M inexact = (CMP(err < 0.0) | CMP(err > 0.0)) & CMP((u & splat<U64>(1)) == splat<U64>(0));
  const M towards_zero = CMP(bits<I64>(ubits(err) ^ u) < splat<I64>(0));
  const U64 odd = sel(towards_zero, u - splat<U64>(1), u | splat<U64>(1));
  return bits<F64>(sel(inexact, odd, u));
}
// p + c in f64, rounded to odd (Knuth's two-sum gives the error).
[[gnu::always_inline]] inline F64 add_odd(F64 p, F64 c) {
  const F64 s = p + c, t = s - p;
  return to_odd(s, (p - (s - t)) + (c - t));
}
#ifdef OMNIHIP_LIBRARY
template <class V, size_t... K> [[gnu::always_inline]] inline auto joined_halves(V lo, V hi, std::index_sequence<K...>) {
  return __builtin_shufflevector(lo, hi, K...);
}
#endif
// a * b + c for halves converted to f32, where their products are exact. The sum is rounded to odd, so that rounding it to a
// half is correct. F has kLanes lanes, or twice as many.
template <class F> [[gnu::always_inline]] inline F fma_to_odd(F a, F b, F c) {
  using L = std::conditional_t<sizeof(F) == sizeof(F32), Lane<kLanes>, Lane<2 * kLanes>>;
  using U = typename L::U32;
#ifdef OMNIHIP_LIBRARY // the translator's library has it for each kind of host
  if constexpr (sizeof(F) == sizeof(Lane<16>::F32))
    return omnihip_host_fma_to_odd(a, b, c);
  else if constexpr (sizeof(F) == 2 * sizeof(Lane<16>::F32))
    return joined_halves(omnihip_host_fma_to_odd(a.lo, b.lo, c.lo), omnihip_host_fma_to_odd(a.hi, b.hi, c.hi),
                         std::make_index_sequence<2 * kLanes>());
#endif
  const F p = a * b, s = p + c, t = s - p, err = (p - (s - t)) + (c - t);
  const U u = bits<U>(s), towards_zero = U(bits<U>(err) ^ u) >> 31;
  const auto inexact = mask_of<typename L::M>(err < 0.0f) | mask_of<typename L::M>(err > 0.0f);
  return bits<F>(sel(inexact, U((u - towards_zero) | 1u), u));
}
template <class H, class F> [[gnu::always_inline]] inline H fma_through_f32(H a, H b, H c) {
  return to<H>(fma_to_odd(to<F>(a), to<F>(b), to<F>(c)));
}
[[gnu::always_inline]] inline F16 fma(F16 a, F16 b, F16 c) {
#ifdef OMNIHIP_LIBRARY // some hosts have an instruction
  if constexpr (kLanes == 16)
    return bits<F16>(to<U16>(omnihip_host_fma_half(to<U32>(bits<U16>(a)), to<U32>(bits<U16>(b)), to<U32>(bits<U16>(c)))));
  else
#endif
    return fma_through_f32<F16, F32>(a, b, c);
}
[[gnu::always_inline]] inline HalvesF16 fma(HalvesF16 a, HalvesF16 b, HalvesF16 c) {
  using H = decltype(a.value);
#ifdef OMNIHIP_LIBRARY
  if constexpr (kLanes == 16)
    return {bits<H>(omnihip_host_fma_halves(bits<U32>(a.value), bits<U32>(b.value), bits<U32>(c.value)))};
  else
#endif
    return {fma_through_f32<H, Lane<2 * kLanes>::F32>(a.value, b.value, c.value)};
}

// --- dot products of small integers: c and the products of the halves or the bytes of a and b. The translator's library has those of
// strips for each kind of host.
[[gnu::always_inline]] inline U32 byte_of(U32 a, int i) { return (a >> (8 * i)) & 0xffu; }
[[gnu::always_inline]] inline I32 sbyte_of(I32 a, int i) { return (a << (24 - 8 * i)) >> 24; }
#ifdef OMNIHIP_LIBRARY
#define HOST_STRIP(V, name)                                                                                            \
  if constexpr (sizeof(V) == sizeof(HostU32))                                                                          \
    return omnihip_host_##name(a, b, c);                                                                               \
  else
#else
#define HOST_STRIP(V, name)
#endif
template <class I> [[gnu::always_inline]] inline I dot2_i16(I a, I b, I c) {
  HOST_STRIP(I, dot2_i16)
  return ((a << 16) >> 16) * ((b << 16) >> 16) + (a >> 16) * (b >> 16) + c;
}
template <class I> [[gnu::always_inline]] inline I dot4_i8(I a, I b, I c) {
  HOST_STRIP(I, dot4_i8) {
    for (int i = 0; i < 4; ++i) c = c + sbyte_of(a, i) * sbyte_of(b, i);
    return c;
  }
}
template <class U> [[gnu::always_inline]] inline U dot4_u8(U a, U b, U c) {
  HOST_STRIP(U, dot4_u8) {
    for (int i = 0; i < 4; ++i) c = c + byte_of(a, i) * byte_of(b, i);
    return c;
  }
}
template <class I, class U> [[gnu::always_inline]] inline I dot4_i8_u8(I a, U b, I c) { // a's bytes are signed
  HOST_STRIP(I, dot4_i8_u8) {
    for (int i = 0; i < 4; ++i) c = c + sbyte_of(a, i) * bits<I>(byte_of(b, i));
    return c;
  }
}
#undef HOST_STRIP
// --- 2^n for n in the normal range
[[gnu::always_inline]] inline F32 pow2_f32(I32 n) { return bits<F32>(bits<U32>(n + 127) << 23); }
[[gnu::always_inline]] inline F64 pow2_f64(I64 n) { return bits<F64>(bits<U64>(n + 1023) << 52); }
// --- functions for which some hosts have instructions
//   ldexp(a, n)       a * 2^n, rounded once; the same on every host
//   scaled(p, n)      the same for |p| in [1/2, 2) and whole numbers n, |n| <= 250, as floats; NaN for NaN
//   rsqrt(a)          1 / sqrt(a): within 1 ULP with AVX-512, else with two roundings (ERRATA 15); both tiers of a host agree
#if defined OMNIHIP_LIBRARY // the translator's library: Library::load chooses one of the functions of library/lanes.cpp
template <class To, class From> [[gnu::always_inline]] inline To to_strip(From a) {
  return To(a); // a single value becomes a strip of 16 equal lanes
}
template <class S> [[gnu::always_inline]] inline F32 from_strip(S strip) {
  if constexpr (kLanes == 1)
    return strip[0];
  else
    return strip;
}
[[gnu::always_inline]] inline F32 ldexp(F32 a, I32 n) {
  return from_strip(omnihip_host_ldexp(to_strip<Lane<16>::F32>(a), to_strip<Lane<16>::I32>(n)));
}
[[gnu::always_inline]] inline F32 scaled(F32 p, F32 n) {
  return from_strip(omnihip_host_scaled(to_strip<Lane<16>::F32>(p), to_strip<Lane<16>::F32>(n)));
}
[[gnu::always_inline]] inline F32 rsqrt(F32 a) { return from_strip(omnihip_host_rsqrt(to_strip<Lane<16>::F32>(a))); }
#elif defined __AVX512F__ && OMNIHIP_LEVEL_LANES == 16
using HostF32 = float __attribute__((vector_size(64)));
[[gnu::always_inline]] inline F32 scaled(F32 p, F32 n) {
  constexpr int kAsMxcsrSays = 4;
  return bits<F32>(__builtin_ia32_scalefps512_mask(bits<HostF32>(p), bits<HostF32>(n), bits<HostF32>(p), -1, kAsMxcsrSays));
}
[[gnu::always_inline]] inline F32 ldexp(F32 a, I32 n) { return scaled(a, to<F32>(n)); }
// An estimate of 14 bits and one step of third order. For 0, infinities, NaNs and negative numbers the remainder is a NaN, and
// the estimate is the result already.
[[gnu::always_inline]] inline F32 rsqrt(F32 a) {
  const F32 y = bits<F32>(__builtin_ia32_rsqrt14ps512_mask(bits<HostF32>(a), bits<HostF32>(a), -1));
  const F32 rest = fma(-(a * y), y, splat<F32>(1.0f));
  return sel(CMP(rest < 0.5f), fma(fma(rest, splat<F32>(0.375f), splat<F32>(0.5f)), y * rest, y), y);
}
#else
[[gnu::always_inline]] inline F32 ldexp(F32 a, I32 n) { // the product is exact in f64
  const I32 e = imax(imin(n, splat<I32>(400)), splat<I32>(-400));
  return to<F32>(to<F64>(a) * pow2_f64(to<I64>(e)));
}
[[gnu::always_inline]] inline F32 scaled(F32 p, F32 n) { // two steps, of which only the second rounds
  const I32 k = to<I32>(sel(is_nan(n), splat<F32>(0.0f), n)), half = k >> 1;
  return p * pow2_f32(half) * pow2_f32(k - half);
}
[[gnu::always_inline]] inline F32 rsqrt(F32 a) { return 1.0f / __builtin_elementwise_sqrt(a); }
#endif
[[gnu::always_inline]] inline F64 ldexp(F64 a, I32 exponent) { // the first steps leave 53 bits of room, so that only the last one rounds
  I64 n = to<I64>(imax(imin(exponent, splat<I32>(3000)), splat<I32>(-3000)));
  for (int step = 0; step < 2; ++step) {
    const M low = CMP(n < -1022), high = CMP(n > 1023);
    a = a * sel(low, splat<F64>(0x1p-969), sel(high, splat<F64>(0x1p1023), splat<F64>(1.0)));
    n = n + sel(low, splat<I64>(969), sel(high, splat<I64>(-1023), splat<I64>(0)));
  }
  n = imax(imin(n, splat<I64>(1023)), splat<I64>(-1022));
  return a * pow2_f64(n);
}

// --- saturating conversions: NaN becomes 0
// `least` and `most` are the ends of what I holds, as far as F has them. (Either choice is one instruction of the host: its
// maximum and minimum give the second operand where one is NaN.)
template <class I, class F> [[gnu::always_inline]] inline I to_int_sat(F a, F least, F most) {
  const F from = sel(CMP(a > least), a, least), within = sel(CMP(from < most), from, most);
  I r = to<I>(within);
  if constexpr (std::is_same_v<F, F32>) r = sel(CMP(a > most), splat<I>(std::is_same_v<I, I32> ? 0x7fffffffu : ~0u), r);
  if constexpr (std::is_same_v<I, I32>) r = sel(is_nan(a), splat<I>(0), r);
  return r;
}
[[gnu::always_inline]] inline I32 to_i32(F32 a) {
  return to_int_sat<I32>(a, splat<F32>(-0x1p31f), splat<F32>(0x1.fffffep30f));
}
[[gnu::always_inline]] inline U32 to_u32(F32 a) {
  return to_int_sat<U32>(a, splat<F32>(0.0f), splat<F32>(0x1.fffffep31f));
}
[[gnu::always_inline]] inline I32 to_i32(F64 a) {
  return to_int_sat<I32>(a, splat<F64>(-0x1p31), splat<F64>(0x1p31 - 1.0));
}
[[gnu::always_inline]] inline U32 to_u32(F64 a) {
  return to_int_sat<U32>(a, splat<F64>(0.0), splat<F64>(0x1p32 - 1.0));
}
[[gnu::always_inline]] inline I16 to_i16(F16 a) {
  return to<I16>(imax(imin(to_i32(to<F32>(a)), splat<I32>(32767)), splat<I32>(-32768)));
}
[[gnu::always_inline]] inline U16 to_u16(F16 a) { return to<U16>(imin(to_u32(to<F32>(a)), splat<U32>(65535))); }
[[gnu::always_inline]] inline U16 sat16(U32 a) { return to<U16>(imin(a, splat<U32>(0xffffu))); }
[[gnu::always_inline]] inline I16 sat16(I32 a) {
  return to<I16>(imax(imin(a, splat<I32>(32767)), splat<I32>(-32768)));
}

[[gnu::always_inline]] inline U32 sat32(U64 a) { return to<U32>(imin(a, splat<U64>(UINT32_MAX))); }
[[gnu::always_inline]] inline I32 sat32(I64 a) {
  return to<I32>(imax(imin(a, splat<I64>(INT32_MAX)), splat<I64>(INT32_MIN)));
}

// --- wide products
[[gnu::always_inline]] inline U64 mul_wide(U32 a, U32 b) { return to<U64>(a) * to<U64>(b); }
[[gnu::always_inline]] inline I64 mul_wide(I32 a, I32 b) { return to<I64>(a) * to<I64>(b); }
// Halves of 64-bit lanes, as one shuffle each instead of widening, shifting and combining.
template <size_t... K> [[gnu::always_inline]] inline auto interleaved(U32 lo, U32 hi, std::index_sequence<K...>) {
  return __builtin_shufflevector(lo, hi, (K % 2 * kLanes + K / 2)...);
}
template <int kHalf, class D, size_t... K> [[gnu::always_inline]] inline U32 half_of(D dwords, std::index_sequence<K...>) {
  return __builtin_shufflevector(dwords, dwords, (2 * K + kHalf)...);
}
template <int kHalf, class W> [[gnu::always_inline]] inline U32 half_of(W a) {
  if constexpr (is_scalar<W>)
    return U32(a >> (32 * kHalf));
  else
    return half_of<kHalf>(bits<typename Lane<2 * kLanes>::U32>(a), std::make_index_sequence<kLanes>());
}
[[gnu::always_inline]] inline U32 low_half(U64 a) { return half_of<0>(a); }
[[gnu::always_inline]] inline U32 high_half(U64 a) { return half_of<1>(a); }
template <class H> [[gnu::always_inline]] inline U64 join(H lo, H hi) {
  if constexpr (is_scalar<H>)
    return U64(lo) | U64(hi) << 32;
  else
    return bits<U64>(interleaved(lo, hi, std::make_index_sequence<2 * kLanes>()));
}
[[gnu::always_inline]] inline W64 halves_of(U64 a) { return {low_half(a), high_half(a)}; }
// The 64-bit product of I32 or U32. A strip's are those of its even lanes and those of its odd ones, as hosts multiply.
template <class I, size_t... K> [[gnu::always_inline]] inline W64 product_of_strips(I a, I b, std::index_sequence<K...>) {
  using Half = Lane<sizeof...(K) / 2>;
  using W = std::conditional_t<std::is_same_v<I, I32>, typename Half::I64, typename Half::U64>;
  const W x = bits<W>(a), y = bits<W>(b);
  const U32 even = bits<U32>(W(((x << 32) >> 32) * ((y << 32) >> 32))), odd = bits<U32>(W((x >> 32) * (y >> 32)));
  return {__builtin_shufflevector(even, odd, (K % 2 * kLanes + K / 2 * 2)...),
          __builtin_shufflevector(even, odd, (K % 2 * kLanes + K / 2 * 2 + 1)...)};
}
template <class I> [[gnu::always_inline]] inline W64 product(I a, I b) {
  if constexpr (is_scalar<I>)
    return halves_of(bits<U64>(mul_wide(a, b)));
  else
    return product_of_strips(a, b, std::make_index_sequence<kLanes>());
}
// 64-bit sums. A single lane's is one addition; a strip adds halves with a carry, so that no 64-bit lanes are formed.
[[gnu::always_inline]] inline W64 wide_sum(W64 a, W64 b) {
  if constexpr (is_scalar<U32>) {
    const U64 r = join(a.lo, a.hi) + join(b.lo, b.hi);
    return {low_half(r), high_half(r)};
  } else {
    const U32 lo = a.lo + b.lo, hi = a.hi + b.hi;
    return {lo, sel(CMP(lo < b.lo), hi + 1u, hi)};
  }
}
// (a << k) + b, k up to 31.
[[gnu::always_inline]] inline W64 shifted_sum(W64 a, U32 k, W64 b) {
  if constexpr (is_scalar<U32>) {
    const U64 r = (join(a.lo, a.hi) << to<U64>(k)) + join(b.lo, b.hi);
    return {low_half(r), high_half(r)};
  } else {
    const U32 lo = (a.lo << k) + b.lo, hi = ((a.hi << k) | ((a.lo >> 1) >> (31u - k))) + b.hi;
    return {lo, hi + sel(CMP(lo < b.lo), splat<U32>(1), splat<U32>(0))};
  }
}
// Shifts of 64-bit integers by n, up to 63. A strip's are made of its halves: by less than 32 both give bits, by more only one.
[[gnu::always_inline]] inline W64 shifted_left(W64 a, U32 n) {
  if constexpr (is_scalar<U32>) {
    return halves_of(join(a.lo, a.hi) << to<U64>(n));
  } else {
    const U32 k = n & 31u, lo = a.lo << k, hi = (a.hi << k) | ((a.lo >> 1) >> (31u - k));
    const M near = CMP(n < splat<U32>(32));
    return {sel(near, lo, splat<U32>(0)), sel(near, hi, lo)};
  }
}
// H, I32 or U32, says what comes in at the top: the sign, or zeros.
template <class H> [[gnu::always_inline]] inline W64 shifted_right(W64 a, U32 n) {
  if constexpr (is_scalar<U32>) {
    using W = std::conditional_t<std::is_same_v<H, I32>, I64, U64>;
    return halves_of(bits<U64>(bits<W>(join(a.lo, a.hi)) >> to<W>(n)));
  } else {
    const U32 k = n & 31u, lo = (a.lo >> k) | ((a.hi << 1) << (31u - k));
    const H top = bits<H>(a.hi), hi = top >> bits<H>(k);
    const M near = CMP(n < splat<U32>(32));
    return {sel(near, lo, bits<U32>(hi)), bits<U32>(sel(near, hi, top >> splat<H>(31) >> splat<H>(1)))};
  }
}
// Comparisons of 64-bit integers, signed ones if H is I32. A strip's look at the halves.
[[gnu::always_inline]] inline M is_equal(W64 a, W64 b) {
  if constexpr (is_scalar<U32>)
    return CMP(join(a.lo, a.hi) == join(b.lo, b.hi));
  else
    return CMP(U32((a.lo ^ b.lo) | (a.hi ^ b.hi)) == splat<U32>(0));
}
template <class H, bool kOrEqual> [[gnu::always_inline]] inline M is_less(W64 a, W64 b) {
  if constexpr (is_scalar<U32>) {
    using W = std::conditional_t<std::is_same_v<H, I32>, I64, U64>;
    const W x = bits<W>(join(a.lo, a.hi)), y = bits<W>(join(b.lo, b.hi));
    return kOrEqual ? CMP(x <= y) : CMP(x < y);
  } else {
    const M low = kOrEqual ? CMP(a.lo <= b.lo) : CMP(a.lo < b.lo);
    return CMP(bits<H>(a.hi) < bits<H>(b.hi)) | (CMP(a.hi == b.hi) & low);
  }
}
[[gnu::always_inline]] inline U32 low24(U32 a) { return a & 0xffffffu; }
[[gnu::always_inline]] inline I32 low24(I32 a) { return (a << 8) >> 8; }
[[gnu::always_inline]] inline U32 absdiff(U32 a, U32 b) { return imax(a, b) - imin(a, b); }

// Calls f on each lane: for the few definitions that have no useful vector form.
template <class R, class Fn, class... A> [[gnu::always_inline]] inline R per_lane(Fn f, A... a) {
  if constexpr (is_scalar<R>) {
    return f(a...);
  } else {
    R r{};
    for (int i = 0; i < kLanes; ++i) r[i] = f(a[i]...);
    return r;
  }
}

// --- bf16: the upper half of an f32
[[gnu::always_inline]] inline F32 from_bf16(U16 a) { return bits<F32>(to<U32>(a) << 16); }
[[gnu::always_inline]] inline U16 bf16_of(F32 a, U32 rounded) { return to<U16>(sel(is_nan(a), ubits(a) | 0x400000u, rounded) >> 16); }
[[gnu::always_inline]] inline U16 to_bf16(F32 a) { // to nearest even
  const U32 u = ubits(a);
  return bf16_of(a, u + 0x7fffu + ((u >> 16) & 1u));
}
