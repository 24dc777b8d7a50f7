// hip/amd_detail/amd_hip_ocp_fp_cxx.hpp - a name that programs include; the classes of AMD's microscaling extension: see hip/hip_ext_ocp.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_OCP_FP_CXX_HPP
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_OCP_FP_CXX_HPP

#include <hip/hip_ext_ocp.h>

#endif
