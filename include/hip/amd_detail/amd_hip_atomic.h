// hip/amd_detail/amd_hip_atomic.h - a name that programs include; atomic functions: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_ATOMIC_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_ATOMIC_H

#include <hip/hip_runtime.h>

#endif
