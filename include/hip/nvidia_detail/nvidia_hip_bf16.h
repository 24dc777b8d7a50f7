// hip/nvidia_detail/nvidia_hip_bf16.h - bfloat16: CUDA's types under HIP's names. The functions have the same names.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_BF16_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_BF16_H

#include <cuda_bf16.h>

#include <hip/nvidia_detail/nvidia_hip_runtime.h>

#ifdef __cplusplus

typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16_raw __hip_bfloat16_raw;
typedef __nv_bfloat162_raw __hip_bfloat162_raw;

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
