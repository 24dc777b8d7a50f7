// hip/hip_complex.h - complex numbers as float2 and double2 (x real, y imaginary), for host and device, C and C++.
// Formulas and their order are those of HIP on AMD devices, so that results agree in the last bit: division and absolute
// value go through the square of the absolute value, without scaling, and overflow where it does.
#ifndef HIP_INCLUDE_HIP_HIP_COMPLEX_H
#define HIP_INCLUDE_HIP_HIP_COMPLEX_H

#if !defined(__HIPCC_RTC__)
#include <math.h>
#endif

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

#define __HIP_COMPLEX_FN __host__ __device__ static inline

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

// ---- Single precision ----

__HIP_COMPLEX_FN hipFloatComplex make_hipFloatComplex(float a, float b) {
  hipFloatComplex z;
  z.x = a;
  z.y = b;
  return z;
}

__HIP_COMPLEX_FN float hipCrealf(hipFloatComplex z) { return z.x; }
__HIP_COMPLEX_FN float hipCimagf(hipFloatComplex z) { return z.y; }
__HIP_COMPLEX_FN hipFloatComplex hipConjf(hipFloatComplex z) { return make_hipFloatComplex(z.x, -z.y); }

// The square of the absolute value.
__HIP_COMPLEX_FN float hipCsqabsf(hipFloatComplex z) { return z.x * z.x + z.y * z.y; }
__HIP_COMPLEX_FN float hipCabsf(hipFloatComplex z) { return sqrtf(hipCsqabsf(z)); }

__HIP_COMPLEX_FN hipFloatComplex hipCaddf(hipFloatComplex p, hipFloatComplex q) {
  return make_hipFloatComplex(p.x + q.x, p.y + q.y);
}

__HIP_COMPLEX_FN hipFloatComplex hipCsubf(hipFloatComplex p, hipFloatComplex q) {
  return make_hipFloatComplex(p.x - q.x, p.y - q.y);
}

__HIP_COMPLEX_FN hipFloatComplex hipCmulf(hipFloatComplex p, hipFloatComplex q) {
  return make_hipFloatComplex(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);
}

__HIP_COMPLEX_FN hipFloatComplex hipCdivf(hipFloatComplex p, hipFloatComplex q) {
  const float norm = hipCsqabsf(q);
  return make_hipFloatComplex((p.x * q.x + p.y * q.y) / norm, (p.y * q.x - p.x * q.y) / norm);
}

// p * q + r.
__HIP_COMPLEX_FN hipComplex hipCfmaf(hipComplex p, hipComplex q, hipComplex r) {
  return make_hipFloatComplex(p.x * q.x + r.x - p.y * q.y, p.y * q.x + r.y + p.x * q.y);
}

// ---- Double precision ----

__HIP_COMPLEX_FN hipDoubleComplex make_hipDoubleComplex(double a, double b) {
  hipDoubleComplex z;
  z.x = a;
  z.y = b;
  return z;
}

__HIP_COMPLEX_FN double hipCreal(hipDoubleComplex z) { return z.x; }
__HIP_COMPLEX_FN double hipCimag(hipDoubleComplex z) { return z.y; }
__HIP_COMPLEX_FN hipDoubleComplex hipConj(hipDoubleComplex z) { return make_hipDoubleComplex(z.x, -z.y); }

// The square of the absolute value.
__HIP_COMPLEX_FN double hipCsqabs(hipDoubleComplex z) { return z.x * z.x + z.y * z.y; }
__HIP_COMPLEX_FN double hipCabs(hipDoubleComplex z) { return sqrt(hipCsqabs(z)); }

__HIP_COMPLEX_FN hipDoubleComplex hipCadd(hipDoubleComplex p, hipDoubleComplex q) {
  return make_hipDoubleComplex(p.x + q.x, p.y + q.y);
}

__HIP_COMPLEX_FN hipDoubleComplex hipCsub(hipDoubleComplex p, hipDoubleComplex q) {
  return make_hipDoubleComplex(p.x - q.x, p.y - q.y);
}

__HIP_COMPLEX_FN hipDoubleComplex hipCmul(hipDoubleComplex p, hipDoubleComplex q) {
  return make_hipDoubleComplex(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y);
}

__HIP_COMPLEX_FN hipDoubleComplex hipCdiv(hipDoubleComplex p, hipDoubleComplex q) {
  const double norm = hipCsqabs(q);
  return make_hipDoubleComplex((p.x * q.x + p.y * q.y) / norm, (p.y * q.x - p.x * q.y) / norm);
}

// p * q + r.
__HIP_COMPLEX_FN hipDoubleComplex hipCfma(hipDoubleComplex p, hipDoubleComplex q, hipDoubleComplex r) {
  return make_hipDoubleComplex(p.x * q.x + r.x - p.y * q.y, p.y * q.x + r.y + p.x * q.y);
}

// ---- Conversions ----

__HIP_COMPLEX_FN hipComplex make_hipComplex(float x, float y) { return make_hipFloatComplex(x, y); }

__HIP_COMPLEX_FN hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_hipFloatComplex((float)z.x, (float)z.y);
}

__HIP_COMPLEX_FN hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return make_hipDoubleComplex((double)z.x, (double)z.y);
}

#endif
