// hip/amd_detail/amd_hip_cooperative_groups_scan.h - a name that programs include; cooperative groups: see hip/hip_cooperative_groups.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_COOPERATIVE_GROUPS_SCAN_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_COOPERATIVE_GROUPS_SCAN_H

#include <hip/hip_cooperative_groups.h>

#endif
