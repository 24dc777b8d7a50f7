// hip/amd_detail/amd_hip_ocp_types.h - a name that programs include; the types of AMD's microscaling extension: see hip/hip_ext_ocp.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_OCP_TYPES_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_OCP_TYPES_H

#include <hip/hip_ext_ocp.h>

#endif
