// hip/hip_fp4.h - 4-bit floating point: __hip_fp4_e2m1 (OCP MX), packed by one, two and four, with conversions from and to
// float, double, half, bfloat16 and from integers, on host and device alike (detail/mx_types.h). Source: HIP 7.2 API.
#ifndef HIP_HIP_FP4_H
#define HIP_HIP_FP4_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_fp4.h>
#else
#include <hip/detail/mx_types.h>
#include <hip/hip_fp8.h>

typedef unsigned char __hip_fp4_storage_t;
typedef unsigned char __hip_fp4x2_storage_t;
typedef unsigned short __hip_fp4x4_storage_t;

enum __hip_fp4_interpretation_t { __HIP_E2M1 = 0 };

namespace hip_detail {
#if defined(__gfx950__)
// mx_pack by gfx950's instructions, which convert pairs with a scale, 1 here.
struct fp4_e2m1_pack {
  static __host__ __device__ unsigned int of(float x, float y) {
    return __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(0, x, y, 1.0f, 0);
  }
  static __host__ __device__ unsigned int of(float v) { return of(v, 0.0f); }
  static __host__ __device__ unsigned int of(float2 v) { return of(v.x, v.y); }
  static __host__ __device__ unsigned int of(double2 v) { return of(static_cast<float>(v.x), static_cast<float>(v.y)); }
  static __host__ __device__ unsigned int of(float2 low, float2 high) {
    return __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(of(low), high.x, high.y, 1.0f, 1);
  }
  static __host__ __device__ float2 pair(unsigned int pack) {
    const auto v = __builtin_amdgcn_cvt_scalef32_pk_f32_fp4(pack, 1.0f, 0);
    return make_float2(v[0], v[1]);
  }
  static __host__ __device__ float element(unsigned int pack, int i) { return pair(pack >> 4 * i).x; }
};
#else
using fp4_e2m1_pack = mx_pack<fp4_e2m1_format, 4>;
#endif
template <class T> __host__ __device__ inline unsigned int fp4_from(__hip_fp4_interpretation_t, T v) {
  return fp4_e2m1_pack::of(v);
}
__host__ __device__ inline float2 fp4_pair(__hip_fp4_interpretation_t, unsigned int pack) {
  return fp4_e2m1_pack::pair(pack);
}
} // namespace hip_detail

__HIP_MX_FUNCTIONS(fp4, __hip_fp4_interpretation_t)

struct __hip_fp4_e2m1 {
  __hip_fp4_storage_t __x;
  __hip_fp4_e2m1() = default;
#if !defined(__HIP_NO_FP4_CONVERSIONS__)
  __HIP_MX_CONSTRUCTORS1(__hip_fp4_e2m1, hip_detail::fp4_e2m1_pack, __hip_fp4_storage_t)
#endif
#if !defined(__HIP_NO_FP4_CONVERSION_OPERATORS__)
  __HIP_MX_CONVERSIONS1(hip_detail::fp4_e2m1_pack)
#endif
};

// The low nibble is the first element.
struct __hip_fp4x2_e2m1 {
  __hip_fp4x2_storage_t __x;
  __hip_fp4x2_e2m1() = default;
#if !defined(__HIP_NO_FP4_CONVERSIONS__)
  __HIP_MX_CONSTRUCTORS2(__hip_fp4x2_e2m1, hip_detail::fp4_e2m1_pack, __hip_fp4x2_storage_t)
#endif
#if !defined(__HIP_NO_FP4_CONVERSION_OPERATORS__)
  __HIP_MX_CONVERSIONS2(hip_detail::fp4_e2m1_pack)
#endif
};

struct __hip_fp4x4_e2m1 {
  __hip_fp4x4_storage_t __x;
  __hip_fp4x4_e2m1() = default;
#if !defined(__HIP_NO_FP4_CONVERSIONS__)
  __HIP_MX_CONSTRUCTORS4(__hip_fp4x4_e2m1, hip_detail::fp4_e2m1_pack, __hip_fp4x4_storage_t)
#endif
#if !defined(__HIP_NO_FP4_CONVERSION_OPERATORS__)
  __HIP_MX_CONVERSIONS4(hip_detail::fp4_e2m1_pack)
#endif
};

#endif

#endif // HIP_HIP_FP4_H
