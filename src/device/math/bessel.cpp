// Bessel functions of order 0 and 1. Below 8: polynomials on [0, 2], [2, 4], [4, 6], [6, 8]; above: Hankel's form, a phase
// and two smooth factors. Between 0 and 2 the second kind adds its logarithm to a polynomial. Errors of J and Y are
// absolute near the zeros: small against the function's amplitude there.
#include "polynomial.h"
#include "tables.h"

namespace hip::device {
namespace {

constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kOneOverSqrtPi = 0x1.20dd750429b6dp-1;

struct Waves {
  double first, second; // J and Y, without the factor 1 / sqrt(pi x)
};

// sin x + cos x and sin x - cos x without cancellation: their product is -cos 2x.
void sum_and_difference(double x, double* sum, double* difference) {
  const double s = ::sin(x), c = ::cos(x);
  *sum = s + c;
  *difference = s - c;
  const double product = -::cos(x + x);
  if (s * c < 0) {
    *sum = product / *difference;
  } else {
    *difference = product / *sum;
  }
}

// For x >= 8. order 0: phase x - pi/4; order 1: x - 3 pi/4.
template <int order> Waves hankel(double x) {
  const double inverse = 8 / x;
  const double v = inverse * inverse;
  double p, q;
  if constexpr (order == 0) {
    p = x < 16 ? polynomial(kP0From8, v - 0.625) : polynomial(kP0From16, v);
    q = (x < 16 ? polynomial(kQ0From8, v - 0.625) : polynomial(kQ0From16, v)) / x;
  } else {
    p = x < 16 ? polynomial(kP1From8, v - 0.625) : polynomial(kP1From16, v);
    q = (x < 16 ? polynomial(kQ1From8, v - 0.625) : polynomial(kQ1From16, v)) / x;
  }
  double sum, difference;
  sum_and_difference(x, &sum, &difference);
  // sqrt 2 times cosine and sine of the phase
  const double cosine = order == 0 ? sum : difference;
  const double sine = order == 0 ? difference : -sum;
  return {p * cosine - q * sine, p * sine + q * cosine};
}

// 1 / sqrt(pi x)
double amplitude(double x) { return kOneOverSqrtPi / root(x); }

double j0_positive(double x) {
  if (x < 2) return polynomial(kJ0Small, x * x);
  if (x < 4) return polynomial(kJ0From2, x - 3);
  if (x < 6) return polynomial(kJ0From4, x - 5);
  if (x < 8) return polynomial(kJ0From6, x - 7);
  return hankel<0>(x).first * amplitude(x);
}

double j1_positive(double x) {
  if (x < 2) return x * polynomial(kJ1Small, x * x);
  if (x < 4) return polynomial(kJ1From2, x - 3);
  if (x < 6) return polynomial(kJ1From4, x - 5);
  if (x < 8) return polynomial(kJ1From6, x - 7);
  return hankel<1>(x).first * amplitude(x);
}

// Takes back sqrt(x) exp(-x) times the function, for x >= 8; near the end exp(x) alone would overflow.
double grow(double scaled, double x) {
  if (x > 714) return infinity<double>();
  if (x < 700) return ::exp(x) * (scaled / root(x));
  const double e = ::exp(0.5 * x);
  return e * (scaled / root(x)) * e;
}

} // namespace

double j0(double x) {
  if (is_nan(x)) return x;
  return is_inf(x) ? 0.0 : j0_positive(abs_of(x));
}

double j1(double x) {
  if (is_nan(x)) return x;
  const double r = is_inf(x) ? 0.0 : j1_positive(abs_of(x));
  return sign_bit(x) ? -r : r;
}

double y0(double x) {
  if (is_nan(x) || x < 0) return quiet_nan<double>();
  if (x == 0) return -infinity<double>();
  if (is_inf(x)) return 0;
  if (x < 2) return fused(kTwoOverPi * ::log(x), j0_positive(x), polynomial(kY0Small, x * x));
  if (x < 4) return polynomial(kY0From2, x - 3);
  if (x < 6) return polynomial(kY0From4, x - 5);
  if (x < 8) return polynomial(kY0From6, x - 7);
  return hankel<0>(x).second * amplitude(x);
}

double y1(double x) {
  if (is_nan(x) || x < 0) return quiet_nan<double>();
  if (x == 0) return -infinity<double>();
  if (is_inf(x)) return 0;
  if (x < 2) {
    const double smooth = fused(kTwoOverPi * ::log(x), j1_positive(x), x * polynomial(kY1Small, x * x));
    return smooth - kTwoOverPi / x;
  }
  if (x < 4) return polynomial(kY1From2, x - 3);
  if (x < 6) return polynomial(kY1From4, x - 5);
  if (x < 8) return polynomial(kY1From6, x - 7);
  return hankel<1>(x).second * amplitude(x);
}

double i0(double x) {
  if (is_nan(x)) return x;
  x = abs_of(x);
  if (x < 8) return polynomial(kI0Small, x * x);
  return grow(x < 16 ? polynomial(kI0From8, 8 / x - 0.75) : polynomial(kI0From16, 8 / x), x);
}

double i1(double x) {
  if (is_nan(x)) return x;
  const double a = abs_of(x);
  const double r = a < 8 ? a * polynomial(kI1Small, a * a)
                         : grow(a < 16 ? polynomial(kI1From8, 8 / a - 0.75) : polynomial(kI1From16, 8 / a), a);
  return sign_bit(x) ? -r : r;
}

float j0(float x) { return static_cast<float>(j0(static_cast<double>(x))); }
float j1(float x) { return static_cast<float>(j1(static_cast<double>(x))); }
float y0(float x) { return static_cast<float>(y0(static_cast<double>(x))); }
float y1(float x) { return static_cast<float>(y1(static_cast<double>(x))); }
float i0(float x) { return static_cast<float>(i0(static_cast<double>(x))); }
float i1(float x) { return static_cast<float>(i1(static_cast<double>(x))); }

} // namespace hip::device
