// hip/hip_cooperative_groups.h - cooperative groups: named sets of threads that synchronise and exchange data together.
#ifndef HIP_HIP_COOPERATIVE_GROUPS_H
#define HIP_HIP_COOPERATIVE_GROUPS_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/nvidia_hip_cooperative_groups.h>
#else
#include <hip/hip_runtime.h>

#if defined(__cplusplus) && defined(__clang__) && defined(__HIP__)
#include <hip/detail/cooperative_groups.h>

#include <hip/detail/block_tiles.h>
#endif

#endif

#endif // HIP_HIP_COOPERATIVE_GROUPS_H
