// cuda_fp16.h - half precision: __half and __half2. As in CUDA, __CUDA_NO_HALF_CONVERSIONS__,
// __CUDA_NO_HALF_OPERATORS__, __CUDA_NO_HALF2_OPERATORS__ and, for the names without underscores, CUDA_NO_HALF take parts
// of them away.
#ifndef OMNIHIP_CUDA_CUDA_FP16_H
#define OMNIHIP_CUDA_CUDA_FP16_H

#include <cuda_runtime.h>

#include <hip/hip_fp16.h>

#if defined(__cplusplus) && !defined(CUDA_NO_HALF)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#endif
