// cuda_bf16.h - bfloat16, under CUDA's names. As in CUDA, __CUDA_NO_BFLOAT16_CONVERSIONS__,
// __CUDA_NO_BFLOAT16_OPERATORS__, __CUDA_NO_BFLOAT162_OPERATORS__ and, for the names without underscores,
// CUDA_NO_BFLOAT16 take parts of it away.
#ifndef OMNIHIP_CUDA_CUDA_BF16_H
#define OMNIHIP_CUDA_CUDA_BF16_H

#include <cuda_runtime.h>

#include <hip/hip_bf16.h>

#ifdef __cplusplus
typedef __hip_bfloat16 __nv_bfloat16;
typedef __hip_bfloat162 __nv_bfloat162;
typedef __hip_bfloat16_raw __nv_bfloat16_raw;
typedef __hip_bfloat162_raw __nv_bfloat162_raw;
#if !defined(CUDA_NO_BFLOAT16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
#endif

#endif
