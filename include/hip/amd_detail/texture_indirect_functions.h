// hip/amd_detail/texture_indirect_functions.h - a name that programs include; textures: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_TEXTURE_INDIRECT_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
