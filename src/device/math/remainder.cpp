// fmod, remainder, remquo: exact, by long division of the significands as integers.
#include "own.h"

namespace hip::device {
namespace {

// |x| mod |y| for finite x and finite nonzero y, and the low bits of the integral quotient.
template <class T> T modulo(T x, T y, unsigned int* quotient) {
  *quotient = 0;
  if (x < y) return x;
  constexpr int kDigits = Traits<T>::kDigits;
  constexpr int kStep = 64 - kDigits; // bits that a remainder below 2^kDigits can be shifted by at once
  int ex, ey;
  const T fx = frexp(x, &ex), fy = frexp(y, &ey);
  unsigned long r = static_cast<unsigned long>(scale(fx, kDigits));
  const unsigned long d = static_cast<unsigned long>(scale(fy, kDigits));
  int shift = ex - ey;
  unsigned int q = static_cast<unsigned int>(r / d);
  r %= d;
  while (shift > 0 && r != 0) {
    const int n = shift < kStep ? shift : kStep;
    r <<= n;
    q = (n < 32 ? q << n : 0) + static_cast<unsigned int>(r / d);
    r %= d;
    shift -= n;
  }
  // No remainder is left, but the quotient still has to move up.
  if (shift > 0) q = shift < 32 ? q << shift : 0;
  *quotient = q;
  return scale(static_cast<T>(r), ey - kDigits);
}

template <class T> bool invalid(T x, T y) { return is_nan(x) || is_nan(y) || is_inf(x) || y == 0; }

template <class T> T fmod_of(T x, T y) {
  if (invalid(x, y)) return quiet_nan<T>();
  if (is_inf(y)) return x;
  unsigned int q;
  return __builtin_elementwise_copysign(modulo(abs_of(x), abs_of(y), &q), x);
}

template <class T> T remquo_of(T x, T y, int* quotient) {
  *quotient = 0;
  if (invalid(x, y)) return quiet_nan<T>();
  if (is_inf(y)) return x;
  const T d = abs_of(y);
  unsigned int q;
  T r = modulo(abs_of(x), d, &q);
  // To the nearest multiple, ties to the even one. d - r is exact where r is the larger half.
  const T other = d - r;
  if (r > other || (r == other && (q & 1) != 0)) {
    r = -other;
    ++q;
  }
  const int low = static_cast<int>(q & 0x7f);
  *quotient = sign_bit(x) != sign_bit(y) ? -low : low;
  if (r == 0) return __builtin_elementwise_copysign(r, x);
  return sign_bit(x) ? -r : r;
}

} // namespace

float fmod(float x, float y) { return fmod_of(x, y); }
double fmod(double x, double y) { return fmod_of(x, y); }
float remquo(float x, float y, int* quotient) { return remquo_of(x, y, quotient); }
double remquo(double x, double y, int* quotient) { return remquo_of(x, y, quotient); }
float remainder(float x, float y) {
  int q;
  return remquo_of(x, y, &q);
}
double remainder(double x, double y) {
  int q;
  return remquo_of(x, y, &q);
}

} // namespace hip::device
