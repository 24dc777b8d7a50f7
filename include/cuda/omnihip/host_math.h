// omnihip/host_math.h - math functions that CUDA has in host code beside the C library's.
#ifndef OMNIHIP_CUDA_HOST_MATH_H
#define OMNIHIP_CUDA_HOST_MATH_H

#include <hip/hip_runtime.h>

#include <math.h>

#define OMNIHIP_CUDA_HOST __host__ static inline
OMNIHIP_CUDA_HOST float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
OMNIHIP_CUDA_HOST double rsqrt(double x) { return 1.0 / ::sqrt(x); }
OMNIHIP_CUDA_HOST float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
OMNIHIP_CUDA_HOST double rcbrt(double x) { return 1.0 / ::cbrt(x); }
OMNIHIP_CUDA_HOST float fdividef(float x, float y) { return x / y; }
OMNIHIP_CUDA_HOST double fdivide(double x, double y) { return x / y; }

// exp(x * x) * factor, with what rounding took from the square: without it the error grows with the square.
OMNIHIP_CUDA_HOST double __omnihip_times_exp_square(double x, double factor) {
  const double square = x * x;
  const double scaled = ::exp(square) * factor;
  return scaled < HUGE_VAL ? ::fma(scaled, ::fma(x, x, -square), scaled) : scaled;
}
// Where erfc(x) is small and exp(x * x) large, their product is Laplace's continued fraction. From 3 on, 36 terms of it
// leave a hundredth of the last place.
OMNIHIP_CUDA_HOST double erfcx(double x) {
  if (!(x >= 3)) return __omnihip_times_exp_square(x, ::erfc(x));
  double tail = 0;
  for (int term = 36; term > 0; --term) tail = 0.5 * term / (x + tail);
  return 0.56418958354775628695 / (x + tail);
}
OMNIHIP_CUDA_HOST float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
OMNIHIP_CUDA_HOST double normcdf(double x) {
  const double argument = -x * 0.70710678118654752440;
  if (!(x < -1)) return 0.5 * ::erfc(argument);
  // The error of the argument grows in erfc as its square does, but not in erfcx.
  const double square = x * x, e = ::exp(-0.5 * square);
  return e > 0 ? 0.5 * ::fma(e, -0.5 * ::fma(x, x, -square), e) * erfcx(argument) : 0;
}
OMNIHIP_CUDA_HOST float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
OMNIHIP_CUDA_HOST double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
OMNIHIP_CUDA_HOST float rhypotf(float x, float y) { return 1.0f / ::hypotf(x, y); }

// What is left of an argument after whole turns is exact, and so is its distance from the nearest quarter turn: the
// results are exact at multiples of a half. Zeros have the argument's sign, as C23 wants them.
OMNIHIP_CUDA_HOST double sinpi(double x) {
  const double pi = 3.14159265358979323846;
  const double rest = ::remainder(x, 2.0), size = ::fabs(rest);
  if (size == 0 || size == 1) return ::copysign(0.0, x);
  if (size < 0.25) return ::sin(rest * pi);
  return ::copysign(size > 0.75 ? ::sin((1 - size) * pi) : ::cos((0.5 - size) * pi), rest);
}
OMNIHIP_CUDA_HOST double cospi(double x) {
  const double pi = 3.14159265358979323846;
  const double size = ::fabs(::remainder(x, 2.0));
  if (size < 0.25) return ::cos(size * pi);
  return size > 0.75 ? -::cos((1 - size) * pi) : ::sin((0.5 - size) * pi);
}
OMNIHIP_CUDA_HOST float sinpif(float x) { return static_cast<float>(sinpi(static_cast<double>(x))); }
OMNIHIP_CUDA_HOST float cospif(float x) { return static_cast<float>(cospi(static_cast<double>(x))); }
OMNIHIP_CUDA_HOST void sincospi(double x, double* s, double* c) {
  *s = sinpi(x);
  *c = cospi(x);
}
OMNIHIP_CUDA_HOST void sincospif(float x, float* s, float* c) {
  *s = sinpif(x);
  *c = cospif(x);
}
#undef OMNIHIP_CUDA_HOST

#endif
