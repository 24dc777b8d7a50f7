// hip/amd_detail/hip_cooperative_groups_helper.h - a name that programs include; cooperative groups: see hip/hip_cooperative_groups.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_HELPER_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_COOPERATIVE_GROUPS_HELPER_H

#include <hip/hip_cooperative_groups.h>

#endif
