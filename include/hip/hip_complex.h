// hip/hip_complex.h - complex numbers as pairs (x real, y imaginary): hipFloatComplex, hipDoubleComplex and their
// arithmetic, for C, C++ and device code. Division scales by the larger part of the divisor, the magnitude by the larger
// part, so that neither overflows early.
#ifndef HIP_HIP_COMPLEX_H
#define HIP_HIP_COMPLEX_H

#include <hip/detail/qualifiers.h>
#include <hip/hip_vector_types.h>

typedef float2 hipFloatComplex;
typedef double2 hipDoubleComplex;
typedef hipFloatComplex hipComplex;

#define __HIP_COMPLEX_FN __host__ __device__ static inline

// The functions of one precision: S is the suffix (f or nothing), R the real type, C the complex type.
#define __HIP_COMPLEX(S, R, C, make, fabs, sqrt) \
  __HIP_COMPLEX_FN R hipCreal##S(C z) { return z.x; } \
  __HIP_COMPLEX_FN R hipCimag##S(C z) { return z.y; } \
  __HIP_COMPLEX_FN C make(R a, R b) { \
    C z; \
    z.x = a; \
    z.y = b; \
    return z; \
  } \
  __HIP_COMPLEX_FN C hipConj##S(C z) { return make(z.x, -z.y); } \
  __HIP_COMPLEX_FN R hipCsqabs##S(C z) { return z.x * z.x + z.y * z.y; } \
  __HIP_COMPLEX_FN C hipCadd##S(C p, C q) { return make(p.x + q.x, p.y + q.y); } \
  __HIP_COMPLEX_FN C hipCsub##S(C p, C q) { return make(p.x - q.x, p.y - q.y); } \
  __HIP_COMPLEX_FN C hipCmul##S(C p, C q) { return make(p.x * q.x - p.y * q.y, p.y * q.x + p.x * q.y); } \
  __HIP_COMPLEX_FN C hipCdiv##S(C p, C q) { \
    if (fabs(q.x) >= fabs(q.y)) { \
      R r = q.y / q.x; \
      R d = q.x + q.y * r; \
      return make((p.x + p.y * r) / d, (p.y - p.x * r) / d); \
    } else { \
      R r = q.x / q.y; \
      R d = q.x * r + q.y; \
      return make((p.x * r + p.y) / d, (p.y * r - p.x) / d); \
    } \
  } \
  __HIP_COMPLEX_FN R hipCabs##S(C z) { \
    R a = fabs(z.x); \
    R b = fabs(z.y); \
    R high = a > b ? a : b; \
    R low = a > b ? b : a; \
    R r; \
    if (high == 0) return 0; \
    if (high == __builtin_inff()) return high; \
    r = low / high; \
    return high * sqrt(1 + r * r); \
  }
__HIP_COMPLEX(f, float, hipFloatComplex, make_hipFloatComplex, __builtin_fabsf, __builtin_sqrtf)
__HIP_COMPLEX(, double, hipDoubleComplex, make_hipDoubleComplex, __builtin_fabs, __builtin_sqrt)
#undef __HIP_COMPLEX

// p * q + r
__HIP_COMPLEX_FN hipComplex hipCfmaf(hipComplex p, hipComplex q, hipComplex r) {
  return make_hipFloatComplex((p.x * q.x + r.x) - p.y * q.y, (q.x * p.y + r.y) + p.x * q.y);
}
__HIP_COMPLEX_FN hipDoubleComplex hipCfma(hipDoubleComplex p, hipDoubleComplex q, hipDoubleComplex r) {
  return make_hipDoubleComplex((p.x * q.x + r.x) - p.y * q.y, (q.x * p.y + r.y) + p.x * q.y);
}

__HIP_COMPLEX_FN hipComplex make_hipComplex(float x, float y) { return make_hipFloatComplex(x, y); }
__HIP_COMPLEX_FN hipFloatComplex hipComplexDoubleToFloat(hipDoubleComplex z) {
  return make_hipFloatComplex((float)z.x, (float)z.y);
}
__HIP_COMPLEX_FN hipDoubleComplex hipComplexFloatToDouble(hipFloatComplex z) {
  return make_hipDoubleComplex((double)z.x, (double)z.y);
}
#undef __HIP_COMPLEX_FN

#endif
