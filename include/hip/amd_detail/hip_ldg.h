// hip/amd_detail/hip_ldg.h - a name that programs include; __ldg: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_LDG_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_LDG_H

#include <hip/hip_runtime.h>

#endif
