// hip/hip_fp6.h - 6-bit floating point: __hip_fp6_e2m3 and __hip_fp6_e3m2 (OCP MX), one, two and four of them, a byte each,
// with conversions from and to float, double, half, bfloat16 and from integers, on host and device alike
// (detail/mx_types.h). Source: HIP 7.2 API.
#ifndef HIP_HIP_FP6_H
#define HIP_HIP_FP6_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_fp6.h>
#else
#include <hip/detail/mx_types.h>
#include <hip/hip_fp8.h>

typedef unsigned char __hip_fp6_storage_t;
typedef unsigned short __hip_fp6x2_storage_t;
typedef unsigned int __hip_fp6x4_storage_t;

enum __hip_fp6_interpretation_t { __HIP_E3M2 = 0, __HIP_E2M3 = 1 };

namespace hip_detail {
using fp6_e2m3_pack = mx_pack<fp6_e2m3_format, 8>;
using fp6_e3m2_pack = mx_pack<fp6_e3m2_format, 8>;
template <class T> __host__ __device__ inline unsigned int fp6_from(__hip_fp6_interpretation_t type, T v) {
  return type == __HIP_E2M3 ? fp6_e2m3_pack::of(v) : fp6_e3m2_pack::of(v);
}
__host__ __device__ inline float2 fp6_pair(__hip_fp6_interpretation_t type, unsigned int pack) {
  return type == __HIP_E2M3 ? fp6_e2m3_pack::pair(pack) : fp6_e3m2_pack::pair(pack);
}
} // namespace hip_detail

__HIP_MX_FUNCTIONS(fp6, __hip_fp6_interpretation_t)

#if !defined(__HIP_NO_FP6_CONVERSIONS__)
#define __HIP_FP6_CONSTRUCTORS(count, name, Pack, Storage) __HIP_MX_CONSTRUCTORS##count(name, Pack, Storage)
#else
#define __HIP_FP6_CONSTRUCTORS(count, name, Pack, Storage)
#endif
#if !defined(__HIP_NO_FP6_CONVERSION_OPERATORS__)
#define __HIP_FP6_CONVERSIONS(count, Pack) __HIP_MX_CONVERSIONS##count(Pack)
#else
#define __HIP_FP6_CONVERSIONS(count, Pack)
#endif
#define __HIP_FP6_TYPE(count, name, Storage, Pack) \
  struct name { \
    Storage __x; \
    name() = default; \
    __HIP_FP6_CONSTRUCTORS(count, name, Pack, Storage) \
    __HIP_FP6_CONVERSIONS(count, Pack) \
  };
__HIP_FP6_TYPE(1, __hip_fp6_e2m3, __hip_fp6_storage_t, hip_detail::fp6_e2m3_pack)
__HIP_FP6_TYPE(2, __hip_fp6x2_e2m3, __hip_fp6x2_storage_t, hip_detail::fp6_e2m3_pack)
__HIP_FP6_TYPE(4, __hip_fp6x4_e2m3, __hip_fp6x4_storage_t, hip_detail::fp6_e2m3_pack)
__HIP_FP6_TYPE(1, __hip_fp6_e3m2, __hip_fp6_storage_t, hip_detail::fp6_e3m2_pack)
__HIP_FP6_TYPE(2, __hip_fp6x2_e3m2, __hip_fp6x2_storage_t, hip_detail::fp6_e3m2_pack)
__HIP_FP6_TYPE(4, __hip_fp6x4_e3m2, __hip_fp6x4_storage_t, hip_detail::fp6_e3m2_pack)
#undef __HIP_FP6_TYPE
#undef __HIP_FP6_CONSTRUCTORS
#undef __HIP_FP6_CONVERSIONS

#endif

#endif // HIP_HIP_FP6_H
