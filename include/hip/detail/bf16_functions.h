// hip/detail/bf16_functions.h - conversions, arithmetic, comparisons, shuffles and math on bfloat16.
#ifndef HIP_DETAIL_BF16_FUNCTIONS_H
#define HIP_DETAIL_BF16_FUNCTIONS_H

#include <hip/detail/bf16_type.h>

#if defined(__clang__) && defined(__HIP__)
#include <hip/detail/atomic_update.h>
#include <hip/detail/value_limits.h>
#include <hip/detail/warp.h>
#endif

#if !defined(__HIPCC_RTC__)
#include <math.h>
#endif

// --- conversions
__HIP_BF16_FN __hip_bfloat16 __float2bfloat16(float v) { return hip_detail::bf16_nearest(v); }
__HIP_BF16_FN __hip_bfloat16 __float2bfloat16_rn(float v) { return hip_detail::bf16_nearest(v); }
__HIP_BF16_FN __hip_bfloat16 __int2bfloat16_rn(const int v) {
  return hip_detail::bf16_nearest(static_cast<double>(v));
}
__HIP_BF16_FN __hip_bfloat16 __double2bfloat16(const double v) { return hip_detail::bf16_nearest(v); }
__HIP_BF16_FN float __bfloat162float(__hip_bfloat16 v) { return hip_detail::bf16_number(v); }
__HIP_BF16_FN __hip_bfloat162 __float22bfloat162_rn(const float2 v) {
  return __hip_bfloat162(hip_detail::bf16_nearest(v.x), hip_detail::bf16_nearest(v.y));
}
__HIP_BF16_FN float2 __bfloat1622float2(const __hip_bfloat162 v) { return static_cast<float2>(v); }
__HIP_BF16_FN __hip_bfloat162 __bfloat162bfloat162(const __hip_bfloat16 v) { return __hip_bfloat162(v, v); }
__HIP_BF16_FN __hip_bfloat162 __halves2bfloat162(const __hip_bfloat16 a, const __hip_bfloat16 b) {
  return __hip_bfloat162(a, b);
}
__HIP_BF16_FN __hip_bfloat16 __low2bfloat16(const __hip_bfloat162 v) { return v.x; }
__HIP_BF16_FN __hip_bfloat16 __high2bfloat16(const __hip_bfloat162 v) { return v.y; }
__HIP_BF16_FN __hip_bfloat162 __low2bfloat162(const __hip_bfloat162 v) { return __hip_bfloat162(v.x, v.x); }
__HIP_BF16_FN __hip_bfloat162 __high2bfloat162(const __hip_bfloat162 v) { return __hip_bfloat162(v.y, v.y); }
__HIP_BF16_FN __hip_bfloat162 __lows2bfloat162(const __hip_bfloat162 a, const __hip_bfloat162 b) {
  return __hip_bfloat162(a.x, b.x);
}
__HIP_BF16_FN __hip_bfloat162 __highs2bfloat162(const __hip_bfloat162 a, const __hip_bfloat162 b) {
  return __hip_bfloat162(a.y, b.y);
}
__HIP_BF16_FN __hip_bfloat162 __lowhigh2highlow(const __hip_bfloat162 v) { return __hip_bfloat162(v.y, v.x); }
__HIP_BF16_FN float __low2float(const __hip_bfloat162 v) { return hip_detail::bf16_number(v.x); }
__HIP_BF16_FN float __high2float(const __hip_bfloat162 v) { return hip_detail::bf16_number(v.y); }
__HIP_BF16_FN short __bfloat16_as_short(const __hip_bfloat16 v) { return static_cast<short>(v.__x); }
__HIP_BF16_FN unsigned short __bfloat16_as_ushort(const __hip_bfloat16 v) { return v.__x; }
__HIP_BF16_FN __hip_bfloat16 __ushort_as_bfloat16(const unsigned short v) { return __hip_bfloat16_raw{v}; }
__HIP_BF16_FN __hip_bfloat16 __short_as_bfloat16(const short v) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(v)};
}

// --- arithmetic; each result is rounded, so that the forms with _rn, which no compiler may join to an fma, are the same
__HIP_BF16_FN __hip_bfloat16 __hadd(const __hip_bfloat16 a, const __hip_bfloat16 b) {
  return hip_detail::bf16_add(a, b);
}
__HIP_BF16_FN __hip_bfloat16 __hsub(const __hip_bfloat16 a, const __hip_bfloat16 b) {
  return hip_detail::bf16_subtract(a, b);
}
__HIP_BF16_FN __hip_bfloat16 __hmul(const __hip_bfloat16 a, const __hip_bfloat16 b) {
  return hip_detail::bf16_multiply(a, b);
}
__HIP_BF16_FN __hip_bfloat16 __hdiv(const __hip_bfloat16 a, const __hip_bfloat16 b) {
  return hip_detail::bf16_divide(a, b);
}
__HIP_BF16_FN __hip_bfloat16 __hadd_rn(const __hip_bfloat16 a, const __hip_bfloat16 b) { return __hadd(a, b); }
__HIP_BF16_FN __hip_bfloat16 __hsub_rn(const __hip_bfloat16 a, const __hip_bfloat16 b) { return __hsub(a, b); }
__HIP_BF16_FN __hip_bfloat16 __hmul_rn(const __hip_bfloat16 a, const __hip_bfloat16 b) { return __hmul(a, b); }
__HIP_BF16_FN __hip_bfloat16 __hfma(const __hip_bfloat16 a, const __hip_bfloat16 b, const __hip_bfloat16 c) {
  // The product is exact in double. A sum that is not is made odd in the direction of its error, so that it is no middle
  // between two results and the second rounding decides as if it were the only one.
  const double product = static_cast<double>(hip_detail::bf16_number(a)) * hip_detail::bf16_number(b);
  const double addend = hip_detail::bf16_number(c);
  const double sum = product + addend, part = sum - product;
  const double error = (product - (sum - part)) + (addend - part);
  unsigned long long bits = __builtin_bit_cast(unsigned long long, sum);
  if ((error > 0 || error < 0) && (bits & 1) == 0) bits += (error > 0) == (sum > 0) ? 1 : -1ull;
  return hip_detail::bf16_nearest(__builtin_bit_cast(double, bits));
}
__HIP_BF16_FN __hip_bfloat16 __hneg(const __hip_bfloat16 v) { return hip_detail::bf16_negative(v); }
__HIP_BF16_FN __hip_bfloat16 __habs(const __hip_bfloat16 v) {
  return __hip_bfloat16_raw{static_cast<unsigned short>(v.__x & 0x7fff)};
}
__HIP_BF16_FN bool __hisnan(const __hip_bfloat16 v) { return (v.__x & 0x7fff) > 0x7f80; }
// 1 for +infinity, -1 for -infinity, else 0.
__HIP_BF16_FN int __hisinf(const __hip_bfloat16 v) { return v.__x == 0x7f80 ? 1 : v.__x == 0xff80 ? -1 : 0; }
// One NaN gives the other operand; -0 is less than +0.
__HIP_BF16_FN __hip_bfloat16 __hmax(const __hip_bfloat16 a, const __hip_bfloat16 b) {
  if (__hisnan(a)) return b;
  if (__hisnan(b)) return a;
  return hip_detail::bf16_equal(a, b) ? (a.__x & 0x8000 ? b : a) : hip_detail::bf16_greater(a, b) ? a : b;
}
__HIP_BF16_FN __hip_bfloat16 __hmin(const __hip_bfloat16 a, const __hip_bfloat16 b) {
  if (__hisnan(a)) return b;
  if (__hisnan(b)) return a;
  return hip_detail::bf16_equal(a, b) ? (a.__x & 0x8000 ? a : b) : hip_detail::bf16_less(a, b) ? a : b;
}

#define __HIP_BF162_UNARY(name, single) \
  __HIP_BF16_FN __hip_bfloat162 name(const __hip_bfloat162 v) { return __hip_bfloat162(single(v.x), single(v.y)); }
#define __HIP_BF162_BINARY(name, single) \
  __HIP_BF16_FN __hip_bfloat162 name(const __hip_bfloat162 a, const __hip_bfloat162 b) { \
    return __hip_bfloat162(single(a.x, b.x), single(a.y, b.y)); \
  }
__HIP_BF162_BINARY(__hadd2, __hadd)
__HIP_BF162_BINARY(__hsub2, __hsub)
__HIP_BF162_BINARY(__hmul2, __hmul)
__HIP_BF162_BINARY(__h2div, __hdiv)
__HIP_BF162_BINARY(__hadd2_rn, __hadd)
__HIP_BF162_BINARY(__hsub2_rn, __hsub)
__HIP_BF162_BINARY(__hmul2_rn, __hmul)
__HIP_BF162_BINARY(__hmax2, __hmax)
__HIP_BF162_BINARY(__hmin2, __hmin)
__HIP_BF162_UNARY(__hneg2, __hneg)
__HIP_BF162_UNARY(__habs2, __habs)
#undef __HIP_BF162_BINARY
__HIP_BF16_FN __hip_bfloat162 __hfma2(const __hip_bfloat162 a, const __hip_bfloat162 b, const __hip_bfloat162 c) {
  return __hip_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
__HIP_BF16_FN __hip_bfloat162 __hisnan2(const __hip_bfloat162 v) {
  return __hip_bfloat162(hip_detail::bf16_nearest(__hisnan(v.x) ? 1.0f : 0.0f),
                         hip_detail::bf16_nearest(__hisnan(v.y) ? 1.0f : 0.0f));
}

// --- comparisons: false with a NaN, the forms with u true; the 2-forms give 1.0 or 0.0 per element, the b2-forms whether
// both elements satisfy the relation
#define __HIP_BF16_COMPARE(name, expression) \
  __HIP_BF16_FN bool __h##name(const __hip_bfloat16 a, const __hip_bfloat16 b) { \
    const float x = hip_detail::bf16_number(a), y = hip_detail::bf16_number(b); \
    return expression; \
  } \
  __HIP_BF16_FN __hip_bfloat162 __h##name##2(const __hip_bfloat162 a, const __hip_bfloat162 b) { \
    return __hip_bfloat162(hip_detail::bf16_nearest(__h##name(a.x, b.x) ? 1.0f : 0.0f), \
                           hip_detail::bf16_nearest(__h##name(a.y, b.y) ? 1.0f : 0.0f)); \
  } \
  __HIP_BF16_FN bool __hb##name##2(const __hip_bfloat162 a, const __hip_bfloat162 b) { \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y); \
  }
__HIP_BF16_COMPARE(eq, x == y)
__HIP_BF16_COMPARE(ne, x < y || x > y)
__HIP_BF16_COMPARE(lt, x < y)
__HIP_BF16_COMPARE(le, x <= y)
__HIP_BF16_COMPARE(gt, x > y)
__HIP_BF16_COMPARE(ge, x >= y)
__HIP_BF16_COMPARE(equ, !(x < y) && !(x > y))
__HIP_BF16_COMPARE(neu, x != y)
__HIP_BF16_COMPARE(ltu, !(x >= y))
__HIP_BF16_COMPARE(leu, !(x > y))
__HIP_BF16_COMPARE(gtu, !(x <= y))
__HIP_BF16_COMPARE(geu, !(x < y))
#undef __HIP_BF16_COMPARE

// --- math
#define __HIP_BF16_MATH(name, expression) \
  __HIP_BF16_FN __hip_bfloat16 h##name(const __hip_bfloat16 h) { \
    float v = hip_detail::bf16_number(h); \
    return hip_detail::bf16_nearest(static_cast<float>(expression)); \
  } \
  __HIP_BF162_UNARY(h2##name, h##name)
__HIP_BF16_MATH(ceil, ceilf(v))
__HIP_BF16_MATH(floor, floorf(v))
__HIP_BF16_MATH(rint, rintf(v))
__HIP_BF16_MATH(trunc, truncf(v))
__HIP_BF16_MATH(sin, sinf(v))
__HIP_BF16_MATH(cos, cosf(v))
__HIP_BF16_MATH(exp, expf(v))
__HIP_BF16_MATH(exp2, exp2f(v))
__HIP_BF16_MATH(exp10, powf(10.0f, v))
__HIP_BF16_MATH(log, logf(v))
__HIP_BF16_MATH(log2, log2f(v))
__HIP_BF16_MATH(log10, log10f(v))
__HIP_BF16_MATH(sqrt, sqrtf(v))
__HIP_BF16_MATH(rsqrt, 1.0f / sqrtf(v))
__HIP_BF16_MATH(rcp, 1.0f / v)
#undef __HIP_BF16_MATH
#undef __HIP_BF162_UNARY

#if defined(__clang__) && defined(__HIP__)
// --- shuffles (those with a mask are the templates of warp_sync.h) and atomics
#if !defined(__OMNIHIP_CUDA__) // those of omnihip/warp.h are of any type
__HIP_SHUFFLES(__hip_bfloat16)
__HIP_SHUFFLES(__hip_bfloat162)
#endif

namespace __hip_internal {
template <> struct value_limits<__hip_bfloat16> {
  __device__ static __hip_bfloat16 least() { return __ushort_as_bfloat16(0xff80); }
  __device__ static __hip_bfloat16 greatest() { return __ushort_as_bfloat16(0x7f80); }
};
struct bf16_add { template <class T> __device__ T operator()(T a, T b) const { return hip_detail::bf16_add(a, b); } };
} // namespace __hip_internal

__device__ static inline __hip_bfloat16 atomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
  return __hip_internal::atomic_add_half_word(address, value, __hip_internal::bf16_add());
}
// Adds each element; both change in one step.
__device__ static inline __hip_bfloat162 atomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
  return __hip_internal::atomic_add_pair(address, value, __hip_internal::bf16_add());
}
__device__ static inline __hip_bfloat16 unsafeAtomicAdd(__hip_bfloat16* address, __hip_bfloat16 value) {
  return __hip_internal::atomic_add_half_word(address, value, __hip_internal::bf16_add());
}
// By the hardware's instruction where there is one.
__device__ static inline __hip_bfloat162 unsafeAtomicAdd(__hip_bfloat162* address, __hip_bfloat162 value) {
#if defined(__gfx942__) || defined(__gfx950__) || defined(__gfx9_4_generic__) || defined(__GFX12__)
  typedef short packed __attribute__((ext_vector_type(2)));
  return __builtin_bit_cast(__hip_bfloat162,
                            __builtin_amdgcn_flat_atomic_fadd_v2bf16(reinterpret_cast<packed*>(address),
                                                                     __builtin_bit_cast(packed, value)));
#else
  return __hip_internal::atomic_add_pair(address, value, __hip_internal::bf16_add());
#endif
}
#endif

#endif // HIP_DETAIL_BF16_FUNCTIONS_H
