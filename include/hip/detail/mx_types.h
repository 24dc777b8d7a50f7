// hip/detail/mx_types.h - what the element types of OCP's microscaling formats, hip_fp6.h and hip_fp4.h, have in common: how
// elements are packed, and constructors and conversions of one, two and four of them. Values beyond the range and
// infinities become the largest number, NaN too, for the formats have none. double and integers are rounded to float first.
#ifndef HIP_DETAIL_MX_TYPES_H
#define HIP_DETAIL_MX_TYPES_H

#include <hip/detail/small_float.h>
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_vector_types.h>

// The roundings that conversions are asked for. They round to nearest even whatever they are asked, as HIP's do.
enum hipRoundMode { hipRoundNearest = 0, hipRoundZero = 1, hipRoundPosInf = 2, hipRoundMinInf = 3 };

namespace hip_detail {

// Elements of kFormat, each in kBits bits, the first in the lowest.
template <class Format, int kBits> struct mx_pack {
  static __host__ __device__ unsigned int of(float v) { return Format::from(v, true); }
  static __host__ __device__ unsigned int of(float x, float y) { return of(x) | of(y) << kBits; }
  static __host__ __device__ unsigned int of(float2 v) { return of(v.x, v.y); }
  static __host__ __device__ unsigned int of(double2 v) { return of(static_cast<float>(v.x), static_cast<float>(v.y)); }
  static __host__ __device__ unsigned int of(float2 low, float2 high) { return of(low) | of(high) << 2 * kBits; }
  static __host__ __device__ float element(unsigned int pack, int i) {
    return Format::to_float(static_cast<unsigned char>(pack >> kBits * i & ((1u << kBits) - 1)));
  }
  static __host__ __device__ float2 pair(unsigned int pack) { return make_float2(element(pack, 0), element(pack, 1)); }
};

} // namespace hip_detail

// The bodies of the types; Pack is the mx_pack and Storage the type of the member __x.
#define __HIP_MX_FROM_ONE(name, Pack, Storage, T, value) \
  __host__ __device__ explicit name(const T v) : __x(static_cast<Storage>(Pack::of(value))) {}
#define __HIP_MX_CONSTRUCTORS1(name, Pack, Storage) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, __half, __half2float(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, __hip_bfloat16, __bfloat162float(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, float, v) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, double, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, short, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, unsigned short, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, int, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, unsigned int, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, long, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, unsigned long, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, long long, static_cast<float>(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, unsigned long long, static_cast<float>(v))
#define __HIP_MX_CONVERSIONS1(Pack) \
  __host__ __device__ operator __half_raw() const { return __float2half(Pack::element(__x, 0)); } \
  __host__ __device__ operator __hip_bfloat16_raw() const { return __float2bfloat16(Pack::element(__x, 0)); } \
  __host__ __device__ operator float() const { return Pack::element(__x, 0); } \
  __host__ __device__ operator double() const { return Pack::element(__x, 0); }

#define __HIP_MX_CONSTRUCTORS2(name, Pack, Storage) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, __half2, __half22float2(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, __hip_bfloat162, __bfloat1622float2(v)) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, float2, v) \
  __HIP_MX_FROM_ONE(name, Pack, Storage, double2, v)
#define __HIP_MX_CONVERSIONS2(Pack) \
  __host__ __device__ operator __half2_raw() const { return __float22half2_rn(Pack::pair(__x)); } \
  __host__ __device__ operator __hip_bfloat162_raw() const { return __float22bfloat162_rn(Pack::pair(__x)); } \
  __host__ __device__ operator float2() const { return Pack::pair(__x); } \
  __host__ __device__ operator double2() const { return make_double2(Pack::element(__x, 0), Pack::element(__x, 1)); }

#define __HIP_MX_CONSTRUCTORS4(name, Pack, Storage) \
  __host__ __device__ explicit name(const __half2 low, const __half2 high) \
      : __x(static_cast<Storage>(Pack::of(__half22float2(low), __half22float2(high)))) {} \
  __host__ __device__ explicit name(const __hip_bfloat162 low, const __hip_bfloat162 high) \
      : __x(static_cast<Storage>(Pack::of(__bfloat1622float2(low), __bfloat1622float2(high)))) {} \
  __host__ __device__ explicit name(const float4 v) \
      : __x(static_cast<Storage>(Pack::of(make_float2(v.x, v.y), make_float2(v.z, v.w)))) {} \
  __host__ __device__ explicit name(const double4 v) \
      : name(make_float4(static_cast<float>(v.x), static_cast<float>(v.y), static_cast<float>(v.z), \
                         static_cast<float>(v.w))) {}
#define __HIP_MX_CONVERSIONS4(Pack) \
  __host__ __device__ operator float4() const { \
    return make_float4(Pack::element(__x, 0), Pack::element(__x, 1), Pack::element(__x, 2), Pack::element(__x, 3)); \
  } \
  __host__ __device__ operator double4() const { \
    return make_double4(Pack::element(__x, 0), Pack::element(__x, 1), Pack::element(__x, 2), Pack::element(__x, 3)); \
  }

// The conversion functions of one format family, `from` and `to` being those of the chosen interpretation.
#define __HIP_MX_FUNCTIONS(fp, Interpretation) \
  __HIP_HD_INLINE __hip_##fp##_storage_t __hip_cvt_float_to_##fp(const float v, const Interpretation type, \
                                                                 const enum hipRoundMode) { \
    return static_cast<__hip_##fp##_storage_t>(hip_detail::fp##_from(type, v)); \
  } \
  __HIP_HD_INLINE __hip_##fp##_storage_t __hip_cvt_double_to_##fp(const double v, const Interpretation type, \
                                                                  const enum hipRoundMode mode) { \
    return __hip_cvt_float_to_##fp(static_cast<float>(v), type, mode); \
  } \
  __HIP_HD_INLINE __hip_##fp##_storage_t __hip_cvt_halfraw_to_##fp(const __half_raw v, const Interpretation type, \
                                                                   const enum hipRoundMode mode) { \
    return __hip_cvt_float_to_##fp(__half2float(__half(v)), type, mode); \
  } \
  __HIP_HD_INLINE __hip_##fp##_storage_t __hip_cvt_bfloat16raw_to_##fp( \
      const __hip_bfloat16_raw v, const Interpretation type, const enum hipRoundMode mode) { \
    return __hip_cvt_float_to_##fp(__bfloat162float(__hip_bfloat16(v)), type, mode); \
  } \
  __HIP_HD_INLINE __hip_##fp##x2_storage_t __hip_cvt_float2_to_##fp##x2(const float2 v, const Interpretation type, \
                                                                        const enum hipRoundMode) { \
    return static_cast<__hip_##fp##x2_storage_t>(hip_detail::fp##_from(type, v)); \
  } \
  __HIP_HD_INLINE __hip_##fp##x2_storage_t __hip_cvt_double2_to_##fp##x2(const double2 v, const Interpretation type, \
                                                                         const enum hipRoundMode mode) { \
    return __hip_cvt_float2_to_##fp##x2(make_float2(static_cast<float>(v.x), static_cast<float>(v.y)), type, mode); \
  } \
  __HIP_HD_INLINE __hip_##fp##x2_storage_t __hip_cvt_halfraw2_to_##fp##x2( \
      const __half2_raw v, const Interpretation type, const enum hipRoundMode mode) { \
    return __hip_cvt_float2_to_##fp##x2(__half22float2(__half2(v)), type, mode); \
  } \
  __HIP_HD_INLINE __hip_##fp##x2_storage_t __hip_cvt_bfloat16raw2_to_##fp##x2( \
      const __hip_bfloat162_raw v, const Interpretation type, const enum hipRoundMode mode) { \
    return __hip_cvt_float2_to_##fp##x2(__bfloat1622float2(__hip_bfloat162(v)), type, mode); \
  } \
  __HIP_HD_INLINE __half_raw __hip_cvt_##fp##_to_halfraw(const __hip_##fp##_storage_t v, const Interpretation type) { \
    return __float2half(hip_detail::fp##_pair(type, v).x); \
  } \
  __HIP_HD_INLINE __half2_raw __hip_cvt_##fp##x2_to_halfraw2(const __hip_##fp##x2_storage_t v, \
                                                             const Interpretation type) { \
    return __float22half2_rn(hip_detail::fp##_pair(type, v)); \
  }

#endif
