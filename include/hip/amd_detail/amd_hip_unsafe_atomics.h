// hip/amd_detail/amd_hip_unsafe_atomics.h - a name that programs include; atomic functions without the guarantees for fine-grained memory: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_UNSAFE_ATOMICS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_UNSAFE_ATOMICS_H

#include <hip/hip_runtime.h>

#endif
