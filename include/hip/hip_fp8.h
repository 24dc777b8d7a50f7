// hip/hip_fp8.h - 8-bit floating-point types: __hip_fp8_e4m3 and __hip_fp8_e5m2 (OCP) and their FNUZ forms, packed by
// one, two and four, with conversions from and to float, double, half, bfloat16 and integers. All conversions round to
// nearest even; constructors saturate. Types and functions work on host and device alike. Source: HIP 7.2 API.
#ifndef HIP_HIP_FP8_H
#define HIP_HIP_FP8_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_fp8.h>
#else
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_vector_types.h>

#include <hip/detail/small_float.h>

// Which of the two families of formats the compilation target has in hardware; host code has both.
#if defined(__gfx942__)
#define HIP_FP8_TYPE_OCP 0
#define HIP_FP8_TYPE_FNUZ 1
#elif defined(__gfx950__) || defined(__gfx1200__) || defined(__gfx1201__)
#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 0
#else
#define HIP_FP8_TYPE_OCP 1
#define HIP_FP8_TYPE_FNUZ 1
#endif

// Conversions of that family from and to float are instructions of these processors; of gfx1200 and gfx1201 too, but the
// software GPU does not have them yet.
#if defined(__gfx942__) || defined(__gfx950__)
#define HIP_FP8_CVT_FAST_PATH 1
#else
#define HIP_FP8_CVT_FAST_PATH 0
#endif

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short int __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

enum __hip_fp8_interpretation_t { __HIP_E4M3 = 0, __HIP_E5M2 = 1, __HIP_E4M3_FNUZ = 2, __HIP_E5M2_FNUZ = 3 };
enum __hip_saturation_t { __HIP_NOSAT = 0, __HIP_SATFINITE = 1 };

namespace hip_detail {

#if HIP_FP8_CVT_FAST_PATH
constexpr __hip_fp8_interpretation_t native_e4m3 = HIP_FP8_TYPE_OCP ? __HIP_E4M3 : __HIP_E4M3_FNUZ;
constexpr __hip_fp8_interpretation_t native_e5m2 = HIP_FP8_TYPE_OCP ? __HIP_E5M2 : __HIP_E5M2_FNUZ;
// What is out of range becomes a NaN, of E5M2 in OCP's form an infinity; to saturate, values are brought into the range
// before: finite ones, and in OCP's forms infinities too.
__device__ inline __hip_fp8_storage_t to_fp8_native(float v, bool saturate, bool e4m3) {
  const float limit = !e4m3 ? 57344.0f : HIP_FP8_TYPE_OCP ? 448.0f : 240.0f;
  if (saturate && (HIP_FP8_TYPE_OCP ? v == v : __builtin_isfinite(v))) v = __builtin_amdgcn_fmed3f(v, limit, -limit);
  const int packed = e4m3 ? __builtin_amdgcn_cvt_pk_fp8_f32(v, v, 0, false) : __builtin_amdgcn_cvt_pk_bf8_f32(v, v, 0, false);
  return static_cast<__hip_fp8_storage_t>(packed);
}
__device__ inline float from_fp8_native(__hip_fp8_storage_t v, bool e4m3) {
  return e4m3 ? __builtin_amdgcn_cvt_f32_fp8(v, 0) : __builtin_amdgcn_cvt_f32_bf8(v, 0);
}
#endif

template <class T>
__host__ __device__ inline __hip_fp8_storage_t to_fp8(T v, __hip_saturation_t sat, __hip_fp8_interpretation_t type) {
  const bool saturate = sat == __HIP_SATFINITE;
#if HIP_FP8_CVT_FAST_PATH
  if (sizeof(T) == sizeof(float) && (type == native_e4m3 || type == native_e5m2))
    return to_fp8_native(static_cast<float>(v), saturate, type == native_e4m3);
#endif
  switch (type) {
  case __HIP_E4M3: return fp8_e4m3_format::from(v, saturate);
  case __HIP_E5M2: return fp8_e5m2_format::from(v, saturate);
  case __HIP_E4M3_FNUZ: return fp8_e4m3_fnuz_format::from(v, saturate);
  default: return fp8_e5m2_fnuz_format::from(v, saturate);
  }
}
__host__ __device__ inline float from_fp8(__hip_fp8_storage_t v, __hip_fp8_interpretation_t type) {
#if HIP_FP8_CVT_FAST_PATH
  if (type == native_e4m3 || type == native_e5m2) return from_fp8_native(v, type == native_e4m3);
#endif
  switch (type) {
  case __HIP_E4M3: return fp8_e4m3_format::to_float(v);
  case __HIP_E5M2: return fp8_e5m2_format::to_float(v);
  case __HIP_E4M3_FNUZ: return fp8_e4m3_fnuz_format::to_float(v);
  default: return fp8_e5m2_fnuz_format::to_float(v);
  }
}
__host__ __device__ inline __hip_fp8x2_storage_t fp8_pack2(__hip_fp8_storage_t low, __hip_fp8_storage_t high) {
  return static_cast<__hip_fp8x2_storage_t>(low | high << 8);
}
__host__ __device__ inline __hip_fp8x4_storage_t fp8_pack4(__hip_fp8_storage_t x, __hip_fp8_storage_t y,
                                                           __hip_fp8_storage_t z, __hip_fp8_storage_t w) {
  return static_cast<__hip_fp8x4_storage_t>(x) | static_cast<__hip_fp8x4_storage_t>(y) << 8 |
         static_cast<__hip_fp8x4_storage_t>(z) << 16 | static_cast<__hip_fp8x4_storage_t>(w) << 24;
}

} // namespace hip_detail

// --- conversion functions: the low element is .x

static inline __host__ __device__ __hip_fp8_storage_t __hip_cvt_float_to_fp8(const float f, const __hip_saturation_t sat,
                                                                             const __hip_fp8_interpretation_t type) {
  return hip_detail::to_fp8(f, sat, type);
}
static inline __host__ __device__ __hip_fp8_storage_t __hip_cvt_double_to_fp8(const double d, const __hip_saturation_t sat,
                                                                              const __hip_fp8_interpretation_t type) {
  return hip_detail::to_fp8(d, sat, type);
}
static inline __host__ __device__ __hip_fp8x2_storage_t
__hip_cvt_float2_to_fp8x2(const float2 v, const __hip_saturation_t sat, const __hip_fp8_interpretation_t type) {
  return hip_detail::fp8_pack2(hip_detail::to_fp8(v.x, sat, type), hip_detail::to_fp8(v.y, sat, type));
}
static inline __host__ __device__ __hip_fp8x2_storage_t
__hip_cvt_double2_to_fp8x2(const double2 v, const __hip_saturation_t sat, const __hip_fp8_interpretation_t type) {
  return hip_detail::fp8_pack2(hip_detail::to_fp8(v.x, sat, type), hip_detail::to_fp8(v.y, sat, type));
}
static inline __host__ __device__ __hip_fp8_storage_t
__hip_cvt_bfloat16raw_to_fp8(const __hip_bfloat16_raw v, const __hip_saturation_t sat,
                             const __hip_fp8_interpretation_t type) {
  return hip_detail::to_fp8(__bfloat162float(__hip_bfloat16(v)), sat, type);
}
static inline __host__ __device__ __hip_fp8x2_storage_t
__hip_cvt_bfloat16raw2_to_fp8x2(const __hip_bfloat162_raw v, const __hip_saturation_t sat,
                                const __hip_fp8_interpretation_t type) {
  return __hip_cvt_float2_to_fp8x2(__bfloat1622float2(__hip_bfloat162(v)), sat, type);
}
static inline __host__ __device__ __hip_fp8_storage_t __hip_cvt_halfraw_to_fp8(const __half_raw v,
                                                                               const __hip_saturation_t sat,
                                                                               const __hip_fp8_interpretation_t type) {
  return hip_detail::to_fp8(__half2float(__half(v)), sat, type);
}
static inline __host__ __device__ __hip_fp8x2_storage_t
__hip_cvt_halfraw2_to_fp8x2(const __half2_raw v, const __hip_saturation_t sat, const __hip_fp8_interpretation_t type) {
  return __hip_cvt_float2_to_fp8x2(__half22float2(__half2(v)), sat, type);
}
static inline __host__ __device__ __half_raw __hip_cvt_fp8_to_halfraw(const __hip_fp8_storage_t v,
                                                                      const __hip_fp8_interpretation_t type) {
  return static_cast<__half_raw>(__float2half(hip_detail::from_fp8(v, type)));
}
static inline __host__ __device__ __half2_raw __hip_cvt_fp8x2_to_halfraw2(const __hip_fp8x2_storage_t v,
                                                                          const __hip_fp8_interpretation_t type) {
  return static_cast<__half2_raw>(
      __halves2half2(__float2half(hip_detail::from_fp8(static_cast<__hip_fp8_storage_t>(v & 0xff), type)),
                     __float2half(hip_detail::from_fp8(static_cast<__hip_fp8_storage_t>(v >> 8), type))));
}

// --- types

namespace hip_detail {

// What the four one-element types share; `Type` is the interpretation.
template <__hip_fp8_interpretation_t Type> struct fp8_scalar {
  __hip_fp8_storage_t __x;

  fp8_scalar() = default;
  __host__ __device__ fp8_scalar(float v) : __x(to_fp8(v, __HIP_SATFINITE, Type)) {}
  __host__ __device__ fp8_scalar(double v) : __x(to_fp8(v, __HIP_SATFINITE, Type)) {}
  __host__ __device__ fp8_scalar(__half v) : fp8_scalar(__half2float(v)) {}
  __host__ __device__ fp8_scalar(__hip_bfloat16 v) : fp8_scalar(__bfloat162float(v)) {}
  __host__ __device__ fp8_scalar(short v) : fp8_scalar(static_cast<float>(v)) {}
  __host__ __device__ fp8_scalar(unsigned short v) : fp8_scalar(static_cast<float>(v)) {}
  __host__ __device__ fp8_scalar(int v) : fp8_scalar(static_cast<double>(v)) {}
  __host__ __device__ fp8_scalar(unsigned int v) : fp8_scalar(static_cast<double>(v)) {}
  __host__ __device__ fp8_scalar(long v) : fp8_scalar(static_cast<double>(v)) {}
  __host__ __device__ fp8_scalar(unsigned long v) : fp8_scalar(static_cast<double>(v)) {}
  __host__ __device__ fp8_scalar(long long v) : fp8_scalar(static_cast<double>(v)) {}
  __host__ __device__ fp8_scalar(unsigned long long v) : fp8_scalar(static_cast<double>(v)) {}

  __host__ __device__ operator float() const { return from_fp8(__x, Type); }
  __host__ __device__ operator double() const { return from_fp8(__x, Type); }
  __host__ __device__ operator __half() const { return __float2half(from_fp8(__x, Type)); }
  __host__ __device__ operator __hip_bfloat16() const { return __float2bfloat16(from_fp8(__x, Type)); }
  __host__ __device__ operator bool() const { return from_fp8(__x, Type) != 0.0f; } // both zeros are false
  __host__ __device__ operator char() const { return static_cast<char>(from_fp8(__x, Type)); }
  __host__ __device__ operator signed char() const { return static_cast<signed char>(from_fp8(__x, Type)); }
  __host__ __device__ operator unsigned char() const { return static_cast<unsigned char>(from_fp8(__x, Type)); }
  __host__ __device__ operator short() const { return static_cast<short>(from_fp8(__x, Type)); }
  __host__ __device__ operator unsigned short() const { return static_cast<unsigned short>(from_fp8(__x, Type)); }
  __host__ __device__ operator int() const { return static_cast<int>(from_fp8(__x, Type)); }
  __host__ __device__ operator unsigned int() const { return static_cast<unsigned int>(from_fp8(__x, Type)); }
  __host__ __device__ operator long() const { return static_cast<long>(from_fp8(__x, Type)); }
  __host__ __device__ operator unsigned long() const { return static_cast<unsigned long>(from_fp8(__x, Type)); }
  __host__ __device__ operator long long() const { return static_cast<long long>(from_fp8(__x, Type)); }
  __host__ __device__ operator unsigned long long() const {
    return static_cast<unsigned long long>(from_fp8(__x, Type));
  }
};

template <__hip_fp8_interpretation_t Type> struct fp8_vector2 {
  __hip_fp8x2_storage_t __x;

  fp8_vector2() = default;
  __host__ __device__ fp8_vector2(float2 v) : __x(__hip_cvt_float2_to_fp8x2(v, __HIP_SATFINITE, Type)) {}
  __host__ __device__ fp8_vector2(double2 v) : __x(__hip_cvt_double2_to_fp8x2(v, __HIP_SATFINITE, Type)) {}
  __host__ __device__ fp8_vector2(__half2 v) : fp8_vector2(__half22float2(v)) {}
  __host__ __device__ fp8_vector2(__hip_bfloat162 v) : fp8_vector2(__bfloat1622float2(v)) {}
  __host__ __device__ operator float2() const {
    return make_float2(from_fp8(static_cast<__hip_fp8_storage_t>(__x & 0xff), Type),
                       from_fp8(static_cast<__hip_fp8_storage_t>(__x >> 8), Type));
  }
  __host__ __device__ operator __half2() const {
    return __halves2half2(__float2half(from_fp8(static_cast<__hip_fp8_storage_t>(__x & 0xff), Type)),
                          __float2half(from_fp8(static_cast<__hip_fp8_storage_t>(__x >> 8), Type)));
  }
};

template <__hip_fp8_interpretation_t Type> struct fp8_vector4 {
  __hip_fp8x4_storage_t __x;

  fp8_vector4() = default;
  __host__ __device__ fp8_vector4(float4 v)
      : __x(fp8_pack4(to_fp8(v.x, __HIP_SATFINITE, Type), to_fp8(v.y, __HIP_SATFINITE, Type),
                      to_fp8(v.z, __HIP_SATFINITE, Type), to_fp8(v.w, __HIP_SATFINITE, Type))) {}
  __host__ __device__ fp8_vector4(double4 v)
      : __x(fp8_pack4(to_fp8(v.x, __HIP_SATFINITE, Type), to_fp8(v.y, __HIP_SATFINITE, Type),
                      to_fp8(v.z, __HIP_SATFINITE, Type), to_fp8(v.w, __HIP_SATFINITE, Type))) {}
  __host__ __device__ fp8_vector4(__half2 low, __half2 high)
      : fp8_vector4(make_float4(__half22float2(low).x, __half22float2(low).y, __half22float2(high).x,
                                __half22float2(high).y)) {}
  __host__ __device__ fp8_vector4(__hip_bfloat162 low, __hip_bfloat162 high)
      : fp8_vector4(make_float4(__bfloat1622float2(low).x, __bfloat1622float2(low).y, __bfloat1622float2(high).x,
                                __bfloat1622float2(high).y)) {}
  __host__ __device__ operator float4() const {
    return make_float4(from_fp8(static_cast<__hip_fp8_storage_t>(__x), Type),
                       from_fp8(static_cast<__hip_fp8_storage_t>(__x >> 8), Type),
                       from_fp8(static_cast<__hip_fp8_storage_t>(__x >> 16), Type),
                       from_fp8(static_cast<__hip_fp8_storage_t>(__x >> 24), Type));
  }
};

} // namespace hip_detail

// The public types. __default_interpret and __default_saturation are what their constructors use.
#define HIP_FP8_DEFINE(name, base, type)                                                                               \
  struct name : hip_detail::base<type> {                                                                               \
    static constexpr __hip_fp8_interpretation_t __default_interpret = type;                                            \
    static constexpr __hip_saturation_t __default_saturation = __HIP_SATFINITE;                                        \
    using hip_detail::base<type>::base;                                                                                \
  };
HIP_FP8_DEFINE(__hip_fp8_e4m3, fp8_scalar, __HIP_E4M3)
HIP_FP8_DEFINE(__hip_fp8_e5m2, fp8_scalar, __HIP_E5M2)
HIP_FP8_DEFINE(__hip_fp8_e4m3_fnuz, fp8_scalar, __HIP_E4M3_FNUZ)
HIP_FP8_DEFINE(__hip_fp8_e5m2_fnuz, fp8_scalar, __HIP_E5M2_FNUZ)
HIP_FP8_DEFINE(__hip_fp8x2_e4m3, fp8_vector2, __HIP_E4M3)
HIP_FP8_DEFINE(__hip_fp8x2_e5m2, fp8_vector2, __HIP_E5M2)
HIP_FP8_DEFINE(__hip_fp8x2_e4m3_fnuz, fp8_vector2, __HIP_E4M3_FNUZ)
HIP_FP8_DEFINE(__hip_fp8x2_e5m2_fnuz, fp8_vector2, __HIP_E5M2_FNUZ)
HIP_FP8_DEFINE(__hip_fp8x4_e4m3, fp8_vector4, __HIP_E4M3)
HIP_FP8_DEFINE(__hip_fp8x4_e5m2, fp8_vector4, __HIP_E5M2)
HIP_FP8_DEFINE(__hip_fp8x4_e4m3_fnuz, fp8_vector4, __HIP_E4M3_FNUZ)
HIP_FP8_DEFINE(__hip_fp8x4_e5m2_fnuz, fp8_vector4, __HIP_E5M2_FNUZ)
#undef HIP_FP8_DEFINE

#endif

#endif // HIP_HIP_FP8_H
