// What hipcc includes before a program when it compiles for an NVIDIA GPU (sm_*). There clang leaves out the wrapper that
// it includes for AMD GPUs; this one brings the same: the device forms of <math.h> and <cmath>, <complex>, malloc and
// free. Clang's headers for them call the device library's __ocml_* functions, which exist for NVPTX as well, and a few
// builtins of AMD's, which become NVPTX's for the length of this file.
#ifndef HIP_DETAIL_NVPTX_WRAPPER_H
#define HIP_DETAIL_NVPTX_WRAPPER_H

#if defined(__HIP__) && defined(__NVPTX__)

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))

#include <hip/hip_version.h>

#ifdef __cplusplus
// The driver's own, linked when it compiles the PTX. Clang's <new> calls them.
extern "C" __device__ void* malloc(__SIZE_TYPE__ size);
extern "C" __device__ void free(void* memory);

#if defined(__HIPCC_RTC__)
// Programs of hiprtc see no standard header that they do not include: what clang's headers take from those is defined
// for the length of this file.
typedef __SIZE_TYPE__ size_t;
#pragma push_macro("NULL")
#pragma push_macro("uint32_t")
#pragma push_macro("uint64_t")
#pragma push_macro("CHAR_BIT")
#pragma push_macro("INT_MAX")
#pragma push_macro("INT_MIN")
#define NULL (void*)0
#define uint32_t __UINT32_TYPE__
#define uint64_t __UINT64_TYPE__
#define CHAR_BIT __CHAR_BIT__
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#else
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <new>
#include <stdlib.h>
#endif

extern "C" {
// Functions of the device library that clang's headers take from the compiler on AMD GPUs.
__device__ __attribute__((const)) float __ocml_exp_f32(float);
__device__ __attribute__((const)) float __ocml_exp2_f32(float);
__device__ __attribute__((const)) float __ocml_exp10_f32(float);
__device__ __attribute__((const)) float __ocml_log_f32(float);
__device__ __attribute__((const)) float __ocml_log2_f32(float);
__device__ __attribute__((const)) float __ocml_log10_f32(float);
__device__ __attribute__((const)) float __ocml_logb_f32(float);
__device__ __attribute__((const)) double __ocml_logb_f64(double);
__device__ __attribute__((const)) float __ocml_ldexp_f32(float, int);
__device__ __attribute__((const)) double __ocml_ldexp_f64(double, int);
__device__ float __ocml_frexp_f32(float, int*);
__device__ double __ocml_frexp_f64(double, int*);
}
#endif

#define __builtin_expf(x) __ocml_exp_f32(x)
#define __builtin_exp2f(x) __ocml_exp2_f32(x)
#define __builtin_exp10f(x) __ocml_exp10_f32(x)
#define __builtin_logf(x) __ocml_log_f32(x)
#define __builtin_log2f(x) __ocml_log2_f32(x)
#define __builtin_log10f(x) __ocml_log10_f32(x)
#define __builtin_logb(x) __ocml_logb_f64(x)
#define __builtin_logbf(x) __ocml_logb_f32(x)
#define __builtin_ldexp(x, e) __ocml_ldexp_f64(x, e)
#define __builtin_ldexpf(x, e) __ocml_ldexp_f32(x, e)
#define __builtin_scalbn(x, e) __ocml_ldexp_f64(x, e)
#define __builtin_scalbnf(x, e) __ocml_ldexp_f32(x, e)
#define __builtin_frexp(x, e) __ocml_frexp_f64(x, e)
#define __builtin_frexpf(x, e) __ocml_frexp_f32(x, e)
#define __builtin_amdgcn_exp2f(x) __nvvm_ex2_approx_f(x)
#define __builtin_amdgcn_logf(x) __nvvm_lg2_approx_f(x)
#define __builtin_amdgcn_rcpf(x) __nvvm_rcp_approx_ftz_f(x)
#define __builtin_amdgcn_rsqf(x) __nvvm_rsqrt_approx_f(x)
#define __builtin_amdgcn_ldexpf(x, e) __ocml_ldexp_f32(x, e)
#define __builtin_amdgcn_ldexp(x, e) __ocml_ldexp_f64(x, e)
#define __nv_scalbn(x, e) __ocml_ldexp_f64(x, e)
#define __nv_scalbnf(x, e) __ocml_ldexp_f32(x, e)
#define __nv_logb(x) __ocml_logb_f64(x)
#define __nv_logbf(x) __ocml_logb_f32(x)

// Clang's functions with a direction of rounding are left out: rounding.h has them by NVPTX's instructions.
#pragma push_macro("OCML_BASIC_ROUNDED_OPERATIONS")
#undef OCML_BASIC_ROUNDED_OPERATIONS

// Functions that CUDA has by the GPU's approximate instructions, and clang's header by exact ones: defined below.
#define __fdividef __hip_exact_fdividef
#define __log10f __hip_exact_log10f
#define __logf __hip_exact_logf
#define __powf __hip_exact_powf

#ifdef __cplusplus
#include <__clang_hip_libdevice_declares.h>
#include <__clang_hip_math.h>
#include <__clang_hip_stdlib.h>
#if defined(__HIPCC_RTC__)
#include <__clang_hip_cmath.h>
#pragma pop_macro("NULL")
#pragma pop_macro("uint32_t")
#pragma pop_macro("uint64_t")
#pragma pop_macro("CHAR_BIT")
#pragma pop_macro("INT_MAX")
#pragma pop_macro("INT_MIN")
#else
#include <__clang_cuda_math_forward_declares.h>
#include <__clang_hip_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#endif
#endif

#pragma pop_macro("OCML_BASIC_ROUNDED_OPERATIONS")
#undef __fdividef
#undef __log10f
#undef __logf
#undef __powf
#ifdef __cplusplus
static __device__ inline __attribute__((always_inline)) float __fdividef(float x, float y) {
  return __nvvm_div_approx_f(x, y);
}
static __device__ inline __attribute__((always_inline)) float __log10f(float x) {
  return __nvvm_lg2_approx_f(x) * 0x1.344136p-2f; // log10(2)
}
static __device__ inline __attribute__((always_inline)) float __logf(float x) {
  return __nvvm_lg2_approx_f(x) * 0x1.62e43p-1f; // log(2)
}
static __device__ inline __attribute__((always_inline)) float __powf(float x, float y) {
  return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x));
}
#endif

#undef __builtin_expf
#undef __builtin_exp2f
#undef __builtin_exp10f
#undef __builtin_logf
#undef __builtin_log2f
#undef __builtin_log10f
#undef __builtin_logb
#undef __builtin_logbf
#undef __builtin_ldexp
#undef __builtin_ldexpf
#undef __builtin_scalbn
#undef __builtin_scalbnf
#undef __builtin_frexp
#undef __builtin_frexpf
#undef __builtin_amdgcn_exp2f
#undef __builtin_amdgcn_logf
#undef __builtin_amdgcn_rcpf
#undef __builtin_amdgcn_rsqf
#undef __builtin_amdgcn_ldexpf
#undef __builtin_amdgcn_ldexp
#undef __nv_scalbn
#undef __nv_scalbnf
#undef __nv_logb
#undef __nv_logbf

#endif
#endif
