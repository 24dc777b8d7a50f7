// hip/amd_detail/amd_hip_fp4.h - a name that programs include; 4-bit floats: see hip/hip_fp4.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP4_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP4_H

#include <hip/hip_fp4.h>

#endif
