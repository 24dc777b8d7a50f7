// hip/amd_detail/amd_device_functions.h - a name that programs include; built-in device functions: see hip/hip_runtime.h.
#ifndef HIP_INCLUDE_HIP_AMD_DETAIL_AMD_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_AMD_DETAIL_AMD_DEVICE_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
