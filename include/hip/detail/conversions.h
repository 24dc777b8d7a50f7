// Type casts with a rounding mode in their name (_rn nearest even, _rz toward zero, _ru up, _rd down) and
// reinterpretations of bits. A value out of the integer's range gives its nearest limit, NaN gives 0.
#ifndef HIP_DETAIL_CONVERSIONS_H
#define HIP_DETAIL_CONVERSIONS_H

#include <hip/detail/qualifiers.h>

// --- Bits ---
__HIP_DEVICE_INLINE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
__HIP_DEVICE_INLINE unsigned int __float_as_uint(float x) { return __builtin_bit_cast(unsigned int, x); }
__HIP_DEVICE_INLINE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
__HIP_DEVICE_INLINE float __uint_as_float(unsigned int x) { return __builtin_bit_cast(float, x); }
__HIP_DEVICE_INLINE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
__HIP_DEVICE_INLINE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
__HIP_DEVICE_INLINE int __double2hiint(double x) { return static_cast<int>(__builtin_bit_cast(unsigned long long, x) >> 32); }
__HIP_DEVICE_INLINE int __double2loint(double x) { return static_cast<int>(__builtin_bit_cast(unsigned long long, x)); }
__HIP_DEVICE_INLINE double __hip_double_from_words(unsigned int hi, unsigned int lo) {
  return __builtin_bit_cast(double, static_cast<unsigned long long>(hi) << 32 | lo);
}
__HIP_DEVICE_INLINE double __hiloint2double(int hi, int lo) {
  return __hip_double_from_words(static_cast<unsigned int>(hi), static_cast<unsigned int>(lo));
}

// --- Floating point to integer ---
namespace __hip_internal {
// Saturating cast of an integral value; lo and hi are the first values outside, which every type here holds exactly.
template <class I, class F> __HIP_DEVICE_INLINE I to_integer(F x) {
  const I smallest = static_cast<I>(-1) < static_cast<I>(0) ? static_cast<I>(static_cast<I>(1) << (sizeof(I) * 8 - 1)) : 0;
  const I largest = static_cast<I>(~smallest);
  const F above = static_cast<F>(static_cast<I>(1) << (sizeof(I) * 8 - 2)) * (static_cast<I>(-1) < static_cast<I>(0) ? 2 : 4);
  if (!(x == x)) return 0;
  if (x >= above) return largest;
  if (x <= static_cast<F>(smallest)) return smallest;
  return static_cast<I>(x);
}
} // namespace __hip_internal

#define __HIP_TO_INTEGER(from, F, to, I) \
  __HIP_DEVICE_INLINE I __##from##2##to##_rn(F x) { return __hip_internal::to_integer<I>(__builtin_elementwise_roundeven(x)); } \
  __HIP_DEVICE_INLINE I __##from##2##to##_rz(F x) { return __hip_internal::to_integer<I>(__builtin_elementwise_trunc(x)); } \
  __HIP_DEVICE_INLINE I __##from##2##to##_ru(F x) { return __hip_internal::to_integer<I>(__builtin_elementwise_ceil(x)); } \
  __HIP_DEVICE_INLINE I __##from##2##to##_rd(F x) { return __hip_internal::to_integer<I>(__builtin_elementwise_floor(x)); }
__HIP_TO_INTEGER(float, float, int, int)
__HIP_TO_INTEGER(float, float, uint, unsigned int)
__HIP_TO_INTEGER(float, float, ll, long long)
__HIP_TO_INTEGER(float, float, ull, unsigned long long)
__HIP_TO_INTEGER(double, double, int, int)
__HIP_TO_INTEGER(double, double, uint, unsigned int)
__HIP_TO_INTEGER(double, double, ll, long long)
__HIP_TO_INTEGER(double, double, ull, unsigned long long)
#undef __HIP_TO_INTEGER

// --- To floating point. The directed modes are functions of the device library. ---
#define __HIP_FROM(from, S, to, D, library) \
  extern "C" __device__ __attribute__((const)) D __ocml_cvtrtz_##library(S x); \
  extern "C" __device__ __attribute__((const)) D __ocml_cvtrtp_##library(S x); \
  extern "C" __device__ __attribute__((const)) D __ocml_cvtrtn_##library(S x); \
  __HIP_DEVICE_INLINE D __##from##2##to##_rn(S x) { return static_cast<D>(x); } \
  __HIP_DEVICE_INLINE D __##from##2##to##_rz(S x) { return __ocml_cvtrtz_##library(x); } \
  __HIP_DEVICE_INLINE D __##from##2##to##_ru(S x) { return __ocml_cvtrtp_##library(x); } \
  __HIP_DEVICE_INLINE D __##from##2##to##_rd(S x) { return __ocml_cvtrtn_##library(x); }
__HIP_FROM(double, double, float, float, f32_f64)
__HIP_FROM(int, int, float, float, f32_s32)
__HIP_FROM(uint, unsigned int, float, float, f32_u32)
__HIP_FROM(ll, long long, float, float, f32_s64)
__HIP_FROM(ull, unsigned long long, float, float, f32_u64)
__HIP_FROM(ll, long long, double, double, f64_s64)
__HIP_FROM(ull, unsigned long long, double, double, f64_u64)
#undef __HIP_FROM
__HIP_DEVICE_INLINE double __int2double_rn(int x) { return x; }
__HIP_DEVICE_INLINE double __uint2double_rn(unsigned int x) { return x; }

#endif
