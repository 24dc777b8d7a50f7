// The math functions that are written here, with what they need of the surroundings. Portable C++ without a standard
// library, so that the same text is compiled for the device and, in the unit tests, for the host.
#pragma once

#if !defined(__AMDGCN__) && !defined(__NVPTX__)
#include <cmath>
#endif

#if defined(__AMDGCN__) || defined(__NVPTX__)
// libclc's functions carry the mangled names of these C++ declarations.
float exp(float);
double exp(double);
float exp2(float);
double exp2(double);
float exp10(float);
double exp10(double);
float log(float);
double log(double);
float log2(float);
double log2(double);
float log10(float);
double log10(double);
float pow(float, float);
double pow(double, double);
float sin(float);
double sin(double);
float cos(float);
double cos(double);
float cbrt(float);
double cbrt(double);
float hypot(float, float);
double hypot(double, double);
float lgamma(float);
double lgamma(double);
float erf(float);
double erf(double);
float erfc(float);
double erfc(double);
float native_sin(float);
float native_cos(float);
#endif

namespace hip::device {

using half = _Float16;

// Directions of rounding, as the device library's names spell them.
enum class Rounding { Rte, Rtn, Rtp, Rtz };

#define HIP_OWN_1(name) \
  float name(float x); \
  double name(double x);
#define HIP_OWN_2(name) \
  float name(float x, float y); \
  double name(double x, double y);
#define HIP_OWN_3(name) \
  float name(float x, float y, float z); \
  double name(double x, double y, double z);
#define HIP_OWN_4(name) \
  float name(float x, float y, float z, float w); \
  double name(double x, double y, double z, double w);

// parts.cpp
HIP_OWN_2(fdim)
HIP_OWN_2(nextafter)
HIP_OWN_1(logb)
HIP_OWN_2(scalb)
int ilogb(float x);
int ilogb(double x);
float modf(float x, float* integral);
double modf(double x, double* integral);
float frexp(float x, int* exponent);
double frexp(double x, int* exponent);

// exponential.cpp, for targets whose compiler has no operation for them
float exp(float x);
float exp2(float x);
float exp10(float x);
float log(float x);
float log2(float x);
float log10(float x);

// trigonometry.cpp
HIP_OWN_1(sin)
HIP_OWN_1(cos)
float sincos(float x, float* cosine);
double sincos(double x, double* cosine);
HIP_OWN_1(sinpi)
HIP_OWN_1(cospi)
float sincospi(float x, float* cosine);
double sincospi(double x, double* cosine);

// lengths.cpp
HIP_OWN_1(rsqrt)
HIP_OWN_1(rcbrt)
HIP_OWN_2(rhypot)
HIP_OWN_3(len3)
HIP_OWN_3(rlen3)
HIP_OWN_4(len4)
HIP_OWN_4(rlen4)

// remainder.cpp; remquo stores the sign and the low 7 bits of the quotient.
HIP_OWN_2(fmod)
HIP_OWN_2(remainder)
float remquo(float x, float y, int* quotient);
double remquo(double x, double y, int* quotient);

// erf.cpp
HIP_OWN_1(erfc)
HIP_OWN_1(erfcx)
HIP_OWN_1(erfinv)
HIP_OWN_1(erfcinv)
HIP_OWN_1(ncdf)
HIP_OWN_1(ncdfinv)

// gamma.cpp
HIP_OWN_1(lgamma)
HIP_OWN_1(tgamma)

// bessel.cpp
HIP_OWN_1(i0)
HIP_OWN_1(i1)
HIP_OWN_1(j0)
HIP_OWN_1(j1)
HIP_OWN_1(y0)
HIP_OWN_1(y1)

#undef HIP_OWN_1
#undef HIP_OWN_2
#undef HIP_OWN_3
#undef HIP_OWN_4

// rounding.cpp: the exact result rounded once in the given direction, subnormal and overflowing results included.
template <class T> T add(T x, T y, Rounding mode);
template <class T> T mul(T x, T y, Rounding mode);
template <class T> T div(T x, T y, Rounding mode);
template <class T> T fma(T x, T y, T z, Rounding mode);
template <class T> T sqrt(T x, Rounding mode);
template <class T> inline T sub(T x, T y, Rounding mode) { return add(x, -y, mode); }
template <class To, class From> To convert(From x, Rounding mode);

// The type's numbers.
template <class T> struct Traits;
template <> struct Traits<half> {
  using Bits = unsigned short;
  static constexpr int kDigits = 11, kMaxExponent = 16; // all finite values are below 2^kMaxExponent
};
template <> struct Traits<float> {
  using Bits = unsigned int;
  static constexpr int kDigits = 24, kMaxExponent = 128;
};
template <> struct Traits<double> {
  using Bits = unsigned long;
  static constexpr int kDigits = 53, kMaxExponent = 1024;
};
template <class T> inline typename Traits<T>::Bits bits_of(T x) { return __builtin_bit_cast(typename Traits<T>::Bits, x); }
template <class T> inline T of_bits(typename Traits<T>::Bits b) { return __builtin_bit_cast(T, b); }
template <class T> inline bool is_nan(T x) { return x != x; }
template <class T> inline T infinity() { return static_cast<T>(__builtin_inf()); }
template <class T> inline T quiet_nan() { return static_cast<T>(__builtin_nan("")); }
template <class T> inline bool is_inf(T x) { return x == infinity<T>() || x == -infinity<T>(); }
template <class T> inline T abs_of(T x) { return __builtin_elementwise_abs(x); }
template <class T> inline T largest() {
  return of_bits<T>(static_cast<typename Traits<T>::Bits>(bits_of(infinity<T>()) - 1));
}
template <class T> inline bool sign_bit(T x) { return bits_of(x) >> (sizeof(T) * 8 - 1) != 0; }
// The neighbour of a finite number in the direction of plus or minus infinity.
template <class T> inline T next_up(T x) {
  auto b = bits_of(x);
  if (x == 0) return of_bits<T>(1);
  return of_bits<T>(static_cast<typename Traits<T>::Bits>(sign_bit(x) ? b - 1 : b + 1));
}
template <class T> inline T next_down(T x) { return -next_up(static_cast<T>(-x)); }

inline float fused(float x, float y, float z) { return __builtin_fmaf(x, y, z); }
inline double fused(double x, double y, double z) { return __builtin_fma(x, y, z); }
inline float root(float x) { return __builtin_sqrtf(x); }
inline double root(double x) { return __builtin_sqrt(x); }
inline float scale(float x, int e) { return __builtin_ldexpf(x, e); }
inline double scale(double x, int e) { return __builtin_ldexp(x, e); }

} // namespace hip::device
