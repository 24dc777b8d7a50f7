// hip/amd_detail/amd_hip_fp16.h - a name that programs include; half precision: see hip/hip_fp16.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP16_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_FP16_H

#include <hip/hip_fp16.h>

#endif
