// hip/amd_detail/math_fwd.h - a name that programs include; the device library: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_MATH_FWD_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_MATH_FWD_H

#include <hip/hip_runtime.h>

#endif
