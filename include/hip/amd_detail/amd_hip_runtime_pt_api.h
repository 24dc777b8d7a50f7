// hip/amd_detail/amd_hip_runtime_pt_api.h - a name that programs include; the per-thread default stream: see hip/api/per_thread.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_RUNTIME_PT_API_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_HIP_RUNTIME_PT_API_H

#include <hip/api/per_thread.h>

#endif
