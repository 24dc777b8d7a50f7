// hip/amd_detail/amd_surface_functions.h - a name that programs include; surfaces: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_SURFACE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_SURFACE_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
