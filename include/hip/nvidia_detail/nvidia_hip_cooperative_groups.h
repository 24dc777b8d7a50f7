// hip/nvidia_detail/nvidia_hip_cooperative_groups.h - cooperative groups: CUDA's, in the same namespace.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_COOPERATIVE_GROUPS_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_NVIDIA_HIP_COOPERATIVE_GROUPS_H

#include <hip/nvidia_detail/nvidia_hip_runtime.h>

#if defined(__CUDACC__) && defined(__cplusplus)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#endif

#endif
