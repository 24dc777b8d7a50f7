// cuda_runtime_api.h - CUDA's runtime interface for C and C++: declarations of ours, inline over HIP. C++ programs get the overloads
// for symbols and kernels, too.
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#include <omnihip/config.h>

#include <hip/hip_runtime_api.h>

#include <driver_types.h>
#include <vector_types.h>

#include <omnihip/device_properties.h>
#include <omnihip/runtime_special.h>

#include <omnihip/runtime_functions.h>

#ifdef __cplusplus
#include <omnihip/runtime_overloads.h>
#endif
#include <omnihip/missing_functions.h>

#endif
