// hip/amd_detail/amd_hip_fp6.h - a name that programs include; 6-bit floats: see hip/hip_fp6.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP6_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP6_H

#include <hip/hip_fp6.h>

#endif
