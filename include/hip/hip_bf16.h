// hip/hip_bf16.h - bfloat16: __hip_bfloat16 and __hip_bfloat162 with conversions, arithmetic, comparisons and math, the
// same on host and device and with every host compiler. Everything computes in float and rounds once, to nearest even.
// Source: HIP 7.2 API.
#ifndef HIP_HIP_BF16_H
#define HIP_HIP_BF16_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_bf16.h>
#else
#include <hip/hip_runtime.h>

#if defined(__cplusplus)
#include <hip/detail/bf16_type.h>

#include <hip/detail/bf16_functions.h>

// Constants, by their bits.
#define HIPRT_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define HIPRT_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define HIPRT_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define HIPRT_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define HIPRT_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define HIPRT_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)
#define HIPRT_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#endif

#endif

#endif // HIP_HIP_BF16_H
