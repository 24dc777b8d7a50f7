// cuda.h - CUDA's driver interface for C and C++: declarations of ours, inline over HIP.
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <omnihip/config.h>

#include <hip/hip_runtime_api.h>

#include <driver_types.h>

#include <omnihip/device_properties.h>
#include <omnihip/driver_special.h>

#include <omnihip/driver_functions.h>

#ifdef __cplusplus
#include <omnihip/driver_overloads.h>
#endif

#endif
