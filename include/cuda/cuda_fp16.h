// cuda_fp16.h - half precision: __half and __half2.
#ifndef OMNIHIP_CUDA_CUDA_FP16_H
#define OMNIHIP_CUDA_CUDA_FP16_H

#include <cuda_runtime.h>

#include <hip/hip_fp16.h>

#if defined(__cplusplus) && defined(__clang__)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
#endif

#endif
