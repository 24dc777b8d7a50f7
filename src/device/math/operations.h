// Operations that the compiler lowers to instructions, under the names of ocml.def.
#pragma once

#include "own.h"

namespace hip::device::operation {

template <class T> inline T ceil(T x) { return __builtin_elementwise_ceil(x); }
template <class T> inline T floor(T x) { return __builtin_elementwise_floor(x); }
template <class T> inline T trunc(T x) { return __builtin_elementwise_trunc(x); }
template <class T> inline T rint(T x) { return __builtin_elementwise_rint(x); }
template <class T> inline T nearbyint(T x) { return __builtin_elementwise_nearbyint(x); }
template <class T> inline T round(T x) { return __builtin_elementwise_round(x); }
template <class T> inline T fabs(T x) { return __builtin_elementwise_abs(x); }
template <class T> inline T sqrt(T x) { return __builtin_elementwise_sqrt(x); }
template <class T> inline T copysign(T x, T y) { return __builtin_elementwise_copysign(x, y); }
template <class T> inline T fmax(T x, T y) { return __builtin_elementwise_maxnum(x, y); }
template <class T> inline T fmin(T x, T y) { return __builtin_elementwise_minnum(x, y); }
template <class T> inline T fma(T x, T y, T z) { return __builtin_elementwise_fma(x, y, z); }
template <class T> inline int isnan(T x) { return is_nan(x); }
template <class T> inline int isinf(T x) { return is_inf(x); }
template <class T> inline int isfinite(T x) { return !is_nan(x) && !is_inf(x); }
template <class T> inline int signbit(T x) { return sign_bit(x); }
template <class T> inline T ldexp(T x, int e) { return scale(x, e); }
template <class T> inline T scalbn(T x, int e) { return scale(x, e); }

// In single precision libclc's exponentials flush subnormal results, and on NVIDIA GPUs its tables are slow.
#if defined(__NVPTX__)
inline float exp(float x) { return hip::device::exp(x); }
inline float exp2(float x) { return hip::device::exp2(x); }
inline float exp10(float x) { return hip::device::exp10(x); }
inline float log(float x) { return hip::device::log(x); }
inline float log2(float x) { return hip::device::log2(x); }
inline float log10(float x) { return hip::device::log10(x); }
#else
inline float exp(float x) { return __builtin_expf(x); }
inline float exp2(float x) { return __builtin_exp2f(x); }
inline float exp10(float x) { return ::exp10(x); }
inline float log(float x) { return ::log(x); }
inline float log2(float x) { return ::log2(x); }
inline float log10(float x) { return ::log10(x); }
#endif
inline double exp(double x) { return ::exp(x); }
inline double exp2(double x) { return ::exp2(x); }
inline double exp10(double x) { return ::exp10(x); }
inline double log(double x) { return ::log(x); }
inline double log2(double x) { return ::log2(x); }
inline double log10(double x) { return ::log10(x); }

#if defined(__NVPTX__)
inline float native_exp2(float x) { return __nvvm_ex2_approx_f(x); }
inline float native_log2(float x) { return __nvvm_lg2_approx_f(x); }
inline float native_sqrt(float x) { return __nvvm_sqrt_approx_f(x); }
inline float native_rsqrt(float x) { return __nvvm_rsqrt_approx_f(x); }
inline float native_rcp(float x) { return __nvvm_rcp_approx_ftz_f(x); }
inline float native_sin(float x) { return __nvvm_sin_approx_f(x); }
inline float native_cos(float x) { return __nvvm_cos_approx_f(x); }
#else
inline float native_exp2(float x) { return __builtin_amdgcn_exp2f(x); }
inline float native_log2(float x) { return __builtin_amdgcn_logf(x); }
inline float native_sqrt(float x) { return __builtin_amdgcn_sqrtf(x); }
inline float native_rsqrt(float x) { return __builtin_amdgcn_rsqf(x); }
inline float native_rcp(float x) { return __builtin_amdgcn_rcpf(x); }
inline float native_sin(float x) { return ::native_sin(x); }
inline float native_cos(float x) { return ::native_cos(x); }
#endif
inline float native_recip(float x) { return native_rcp(x); }
inline float native_exp(float x) { return native_exp2(x * 0x1.715476p+0f); }   // log2(e)
inline float native_exp10(float x) { return native_exp2(x * 0x1.a934fp+1f); }  // log2(10)
inline float native_log(float x) { return native_log2(x) * 0x1.62e43p-1f; }    // ln(2)
inline float native_log10(float x) { return native_log2(x) * 0x1.344136p-2f; } // log10(2)

} // namespace hip::device::operation
