// Arithmetic with a direction of rounding in its name, which CUDA has, and AMD's HIP by a macro of its own: down (_rd), up
// (_ru), to zero (_rz). AMD's compiler has no such instruction, so that the nearest result is taken and moved to its
// neighbour where the exact one lies on the other side of it. NVIDIA's GPUs have instructions, whose names say minus (rm)
// and plus (rp).
#ifndef HIP_DETAIL_ROUNDING_H
#define HIP_DETAIL_ROUNDING_H

#include <hip/detail/conversions.h>

// The device library's own, for the functions of <math.h> may not have their device forms yet where this header is read.
extern "C" {
__device__ __attribute__((const)) int __ocml_ilogb_f64(double x);
__device__ __attribute__((const)) double __ocml_ldexp_f64(double x, int exponent);
}

namespace __hip_internal {

enum class rounding { down, up, zero };

__HIP_DEVICE_INLINE float next_value(float x, bool up) {
  if (x == 0) return up ? __uint_as_float(1) : __uint_as_float(0x80000001u);
  return __uint_as_float(__float_as_uint(x) + ((x > 0) == up ? 1u : ~0u));
}
__HIP_DEVICE_INLINE double next_value(double x, bool up) {
  if (x == 0) return __longlong_as_double(up ? 1ll : static_cast<long long>(0x8000000000000001ull));
  return __longlong_as_double(__double_as_longlong(x) + ((x > 0) == up ? 1 : -1));
}

// The nearest result of an operation, moved; the sign of `error` is that of the exact result less the nearest one.
template<rounding mode, class T> __HIP_DEVICE_INLINE T moved(T nearest, double error) {
  if (error < 0 && (mode == rounding::down || (mode == rounding::zero && nearest > 0)))
    return next_value(nearest, false);
  if (error > 0 && (mode == rounding::up || (mode == rounding::zero && nearest < 0))) return next_value(nearest, true);
  return nearest;
}
// What is left of a sum's exact value beside its nearest double.
__HIP_DEVICE_INLINE double sum_error(double a, double b, double sum) {
#pragma clang fp contract(off) reassociate(off)
  if (!__builtin_isfinite(sum)) return __builtin_isfinite(a) && __builtin_isfinite(b) ? -sum : 0;
  const double back = sum - a;
  return (a - (sum - back)) + (b - back);
}
// A sum of opposite numbers is -0 when rounding goes down.
template<rounding mode, class T> __HIP_DEVICE_INLINE T signed_zero(T sum, bool opposite) {
  return mode == rounding::down && sum == 0 && opposite ? -static_cast<T>(0) : sum;
}
// The float for the exact value `most` + `rest`.
template<rounding mode> __HIP_DEVICE_INLINE float to_float(double most, double rest) {
  const float nearest = static_cast<float>(most);
  const double error = most - static_cast<double>(nearest);
  return moved<mode>(nearest, error == 0 ? rest : error);
}

// --- Floats: products of two are exact in double
template<rounding mode> __HIP_DEVICE_INLINE float fused(float a, float b, float c) {
  const double product = static_cast<double>(a) * b, sum = product + c;
  const double rest = sum_error(product, c, sum);
  return signed_zero<mode>(to_float<mode>(sum, rest),
                           rest == 0 && sum == 0 && __builtin_signbit(product) != __builtin_signbit(c));
}
template<rounding mode> __HIP_DEVICE_INLINE float sum_of(float a, float b) { return fused<mode>(a, 1.0f, b); }
template<rounding mode> __HIP_DEVICE_INLINE float product_of(float a, float b) {
  return to_float<mode>(static_cast<double>(a) * b, 0);
}
// The rest of a division has the sign of the error times the divisor's.
template<rounding mode> __HIP_DEVICE_INLINE float quotient_of(float a, float b) {
  const double nearest = static_cast<double>(a) / b;
  if (!__builtin_isfinite(nearest) || nearest == 0) return static_cast<float>(nearest);
  const double rest = __builtin_fma(-nearest, static_cast<double>(b), static_cast<double>(a));
  return to_float<mode>(nearest, b < 0 ? -rest : rest);
}
template<rounding mode> __HIP_DEVICE_INLINE float root_of(float x) {
  const double nearest = __builtin_sqrt(static_cast<double>(x));
  if (!__builtin_isfinite(nearest)) return static_cast<float>(nearest);
  return to_float<mode>(nearest, __builtin_fma(-nearest, nearest, static_cast<double>(x)));
}

// --- Doubles: what is left comes from fused multiply-adds
// The sign of a * b + c less its nearest double, of numbers whose product is neither too small nor too great to have
// its own rest. The first two of the three parts cancel without a rest.
__HIP_DEVICE_INLINE double error_of_fused(double a, double b, double c, double nearest) {
#pragma clang fp contract(off) reassociate(off)
  const double product = a * b, sum = product + c;
  const double more = __builtin_fma(a, b, -product), less = sum_error(product, c, sum);
  const double rest = more + less;
  return ((sum - nearest) + rest) + sum_error(more, less, rest);
}
__HIP_DEVICE_INLINE double fused_error(double a, double b, double c, double nearest) {
  if (!__builtin_isfinite(a) || !__builtin_isfinite(b) || !__builtin_isfinite(c)) return 0;
  if (!__builtin_isfinite(nearest)) return -nearest;
  if (a == 0 || b == 0) return 0;
  const int a_size = __ocml_ilogb_f64(a), size = a_size + __ocml_ilogb_f64(b), c_size = c == 0 ? size : __ocml_ilogb_f64(c);
  // A product that is small beside c, which then is the nearest; one that is great beside it and near the greatest
  // double.
  if (size < c_size - 110) return __builtin_signbit(a) == __builtin_signbit(b) ? 1 : -1;
  if (size > -900 && size < 1000) return error_of_fused(a, b, c, nearest);
  if (c != 0 && size > c_size + 300) c = __builtin_copysign(__ocml_ldexp_f64(1.0, size - 300), c); // as small, for all it does
  const int up = size < 0 ? -(size > c_size ? size : c_size) : -200;
  return error_of_fused(__ocml_ldexp_f64(a, -a_size), __ocml_ldexp_f64(b, up + a_size), __ocml_ldexp_f64(c, up), __ocml_ldexp_f64(nearest, up));
}
template<rounding mode> __HIP_DEVICE_INLINE double sum_of(double a, double b) {
  const double sum = a + b, rest = sum_error(a, b, sum);
  return signed_zero<mode>(moved<mode>(sum, rest), __builtin_signbit(a) != __builtin_signbit(b));
}
template<rounding mode> __HIP_DEVICE_INLINE double product_of(double a, double b) {
  const double nearest = a * b;
  return moved<mode>(nearest, fused_error(a, b, 0, nearest));
}
template<rounding mode> __HIP_DEVICE_INLINE double fused(double a, double b, double c) {
  const double nearest = __builtin_fma(a, b, c), error = fused_error(a, b, c, nearest);
  const bool product_sign = __builtin_signbit(a) != __builtin_signbit(b);
  return signed_zero<mode>(moved<mode>(nearest, error),
                           error == 0 && nearest == 0 && product_sign != static_cast<bool>(__builtin_signbit(c)));
}
template<rounding mode> __HIP_DEVICE_INLINE double quotient_of(double a, double b) {
  const double nearest = a / b;
  if (!__builtin_isfinite(b) || __builtin_isnan(nearest) || a == 0 || b == 0) return nearest;
  if (!__builtin_isfinite(nearest)) return moved<mode>(nearest, __builtin_isfinite(a) ? -nearest : 0);
  // a / b against the nearest: a against the nearest times b, with both numbers brought near one.
  const int up_a = -__ocml_ilogb_f64(a), up_b = -__ocml_ilogb_f64(b);
  const double rest = __builtin_fma(-__ocml_ldexp_f64(nearest, up_a - up_b), __ocml_ldexp_f64(b, up_b), __ocml_ldexp_f64(a, up_a));
  return moved<mode>(nearest, b < 0 ? -rest : rest);
}
template<rounding mode> __HIP_DEVICE_INLINE double root_of(double x) {
  const double nearest = __builtin_sqrt(x);
  if (!__builtin_isfinite(nearest) || x == 0) return nearest;
  const double scale = x < 0x1p-900 ? 0x1p300 : 1;
  return moved<mode>(nearest, __builtin_fma(-(nearest * scale), nearest * scale, x * scale * scale));
}

} // namespace __hip_internal

// With OCML_BASIC_ROUNDED_OPERATIONS clang's headers have the same functions. Templates of these step back behind them,
// and are called where clang has none: for NVIDIA GPUs (nvptx_wrapper.h), and when the program itself defines the
// macro, which is after clang's headers were read.
#if defined(OCML_BASIC_ROUNDED_OPERATIONS)
#define __HIP_ROUNDED_FN template<class = void> __HIP_DEVICE_INLINE
#else
#define __HIP_ROUNDED_FN __HIP_DEVICE_INLINE
#endif
#if defined(__NVPTX__)
#define __HIP_ROUNDED(suffix, mode, ptx)                                                                        \
  __HIP_ROUNDED_FN float __fadd_##suffix(float a, float b) { return __nvvm_add_##ptx##_f(a, b); }                      \
  __HIP_ROUNDED_FN float __fsub_##suffix(float a, float b) { return __nvvm_add_##ptx##_f(a, -b); }                     \
  __HIP_ROUNDED_FN float __fmul_##suffix(float a, float b) { return __nvvm_mul_##ptx##_f(a, b); }                      \
  __HIP_ROUNDED_FN float __fdiv_##suffix(float a, float b) { return __nvvm_div_##ptx##_f(a, b); }                      \
  __HIP_ROUNDED_FN float __frcp_##suffix(float x) { return __nvvm_rcp_##ptx##_f(x); }                                  \
  __HIP_ROUNDED_FN float __fsqrt_##suffix(float x) { return __nvvm_sqrt_##ptx##_f(x); }                                \
  __HIP_ROUNDED_FN float __fmaf_##suffix(float a, float b, float c) { return __nvvm_fma_##ptx##_f(a, b, c); }          \
  __HIP_ROUNDED_FN double __dadd_##suffix(double a, double b) { return __nvvm_add_##ptx##_d(a, b); }                   \
  __HIP_ROUNDED_FN double __dsub_##suffix(double a, double b) { return __nvvm_add_##ptx##_d(a, -b); }                  \
  __HIP_ROUNDED_FN double __dmul_##suffix(double a, double b) { return __nvvm_mul_##ptx##_d(a, b); }                   \
  __HIP_ROUNDED_FN double __ddiv_##suffix(double a, double b) { return __nvvm_div_##ptx##_d(a, b); }                   \
  __HIP_ROUNDED_FN double __drcp_##suffix(double x) { return __nvvm_rcp_##ptx##_d(x); }                                \
  __HIP_ROUNDED_FN double __dsqrt_##suffix(double x) { return __nvvm_sqrt_##ptx##_d(x); }                              \
  __HIP_ROUNDED_FN double __fma_##suffix(double a, double b, double c) { return __nvvm_fma_##ptx##_d(a, b, c); }
#else
#define __HIP_ROUNDED_TO(prefix, T, suffix, mode)                                                               \
  __HIP_ROUNDED_FN T __##prefix##add_##suffix(T a, T b) { return __hip_internal::sum_of<mode>(a, b); }                 \
  __HIP_ROUNDED_FN T __##prefix##sub_##suffix(T a, T b) { return __hip_internal::sum_of<mode>(a, -b); }                \
  __HIP_ROUNDED_FN T __##prefix##mul_##suffix(T a, T b) { return __hip_internal::product_of<mode>(a, b); }             \
  __HIP_ROUNDED_FN T __##prefix##div_##suffix(T a, T b) { return __hip_internal::quotient_of<mode>(a, b); }            \
  __HIP_ROUNDED_FN T __##prefix##rcp_##suffix(T x) { return __hip_internal::quotient_of<mode>(T(1), x); }              \
  __HIP_ROUNDED_FN T __##prefix##sqrt_##suffix(T x) { return __hip_internal::root_of<mode>(x); }
#define __HIP_ROUNDED(suffix, mode, ptx)                                                                        \
  __HIP_ROUNDED_TO(f, float, suffix, mode)                                                                      \
  __HIP_ROUNDED_TO(d, double, suffix, mode)                                                                     \
  __HIP_ROUNDED_FN float __fmaf_##suffix(float a, float b, float c) {                                                  \
    return __hip_internal::fused<mode>(a, b, c);                                                                       \
  }                                                                                                                    \
  __HIP_ROUNDED_FN double __fma_##suffix(double a, double b, double c) {                                               \
    return __hip_internal::fused<mode>(a, b, c);                                                                       \
  }
#endif
__HIP_ROUNDED(rd, __hip_internal::rounding::down, rm)
__HIP_ROUNDED(ru, __hip_internal::rounding::up, rp)
__HIP_ROUNDED(rz, __hip_internal::rounding::zero, rz)
#undef __HIP_ROUNDED
#undef __HIP_ROUNDED_TO
#undef __HIP_ROUNDED_FN

#endif
