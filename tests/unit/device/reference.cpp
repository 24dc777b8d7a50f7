#include "reference.h"

#include <cmath>
#include <limits>

extern "C" {
using Q = __float128;
Q sinq(Q), cosq(Q), tanq(Q), asinq(Q), acosq(Q), atanq(Q), atan2q(Q, Q), sinhq(Q), coshq(Q), tanhq(Q), asinhq(Q), acoshq(Q),
    atanhq(Q), expq(Q), expm1q(Q), logq(Q), log2q(Q), log10q(Q), log1pq(Q), powq(Q, Q), sqrtq(Q), cbrtq(Q), hypotq(Q, Q),
    erfq(Q), erfcq(Q), lgammaq(Q), tgammaq(Q), j0q(Q), j1q(Q), y0q(Q), y1q(Q), fmodq(Q, Q), remainderq(Q, Q), fabsq(Q),
    ldexpq(Q, int), floorq(Q), rintq(Q), fmaq(Q, Q, Q);
int isnanq(Q), isinfq(Q);
}

namespace hip::device_test {
namespace {

const Quad kPi = 3.1415926535897932384626433832795028841971693993751058Q;
const Quad kSqrtPi = 1.7724538509055160272981674833411451827975494561223871Q;
const Quad kSqrt2 = 1.4142135623730950488016887242096980785696718753769481Q;
const Quad kLn2 = 0.69314718055994530941723212145817656807550013436025525Q;
const Quad kLn10 = 2.3025850929940456840179914546843642076011014886287729Q;

// Reduced first, so that the product with pi keeps its precision.
Quad sin_pi(Quad x) {
  const Quad n = rintq(x), s = sinq(kPi * (x - n));
  return fmodq(n, 2) == 0 ? s : -s;
}
Quad cos_pi(Quad x) { return sin_pi(x + 0.5Q); }

Quad erfcx(Quad x) {
  if (x < 100) return expq(x * x) * erfcq(x);
  Quad sum = 1, term = 1;
  for (int k = 1; k < 30; ++k) sum += term *= -(2 * k - 1) / (2 * x * x);
  return sum / (x * kSqrtPi);
}

// Newton's method in quadruple precision, from a double start that is good to a few digits.
Quad erfcinv_tail(Quad p) {
  const Quad l = logq(p);
  Quad y = sqrtq(-l);
  y = y > 2 ? y - logq(y * kSqrtPi) / (2 * y) : y * 0.7Q;
  for (int i = 0; i < 40; ++i) {
    // logarithm of erfc(y) / p
    const Quad f = -y * y + logq(erfcx(y)) - l;
    const Quad step = f * erfcx(y) * kSqrtPi / 2;
    y += step;
    if (fabsq(step) < 1e-31Q * y) break;
  }
  return y;
}
Quad erfinv_centre(Quad x) {
  Quad y = x * kSqrtPi / 2;
  for (int i = 0; i < 40; ++i) {
    const Quad step = (x - erfq(y)) * kSqrtPi / 2 * expq(y * y);
    y += step;
    if (fabsq(step) < 1e-32Q * fabsq(y)) break;
  }
  return y;
}
Quad erfinv(Quad x) {
  if (fabsq(x) < 0.5Q) return erfinv_centre(x);
  const Quad y = erfcinv_tail(1 - fabsq(x));
  return x < 0 ? -y : y;
}
Quad erfcinv(Quad x) {
  if (x < 0.5Q) return erfcinv_tail(x);
  if (x < 1.5Q) return erfinv_centre(1 - x);
  return -erfcinv_tail(2 - x);
}
Quad ncdf(Quad x) { return erfcq(-x / kSqrt2) / 2; }
Quad ncdfinv(Quad x) { return -kSqrt2 * erfcinv(2 * x); }

// The ascending series has positive terms only.
Quad bessel_i(int order, Quad x) {
  const Quad u = x * x / 4;
  Quad term = order == 0 ? Quad(1) : x / 2, sum = term;
  for (int k = 1; k < 2000; ++k) {
    term *= u / (Quad(k) * (k + order));
    sum += term;
    if (fabsq(term) < 1e-36Q * fabsq(sum)) break;
  }
  return sum;
}

Quad powi(Quad x, Quad n) { return powq(x, n); }
Quad rootn(Quad x, Quad n) {
  if (x < 0 && fmodq(n, 2) != 0) return -powq(-x, 1 / n);
  return powq(x, 1 / n);
}

#define F1(expression) [](const Quad* a) -> Quad { const Quad x = a[0]; return expression; }
#define F2(expression) [](const Quad* a) -> Quad { const Quad x = a[0], y = a[1]; return expression; }
#define F3(expression) [](const Quad* a) -> Quad { const Quad x = a[0], y = a[1], z = a[2]; return expression; }
#define F4(expression) \
  [](const Quad* a) -> Quad { const Quad x = a[0], y = a[1], z = a[2], w = a[3]; return expression; }

constexpr auto Log = Domain::Log;
constexpr auto SignedLog = Domain::SignedLog;
#define ALL32 {1e-44, 3e38, SignedLog}
#define ALL64 {5e-324, 1.7e308, SignedLog}
#define POS32 {1e-44, 3e38, Log}
#define POS64 {5e-324, 1.7e308, Log}

} // namespace

// One row: name, arity, exact value, domains, limits of the error.
const std::vector<Reference> kReferences = {
    {"sqrt", 1, F1(sqrtq(x)), {POS32}, {POS64}, 0.5, 0.5},
    {"rsqrt", 1, F1(1 / sqrtq(x)), {POS32}, {POS64}, 2, 0.6},
    {"cbrt", 1, F1(cbrtq(x)), {ALL32}, {ALL64}, 1.0, 1.0},
    {"rcbrt", 1, F1(1 / cbrtq(x)), {ALL32}, {ALL64}, 0.6, 1.5},
    {"hypot", 2, F2(hypotq(x, y)), {ALL32, ALL32}, {ALL64, ALL64}, 1.0, 1.0},
    {"rhypot", 2, F2(1 / hypotq(x, y)), {{1e-3, 1e3, SignedLog}, {1e-3, 1e3, SignedLog}}, {{1e-300, 1e300, SignedLog}, {1e-300, 1e300, SignedLog}}, 0.6, 1.1},
    {"len3", 3, F3(sqrtq(x * x + y * y + z * z)), {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, 0.6, 0.6},
    {"rlen3", 3, F3(1 / sqrtq(x * x + y * y + z * z)), {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, 0.6, 1.1},
    {"len4", 4, F4(sqrtq(x * x + y * y + z * z + w * w)), {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, 0.6, 0.6},
    {"rlen4", 4, F4(1 / sqrtq(x * x + y * y + z * z + w * w)), {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, 0.6, 1.1},
    {"fma", 3, F3(fmaq(x, y, z)), {{1e-10, 1e10, SignedLog}, {1e-10, 1e10, SignedLog}}, {{1e-2, 1e2, SignedLog}, {1e-2, 1e2, SignedLog}}, 0.5, 0.5},
    {"fmod", 2, F2(fmodq(x, y)), {ALL32, ALL32}, {ALL64, ALL64}, 0, 0},
    {"remainder", 2, F2(remainderq(x, y)), {ALL32, ALL32}, {ALL64, ALL64}, 0, 0},
    {"fdim", 2, F2(x > y ? x - y : 0), {{1e-3, 1e3, SignedLog}, {1e-3, 1e3, SignedLog}}, {{1e-3, 1e3, SignedLog}, {1e-3, 1e3, SignedLog}}, 0.5, 0.5},
    // (Floats: 1.5 up to 1e5; where libclc takes pi from three numbers, up to 1e7, it loses one more.)
    {"sin", 1, F1(sinq(x)), {{1e-40, 1e38, SignedLog}}, {{1e-30, 1e9, SignedLog}}, 2.5, 0.7},
    {"cos", 1, F1(cosq(x)), {{1e-40, 1e38, SignedLog}}, {{1e-30, 1e9, SignedLog}}, 2.5, 0.7},
    {"tan", 1, F1(tanq(x)), {{1e-40, 1e38, SignedLog}}, {{1e-300, 1e300, SignedLog}}, 4, 3},
    {"sinpi", 1, F1(sin_pi(x)), {{-100, 100}}, {{-100, 100}}, 0.6, 0.8},
    {"cospi", 1, F1(cos_pi(x)), {{-100, 100}}, {{-100, 100}}, 0.6, 0.8},
    {"tanpi", 1, F1(sin_pi(x) / cos_pi(x)), {{-100, 100}}, {{-100, 100}}, 4, 4},
    {"asin", 1, F1(asinq(x)), {{-1, 1}}, {{-1, 1}}, 3, 2},
    {"acos", 1, F1(acosq(x)), {{-1, 1}}, {{-1, 1}}, 3, 2},
    {"atan", 1, F1(atanq(x)), {ALL32}, {ALL64}, 3, 2},
    {"asinpi", 1, F1(asinq(x) / kPi), {{-1, 1}}, {{-1, 1}}, 3, 2},
    {"acospi", 1, F1(acosq(x) / kPi), {{-1, 1}}, {{-1, 1}}, 3, 2},
    {"atanpi", 1, F1(atanq(x) / kPi), {{1e-30, 1e30, SignedLog}}, {{1e-300, 1e300, SignedLog}}, 3, 2},
    {"atan2", 2, F2(atan2q(x, y)), {{1e-10, 1e10, SignedLog}, {1e-10, 1e10, SignedLog}}, {{1e-10, 1e10, SignedLog}, {1e-10, 1e10, SignedLog}}, 4, 2},
    {"atan2pi", 2, F2(atan2q(x, y) / kPi), {{1e-10, 1e10, SignedLog}, {1e-10, 1e10, SignedLog}}, {{1e-10, 1e10, SignedLog}, {1e-10, 1e10, SignedLog}}, 4, 2},
    {"sinh", 1, F1(sinhq(x)), {{1e-38, 89, SignedLog}}, {{1e-300, 710, SignedLog}}, 3, 2},
    {"cosh", 1, F1(coshq(x)), {{-89, 89}}, {{-710, 710}}, 3, 2},
    {"tanh", 1, F1(tanhq(x)), {{1e-38, 20, SignedLog}}, {{1e-300, 30, SignedLog}}, 3, 2},
    {"asinh", 1, F1(asinhq(x)), {{1e-38, 3e38, SignedLog}}, {{1e-300, 1e308, SignedLog}}, 3, 2},
    {"acosh", 1, F1(acoshq(x)), {{1, 3e38, Log}}, {{1, 1e308, Log}}, 3, 2},
    {"atanh", 1, F1(atanhq(x)), {{-1, 1}}, {{-1, 1}}, 3, 2},
    {"exp", 1, F1(expq(x)), {{-104, 89}}, {{-745, 710}}, 2, 2},
    {"exp2", 1, F1(expq(x * kLn2)), {{-150, 128}}, {{-1075, 1024}}, 2, 2},
    {"exp10", 1, F1(expq(x * kLn10)), {{-45, 38.5}}, {{-323.5, 308.2}}, 2, 2},
    {"expm1", 1, F1(expm1q(x)), {{1e-38, 88, SignedLog}}, {{1e-300, 709, SignedLog}}, 3, 2},
    {"log", 1, F1(logq(x)), {POS32}, {POS64}, 2, 2},
    {"log2", 1, F1(log2q(x)), {POS32}, {POS64}, 2, 2},
    {"log10", 1, F1(log10q(x)), {POS32}, {POS64}, 2.5, 2},
    {"log1p", 1, F1(log1pq(x)), {{1e-38, 1e38, Log}}, {{1e-300, 1e300, Log}}, 2, 2},
    {"pow", 2, F2(powq(x, y)), {{1e-4, 1e4, Log}, {-9, 9}}, {{1e-4, 1e4, Log}, {-70, 70}}, 2, 2},
    {"powr", 2, F2(powq(x, y)), {{1e-4, 1e4, Log}, {-9, 9}}, {{1e-4, 1e4, Log}, {-70, 70}}, 2, 2},
    {"pown", 2, F2(powi(x, y)), {{1e-2, 1e2, SignedLog}, {-18, 18}}, {{1e-2, 1e2, SignedLog}, {-140, 140}}, 2, 2, false, true},
    {"rootn", 2, F2(rootn(x, y)), {{1e-30, 1e30, Log}, {1, 60}}, {{1e-300, 1e300, Log}, {1, 600}}, 2, 2, false, true},
    {"erf", 1, F1(erfq(x)), {{1e-38, 6, SignedLog}}, {{1e-300, 7, SignedLog}}, 3, 2},
    {"erfc", 1, F1(erfcq(x)), {{-4, 10}}, {{-6, 26.5}}, 5, 4},
    {"erfcx", 1, F1(erfcx(x)), {{-9, 60}}, {{-26, 100}}, 0.6, 2.5},
    {"erfinv", 1, F1(erfinv(x)), {{-0.9999999, 0.9999999}}, {{-0.999999999999999, 0.999999999999999}}, 0.6, 3},
    {"erfcinv", 1, F1(erfcinv(x)), {{1e-44, 1.9, Log}}, {{5e-324, 1.9, Log}}, 0.6, 3},
    {"ncdf", 1, F1(ncdf(x)), {{-14, 5}}, {{-38, 8}}, 0.6, 4},
    {"ncdfinv", 1, F1(ncdfinv(x)), {{1e-44, 0.99, Log}}, {{1e-323, 0.99, Log}}, 0.6, 4},
    {"lgamma", 1, F1(lgammaq(x)), {{3, 1e30, Log}}, {{3, 1e300, Log}}, 4, 4},
    {"tgamma", 1, F1(tgammaq(x)), {{-34, 35}}, {{-170, 171.6}}, 0.6, 8},
    {"i0", 1, F1(bessel_i(0, x)), {{-90, 90}}, {{-710, 710}}, 0.6, 4},
    {"i1", 1, F1(bessel_i(1, x)), {{-90, 90}}, {{-710, 710}}, 0.6, 4},
    {"j0", 1, F1(j0q(x)), {{0, 100}}, {{0, 100}}, 1, 4, true},
    {"j1", 1, F1(j1q(x)), {{0, 100}}, {{0, 100}}, 1, 4, true},
    {"y0", 1, F1(y0q(x)), {{1e-30, 100, Log}}, {{1e-300, 100, Log}}, 1, 4, true},
    {"y1", 1, F1(y1q(x)), {{1e-30, 100, Log}}, {{1e-300, 100, Log}}, 1, 4, true},
};

Quad scale_of(const Reference& function, Quad first_argument, Quad exact) {
  if (!function.amplitude) return exact;
  const Quad size = first_argument > 1 ? sqrtq(2 / (kPi * first_argument)) : Quad(0.5);
  return fabsq(exact) < size ? size : exact;
}

template <class T> double ulp_error(T got, Quad exact, Quad scale) {
  const bool exact_nan = isnanq(exact) != 0;
  if (exact_nan || std::isnan(got)) return exact_nan && std::isnan(got) ? 0 : std::numeric_limits<double>::infinity();
  using Limits = std::numeric_limits<T>;
  if (std::isinf(got)) return fabsq(exact) > Quad(Limits::max()) && (got > 0) == (exact > 0) ? 0 : Limits::infinity();
  if (isinfq(exact) != 0) return Limits::infinity();
  const Quad size = fabsq(scale);
  int exponent;
  const double d = static_cast<double>(size); // the exponent is enough; tiny values take the smallest one
  (void)std::frexp(d, &exponent);
  if (d == 0 || exponent < Limits::min_exponent) exponent = Limits::min_exponent;
  return static_cast<double>(ldexpq(fabsq(exact - Quad(got)), Limits::digits - exponent));
}
template double ulp_error(float, Quad, Quad);
template double ulp_error(double, Quad, Quad);

template <class T> void draw(const Reference& function, std::mt19937_64& random, T* arguments) {
  for (int i = 0; i < function.arity; ++i) {
    const Domain& domain = (sizeof(T) == 4 ? function.f32 : function.f64)[i == 0 ? 0 : 1];
    std::uniform_real_distribution<double> unit(0, 1);
    double value;
    if (domain.kind == Domain::Linear) {
      value = domain.low + (domain.high - domain.low) * unit(random);
      // The neighbourhood of zero and of the integers matters as much as the rest.
      if (unit(random) < 0.1) value = std::rint(value) + std::exp(-40 * unit(random)) * (unit(random) < 0.5 ? -1 : 1);
      if (value < domain.low || value > domain.high) value = (domain.low + domain.high) / 2;
    } else {
      value = std::exp(std::log(domain.low) + (std::log(domain.high) - std::log(domain.low)) * unit(random));
      if (domain.kind == Domain::SignedLog && unit(random) < 0.5) value = -value;
    }
    if (i == 1 && function.integer_second) value = std::rint(value);
    arguments[i] = static_cast<T>(value);
  }
}
template void draw(const Reference&, std::mt19937_64&, float*);
template void draw(const Reference&, std::mt19937_64&, double*);

} // namespace hip::device_test
