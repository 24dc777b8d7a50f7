// Reciprocal roots and lengths of vectors. Lengths scale by the largest component, so that squares neither overflow nor
// underflow.
#include "polynomial.h"

namespace hip::device {
namespace {

template <class T> T max_of(T a, T b) { return a > b ? a : b; }

// Length of up to four components (unused ones are 0) as (high + low) * 2^exponent, or a special value in high. An infinite
// component wins over NaN.
struct Length {
  double high, low;
  int exponent;
};

template <class T> Length scaled_length(T x, T y, T z, T w) {
  if (is_inf(x) || is_inf(y) || is_inf(z) || is_inf(w)) return {infinity<double>(), 0, 0};
  if (is_nan(x) || is_nan(y) || is_nan(z) || is_nan(w)) return {quiet_nan<double>(), 0, 0};
  const T top = max_of(max_of(abs_of(x), abs_of(y)), max_of(abs_of(z), abs_of(w)));
  if (top == 0) return {0, 0, 0};
  int e;
  (void)frexp(top, &e);
  const double a = scale(static_cast<double>(x), -e), b = scale(static_cast<double>(y), -e);
  const double c = scale(static_cast<double>(z), -e), d = scale(static_cast<double>(w), -e);
  // The squares and their sum, each with its rounding error.
  const Double2 aa = two_product(a, a), bb = two_product(b, b), cc = two_product(c, c), dd = two_product(d, d);
  const Double2 ab = two_sum(aa.high, bb.high), abc = two_sum(ab.high, cc.high), sum = two_sum(abc.high, dd.high);
  const double rest = (aa.low + bb.low + cc.low + dd.low) + (ab.low + abc.low + sum.low);
  const double r = root(sum.high);
  return {r, (fused(-r, r, sum.high) + rest) / (2 * r), e};
}

template <class T> T length(T x, T y, T z, T w) {
  const Length l = scaled_length(x, y, z, w);
  return static_cast<T>(scale(l.high + l.low, l.exponent));
}
template <class T> T reciprocal_length(T x, T y, T z, T w) {
  const Length l = scaled_length(x, y, z, w);
  const double q = 1.0 / l.high;
  if (is_inf(q) || q == 0 || is_nan(q)) return static_cast<T>(q);
  const double rest = fused(-l.high, q, 1.0) - l.low * q;
  return static_cast<T>(scale(fused(q, rest, q), -l.exponent));
}

template <class T> T rsqrt_of(T x) {
  const T r = static_cast<T>(1) / root(x);
  if (!(x > 0) || is_inf(x) || is_inf(r)) return r;
  // Newton's step r (1 + (1 - x r^2) / 2), with the product's rounding error.
  const T xr = x * r;
  const T rest = fused(-xr, r, static_cast<T>(1)) - fused(x, r, -xr) * r;
  return fused(r * static_cast<T>(0.5), rest, r);
}

} // namespace

float rsqrt(float x) {
#if defined(__NVPTX__)
  return __nvvm_rsqrt_approx_f(x); // within 2^-22.9 (PTX ISA, rsqrt), subnormal numbers included
#elif defined(__AMDGCN__)
  // v_rsq_f32 is within 1 ulp for normal numbers, which is what users expect of rsqrtf and a third of the time of a
  // division; it takes subnormal numbers as zero, so those are scaled.
  const bool small = x < 0x1p-126f;
  const float r = __builtin_amdgcn_rsqf(small ? x * 0x1p24f : x);
  return small ? r * 0x1p12f : r;
#else
  return rsqrt_of(x);
#endif
}
double rsqrt(double x) {
#if defined(__AMDGCN__)
  // From v_rsq_f64 (2^-23 on hardware) one step of third order, r (1 + e / 2 + 3 e^2 / 8) with e = 1 - x r^2 and the product's
  // rounding error. Where e is no number, r is right already: 0, infinities, NaN, negative numbers.
  const double r = __builtin_amdgcn_rsq(x);
  const double xr = x * r;
  const double e = fused(-xr, r, 1.0) - fused(x, r, -xr) * r;
  const double refined = fused(r * e, fused(e, 0.375, 0.5), r);
  return is_nan(e) ? r : refined;
#else
  return rsqrt_of(x);
#endif
}

float rcbrt(float x) { return static_cast<float>(1.0 / ::cbrt(static_cast<double>(x))); }
double rcbrt(double x) {
  const double r = 1.0 / ::cbrt(x);
  if (x == 0 || is_nan(x) || is_inf(x)) return r;
  // Newton's step r (1 + (1 - x r^3) / 3); x r is never extreme, since r is the cube root's reciprocal.
  const Double2 xr = two_product(x, r), rr = two_product(r, r);
  const double rest = fused(-xr.high, rr.high, 1.0) - fused(xr.low, rr.high, xr.high * rr.low);
  return fused(r * (1.0 / 3), rest, r);
}

float rhypot(float x, float y) { return reciprocal_length(x, y, 0.0f, 0.0f); }
double rhypot(double x, double y) { return reciprocal_length(x, y, 0.0, 0.0); }
float len3(float x, float y, float z) { return length(x, y, z, 0.0f); }
double len3(double x, double y, double z) { return length(x, y, z, 0.0); }
float rlen3(float x, float y, float z) { return reciprocal_length(x, y, z, 0.0f); }
double rlen3(double x, double y, double z) { return reciprocal_length(x, y, z, 0.0); }
float len4(float x, float y, float z, float w) { return length(x, y, z, w); }
double len4(double x, double y, double z, double w) { return length(x, y, z, w); }
float rlen4(float x, float y, float z, float w) { return reciprocal_length(x, y, z, w); }
double rlen4(double x, double y, double z, double w) { return reciprocal_length(x, y, z, w); }

} // namespace hip::device
