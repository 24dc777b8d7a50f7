// hip/amd_detail/hip_fp16_math_fwd.h - a name that programs include; half precision: see hip/hip_fp16.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_MATH_FWD_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_HIP_FP16_MATH_FWD_H

#include <hip/hip_fp16.h>

#endif
