// hip/nvidia_detail/nvidia_hip_bf16.h - bfloat16: CUDA's types under HIP's names. The functions have the same names.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_BF16_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_BF16_H

#include <cuda_bf16.h>

#include <hip/detail/fp16_constants.h>
#include <hip/nvidia_detail/nvidia_hip_runtime.h>

#ifdef __cplusplus

typedef __nv_bfloat16 __hip_bfloat16;
typedef __nv_bfloat162 __hip_bfloat162;
typedef __nv_bfloat16_raw __hip_bfloat16_raw;
typedef __nv_bfloat162_raw __hip_bfloat162_raw;

#endif

#endif
