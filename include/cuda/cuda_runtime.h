// cuda_runtime.h - CUDA's runtime interface and, where the compiler has it, the device language. hipcc --cuda includes it before
// every CUDA source, as nvcc does.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#include <cuda_runtime_api.h>

#ifdef __cplusplus
#include <omnihip/device_language.h>
#else
#include <hip/hip_runtime.h>
#endif

#endif
