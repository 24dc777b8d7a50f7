// hip/amd_detail/amd_hip_mx_common.h - a name that programs include; roundings of microscaling conversions: see hip/detail/mx_types.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_MX_COMMON_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_MX_COMMON_H

#include <hip/detail/mx_types.h>

#endif
