// hip/api/launch_config.h - the launch of the driver-style interface with its attributes, HIP's own on every platform; the
// header that defines the attributes includes this file in turn.
#ifndef HIP_INCLUDE_HIP_API_LAUNCH_CONFIG_H
#define HIP_INCLUDE_HIP_API_LAUNCH_CONFIG_H

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/types.h>
#else
#include <hip/api/launch_types.h>
#endif

// hipDrvLaunchKernelEx.
typedef struct HIP_LAUNCH_CONFIG_st {
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  hipStream_t hStream;
  hipLaunchAttribute* attrs;
  unsigned int numAttrs;
} HIP_LAUNCH_CONFIG;

#endif
