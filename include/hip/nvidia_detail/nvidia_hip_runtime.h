// hip/nvidia_detail/nvidia_hip_runtime.h - HIP on NVIDIA GPUs: the host interface, and in C++ what HIP's kernel language has
// beyond CUDA's. <hip/hip_runtime.h> includes it where __HIP_PLATFORM_NVIDIA__ is defined. Kernels need nvcc; other
// compilers get the host interface, vector types and empty qualifiers.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_RUNTIME_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hip/nvidia_detail/nvidia_hip_runtime_api.h>

#include <cuda_runtime.h>

#include <hip/nvidia_detail/channel_descriptor.h>
#include <hip/nvidia_detail/library_types.h>

#ifdef __cplusplus
#include <hip/nvidia_detail/vector_operators.h>
#if defined(__CUDACC__)
#include <hip/nvidia_detail/kernel_language.h>
#endif
#endif

#endif
