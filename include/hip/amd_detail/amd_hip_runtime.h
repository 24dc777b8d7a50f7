// hip/amd_detail/amd_hip_runtime.h - a name that programs include; the kernel language and the host interface: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_RUNTIME_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_RUNTIME_H

#include <hip/hip_runtime.h>

#endif
