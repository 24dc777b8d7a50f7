// The gamma function. Up to 20 in magnitude the argument is moved into [1, 2) by the recurrence, with the product kept in
// extended precision; beyond, Stirling's formula; large negative arguments go through the reflection formula.
#include "polynomial.h"
#include "tables.h"

namespace hip::device {
namespace {

constexpr double kPi = 0x1.921fb54442d18p+1;
constexpr double kSqrtTwoPi = 0x1.40d931ff62706p+1;

// gamma(z) for z in [1, 2].
Double2 gamma_core(double z) {
  const double t = z - 1.5;
  return two_sum(kGamma[0], fused(t, polynomial_tail(kGamma, t), kGammaRest));
}

// gamma(x) = (a * scale) * a with both factors in range, for x >= 20.
void stirling(double x, double* a, double* scale) {
  *a = ::pow(x, fused(0.5, x, -0.25));
  *scale = ::exp(-x) * kSqrtTwoPi * polynomial(kStirling, 1.0 / x);
}

} // namespace

double tgamma(double x) {
  if (is_nan(x)) return x;
  if (is_inf(x)) return x > 0 ? x : quiet_nan<double>();
  if (x == 0) return 1.0 / x;
  const bool whole = x == __builtin_elementwise_floor(x);
  if (x < 0 && whole) return quiet_nan<double>();
  if (x > 171.7) return infinity<double>();
  if (x < -190) {
    // Underflown; the sign alternates between the poles.
    const double below = __builtin_elementwise_floor(x);
    return __builtin_elementwise_floor(below * 0.5) * 2 == below ? 0.0 : -0.0;
  }
  if (abs_of(x) < 0x1p-54) return 1.0 / x;
  if (x >= 20) {
    double a, scale;
    stirling(x, &a, &scale);
    return a * scale * a;
  }
  if (x <= -20) {
    // gamma(x) = -pi / (x sin(pi x) gamma(-x))
    double cosine, a, scale;
    const double sine = sincospi(-x, &cosine);
    stirling(-x, &a, &scale);
    return kPi / (x * sine) / a / scale / a;
  }
  if (x >= 1) {
    Double2 product = {1, 0};
    while (x >= 2) {
      x -= 1; // exact: the result is not larger than x
      product = times(product, {x, 0});
    }
    const Double2 r = times(product, gamma_core(x));
    return r.high + r.low;
  }
  // Upwards: gamma(x) = gamma(x + n) / (x (x + 1) ... (x + n - 1)). The sums are kept with their rounding errors.
  Double2 product = {x, 0};
  Double2 z = two_sum(x, 1);
  for (double k = 2; z.high < 1; k += 1) {
    product = times(product, z);
    z = two_sum(x, k);
  }
  const Double2 g = gamma_core(z.high);
  const double t = z.high - 1.5;
  const double slope = fused(2 * kGamma[2], t, kGamma[1]); // the derivative, well enough for the rest of z
  const double high = g.high / product.high;
  const double left = fused(-high, product.high, g.high) + (g.low + z.low * slope) - high * product.low;
  return high + left / product.high;
}

float tgamma(float x) { return static_cast<float>(tgamma(static_cast<double>(x))); }

// libclc's, but that the limit at minus infinity is infinity, as in C, and that from -2^-65 to -2^-71 its function for floats
// gives infinity, too.
double lgamma(double x) { return is_inf(x) ? infinity<double>() : ::lgamma(x); }
float lgamma(float x) {
  if (is_inf(x)) return infinity<float>();
  return x < 0 && x > -0x1p-40f ? -::log(-x) : ::lgamma(x);
}

} // namespace hip::device
