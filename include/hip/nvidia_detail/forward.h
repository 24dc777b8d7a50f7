// hip/nvidia_detail/forward.h - how a HIP function becomes a CUDA function. One row per function:
//
//   HIP_TO_CUDA(hip name, cuda name, (parameters), (arguments))   a function of CUDA's runtime
//   HIP_TO_CU(hip name, cu name, (parameters), (arguments))       a function of CUDA's driver (needs -lcuda)
//
// A row is an inline function: the call, and one comparison of its result with success. Parameters are those of
// hip/api/*.h, and so is the contract; what differs on NVIDIA GPUs is said beside the row.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_FORWARD_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_FORWARD_H

#include <hip/hip_common.h>

// HIP's switch for per-thread default streams is CUDA's, which has to come before CUDA's headers.
#if defined(HIP_API_PER_THREAD_DEFAULT_STREAM) && !defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#if defined(__CUDACC__)
#error "HIP_API_PER_THREAD_DEFAULT_STREAM is defined in the source, which nvcc reads after CUDA's headers; define it on the command line of hipcc, or give nvcc --default-stream=per-thread."
#endif
#define CUDA_API_PER_THREAD_DEFAULT_STREAM 1
#endif

#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>

#if CUDART_VERSION < 12000
#error "HIP on NVIDIA GPUs needs CUDA 12 or later; the CUDA headers on the include path are older (CUDART_VERSION)."
#endif

#include <hip/nvidia_detail/error.h>

#define HIP_TO_CUDA(hip_name, cuda_name, parameters, arguments) \
  static inline hipError_t hip_name parameters { return hipCUDAErrorTohipError(cuda_name arguments); }
#define HIP_TO_CU(hip_name, cu_name, parameters, arguments) \
  static inline hipError_t hip_name parameters { \
    CUresult result = cu_name arguments; \
    if (result != CUDA_SUCCESS && __hip_start_context(result)) result = cu_name arguments; \
    return hipCUResultTohipError(result); \
  }

// Programs may begin with any function of HIP. The driver wants to be initialised first and to have a context, which CUDA's
// runtime does when it is first used: the current device's primary context becomes the thread's.
HIP_NV_COLD static int __hip_start_context(CUresult result) {
  return (result == CUDA_ERROR_NOT_INITIALIZED || result == CUDA_ERROR_INVALID_CONTEXT) && cudaFree(NULL) == cudaSuccess;
}

// A variable of a C structure with every byte zero, in C and in C++.
#ifdef __cplusplus
#define HIP_NV_ZEROED(type, name) type name = {}
#else
#define HIP_NV_ZEROED(type, name) type name = {0}
#endif

#endif
