// hip/amd_detail/amd_hip_bf16.h - a name that programs include; bfloat16: see hip/hip_bf16.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_BF16_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_BF16_H

#include <hip/hip_bf16.h>

#endif
