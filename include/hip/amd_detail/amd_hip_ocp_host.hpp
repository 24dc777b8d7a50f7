// hip/amd_detail/amd_hip_ocp_host.hpp - a name that programs include; the host's conversions of AMD's microscaling extension: see hip/hip_ext_ocp.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_OCP_HOST_HPP
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_OCP_HOST_HPP

#include <hip/hip_ext_ocp.h>

#endif
