// hip/amd_detail/amd_hip_common.h - a name that programs include; platform macros: see hip/hip_common.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_COMMON_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_COMMON_H

#include <hip/hip_common.h>

#endif
