// Evaluation of the polynomials of tables.h, and sums of two numbers for extended precision.
#pragma once

#include "own.h"

namespace hip::device {

// c[0] + c[1] x + c[2] x^2 + ..., by Horner's rule with fused multiply-adds.
template <int n> inline double polynomial(const double (&c)[n], double x) {
  double r = c[n - 1];
#pragma clang loop unroll(full)
  for (int i = n - 2; i >= 0; --i) r = fused(r, x, c[i]);
  return r;
}
// The same without the constant: c[1] + c[2] x + ...
template <int n> inline double polynomial_tail(const double (&c)[n], double x) {
  double r = c[n - 1];
#pragma clang loop unroll(full)
  for (int i = n - 2; i >= 1; --i) r = fused(r, x, c[i]);
  return r;
}

// An unevaluated sum; low is at most half a unit in the last place of high.
struct Double2 {
  double high, low;
};
inline Double2 two_sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
inline Double2 two_product(double a, double b) {
  const double p = a * b;
  return {p, fused(a, b, -p)};
}
// (a + b) * (c + d), without the product of the low parts.
inline Double2 times(Double2 x, Double2 y) {
  const Double2 p = two_product(x.high, y.high);
  return two_sum(p.high, p.low + (x.high * y.low + x.low * y.high));
}

// exp(-x^2) and exp(x^2): the square's rounding error is worth many units of the result.
inline double exp_minus_square(double x) {
  const Double2 s = two_product(x, x);
  const double e = ::exp(-s.high);
  return fused(-s.low, e, e);
}
inline double exp_square(double x) {
  const Double2 s = two_product(x, x);
  const double e = ::exp(s.high);
  return is_inf(e) ? e : fused(s.low, e, e);
}

} // namespace hip::device
