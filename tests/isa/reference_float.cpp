// Floating-point vector instructions. Kernels run in IEEE mode with denormals enabled, as HIP sets MODE.
#include "reference.h"

#include <cmath>

namespace isa_test {

f16 fma_f16(f16 a, f16 b, f16 c); // cases.h
f16 fma_f16(f16 a, f16 b, f16 c) {
  __float128 exact = static_cast<__float128>(static_cast<double>(a) * static_cast<double>(b)) + static_cast<double>(c);
  // Round to odd into double, so that the second rounding is exact.
  double d = static_cast<double>(exact);
  if (static_cast<__float128>(d) != exact && !(std::bit_cast<uint64_t>(d) & 1) && std::isfinite(d)) {
    bool toward_zero_is_next = (static_cast<__float128>(d) > exact) == (d > 0);
    d = std::bit_cast<double>(std::bit_cast<uint64_t>(d) + (toward_zero_is_next ? uint64_t(-1) : 1));
  }
  if (exact == 0) d = static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c); // sign of zero
  return static_cast<f16>(d);
}

namespace {

using u32 = uint32_t;
using u64 = uint64_t;
using i32 = int32_t;

template <class T> struct Format;
template <> struct Format<f16> {
  using Bits = uint16_t;
  static constexpr int mantissa = 10;
};
template <> struct Format<float> {
  using Bits = uint32_t;
  static constexpr int mantissa = 23;
};
template <> struct Format<double> {
  using Bits = uint64_t;
  static constexpr int mantissa = 52;
};
template <class T> typename Format<T>::Bits raw(T v) { return std::bit_cast<typename Format<T>::Bits>(v); }
template <class T> bool nan(T v) { return v != v; }
template <class T> bool signalling(T v) { return nan(v) && !(raw(v) >> (Format<T>::mantissa - 1) & 1); }
template <class T> bool negative(T v) { return raw(v) >> (sizeof(T) * 8 - 1); }
template <class T> T quiet_nan() { return static_cast<T>(std::numeric_limits<float>::quiet_NaN()); }

// IEEE mode: a signalling NaN gives a NaN, one quiet NaN gives the other operand, -0 < +0.
template <class T> T min(T a, T b) {
  if (signalling(a) || signalling(b)) return quiet_nan<T>();
  if (nan(a)) return b;
  if (nan(b)) return a;
  if (a == b) return negative(a) ? a : b;
  return a < b ? a : b;
}
template <class T> T max(T a, T b) {
  if (signalling(a) || signalling(b)) return quiet_nan<T>();
  if (nan(a)) return b;
  if (nan(b)) return a;
  if (a == b) return negative(a) ? b : a;
  return a > b ? a : b;
}
template <class T> T med3(T a, T b, T c) {
  if (nan(a) || nan(b) || nan(c)) return min(min(a, b), c);
  T m = max(max(a, b), c);
  if (m == a) return max(b, c);
  if (m == b) return max(a, c);
  return max(a, b);
}
template <class T> T round_even(T v) { return static_cast<T>(__builtin_roundeven(static_cast<double>(v))); }
template <class T> T fract(T v) {
  T below_one = static_cast<T>(1) - static_cast<T>(std::ldexp(1.0, -Format<T>::mantissa - 1));
  T r = v - static_cast<T>(std::floor(static_cast<double>(v)));
  return r > below_one ? below_one : r; // the result is less than 1 even when the subtraction rounds up
}
float fma_f32(float a, float b, float c) { return std::fma(a, b, c); }
float sin_turns(float v) { return static_cast<float>(std::sin(2 * M_PI * (static_cast<double>(v) - std::floor(double(v))))); }
float cos_turns(float v) { return static_cast<float>(std::cos(2 * M_PI * (static_cast<double>(v) - std::floor(double(v))))); }
template <class T> i32 frexp_exponent(T v) {
  if (v == 0 || !std::isfinite(static_cast<double>(v))) return 0;
  int e;
  std::frexp(static_cast<double>(v), &e);
  return e;
}
template <class T> T frexp_mantissa(T v) {
  if (v == 0 || !std::isfinite(static_cast<double>(v))) return v;
  int e;
  return static_cast<T>(std::frexp(static_cast<double>(v), &e));
}
u32 halves_fma(u32 a, u32 b, u32 c) {
  auto h = [](u32 v) { return std::bit_cast<f16>(uint16_t(v)); };
  return u32(raw<f16>(fma_f16(h(a), h(b), h(c)))) | u32(raw<f16>(fma_f16(h(a >> 16), h(b >> 16), h(c >> 16)))) << 16;
}
template <class F> u64 pair2(u64 a, u64 b, F f) {
  auto p = [](u64 v) { return std::bit_cast<float>(u32(v)); };
  return u64(raw<float>(f(p(a), p(b)))) | u64(raw<float>(f(p(a >> 32), p(b >> 32)))) << 32;
}
u64 pair_fma(u64 a, u64 b, u64 c) {
  auto p = [](u64 v) { return std::bit_cast<float>(u32(v)); };
  return u64(raw<float>(fma_f32(p(a), p(b), p(c)))) |
         u64(raw<float>(fma_f32(p(a >> 32), p(b >> 32), p(c >> 32)))) << 32;
}
// The scaled form of v_div_fmas. The manual says 2^32 and 2^64; what the hardware does (tests on cards show it, and the
// division sequence needs it) is to undo v_div_scale: up for quotients of 2 or more, down for smaller ones.
template <class T> T div_fmas(T a, T b, T c, int scale) {
  __float128 exact = static_cast<__float128>(a) * b + c;
  __float128 factor = 1;
  for (int i = 0; i < scale; ++i) factor = std::fabs(c) >= 2 ? factor * 2 : factor / 2;
  return static_cast<T>(exact * factor);
}
// v_div_fixup: the special cases of a division whose quotient estimate is a (b: denominator, c: numerator).
template <class T> T div_fixup(T q, T den, T num) {
  bool sign = negative(den) != negative(num);
  T inf = static_cast<T>(std::numeric_limits<float>::infinity()), zero = 0;
  if (nan(num)) return num;
  if (nan(den)) return den;
  bool den_inf = std::isinf(static_cast<double>(den)), num_inf = std::isinf(static_cast<double>(num));
  if ((den == 0 && num == 0) || (den_inf && num_inf)) return quiet_nan<T>();
  if (den == 0 || num_inf) return sign ? -inf : inf;
  if (den_inf || num == 0) return sign ? -zero : zero;
  int far = sizeof(T) == 8 ? -1075 : -150; // biased exponents: denormals count as 0
  constexpr int bias = sizeof(T) == 8 ? 1023 : 127;
  auto exponent = [](T v) {
    int e;
    std::frexp(static_cast<double>(v), &e);
    return std::max(e - 1 + bias, 0);
  };
  T estimate = sizeof(T) > 2 && nan(q) ? inf : negative(q) ? -q : q; // an estimate that overflowed on its way
  T magnitude = exponent(num) - exponent(den) < far ? zero : estimate;
  return sign ? -magnitude : magnitude;
}

constexpr uint32_t kFlush = kNoDenormals;

const Op kOps[] = {
    OP2("v_add_f32", float, float, float, 0, 0, a + b),
    OP2("v_sub_f32", float, float, float, 0, 0, a - b),
    OP2("v_subrev_f32", float, float, float, 0, 0, b - a),
    OP2("v_mul_f32", float, float, float, 0, 0, a* b),
    OP2("v_mul_legacy_f32", float, float, float, 0, 0, a == 0 || b == 0 ? 0.0f : a * b),
    OP2("v_min_f32", float, float, float, 0, 0, min(a, b)),
    OP2("v_max_f32", float, float, float, 0, 0, max(a, b)),
    OP2("v_fmac_f32", float, float, float, kReadsDst, 0, fma_f32(a, b, d)),
    OP2("v_ldexp_f32", float, float, i32, 0, 0, float(std::ldexp(double(a), std::max(-400, std::min(400, b))))),
    OP3("v_fma_f32", float, float, float, float, 0, 0, fma_f32(a, b, c)),
    OP3("v_min3_f32", float, float, float, float, 0, 0, min(min(a, b), c)),
    OP3("v_max3_f32", float, float, float, float, 0, 0, max(max(a, b), c)),
    OP3("v_med3_f32", float, float, float, float, 0, 0, med3(a, b, c)),
    OP3("v_div_fixup_f32", float, float, float, float, 0, 0, div_fixup(a, b, c)),
    OP3("v_div_fmas_f32", float, float, float, float, kReadsVcc, 0,
        vcc ? div_fmas(a, b, c, 64) : fma_f32(a, b, c)),
    OP1("v_fract_f32", float, float, 0, 0, fract(a)),
    OP1("v_trunc_f32", float, float, 0, 0, std::trunc(a)),
    OP1("v_ceil_f32", float, float, 0, 0, std::ceil(a)),
    OP1("v_floor_f32", float, float, 0, 0, std::floor(a)),
    OP1("v_rndne_f32", float, float, 0, 0, round_even(a)),
    OP1("v_exp_f32", float, float, kFlush, 2, std::exp2(double(a))),
    OP1("v_log_f32", float, float, kFlush, 2, std::log2(double(a))),
    OP1("v_rcp_f32", float, float, kFlush, 1, 1.0 / a),
    OP1("v_rcp_iflag_f32", float, float, kFlush, 1, 1.0 / a),
    OP1("v_rsq_f32", float, float, kFlush, 1, 1.0 / std::sqrt(double(a))),
    OP1("v_sqrt_f32", float, float, kFlush, 1, std::sqrt(double(a))),
    OP1("v_frexp_mant_f32", float, float, 0, 0, frexp_mantissa(a)),
    OP1("v_frexp_exp_i32_f32", i32, float, 0, 0, frexp_exponent(a)),
    OP2("v_add_f64", double, double, double, 0, 0, a + b),
    OP2("v_mul_f64", double, double, double, 0, 0, a* b),
    OP2("v_min_f64", double, double, double, 0, 0, min(a, b)),
    OP2("v_max_f64", double, double, double, 0, 0, max(a, b)),
    OP2("v_fmac_f64", double, double, double, kReadsDst, 0, std::fma(a, b, d)),
    OP2("v_ldexp_f64", double, double, i32, 0, 0, std::ldexp(a, std::max(-5000, std::min(5000, b)))),
    OP3("v_fma_f64", double, double, double, double, 0, 0, std::fma(a, b, c)),
    OP3("v_div_fixup_f64", double, double, double, double, 0, 0, div_fixup(a, b, c)),
    OP3("v_div_fmas_f64", double, double, double, double, kReadsVcc, 0,
        vcc ? div_fmas(a, b, c, 128) : std::fma(a, b, c)),
    OP1("v_fract_f64", double, double, 0, 0, fract(a)),
    OP1("v_trunc_f64", double, double, 0, 0, std::trunc(a)),
    OP1("v_ceil_f64", double, double, 0, 0, std::ceil(a)),
    OP1("v_floor_f64", double, double, 0, 0, std::floor(a)),
    OP1("v_rndne_f64", double, double, 0, 0, round_even(a)),
    OP1("v_frexp_mant_f64", double, double, 0, 0, frexp_mantissa(a)),
    OP1("v_frexp_exp_i32_f64", i32, double, 0, 0, frexp_exponent(a)),
    OP2("v_add_f16", f16, f16, f16, kFullDst, 0, a + b),
    OP2("v_sub_f16", f16, f16, f16, kFullDst, 0, a - b),
    OP2("v_subrev_f16", f16, f16, f16, kFullDst, 0, b - a),
    OP2("v_mul_f16", f16, f16, f16, kFullDst, 0, a* b),
    OP2("v_min_f16", f16, f16, f16, kFullDst, 0, min(a, b)),
    OP2("v_max_f16", f16, f16, f16, kFullDst, 0, max(a, b)),
    OP3("v_fma_f16", f16, f16, f16, f16, 0, 0, fma_f16(a, b, c)),
    OP1("v_trunc_f16", f16, f16, kFullDst, 0, std::trunc(float(a))),
    OP1("v_ceil_f16", f16, f16, kFullDst, 0, std::ceil(float(a))),
    OP1("v_floor_f16", f16, f16, kFullDst, 0, std::floor(float(a))),
    OP1("v_rndne_f16", f16, f16, kFullDst, 0, round_even(a)),
    OP1("v_rcp_f16", f16, f16, kFullDst, 1, 1.0 / double(a)),
    OP1("v_sqrt_f16", f16, f16, kFullDst, 1, std::sqrt(double(a))),
    OP1("v_rsq_f16", f16, f16, kFullDst, 1, 1.0 / std::sqrt(double(a))),
    OP2("v_pk_add_f16", u32, u32, u32, kHalves, 0, halves2(a, b, [](f16 x, f16 y) { return f16(x + y); })),
    OP2("v_pk_mul_f16", u32, u32, u32, kHalves, 0, halves2(a, b, [](f16 x, f16 y) { return f16(x * y); })),
    OP2("v_pk_min_f16", u32, u32, u32, kHalves, 0, halves2(a, b, [](f16 x, f16 y) { return min(x, y); })),
    OP2("v_pk_max_f16", u32, u32, u32, kHalves, 0, halves2(a, b, [](f16 x, f16 y) { return max(x, y); })),
    OP3("v_pk_fma_f16", u32, u32, u32, u32, kHalves, 0, halves_fma(a, b, c)),
    OP2("v_pk_add_f32", u64, u64, u64, kFloats, 0, pair2(a, b, [](float x, float y) { return x + y; })),
    OP2("v_pk_mul_f32", u64, u64, u64, kFloats, 0, pair2(a, b, [](float x, float y) { return x * y; })),
    OP3("v_pk_fma_f32", u64, u64, u64, u64, kFloats, 0, pair_fma(a, b, c)),
    OP1("v_sin_f32", float, float, kFlush, 0xffffffff, sin_turns(a)),
    OP1("v_cos_f32", float, float, kFlush, 0xffffffff, cos_turns(a)),
};

} // namespace

std::span<const Op> float_ops() { return kOps; }

} // namespace isa_test
