// omnihip/errors.h - CUDA's two error types. They are types of their own, as programs overload on them; HIP's numbers
// are CUDA's, except those that only HIP has.
#ifndef OMNIHIP_CUDA_ERRORS_H
#define OMNIHIP_CUDA_ERRORS_H

#include <omnihip/config.h>

#include <hip/api/error.h>

typedef enum cudaError {
#define OMNIHIP_CUDA_ERROR(number, name, text) name = number,
#include <omnihip/errors.def>
#undef OMNIHIP_CUDA_ERROR
  cudaErrorApiFailureBase = 10000
} cudaError_t;

typedef enum cudaError_enum {
#define OMNIHIP_CU_ERROR(number, name) name = number,
#include <omnihip/errors.def>
#undef OMNIHIP_CU_ERROR
} CUresult;

// HIP's error as the number that both of CUDA's types have.
static inline int __omnihip_cuda_number(hipError_t error) {
  switch (error) {
  case hipErrorInvalidChannelDescriptor:
    return cudaErrorInvalidChannelDescriptor;
  case hipErrorInvalidTexture:
    return cudaErrorInvalidTexture;
  case hipErrorStreamDetached:
    return cudaErrorInvalidResourceHandle;
  case hipErrorInvalidClusterSize:
    return cudaErrorInvalidClusterSize;
  case hipErrorRuntimeMemory:
  case hipErrorRuntimeOther:
  case hipErrorTbd:
    return cudaErrorUnknown;
  default:
    return (int)error;
  }
}
static inline cudaError_t __cuda_error(hipError_t error) { return (cudaError_t)__omnihip_cuda_number(error); }
// The driver's type has not all of the runtime's numbers: what says more than it can becomes the error that the driver
// gives for the same fault.
static inline CUresult __cu_result(hipError_t error) {
  const int number = __omnihip_cuda_number(error);
  switch (number) {
  case cudaErrorInvalidConfiguration:
  case cudaErrorInvalidPitchValue:
  case cudaErrorInvalidDevicePointer:
  case cudaErrorInvalidChannelDescriptor:
  case cudaErrorInvalidMemcpyDirection:
  case cudaErrorMissingConfiguration:
    return CUDA_ERROR_INVALID_VALUE;
  case cudaErrorInvalidSymbol:
    return CUDA_ERROR_NOT_FOUND;
  case cudaErrorInvalidTexture:
  case cudaErrorInvalidDeviceFunction:
    return CUDA_ERROR_INVALID_HANDLE;
  case cudaErrorInsufficientDriver:
    return CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
  case cudaErrorPriorLaunchFailure:
    return CUDA_ERROR_LAUNCH_FAILED;
#define OMNIHIP_CU_ERROR(number, name) case number:
#include <omnihip/errors.def>
#undef OMNIHIP_CU_ERROR
    return (CUresult)number;
  default:
    return CUDA_ERROR_UNKNOWN;
  }
}

OMNIHIP_CUDA_ANY_NUMBER OMNIHIP_CUDA_FUNCTION const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define OMNIHIP_CUDA_ERROR(number, name, text)                                                                         \
  case name:                                                                                                           \
    return #name;
#include <omnihip/errors.def>
#undef OMNIHIP_CUDA_ERROR
  default:
    return "unrecognized error code";
  }
}
OMNIHIP_CUDA_ANY_NUMBER OMNIHIP_CUDA_FUNCTION const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define OMNIHIP_CUDA_ERROR(number, name, text)                                                                         \
  case name:                                                                                                           \
    return text;
#include <omnihip/errors.def>
#undef OMNIHIP_CUDA_ERROR
  default:
    return "unrecognized error code";
  }
}
OMNIHIP_CUDA_FUNCTION cudaError_t cudaGetLastError(void) { return __cuda_error(hipGetLastError()); }
OMNIHIP_CUDA_FUNCTION cudaError_t cudaPeekAtLastError(void) { return __cuda_error(hipPeekAtLastError()); }

OMNIHIP_CUDA_ANY_NUMBER OMNIHIP_CUDA_FUNCTION CUresult cuGetErrorName(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  switch (error) {
#define OMNIHIP_CU_ERROR(number, name)                                                                                 \
  case name:                                                                                                           \
    *text = #name;                                                                                                     \
    return CUDA_SUCCESS;
#include <omnihip/errors.def>
#undef OMNIHIP_CU_ERROR
  default:
    *text = 0;
    return CUDA_ERROR_INVALID_VALUE;
  }
}
OMNIHIP_CUDA_ANY_NUMBER OMNIHIP_CUDA_FUNCTION CUresult cuGetErrorString(CUresult error, const char** text) {
  if (!text) return CUDA_ERROR_INVALID_VALUE;
  const char* name;
  if (cuGetErrorName(error, &name) != CUDA_SUCCESS) {
    *text = 0;
    return CUDA_ERROR_INVALID_VALUE;
  }
  *text =
      error == CUDA_ERROR_CONTEXT_ALREADY_CURRENT ? "context already current" : cudaGetErrorString((cudaError_t)error);
  return CUDA_SUCCESS;
}

#endif
