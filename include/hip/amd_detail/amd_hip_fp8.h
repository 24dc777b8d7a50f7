// hip/amd_detail/amd_hip_fp8.h - a name that programs include; 8-bit floats: see hip/hip_fp8.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP8_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP8_H

#include <hip/hip_fp8.h>

#endif
