// Arithmetic rounded in a given direction, without touching the hardware's mode. Each operation finds the result rounded
// to nearest and the sign of what that leaves out, then steps to the neighbour when the direction asks for it.
// Single precision works in double, where the remainders are exact; double precision works on scaled operands, so that
// no remainder underflows.
#include "own.h"

namespace hip::device {
namespace {

// `nearest` is the exact result rounded to nearest; `rest` has the sign of (exact - nearest). Overflowed results count as
// beyond the largest number.
template <class T> T step(T nearest, int rest, Rounding mode) {
  if (mode == Rounding::Rte || is_nan(nearest)) return nearest;
  if (is_inf(nearest)) {
    if (rest == 0) return nearest; // an exact infinity
    if (nearest > 0) return mode == Rounding::Rtp ? nearest : largest<T>();
    return mode == Rounding::Rtn ? nearest : -largest<T>();
  }
  if (rest == 0) return nearest;
  const bool positive = nearest == 0 ? rest > 0 : nearest > 0;
  switch (mode) {
  case Rounding::Rtp: return rest > 0 ? next_up(nearest) : nearest;
  case Rounding::Rtn: return rest < 0 ? next_down(nearest) : nearest;
  default:
    if (positive) return rest < 0 ? next_down(nearest) : nearest;
    return rest > 0 ? next_up(nearest) : nearest;
  }
}

int sign_of(double x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

// d + rest (rest infinitely small, only its sign counts) to single precision. d is finite.
float narrow(double d, int rest, Rounding mode) {
  const float f = static_cast<float>(d);
  if (is_inf(f)) return step(f, d > 0 ? -1 : 1, mode);
  const double back = static_cast<double>(f);
  // Where f is exact the rest decides; else it cannot change the side of f on which the exact value lies, except that
  // rounding to nearest itself might have to be redone, which directed modes do not need.
  return step(f, back == d ? rest : sign_of(d - back), mode);
}

// What x + y leaves out when rounded to s; exact barring overflow.
double two_sum_rest(double x, double y, double s) {
  const double y_part = s - x;
  const double x_part = s - y_part;
  return (x - x_part) + (y - y_part);
}

// Zero results of sums: exact cancellation gives -0 when rounding down, +0 otherwise; equal signs keep theirs.
template <class T> T zero_sum(T x, T y, Rounding mode) {
  if (sign_bit(x) == sign_bit(y)) return x;
  return mode == Rounding::Rtn ? static_cast<T>(-0.0) : static_cast<T>(0.0);
}

int exponent_of(double x) {
  int e;
  (void)frexp(x, &e);
  return e;
}

} // namespace

template <> float add(float x, float y, Rounding mode) {
  if (mode == Rounding::Rte || is_nan(x) || is_nan(y) || is_inf(x) || is_inf(y)) return x + y;
  const double s = static_cast<double>(x) + y;
  if (s == 0) return x == 0 && y == 0 ? zero_sum(x, y, mode) : zero_sum(1.0f, -1.0f, mode);
  return narrow(s, sign_of(two_sum_rest(x, y, s)), mode);
}

template <> float mul(float x, float y, Rounding mode) {
  const float nearest = x * y;
  if (mode == Rounding::Rte || is_nan(nearest) || is_inf(x) || is_inf(y) || x == 0 || y == 0) return nearest;
  return narrow(static_cast<double>(x) * y, 0, mode);
}

template <> float div(float x, float y, Rounding mode) {
  const float nearest = x / y;
  if (mode == Rounding::Rte || is_nan(nearest) || is_inf(x) || is_inf(y) || x == 0 || y == 0) return nearest;
  const double q = static_cast<double>(x) / y;
  const int rest = sign_of(fused(-q, static_cast<double>(y), static_cast<double>(x)));
  return narrow(q, y > 0 ? rest : -rest, mode);
}

template <> float sqrt(float x, Rounding mode) {
  if (mode == Rounding::Rte || !(x > 0) || is_inf(x)) return root(x);
  const double r = root(static_cast<double>(x));
  return narrow(r, sign_of(fused(-r, r, static_cast<double>(x))), mode);
}

template <> float fma(float x, float y, float z, Rounding mode) {
  const float nearest = fused(x, y, z);
  if (mode == Rounding::Rte || is_nan(nearest) || is_inf(x) || is_inf(y) || is_inf(z)) return nearest;
  const double p = static_cast<double>(x) * y;
  const double s = p + z;
  if (s == 0) return p == 0 && z == 0 ? static_cast<float>(zero_sum(p, static_cast<double>(z), mode)) : zero_sum(1.0f, -1.0f, mode);
  return narrow(s, sign_of(two_sum_rest(p, z, s)), mode);
}

template <> double add(double x, double y, Rounding mode) {
  const double s = x + y;
  if (mode == Rounding::Rte || is_nan(s) || is_inf(x) || is_inf(y)) return s;
  if (s == 0) return x == 0 && y == 0 ? zero_sum(x, y, mode) : zero_sum(1.0, -1.0, mode);
  if (is_inf(s)) return step(s, s > 0 ? -1 : 1, mode);
  // Dekker's sum, of operands in the order of their sizes: no part of it overflows where the sum itself does not.
  const bool x_is_larger = abs_of(x) > abs_of(y);
  const double larger = x_is_larger ? x : y, smaller = x_is_larger ? y : x;
  return step(s, sign_of(smaller - (s - larger)), mode);
}

template <> double mul(double x, double y, Rounding mode) {
  const double nearest = x * y;
  if (mode == Rounding::Rte || is_nan(nearest) || is_inf(x) || is_inf(y) || x == 0 || y == 0) return nearest;
  if (is_inf(nearest)) return step(nearest, nearest > 0 ? -1 : 1, mode);
  int ex, ey;
  const double mx = frexp(x, &ex), my = frexp(y, &ey);
  // nearest is within a factor of two of the product, or a subnormal; scaled up by the exponents it stays exact.
  const double scaled = scale(nearest, -(ex + ey));
  return step(nearest, sign_of(fused(mx, my, -scaled)), mode);
}

template <> double div(double x, double y, Rounding mode) {
  const double nearest = x / y;
  if (mode == Rounding::Rte || is_nan(nearest) || is_inf(x) || is_inf(y) || x == 0 || y == 0) return nearest;
  if (is_inf(nearest)) return step(nearest, nearest > 0 ? -1 : 1, mode);
  int ex, ey;
  const double mx = frexp(x, &ex), my = frexp(y, &ey);
  const double scaled = scale(nearest, ey - ex);
  const int rest = sign_of(fused(-scaled, my, mx));
  return step(nearest, y > 0 ? rest : -rest, mode);
}

template <> double sqrt(double x, Rounding mode) {
  const double nearest = root(x);
  if (mode == Rounding::Rte || !(x > 0) || is_inf(x)) return nearest;
  int e = exponent_of(x);
  e += e & 1;
  const double r = scale(nearest, -e / 2);
  return step(nearest, sign_of(fused(-r, r, scale(x, -e))), mode);
}

template <> double fma(double x, double y, double z, Rounding mode) {
  const double nearest = fused(x, y, z);
  if (mode == Rounding::Rte || is_nan(nearest) || is_inf(x) || is_inf(y) || is_inf(z)) return nearest;
  if (x == 0 || y == 0) return add(x * y, z, mode);
  if (z == 0) return nearest == 0 || mul(x, y, mode) != 0 ? mul(x, y, mode) : nearest;
  if (is_inf(nearest)) return step(nearest, nearest > 0 ? -1 : 1, mode);
  int ex, ey;
  const double mx = frexp(x, &ex), my = frexp(y, &ey);
  const int ep = ex + ey, ez = exponent_of(z);
  // The product with its rest, as p + q on a scale where the larger of product and addend is near 1. What lies more than
  // 200 bits below counts by its sign only, which a value of 2^-200 keeps.
  const int top = ep > ez ? ep : ez;
  double p = mx * my, q = fused(mx, my, -p);
  const int dp = ep - top, dz = ez - top;
  if (dp < -200) {
    p = p > 0 ? 0x1p-200 : -0x1p-200;
    q = 0;
  } else {
    p = scale(p, dp);
    q = scale(q, dp);
  }
  const double c = dz < -200 ? (z > 0 ? 0x1p-200 : -0x1p-200) : scale(z, -top);
  // Exact: p + c = s + t; s and the scaled nearest are close, so s - n is exact; then the sign of (s - n) + t + q.
  const double n = scale(nearest, -top);
  const double s = p + c;
  const double t = two_sum_rest(p, c, s);
  const double d = s - n;
  const double u = t + q, v = two_sum_rest(t, q, u);
  const double w = d + u, r = two_sum_rest(d, u, w);
  if (w != 0) return step(nearest, sign_of(w), mode);
  if (r + v != 0) return step(nearest, sign_of(r + v), mode);
  return nearest == 0 ? zero_sum(1.0, -1.0, mode) : nearest;
}

namespace {
// Integer to floating point in a direction. Two's complement values are taken by magnitude and sign.
template <class T> T from_integer(unsigned long magnitude, bool negative, Rounding mode) {
  const T nearest = static_cast<T>(magnitude);
  int rest;
  if (nearest >= static_cast<T>(0x1p64)) {
    rest = -1;
  } else {
    const unsigned long back = static_cast<unsigned long>(nearest);
    rest = magnitude > back ? 1 : magnitude < back ? -1 : 0;
  }
  return negative ? step(-nearest, -rest, mode) : step(nearest, rest, mode);
}
template <class T, class I> T from_signed(I x, Rounding mode) {
  return from_integer<T>(x < 0 ? 0ul - static_cast<unsigned long>(static_cast<long>(x)) : static_cast<unsigned long>(x), x < 0, mode);
}
} // namespace

template <> float convert<float>(int x, Rounding mode) { return from_signed<float>(x, mode); }
template <> float convert<float>(long x, Rounding mode) { return from_signed<float>(x, mode); }
template <> double convert<double>(long x, Rounding mode) { return from_signed<double>(x, mode); }
template <> float convert<float>(unsigned int x, Rounding mode) { return from_integer<float>(x, false, mode); }
template <> float convert<float>(unsigned long x, Rounding mode) { return from_integer<float>(x, false, mode); }
template <> double convert<double>(unsigned long x, Rounding mode) { return from_integer<double>(x, false, mode); }
template <> float convert<float>(double x, Rounding mode) {
  const float f = static_cast<float>(x);
  if (mode == Rounding::Rte || is_nan(x) || is_inf(x) || x == 0) return f;
  return narrow(x, 0, mode);
}
template <> half convert<half>(float x, Rounding mode) {
  const half h = static_cast<half>(x);
  if (mode == Rounding::Rte || is_nan(x) || is_inf(x) || x == 0) return h;
  if (is_inf(h)) return step(h, x > 0 ? -1 : 1, mode);
  return step(h, sign_of(static_cast<double>(x) - static_cast<double>(h)), mode);
}

} // namespace hip::device
