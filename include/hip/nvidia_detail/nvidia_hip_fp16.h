// hip/nvidia_detail/nvidia_hip_fp16.h - half precision: CUDA's __half and __half2, which HIP's have the names and functions
// of.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP16_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP16_H

#include <cuda_fp16.h>

#include <hip/nvidia_detail/nvidia_hip_runtime.h>

#endif
