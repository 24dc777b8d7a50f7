// hip/device_functions.h - the built-in functions of the kernel language: hip_runtime.h under a name that programs
// include.
#ifndef HIP_INCLUDE_HIP_DEVICE_FUNCTIONS_H
#define HIP_INCLUDE_HIP_DEVICE_FUNCTIONS_H

#include <hip/hip_runtime.h>

#endif
