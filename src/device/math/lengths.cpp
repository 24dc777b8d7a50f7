// Reciprocal roots and lengths of vectors. Lengths scale by the largest component, so that squares neither overflow nor
// underflow.
#include "own.h"

namespace hip::device {
namespace {

template <class T> T max_of(T a, T b) { return a > b ? a : b; }

// Length of up to four components (unused ones are 0), as value * 2^exponent with the value in double, or the special
// values. An infinite component wins over NaN.
template <class T> double scaled_length(T x, T y, T z, T w, int* exponent) {
  *exponent = 0;
  if (is_inf(x) || is_inf(y) || is_inf(z) || is_inf(w)) return infinity<double>();
  if (is_nan(x) || is_nan(y) || is_nan(z) || is_nan(w)) return quiet_nan<double>();
  const T top = max_of(max_of(abs_of(x), abs_of(y)), max_of(abs_of(z), abs_of(w)));
  if (top == 0) return 0;
  (void)frexp(top, exponent);
  const double a = scale(static_cast<double>(x), -*exponent), b = scale(static_cast<double>(y), -*exponent);
  const double c = scale(static_cast<double>(z), -*exponent), d = scale(static_cast<double>(w), -*exponent);
  // Squares with their rounding errors, summed so that the root sees a correctly rounded argument but for one step.
  const double aa = a * a, bb = b * b, cc = c * c, dd = d * d;
  const double rest = fused(a, a, -aa) + fused(b, b, -bb) + fused(c, c, -cc) + fused(d, d, -dd);
  double sum = aa + bb, low = aa > bb ? bb - (sum - aa) : aa - (sum - bb);
  double next = sum + cc;
  low += sum > cc ? cc - (next - sum) : sum - (next - cc);
  sum = next;
  next = sum + dd;
  low += sum > dd ? dd - (next - sum) : sum - (next - dd);
  const double total = next + (low + rest);
  const double r = root(total);
  // One correction with the exact residual of the root.
  const double residual = fused(-r, r, next) + (low + rest);
  return r + residual / (2 * r);
}

template <class T> T length(T x, T y, T z, T w) {
  int e;
  const double v = scaled_length(x, y, z, w, &e);
  return static_cast<T>(scale(v, e));
}
template <class T> T reciprocal_length(T x, T y, T z, T w) {
  int e;
  const double v = scaled_length(x, y, z, w, &e);
  return static_cast<T>(scale(1.0 / v, -e));
}

} // namespace

float rsqrt(float x) { return 1.0f / root(x); }
double rsqrt(double x) {
  const double r = 1.0 / root(x);
  if (!(x > 0) || is_inf(x) || is_inf(r)) return r;
  // Newton's step on scaled operands: r (1 + (1 - x r^2) / 2).
  const double xr = x * r;
  const double rest = fused(-xr, r, 1.0) - fused(x, r, -xr) * r;
  return fused(r * 0.5, rest, r);
}

float rcbrt(float x) { return static_cast<float>(1.0 / ::cbrt(static_cast<double>(x))); }
double rcbrt(double x) { return 1.0 / ::cbrt(x); }

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
