// hip/detail/fp16_functions.h - conversions, arithmetic, comparisons, shuffles and math on __half and __half2.
#ifndef HIP_DETAIL_FP16_FUNCTIONS_H
#define HIP_DETAIL_FP16_FUNCTIONS_H

#if defined(__clang__) && (defined(__HIP__) || defined(__OMNIHIP_CUDA__))
#include <hip/detail/fp16_type.h>
#else
#include <hip/detail/fp16_host_type.h>
#endif
#include <hip/detail/traits.h>
#include <hip/hip_vector_types.h>

#if defined(__clang__) && defined(__HIP__)
#include <hip/detail/atomic_update.h>
#include <hip/detail/value_limits.h>
#include <hip/detail/warp_sync.h>
#endif

#if !defined(__HIPCC_RTC__)
#include <math.h>
#endif

#define __HIP_HALF_FN __host__ __device__ static inline

namespace hip_detail {

// The conversion from the compiler's type, which __half itself may be without.
#if defined(__HIP_HALF_BY_BITS)
__HIP_HALF_FN __half half_of(float16 v) { return __half_raw{v.bits}; }
#else
__HIP_HALF_FN __half half_of(float16 v) { return __half_raw{{v}}; }
#endif
__HIP_HALF_FN __half half_of_truth(bool v) { return half_of(static_cast<float16>(v)); }

enum class half_rounding { nearest, zero, up, down };

// Any finite integer or float in the source is exact in double as far as half's range goes, so one double function serves
// all directed conversions: round to nearest, then step where that went past the wanted side.
__HIP_HALF_FN __half to_half(double v, half_rounding mode) {
  __half h = half_of(static_cast<float16>(v));
  double back = static_cast<double>(h.data);
  bool above = back > v, below = back < v;
  bool lower = mode == half_rounding::down ? above : mode == half_rounding::zero ? (v > 0 ? above : false) : false;
  bool raise = mode == half_rounding::up ? below : mode == half_rounding::zero ? (v < 0 ? below : false) : false;
  if (lower) { // next value toward -infinity
    h.__x = h.__x == 0 ? 0x8001 : static_cast<unsigned short>(h.__x & 0x8000 ? h.__x + 1 : h.__x - 1);
  } else if (raise) {
    h.__x = h.__x == 0x8000 ? 0x0001 : static_cast<unsigned short>(h.__x & 0x8000 ? h.__x - 1 : h.__x + 1);
  }
  return h;
}
template <class T> __HIP_HALF_FN T half_to_integer(double v) {
  if (v != v) return 0;
  constexpr double low =
      static_cast<double>(__hip_internal::is_signed<T>::value ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0));
  if (v < low) return static_cast<T>(low);
  if (sizeof(T) == 2 && v > (__hip_internal::is_signed<T>::value ? 32767.0 : 65535.0))
    return static_cast<T>(__hip_internal::is_signed<T>::value ? 32767 : 65535);
  if (v > 65504.0)
    return static_cast<T>(~T(0) ^ (__hip_internal::is_signed<T>::value ? T(T(1) << (sizeof(T) * 8 - 1)) : T(0)));
  return static_cast<T>(v);
}

} // namespace hip_detail

// --- conversions
__HIP_HALF_FN __half __float2half(float v) { return hip_detail::half_of(static_cast<hip_detail::float16>(v)); }
__HIP_HALF_FN __half __float2half_rn(float v) { return __float2half(v); }
__HIP_HALF_FN __half __float2half_rz(float v) { return hip_detail::to_half(v, hip_detail::half_rounding::zero); }
__HIP_HALF_FN __half __float2half_ru(float v) { return hip_detail::to_half(v, hip_detail::half_rounding::up); }
__HIP_HALF_FN __half __float2half_rd(float v) { return hip_detail::to_half(v, hip_detail::half_rounding::down); }
__HIP_HALF_FN __half __double2half(double v) { return hip_detail::half_of(static_cast<hip_detail::float16>(v)); }
__HIP_HALF_FN float __half2float(__half v) { return static_cast<float>(v.data); }
__HIP_HALF_FN __half2 __float2half2_rn(float v) { return __half2(__float2half(v), __float2half(v)); }
__HIP_HALF_FN __half2 __floats2half2_rn(float a, float b) { return __half2(__float2half(a), __float2half(b)); }
__HIP_HALF_FN __half2 __float22half2_rn(float2 v) { return __floats2half2_rn(v.x, v.y); }
__HIP_HALF_FN float2 __half22float2(__half2 v) { return make_float2(__half2float(v.x), __half2float(v.y)); }
__HIP_HALF_FN float __low2float(__half2 v) { return __half2float(v.x); }
__HIP_HALF_FN float __high2float(__half2 v) { return __half2float(v.y); }
__HIP_HALF_FN __half2 make_half2(__half a, __half b) { return __half2(a, b); }
__HIP_HALF_FN __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
__HIP_HALF_FN __half2 __half2half2(__half v) { return __half2(v, v); }
__HIP_HALF_FN __half __low2half(__half2 v) { return v.x; }
__HIP_HALF_FN __half __high2half(__half2 v) { return v.y; }
__HIP_HALF_FN __half2 __low2half2(__half2 v) { return __half2(v.x, v.x); }
__HIP_HALF_FN __half2 __high2half2(__half2 v) { return __half2(v.y, v.y); }
__HIP_HALF_FN __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
__HIP_HALF_FN __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
__HIP_HALF_FN __half2 __lowhigh2highlow(__half2 v) { return __half2(v.y, v.x); }
__HIP_HALF_FN short __half_as_short(__half v) { return static_cast<short>(v.__x); }
__HIP_HALF_FN unsigned short __half_as_ushort(__half v) { return v.__x; }
__HIP_HALF_FN __half __ushort_as_half(unsigned short v) {
  __half_raw raw;
  raw.x = v;
  return raw;
}
__HIP_HALF_FN __half __short_as_half(short v) { return __ushort_as_half(static_cast<unsigned short>(v)); }

#define __HIP_HALF_INTEGER(T, name)                                                                                    \
  __HIP_HALF_FN __half __##name##2half_rn(T v) {                                                                       \
    return hip_detail::half_of(static_cast<hip_detail::float16>(static_cast<double>(v)));                              \
  }                                                                                                                    \
  __HIP_HALF_FN __half __##name##2half_rz(T v) {                                                                       \
    return hip_detail::to_half(static_cast<double>(v), hip_detail::half_rounding::zero);                               \
  }                                                                                                                    \
  __HIP_HALF_FN __half __##name##2half_ru(T v) {                                                                       \
    return hip_detail::to_half(static_cast<double>(v), hip_detail::half_rounding::up);                                 \
  }                                                                                                                    \
  __HIP_HALF_FN __half __##name##2half_rd(T v) {                                                                       \
    return hip_detail::to_half(static_cast<double>(v), hip_detail::half_rounding::down);                               \
  }                                                                                                                    \
  __HIP_HALF_FN T __half2##name##_rn(__half v) {                                                                       \
    return hip_detail::half_to_integer<T>(trunc(static_cast<double>(v.data)));                                         \
  }                                                                                                                    \
  __HIP_HALF_FN T __half2##name##_rz(__half v) {                                                                       \
    return hip_detail::half_to_integer<T>(trunc(static_cast<double>(v.data)));                                         \
  }                                                                                                                    \
  __HIP_HALF_FN T __half2##name##_ru(__half v) { return __half2##name##_rz(v); }                                       \
  __HIP_HALF_FN T __half2##name##_rd(__half v) { return __half2##name##_rz(v); }
__HIP_HALF_INTEGER(short, short)
__HIP_HALF_INTEGER(unsigned short, ushort)
__HIP_HALF_INTEGER(int, int)
__HIP_HALF_INTEGER(unsigned int, uint)
__HIP_HALF_INTEGER(long long, ll)
__HIP_HALF_INTEGER(unsigned long long, ull)
#undef __HIP_HALF_INTEGER

// --- arithmetic; _sat clamps to [0, 1] and maps NaN to 0
__HIP_HALF_FN __half __clamp_01(__half v) {
  const hip_detail::float16 zero = static_cast<hip_detail::float16>(0), one = static_cast<hip_detail::float16>(1);
  return hip_detail::half_of(v.data > zero ? (v.data < one ? v.data : one) : zero);
}
__HIP_HALF_FN __half __hadd(__half a, __half b) {
  return hip_detail::half_of(static_cast<hip_detail::float16>(a.data + b.data));
}
__HIP_HALF_FN __half __hsub(__half a, __half b) {
  return hip_detail::half_of(static_cast<hip_detail::float16>(a.data - b.data));
}
__HIP_HALF_FN __half __hmul(__half a, __half b) {
  return hip_detail::half_of(static_cast<hip_detail::float16>(a.data * b.data));
}
__HIP_HALF_FN __half __hdiv(__half a, __half b) {
  return hip_detail::half_of(static_cast<hip_detail::float16>(a.data / b.data));
}
// Sums, differences and products that no compiler may join to an fma. The types of fp16_host_type.h round each result
// by integer arithmetic, so there is nothing to forbid.
#if defined(__HIP_HALF_BY_BITS)
#define __HIP_HALF_UNCONTRACTED
#else
#define __HIP_HALF_UNCONTRACTED _Pragma("clang fp contract(off)")
#endif
__HIP_HALF_FN __half __hadd_rn(__half a, __half b) {
  __HIP_HALF_UNCONTRACTED
  return hip_detail::half_of(static_cast<hip_detail::float16>(a.data + b.data));
}
__HIP_HALF_FN __half __hsub_rn(__half a, __half b) {
  __HIP_HALF_UNCONTRACTED
  return hip_detail::half_of(static_cast<hip_detail::float16>(a.data - b.data));
}
__HIP_HALF_FN __half __hmul_rn(__half a, __half b) {
  __HIP_HALF_UNCONTRACTED
  return hip_detail::half_of(static_cast<hip_detail::float16>(a.data * b.data));
}
#undef __HIP_HALF_UNCONTRACTED
__HIP_HALF_FN __half __hfma(__half a, __half b, __half c) {
#if defined(__HIP_DEVICE_COMPILE__)
  return hip_detail::half_of(static_cast<hip_detail::float16>(__builtin_elementwise_fma(a.data, b.data, c.data)));
#else
  // A product of halves is exact in double, and the sum is so wherever a bit of it could decide between two halves. By
  // way of float, as hosts without half instructions have it, it would be rounded twice.
  return hip_detail::half_of(static_cast<hip_detail::float16>(
      static_cast<double>(a.data) * static_cast<double>(b.data) + static_cast<double>(c.data)));
#endif
}
__HIP_HALF_FN __half __hadd_sat(__half a, __half b) { return __clamp_01(__hadd(a, b)); }
__HIP_HALF_FN __half __hsub_sat(__half a, __half b) { return __clamp_01(__hsub(a, b)); }
__HIP_HALF_FN __half __hmul_sat(__half a, __half b) { return __clamp_01(__hmul(a, b)); }
__HIP_HALF_FN __half __hfma_sat(__half a, __half b, __half c) { return __clamp_01(__hfma(a, b, c)); }
__HIP_HALF_FN __half __hneg(__half v) { return hip_detail::half_of(static_cast<hip_detail::float16>(-v.data)); }
__HIP_HALF_FN __half __habs(__half v) { return __ushort_as_half(v.__x & 0x7fff); }
__HIP_HALF_FN bool __hisnan(__half v) { return (v.__x & 0x7fff) > 0x7c00; }
__HIP_HALF_FN bool __hisinf(__half v) { return (v.__x & 0x7fff) == 0x7c00; }
// One NaN gives the other operand; the _nan forms give NaN. -0 is less than +0.
__HIP_HALF_FN __half __hmax(__half a, __half b) {
  if (__hisnan(a)) return b;
  if (__hisnan(b)) return a;
  return a.data == b.data ? (a.__x & 0x8000 ? b : a) : a.data > b.data ? a : b;
}
__HIP_HALF_FN __half __hmin(__half a, __half b) {
  if (__hisnan(a)) return b;
  if (__hisnan(b)) return a;
  return a.data == b.data ? (a.__x & 0x8000 ? a : b) : a.data < b.data ? a : b;
}
__HIP_HALF_FN __half __hmax_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmax(a, b); }
__HIP_HALF_FN __half __hmin_nan(__half a, __half b) { return __hisnan(a) ? a : __hisnan(b) ? b : __hmin(a, b); }

#define __HIP_HALF2_BY_HALF1(name, half_name)                                                                          \
  __HIP_HALF_FN __half2 name(__half2 v) { return __half2(half_name(v.x), half_name(v.y)); }
#define __HIP_HALF2_BY_HALF2(name, half_name)                                                                          \
  __HIP_HALF_FN __half2 name(__half2 a, __half2 b) { return __half2(half_name(a.x, b.x), half_name(a.y, b.y)); }
#if defined(__HIP_HALF_BY_BITS)
__HIP_HALF2_BY_HALF2(__hadd2, __hadd)
__HIP_HALF2_BY_HALF2(__hsub2, __hsub)
__HIP_HALF2_BY_HALF2(__hmul2, __hmul)
__HIP_HALF2_BY_HALF2(__h2div, __hdiv)
#else
__HIP_HALF_FN __half2 __hadd2(__half2 a, __half2 b) { return __half2(a.data + b.data); }
__HIP_HALF_FN __half2 __hsub2(__half2 a, __half2 b) { return __half2(a.data - b.data); }
__HIP_HALF_FN __half2 __hmul2(__half2 a, __half2 b) { return __half2(a.data * b.data); }
__HIP_HALF_FN __half2 __h2div(__half2 a, __half2 b) { return __half2(a.data / b.data); }
#endif
__HIP_HALF_FN __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __half2(__builtin_elementwise_fma(a.data, b.data, c.data));
#else
  return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
#endif
}
__HIP_HALF2_BY_HALF2(__hadd2_rn, __hadd_rn)
__HIP_HALF2_BY_HALF2(__hsub2_rn, __hsub_rn)
__HIP_HALF2_BY_HALF2(__hmul2_rn, __hmul_rn)
__HIP_HALF2_BY_HALF2(__hadd2_sat, __hadd_sat)
__HIP_HALF2_BY_HALF2(__hsub2_sat, __hsub_sat)
__HIP_HALF2_BY_HALF2(__hmul2_sat, __hmul_sat)
__HIP_HALF2_BY_HALF2(__hmax2, __hmax)
__HIP_HALF2_BY_HALF2(__hmin2, __hmin)
__HIP_HALF2_BY_HALF2(__hmax2_nan, __hmax_nan)
__HIP_HALF2_BY_HALF2(__hmin2_nan, __hmin_nan)
__HIP_HALF2_BY_HALF1(__hneg2, __hneg)
__HIP_HALF2_BY_HALF1(__habs2, __habs)
__HIP_HALF_FN __half2 __hfma2_sat(__half2 a, __half2 b, __half2 c) {
  return __half2(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}
__HIP_HALF_FN __half2 __hisnan2(__half2 v) {
  return __half2(hip_detail::half_of_truth(__hisnan(v.x)), hip_detail::half_of_truth(__hisnan(v.y)));
}
__HIP_HALF_FN __half2 __hisinf2(__half2 v) {
  return __half2(hip_detail::half_of_truth(__hisinf(v.x)), hip_detail::half_of_truth(__hisinf(v.y)));
}

// --- comparisons: false with a NaN, the forms with u true; the 2-forms give 1.0 or 0.0 per half, the b2-forms whether
// both halves satisfy the relation
#define __HIP_HALF_COMPARE(name, expression)                                                                           \
  __HIP_HALF_FN bool __h##name(__half x, __half y) {                                                                   \
    const hip_detail::float16 a = x.data, b = y.data;                                                                  \
    return expression;                                                                                                 \
  }                                                                                                                    \
  __HIP_HALF_FN __half2 __h##name##2(__half2 a, __half2 b) {                                                           \
    return __half2(hip_detail::half_of_truth(__h##name(a.x, b.x)), hip_detail::half_of_truth(__h##name(a.y, b.y)));    \
  }                                                                                                                    \
  __HIP_HALF_FN bool __hb##name##2(__half2 a, __half2 b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
__HIP_HALF_COMPARE(eq, a == b)
__HIP_HALF_COMPARE(ne, a < b || a > b)
__HIP_HALF_COMPARE(lt, a < b)
__HIP_HALF_COMPARE(le, a <= b)
__HIP_HALF_COMPARE(gt, a > b)
__HIP_HALF_COMPARE(ge, a >= b)
__HIP_HALF_COMPARE(equ, !(a < b) && !(a > b))
__HIP_HALF_COMPARE(neu, a != b)
__HIP_HALF_COMPARE(ltu, !(a >= b))
__HIP_HALF_COMPARE(leu, !(a > b))
__HIP_HALF_COMPARE(gtu, !(a <= b))
__HIP_HALF_COMPARE(geu, !(a < b))
#undef __HIP_HALF_COMPARE

// --- math
#define __HIP_HALF_MATH(name, expression) \
  __HIP_HALF_FN __half h##name(__half h) { \
    float v = __half2float(h); \
    return __float2half(expression); \
  } \
  __HIP_HALF2_BY_HALF1(h2##name, h##name)
__HIP_HALF_MATH(ceil, ceilf(v))
__HIP_HALF_MATH(floor, floorf(v))
__HIP_HALF_MATH(rint, rintf(v))
__HIP_HALF_MATH(trunc, truncf(v))
__HIP_HALF_MATH(sin, sinf(v))
__HIP_HALF_MATH(cos, cosf(v))
__HIP_HALF_MATH(exp, expf(v))
__HIP_HALF_MATH(exp2, exp2f(v))
__HIP_HALF_MATH(exp10, powf(10.0f, v))
__HIP_HALF_MATH(log, logf(v))
__HIP_HALF_MATH(log2, log2f(v))
__HIP_HALF_MATH(log10, log10f(v))
__HIP_HALF_MATH(sqrt, sqrtf(v))
__HIP_HALF_MATH(rsqrt, 1.0f / sqrtf(v))
__HIP_HALF_MATH(rcp, 1.0f / v)
#undef __HIP_HALF_MATH
#undef __HIP_HALF2_BY_HALF1
#undef __HIP_HALF2_BY_HALF2

#if defined(__clang__) && defined(__HIP__)
// --- loads with cache hints (plain loads here), shuffles (those with a mask are the templates of warp_sync.h), atomics
#define __HIP_HALF_LOAD(name) \
  __HIP_HALF_FN __half name(const __half* p) { return *p; } \
  __HIP_HALF_FN __half2 name(const __half2* p) { return *p; }
__HIP_HALF_LOAD(__ldg)
__HIP_HALF_LOAD(__ldca)
__HIP_HALF_LOAD(__ldcg)
__HIP_HALF_LOAD(__ldcs)
#undef __HIP_HALF_LOAD

#if !defined(__OMNIHIP_CUDA__) // those of omnihip/warp.h are of any type
__HIP_SHUFFLES(__half)
__HIP_SHUFFLES(__half2)
#endif

// a.x * b.x + a.y * b.y + c in float; `saturate` is only defined for integers and ignored.
__device__ static inline float amd_mixed_dot(__half2 a, __half2 b, float c, bool) {
  return __builtin_fmaf(__half2float(a.x), __half2float(b.x), __builtin_fmaf(__half2float(a.y), __half2float(b.y), c));
}

namespace __hip_internal {
// As the functors of the same names for other types, which use these types' operators.
struct half_add {
  __device__ __half operator()(__half a, __half b) const { return __hadd(a, b); }
  __device__ __half2 operator()(__half2 a, __half2 b) const { return __hadd2(a, b); }
};
struct half_min { __device__ __half operator()(__half a, __half b) const { return b.data < a.data ? b : a; } };
struct half_max { __device__ __half operator()(__half a, __half b) const { return a.data < b.data ? b : a; } };
} // namespace __hip_internal

__device__ static inline __half atomicAdd(__half* address, __half value) {
  return __hip_internal::atomic_add_half_word(address, value, __hip_internal::half_add());
}
// Adds each half; both change in one step.
__device__ static inline __half2 atomicAdd(__half2* address, __half2 value) {
  return __hip_internal::atomic_add_pair(address, value, __hip_internal::half_add());
}
__device__ static inline __half unsafeAtomicAdd(__half* address, __half value) {
  return __hip_internal::atomic_add_half_word(address, value, __hip_internal::half_add());
}
// By the hardware's instruction where there is one.
__device__ static inline __half2 unsafeAtomicAdd(__half2* address, __half2 value) {
#if defined(__gfx942__) || defined(__gfx950__) || defined(__gfx9_4_generic__) || defined(__GFX12__)
  return __half2(__builtin_amdgcn_flat_atomic_fadd_v2f16(reinterpret_cast<_Float16_2*>(address), value.data));
#else
  return __hip_internal::atomic_add_pair(address, value, __hip_internal::half_add());
#endif
}

namespace __hip_internal {
template <> struct value_limits<__half> {
  __device__ static __half least() { return __ushort_as_half(0xfc00); }
  __device__ static __half greatest() { return __ushort_as_half(0x7c00); }
};
} // namespace __hip_internal

#if defined(HIP_ENABLE_EXTRA_WARP_SYNC_TYPES) && !defined(HIP_DISABLE_WARP_SYNC_BUILTINS) && !defined(__OMNIHIP_CUDA__)
__HIP_REDUCE_SYNC_BY(add, __half, half_add)
__HIP_REDUCE_SYNC_BY(min, __half, half_min)
__HIP_REDUCE_SYNC_BY(max, __half, half_max)
#endif
#endif

#undef __HIP_HALF_FN
#undef __HIP_HALF_BY_BITS

#endif // HIP_DETAIL_FP16_FUNCTIONS_H
