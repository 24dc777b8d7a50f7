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
OMNIHIP_CUDA_HOST double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752440); }
OMNIHIP_CUDA_HOST float normcdff(float x) { return static_cast<float>(normcdf(static_cast<double>(x))); }
OMNIHIP_CUDA_HOST double erfcx(double x) { return ::exp(x * x) * ::erfc(x); }
OMNIHIP_CUDA_HOST float erfcxf(float x) { return static_cast<float>(erfcx(static_cast<double>(x))); }
OMNIHIP_CUDA_HOST double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
OMNIHIP_CUDA_HOST float rhypotf(float x, float y) { return 1.0f / ::hypotf(x, y); }
// The argument in half turns: what is left after whole turns is exact.
OMNIHIP_CUDA_HOST double sinpi(double x) { return ::sin(::remainder(x, 2.0) * 3.14159265358979323846); }
OMNIHIP_CUDA_HOST double cospi(double x) { return ::cos(::remainder(x, 2.0) * 3.14159265358979323846); }
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
