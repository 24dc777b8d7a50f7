// cuda_runtime.h - CUDA's runtime interface and, where the compiler has it, the device language. hipcc --cuda includes it before
// every CUDA source, as nvcc does.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

// hipcc keeps <complex> out of what clang includes before a source, as nvcc does; from here on it can be included.
#if defined(__clang__) && defined(__HIP__)
#undef __CLANG_CUDA_WRAPPERS_COMPLEX
#endif

#include <cuda_runtime_api.h>

#include <time.h> // clock() is one of kernels, too, and programs rely on the rest

#ifdef __cplusplus
#include <omnihip/device_language.h>
#else
#include <hip/hip_runtime.h>
#endif

#endif
