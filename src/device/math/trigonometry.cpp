// Sine and cosine in double precision, of x and of pi x, to about 0.65 units in the last place; libclc's reach 1.6.
// Single precision, and arguments so large that they need more digits of pi, are libclc's.
#include "polynomial.h"
#include "tables.h"

namespace hip::device {
namespace {

// pi / 2 in three parts.
constexpr double kHalfPi[3] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, -0x1.f1976b7ed8fbcp-110};
constexpr double kTwoOverPi = 0x1.45f306dc9c883p-1;
constexpr double kLargest = 0x1p30;

// x = quadrant * pi / 2 + (high + low), |high| <= pi / 4 and a little.
Double2 reduce(double x, int* quadrant) {
  const double n = __builtin_elementwise_roundeven(x * kTwoOverPi);
  *quadrant = static_cast<int>(n);
  const Double2 first = two_product(n, kHalfPi[0]), second = two_product(n, kHalfPi[1]);
  // x and the first product are close, so that their difference is exact.
  const Double2 a = two_sum(x - first.high, -first.low);
  const Double2 b = two_sum(a.high, -second.high);
  return two_sum(b.high, b.low + (a.low - second.low - n * kHalfPi[2]));
}

double sine_core(Double2 r) {
  const double z = r.high * r.high;
  const double cubic = r.high * z * polynomial(kSine, z);
  return r.high + (cubic + r.low * fused(-0.5, z, 1.0));
}

double cosine_core(Double2 r) {
  const Double2 z = two_product(r.high, r.high);
  const double half = 0.5 * z.high;
  const double w = 1 - half;
  const double rest = (1 - w) - half;
  return w + (rest + (z.high * z.high * polynomial(kCosine, z.high) - (0.5 * z.low + r.high * r.low)));
}

#if !defined(__AMDGCN__)
// Single precision for NVPTX, within 1.5 units in the last place: about twenty instructions for arguments of usual
// size, where libclc's forms compute sine and cosine and choose. Those of other sizes are functions of their own, so
// that their code is there once.
constexpr float kLargestFloat = 0x1p16f;

[[gnu::noinline]] float sine_of_large(float x) { return ::sin(x); }
[[gnu::noinline]] float cosine_of_large(float x) { return ::cos(x); }

// As above. The parts of pi / 2 are cut off, not rounded, so that all are positive and a zero keeps its sign.
float reduce(float x, unsigned* quadrant) {
  constexpr float kParts[3] = {0x1.921fb4p+0f, 0x1.4442d0p-24f, 0x1.846988p-48f};
  constexpr float kBehindFraction = 0x1.8p23f; // leaves the nearest integer in the low bits of a sum
  const float sum = fused(x, 0x1.45f306p-1f, kBehindFraction);
  const float n = sum - kBehindFraction;
  *quadrant = bits_of(sum);
  return fused(n, -kParts[2], fused(n, -kParts[1], fused(n, -kParts[0], x)));
}

// The sine of r + quadrant * pi / 2. Even quadrants: r + r^3 (s0 + s1 r^2 + s2 r^4); odd: 1 + r^2 (-1/2 + c0 r^2 +
// ...), in the same operations. The coefficients interpolate at Chebyshev's points of r^2 up to (pi / 4)^2.
float sine_of(float r, unsigned quadrant) {
  constexpr float kSine[] = {-0x1.555552p-3f, 0x1.110c1ap-7f, -0x1.9ac1bp-13f, 0};
  constexpr float kCosine[] = {-0.5f, 0x1.555554p-5f, -0x1.6c12c8p-10f, 0x1.9bd232p-16f};
  const bool odd = (quadrant & 1) != 0;
  const float z = r * r, first = odd ? 1.0f : r;
  float p = odd ? kCosine[3] : kSine[3];
#pragma clang loop unroll(full)
  for (int i = 2; i >= 0; --i) p = fused(p, z, odd ? kCosine[i] : kSine[i]);
  const float v = fused(p, fused(z, first, 0.0f), first); // with the sum, a zero's sign is that of `first`
  return (quadrant & 2) != 0 ? -v : v;
}
#endif

} // namespace

double sin(double x) {
  if (!(abs_of(x) < kLargest)) return ::sin(x);
  if (x == 0) return x;
  int quadrant;
  const Double2 r = reduce(x, &quadrant);
  const double v = (quadrant & 1) != 0 ? cosine_core(r) : sine_core(r);
  return (quadrant & 2) != 0 ? -v : v;
}

double cos(double x) {
  if (!(abs_of(x) < kLargest)) return ::cos(x);
  int quadrant;
  const Double2 r = reduce(x, &quadrant);
  const double v = (quadrant & 1) != 0 ? sine_core(r) : cosine_core(r);
  return ((quadrant + 1) & 2) != 0 ? -v : v;
}

double sincos(double x, double* cosine) {
  if (!(abs_of(x) < kLargest)) {
    *cosine = ::cos(x);
    return ::sin(x);
  }
  int quadrant;
  const Double2 r = reduce(x, &quadrant);
  const double s = sine_core(r), c = cosine_core(r);
  const bool swap = (quadrant & 1) != 0;
  const double sine = swap ? c : s, other = swap ? s : c;
  *cosine = ((quadrant + 1) & 2) != 0 ? -other : other;
  return x == 0 ? x : (quadrant & 2) != 0 ? -sine : sine;
}

#if defined(__AMDGCN__)
float sin(float x) { return ::sin(x); }
float cos(float x) { return ::cos(x); }
float sincos(float x, float* cosine) {
  *cosine = ::cos(x);
  return ::sin(x);
}
#else
float sin(float x) {
  if (!(abs_of(x) < kLargestFloat)) return sine_of_large(x);
  unsigned quadrant;
  const float r = reduce(x, &quadrant);
  return sine_of(r, quadrant);
}
float cos(float x) {
  if (!(abs_of(x) < kLargestFloat)) return cosine_of_large(x);
  unsigned quadrant;
  const float r = reduce(x, &quadrant);
  return sine_of(r, quadrant + 1);
}
float sincos(float x, float* cosine) {
  if (!(abs_of(x) < kLargestFloat)) {
    *cosine = cosine_of_large(x);
    return sine_of_large(x);
  }
  unsigned quadrant;
  const float r = reduce(x, &quadrant);
  *cosine = sine_of(r, quadrant + 1);
  return sine_of(r, quadrant);
}
#endif

double sincospi(double x, double* cosine) {
  if (is_nan(x) || is_inf(x)) return *cosine = quiet_nan<double>();
  // x = q / 2 + r, |r| <= 1/4; both steps are exact. Beyond 2^53 every number is even.
  const double half_turns = __builtin_elementwise_roundeven(x * 2);
  const double r = fused(half_turns, -0.5, x);
  const double whole = __builtin_elementwise_floor(half_turns * 0.25);
  const int quadrant = static_cast<int>(fused(whole, -4.0, half_turns));
  constexpr double kPi = 2 * kHalfPi[0], kPiLow = 2 * kHalfPi[1];
  const double high = r * kPi;
  const Double2 angle = {high, fused(r, kPi, -high) + r * kPiLow};
  const double s = sine_core(angle), c = cosine_core(angle);
  const bool swap = (quadrant & 1) != 0;
  const double sine = swap ? c : s, other = swap ? s : c;
  // Zeros: sin(pi n) has the sign of n; cos(pi (n + 1/2)) is +0.
  *cosine = r == 0 && swap ? 0.0 : ((quadrant + 1) & 2) != 0 ? -other : other;
  return r == 0 && !swap ? __builtin_elementwise_copysign(0.0, x) : (quadrant & 2) != 0 ? -sine : sine;
}
double sinpi(double x) {
  double c;
  return sincospi(x, &c);
}
double cospi(double x) {
  double c;
  (void)sincospi(x, &c);
  return c;
}

float sincospi(float x, float* cosine) {
  double c;
  const double s = sincospi(static_cast<double>(x), &c);
  *cosine = static_cast<float>(c);
  return static_cast<float>(s);
}
float sinpi(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
float cospi(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }

} // namespace hip::device
