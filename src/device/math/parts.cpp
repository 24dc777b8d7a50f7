// Functions on the parts of a number: exponent, fraction, neighbours.
#include "own.h"

namespace hip::device {
namespace {

// Significand in [0.5, 1) and exponent of a finite nonzero number, by its bits.
template <class T> T split(T x, int* exponent) {
  constexpr int kFraction = Traits<T>::kDigits - 1;
  constexpr int kBias = Traits<T>::kMaxExponent - 1;
  constexpr int kMask = 2 * kBias + 1;
  int shift = 0;
  auto b = bits_of(x);
  if ((static_cast<int>(b >> kFraction) & kMask) == 0) { // subnormal: normalise by an exact product
    x *= static_cast<T>(1ul << (kFraction + 1));
    b = bits_of(x);
    shift = kFraction + 1;
  }
  using Bits = typename Traits<T>::Bits;
  const int field = static_cast<int>(b >> kFraction) & kMask;
  *exponent = field - kBias + 1 - shift;
  const Bits cleared = b & ~(static_cast<Bits>(kMask) << kFraction);
  return of_bits<T>(static_cast<Bits>(cleared | static_cast<Bits>(kBias - 1) << kFraction));
}

template <class T> T frexp_of(T x, int* exponent) {
  *exponent = 0;
  if (x == 0 || is_nan(x) || is_inf(x)) return x;
  return split(x, exponent);
}

template <class T> T logb_of(T x) {
  if (is_nan(x)) return x;
  if (is_inf(x)) return infinity<T>();
  if (x == 0) return -infinity<T>();
  int e;
  (void)split(x, &e);
  return static_cast<T>(e - 1);
}

template <class T> int ilogb_of(T x) {
  if (x == 0 || is_nan(x)) return -2147483647 - 1; // FP_ILOGB0 and FP_ILOGBNAN of the host's headers
  if (is_inf(x)) return 2147483647;
  int e;
  (void)split(x, &e);
  return e - 1;
}

template <class T> T nextafter_of(T x, T y) {
  if (is_nan(x) || is_nan(y)) return x + y;
  if (x == y) return y;
  if (is_inf(x)) return x > 0 ? largest<T>() : -largest<T>();
  return x < y ? next_up(x) : next_down(x);
}

template <class T> T fdim_of(T x, T y) {
  if (is_nan(x) || is_nan(y)) return x + y;
  return x > y ? x - y : static_cast<T>(0);
}

template <class T> T modf_of(T x, T* integral) {
  const T whole = __builtin_elementwise_trunc(x);
  *integral = whole;
  const T fraction = is_inf(x) ? static_cast<T>(0) : x - whole;
  return __builtin_elementwise_copysign(fraction, x);
}

template <class T> T scalb_of(T x, T y) {
  if (is_nan(x) || is_nan(y)) return x + y;
  if (is_inf(y)) return y > 0 ? x * y : x / -y;
  if (y != __builtin_elementwise_trunc(y)) return quiet_nan<T>();
  const T bound = static_cast<T>(4 * Traits<T>::kMaxExponent);
  const T e = y > bound ? bound : y < -bound ? -bound : y;
  return scale(x, static_cast<int>(e));
}

} // namespace

float fdim(float x, float y) { return fdim_of(x, y); }
double fdim(double x, double y) { return fdim_of(x, y); }
float nextafter(float x, float y) { return nextafter_of(x, y); }
double nextafter(double x, double y) { return nextafter_of(x, y); }
float logb(float x) { return logb_of(x); }
double logb(double x) { return logb_of(x); }
int ilogb(float x) { return ilogb_of(x); }
int ilogb(double x) { return ilogb_of(x); }
float scalb(float x, float y) { return scalb_of(x, y); }
double scalb(double x, double y) { return scalb_of(x, y); }
float modf(float x, float* integral) { return modf_of(x, integral); }
double modf(double x, double* integral) { return modf_of(x, integral); }
float frexp(float x, int* exponent) { return frexp_of(x, exponent); }
double frexp(double x, int* exponent) { return frexp_of(x, exponent); }

} // namespace hip::device
