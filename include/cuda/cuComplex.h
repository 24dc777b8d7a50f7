// cuComplex.h - complex numbers as float2 and double2, on host and device: HIP's, under CUDA's names.
#ifndef CU_COMPLEX_H_
#define CU_COMPLEX_H_

#include <omnihip/config.h>

#include <vector_types.h>

#include <hip/hip_complex.h>

typedef hipFloatComplex cuFloatComplex;
typedef hipDoubleComplex cuDoubleComplex;
typedef cuFloatComplex cuComplex;

#define OMNIHIP_CU_COMPLEX __host__ __device__ static inline
OMNIHIP_CU_COMPLEX cuFloatComplex make_cuFloatComplex(float x, float y) { return make_hipFloatComplex(x, y); }
OMNIHIP_CU_COMPLEX cuComplex make_cuComplex(float x, float y) { return make_hipFloatComplex(x, y); }
OMNIHIP_CU_COMPLEX float cuCrealf(cuFloatComplex z) { return z.x; }
OMNIHIP_CU_COMPLEX float cuCimagf(cuFloatComplex z) { return z.y; }
OMNIHIP_CU_COMPLEX cuFloatComplex cuConjf(cuFloatComplex z) { return hipConjf(z); }
OMNIHIP_CU_COMPLEX cuFloatComplex cuCaddf(cuFloatComplex p, cuFloatComplex q) { return hipCaddf(p, q); }
OMNIHIP_CU_COMPLEX cuFloatComplex cuCsubf(cuFloatComplex p, cuFloatComplex q) { return hipCsubf(p, q); }
OMNIHIP_CU_COMPLEX cuFloatComplex cuCmulf(cuFloatComplex p, cuFloatComplex q) { return hipCmulf(p, q); }
OMNIHIP_CU_COMPLEX cuFloatComplex cuCdivf(cuFloatComplex p, cuFloatComplex q) { return hipCdivf(p, q); }
OMNIHIP_CU_COMPLEX float cuCabsf(cuFloatComplex z) { return hipCabsf(z); }
OMNIHIP_CU_COMPLEX cuComplex cuCfmaf(cuComplex p, cuComplex q, cuComplex r) { return hipCfmaf(p, q, r); }

OMNIHIP_CU_COMPLEX cuDoubleComplex make_cuDoubleComplex(double x, double y) { return make_hipDoubleComplex(x, y); }
OMNIHIP_CU_COMPLEX double cuCreal(cuDoubleComplex z) { return z.x; }
OMNIHIP_CU_COMPLEX double cuCimag(cuDoubleComplex z) { return z.y; }
OMNIHIP_CU_COMPLEX cuDoubleComplex cuConj(cuDoubleComplex z) { return hipConj(z); }
OMNIHIP_CU_COMPLEX cuDoubleComplex cuCadd(cuDoubleComplex p, cuDoubleComplex q) { return hipCadd(p, q); }
OMNIHIP_CU_COMPLEX cuDoubleComplex cuCsub(cuDoubleComplex p, cuDoubleComplex q) { return hipCsub(p, q); }
OMNIHIP_CU_COMPLEX cuDoubleComplex cuCmul(cuDoubleComplex p, cuDoubleComplex q) { return hipCmul(p, q); }
OMNIHIP_CU_COMPLEX cuDoubleComplex cuCdiv(cuDoubleComplex p, cuDoubleComplex q) { return hipCdiv(p, q); }
OMNIHIP_CU_COMPLEX double cuCabs(cuDoubleComplex z) { return hipCabs(z); }
OMNIHIP_CU_COMPLEX cuDoubleComplex cuCfma(cuDoubleComplex p, cuDoubleComplex q, cuDoubleComplex r) {
  return hipCfma(p, q, r);
}

OMNIHIP_CU_COMPLEX cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return hipComplexFloatToDouble(z); }
OMNIHIP_CU_COMPLEX cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) { return hipComplexDoubleToFloat(z); }
#undef OMNIHIP_CU_COMPLEX

#endif
