// hip/nvidia_detail/nvidia_hip_fp16.h - half precision: CUDA's __half and __half2, whose names and functions are also
// HIP's.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP16_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_FP16_H

#include <cuda_fp16.h>

#include <hip/detail/fp16_constants.h>
#include <hip/nvidia_detail/nvidia_hip_runtime.h>

#endif
