// The complementary error function and its scaled form, the inverses of the error functions, and the normal distribution.
// The inverses start from a polynomial and take one or two steps of Halley's method.
#include "polynomial.h"
#include "tables.h"

namespace hip::device {
namespace {

constexpr double kHalfSqrtPi = 0x1.c5bf891b4ef6bp-1;
constexpr double kOneOverSqrtPi = 0x1.20dd750429b6dp-1;
constexpr double kSqrtTwo = 0x1.6a09e667f3bcdp+0, kSqrtTwoLow = -0x1.bdd3413b26456p-54;
constexpr double kSqrtHalf = 0x1.6a09e667f3bcdp-1;

// exp(x^2) erfc(x) for x >= 0.
double erfcx_positive(double x) {
  if (x > 0x1p30) return kOneOverSqrtPi / x;
  if (x < 1) return polynomial(kErfcxSmall, x - 0.5);
  const double t = (x - 4) / (x + 4);
  return polynomial(kErfcx, t) / fused(2.0, x, 1.0);
}

// The y with erf(y) = x, for |x| <= 1/2.
double erfinv_centre(double x) {
  if (abs_of(x) < 0x1p-30) return x * kHalfSqrtPi;
  const double y = x * polynomial(kErfinvCentre, x * x);
  return fused((x - ::erf(y)) * kHalfSqrtPi, exp_square(y), y);
}

// The y with erfc(y) = p, for 0 < p <= 1/2. The steps compare exp(-y^2) erfcx(y) with p through logarithms, so that
// nothing underflows.
double erfcinv_tail(double p) {
  const double l = ::log(p);
  const double s = root(-l);
  double y = s < 3.1 ? polynomial(kErfcinvMiddle, s - 2) : s + polynomial(kErfcinvTail, 1.0 / s);
  for (int i = 0; i < 2; ++i) {
    const Double2 square = two_product(y, y);
    const double scaled = erfcx_positive(y);
    const double ratio = ::exp((-square.high - l) - square.low) * scaled;
    const double step = (ratio - 1) * scaled * kHalfSqrtPi / ratio;
    y += step / (1 - step * y);
  }
  return y;
}

} // namespace

double erfcx(double x) {
  if (is_nan(x)) return x;
  if (x >= 0) return is_inf(x) ? 0.0 : erfcx_positive(x);
  if (x < -27) return infinity<double>();
  return fused(2.0, exp_square(x), -erfcx_positive(-x));
}

double erfinv(double x) {
  const double a = abs_of(x);
  if (!(a < 1)) return a == 1 ? __builtin_elementwise_copysign(infinity<double>(), x) : quiet_nan<double>();
  if (a <= 0.5) return erfinv_centre(x);
  return __builtin_elementwise_copysign(erfcinv_tail(1 - a), x);
}

double erfcinv(double x) {
  if (!(x >= 0 && x <= 2)) return quiet_nan<double>();
  if (x == 0) return infinity<double>();
  if (x == 2) return -infinity<double>();
  if (x <= 0.5) return erfcinv_tail(x);
  if (x < 1.5) return erfinv_centre(1 - x);
  return -erfcinv_tail(2 - x);
}

double ncdf(double x) {
  if (is_nan(x)) return x;
  if (x > -1) return 0.5 * ::erfc(-x * kSqrtHalf);
  if (x < -39) return 0;
  // exp(-x^2 / 2) with the square's rest, times the smooth factor.
  const Double2 square = two_product(x, x);
  const double e = ::exp(-0.5 * square.high);
  return 0.5 * fused(-0.5 * square.low, e, e) * erfcx_positive(-x * kSqrtHalf);
}

double ncdfinv(double x) {
  if (!(x >= 0 && x <= 1)) return quiet_nan<double>();
  const double y = x < 0.5 ? erfcinv(2 * x) : -erfcinv(2 - 2 * x);
  if (x == 0.5) return 0;
  if (is_inf(y)) return -y;
  return -fused(y, kSqrtTwo, y * kSqrtTwoLow);
}

// libclc's single-precision form flushes subnormal results and loses half of the last bits at the end of the range.
float erfc(float x) { return static_cast<float>(::erfc(static_cast<double>(x))); }
double erfc(double x) { return ::erfc(x); }
float erfcx(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
float erfinv(float x) { return static_cast<float>(erfinv(static_cast<double>(x))); }
float erfcinv(float x) { return static_cast<float>(erfcinv(static_cast<double>(x))); }
float ncdf(float x) { return static_cast<float>(ncdf(static_cast<double>(x))); }
float ncdfinv(float x) { return static_cast<float>(ncdfinv(static_cast<double>(x))); }

} // namespace hip::device
