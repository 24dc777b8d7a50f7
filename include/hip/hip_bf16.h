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
#include <hip/detail/fp16_constants.h>
#endif

#endif

#endif // HIP_HIP_BF16_H
