// hip/nvidia_detail/error.h - HIP's errors, CUDA's errors, and the way between them. hipError_t has HIP's own numbers on
// every platform. An error of CUDA that HIP has no name for becomes the nearest one that it has.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_ERROR_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_ERROR_H

#include <cuda.h>
#include <cuda_runtime_api.h>
#include <stddef.h>

#include <hip/api/error_codes.h>

// F(name without "hipError", name without "cudaError", name without "CUDA_ERROR_"): errors of all three.
#define HIP_NV_ERRORS(F) \
  F(InvalidValue, InvalidValue, INVALID_VALUE) \
  F(OutOfMemory, MemoryAllocation, OUT_OF_MEMORY) \
  F(NotInitialized, InitializationError, NOT_INITIALIZED) \
  F(Deinitialized, CudartUnloading, DEINITIALIZED) \
  F(ProfilerDisabled, ProfilerDisabled, PROFILER_DISABLED) \
  F(ProfilerNotInitialized, ProfilerNotInitialized, PROFILER_NOT_INITIALIZED) \
  F(ProfilerAlreadyStarted, ProfilerAlreadyStarted, PROFILER_ALREADY_STARTED) \
  F(ProfilerAlreadyStopped, ProfilerAlreadyStopped, PROFILER_ALREADY_STOPPED) \
  F(NoDevice, NoDevice, NO_DEVICE) \
  F(InvalidDevice, InvalidDevice, INVALID_DEVICE) \
  F(InvalidImage, InvalidKernelImage, INVALID_IMAGE) \
  F(InvalidContext, DeviceUninitialized, INVALID_CONTEXT) \
  F(MapFailed, MapBufferObjectFailed, MAP_FAILED) \
  F(UnmapFailed, UnmapBufferObjectFailed, UNMAP_FAILED) \
  F(ArrayIsMapped, ArrayIsMapped, ARRAY_IS_MAPPED) \
  F(AlreadyMapped, AlreadyMapped, ALREADY_MAPPED) \
  F(NoBinaryForGpu, NoKernelImageForDevice, NO_BINARY_FOR_GPU) \
  F(AlreadyAcquired, AlreadyAcquired, ALREADY_ACQUIRED) \
  F(NotMapped, NotMapped, NOT_MAPPED) \
  F(NotMappedAsArray, NotMappedAsArray, NOT_MAPPED_AS_ARRAY) \
  F(NotMappedAsPointer, NotMappedAsPointer, NOT_MAPPED_AS_POINTER) \
  F(ECCNotCorrectable, ECCUncorrectable, ECC_UNCORRECTABLE) \
  F(UnsupportedLimit, UnsupportedLimit, UNSUPPORTED_LIMIT) \
  F(ContextAlreadyInUse, DeviceAlreadyInUse, CONTEXT_ALREADY_IN_USE) \
  F(PeerAccessUnsupported, PeerAccessUnsupported, PEER_ACCESS_UNSUPPORTED) \
  F(InvalidKernelFile, InvalidPtx, INVALID_PTX) \
  F(InvalidGraphicsContext, InvalidGraphicsContext, INVALID_GRAPHICS_CONTEXT) \
  F(InvalidSource, InvalidSource, INVALID_SOURCE) \
  F(FileNotFound, FileNotFound, FILE_NOT_FOUND) \
  F(SharedObjectSymbolNotFound, SharedObjectSymbolNotFound, SHARED_OBJECT_SYMBOL_NOT_FOUND) \
  F(SharedObjectInitFailed, SharedObjectInitFailed, SHARED_OBJECT_INIT_FAILED) \
  F(OperatingSystem, OperatingSystem, OPERATING_SYSTEM) \
  F(InvalidHandle, InvalidResourceHandle, INVALID_HANDLE) \
  F(IllegalState, IllegalState, ILLEGAL_STATE) \
  F(NotFound, SymbolNotFound, NOT_FOUND) \
  F(NotReady, NotReady, NOT_READY) \
  F(IllegalAddress, IllegalAddress, ILLEGAL_ADDRESS) \
  F(LaunchOutOfResources, LaunchOutOfResources, LAUNCH_OUT_OF_RESOURCES) \
  F(LaunchTimeOut, LaunchTimeout, LAUNCH_TIMEOUT) \
  F(PeerAccessAlreadyEnabled, PeerAccessAlreadyEnabled, PEER_ACCESS_ALREADY_ENABLED) \
  F(PeerAccessNotEnabled, PeerAccessNotEnabled, PEER_ACCESS_NOT_ENABLED) \
  F(SetOnActiveProcess, SetOnActiveProcess, PRIMARY_CONTEXT_ACTIVE) \
  F(ContextIsDestroyed, ContextIsDestroyed, CONTEXT_IS_DESTROYED) \
  F(Assert, Assert, ASSERT) \
  F(HostMemoryAlreadyRegistered, HostMemoryAlreadyRegistered, HOST_MEMORY_ALREADY_REGISTERED) \
  F(HostMemoryNotRegistered, HostMemoryNotRegistered, HOST_MEMORY_NOT_REGISTERED) \
  F(LaunchFailure, LaunchFailure, LAUNCH_FAILED) \
  F(CooperativeLaunchTooLarge, CooperativeLaunchTooLarge, COOPERATIVE_LAUNCH_TOO_LARGE) \
  F(NotSupported, NotSupported, NOT_SUPPORTED) \
  F(StreamCaptureUnsupported, StreamCaptureUnsupported, STREAM_CAPTURE_UNSUPPORTED) \
  F(StreamCaptureInvalidated, StreamCaptureInvalidated, STREAM_CAPTURE_INVALIDATED) \
  F(StreamCaptureMerge, StreamCaptureMerge, STREAM_CAPTURE_MERGE) \
  F(StreamCaptureUnmatched, StreamCaptureUnmatched, STREAM_CAPTURE_UNMATCHED) \
  F(StreamCaptureUnjoined, StreamCaptureUnjoined, STREAM_CAPTURE_UNJOINED) \
  F(StreamCaptureIsolation, StreamCaptureIsolation, STREAM_CAPTURE_ISOLATION) \
  F(StreamCaptureImplicit, StreamCaptureImplicit, STREAM_CAPTURE_IMPLICIT) \
  F(CapturedEvent, CapturedEvent, CAPTURED_EVENT) \
  F(StreamCaptureWrongThread, StreamCaptureWrongThread, STREAM_CAPTURE_WRONG_THREAD) \
  F(GraphExecUpdateFailure, GraphExecUpdateFailure, GRAPH_EXEC_UPDATE_FAILURE) \
  F(Unknown, Unknown, UNKNOWN)

// F(name without "hipError", name without "cudaError", nearest name without "CUDA_ERROR_"): the driver has no such error.
#define HIP_NV_ERRORS_OF_RUNTIME(F) \
  F(InvalidConfiguration, InvalidConfiguration, INVALID_VALUE) \
  F(InvalidPitchValue, InvalidPitchValue, INVALID_VALUE) \
  F(InvalidSymbol, InvalidSymbol, NOT_FOUND) \
  F(InvalidDevicePointer, InvalidDevicePointer, INVALID_VALUE) \
  F(InvalidMemcpyDirection, InvalidMemcpyDirection, INVALID_VALUE) \
  F(InsufficientDriver, InsufficientDriver, SYSTEM_DRIVER_MISMATCH) \
  F(MissingConfiguration, MissingConfiguration, INVALID_VALUE) \
  F(PriorLaunchFailure, PriorLaunchFailure, LAUNCH_FAILED) \
  F(InvalidDeviceFunction, InvalidDeviceFunction, INVALID_HANDLE) \
  F(InvalidChannelDescriptor, InvalidChannelDescriptor, INVALID_VALUE) \
  F(InvalidTexture, InvalidTexture, INVALID_HANDLE)

// F(name without "hipError", nearest name without "cudaError", nearest name without "CUDA_ERROR_"): HIP's own. The
// driver does have the first.
#define HIP_NV_ERRORS_OF_HIP(F) \
  F(ContextAlreadyCurrent, IncompatibleDriverContext, CONTEXT_ALREADY_CURRENT) \
  F(RuntimeMemory, MemoryAllocation, OUT_OF_MEMORY) \
  F(RuntimeOther, Unknown, UNKNOWN) \
  F(Tbd, Unknown, UNKNOWN)

// F(number, name without "hipError"): errors that CUDA has and HIP has not. The runtime and the driver share these
// numbers; some of their names are younger than CUDA 12.0.
#define HIP_NV_ERRORS_OF_CUDA(F) \
  F(34, InsufficientDriver)    /* the linked library is a stub */ \
  F(36, InsufficientDriver)    /* the call requires a newer driver */ \
  F(46, NoDevice)              /* all devices are busy or unavailable */ \
  F(102, InvalidDevice)        /* the device is not licensed */ \
  F(220, ECCNotCorrectable)    /* an NVLink error */ \
  F(221, SharedObjectInitFailed) /* the PTX compiler's library was not found */ \
  F(222, InvalidKernelFile)    /* the PTX is of a version that the driver does not know */ \
  F(223, NoBinaryForGpu)       /* compiling PTX is disabled */ \
  F(224, NotSupported)         /* execution affinity */ \
  F(225, NotSupported)         /* device-side synchronisation */ \
  F(226, LaunchFailure)        /* the fault of another process on the device was contained */ \
  F(402, IllegalState)         /* the state is known incompletely */ \
  F(703, LaunchFailure)        /* incompatible texturing mode */ \
  F(711, PeerAccessUnsupported) /* no more peers */ \
  F(714, LaunchFailure)        /* hardware stack error */ \
  F(715, LaunchFailure)        /* illegal instruction */ \
  F(716, IllegalAddress)       /* misaligned address */ \
  F(717, IllegalAddress)       /* wrong address space */ \
  F(718, LaunchFailure)        /* invalid program counter */ \
  F(721, LaunchFailure)        /* tensor memory was not freed */ \
  F(800, NotSupported)         /* not permitted */ \
  F(802, NotInitialized)       /* the system is not ready */ \
  F(803, InsufficientDriver)   /* driver and libraries are of different versions */ \
  F(804, InsufficientDriver)   /* the device cannot take the compatibility driver */ \
  F(909, LaunchTimeOut)        /* the wait timed out */ \
  F(912, InvalidConfiguration) /* invalid cluster size */ \
  F(913, NotFound)             /* the function is not loaded */ \
  F(914, InvalidHandle)        /* invalid resource type */ \
  F(915, InvalidValue)         /* invalid resource configuration */

#if defined(__GNUC__)
#define HIP_NV_COLD __attribute__((cold, noinline, unused))
#else
#define HIP_NV_COLD
#endif

HIP_NV_COLD static hipError_t __hip_from_cuda_error(int error) {
#define HIP_NV_CASE(hip, cuda, cu) \
  case cudaError##cuda: \
    return hipError##hip;
#define HIP_NV_NUMBER(number, hip) \
  case number: \
    return hipError##hip;
  switch (error) {
    HIP_NV_ERRORS(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_RUNTIME(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_CUDA(HIP_NV_NUMBER)
  default:
    return hipErrorUnknown;
  }
#undef HIP_NV_CASE
}

HIP_NV_COLD static hipError_t __hip_from_cu_result(int result) {
#define HIP_NV_CASE(hip, cuda, cu) \
  case CUDA_ERROR_##cu: \
    return hipError##hip;
  switch (result) {
    HIP_NV_ERRORS(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_CUDA(HIP_NV_NUMBER)
  case CUDA_ERROR_CONTEXT_ALREADY_CURRENT:
    return hipErrorContextAlreadyCurrent;
  default:
    return hipErrorUnknown;
  }
#undef HIP_NV_CASE
#undef HIP_NV_NUMBER
}

static inline hipError_t hipCUDAErrorTohipError(cudaError_t error) {
  return error == cudaSuccess ? hipSuccess : __hip_from_cuda_error(error);
}

static inline hipError_t hipCUResultTohipError(CUresult result) {
  return result == CUDA_SUCCESS ? hipSuccess : __hip_from_cu_result(result);
}

static inline cudaError_t hipErrorToCudaError(hipError_t error) {
#define HIP_NV_CASE(hip, cuda, cu) \
  case hipError##hip: \
    return cudaError##cuda;
  switch (error) {
  case hipSuccess:
    return cudaSuccess;
    HIP_NV_ERRORS(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_RUNTIME(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_HIP(HIP_NV_CASE)
  default:
    return cudaErrorUnknown;
  }
#undef HIP_NV_CASE
}

static inline CUresult hipErrorToCUResult(hipError_t error) {
#define HIP_NV_CASE(hip, cuda, cu) \
  case hipError##hip: \
    return CUDA_ERROR_##cu;
  switch (error) {
  case hipSuccess:
    return CUDA_SUCCESS;
    HIP_NV_ERRORS(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_RUNTIME(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_HIP(HIP_NV_CASE)
  default:
    return CUDA_ERROR_UNKNOWN;
  }
#undef HIP_NV_CASE
}

// The last error is that of CUDA's runtime. Functions that forward to the driver return their errors and leave it.
static inline hipError_t hipGetLastError(void) { return hipCUDAErrorTohipError(cudaGetLastError()); }
static inline hipError_t hipPeekAtLastError(void) { return hipCUDAErrorTohipError(cudaPeekAtLastError()); }

// HIP's name for the error.
static inline const char* hipGetErrorName(hipError_t error) {
#define HIP_NV_CASE(hip, cuda, cu) \
  case hipError##hip: \
    return "hipError" #hip;
  switch (error) {
  case hipSuccess:
    return "hipSuccess";
    HIP_NV_ERRORS(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_RUNTIME(HIP_NV_CASE)
    HIP_NV_ERRORS_OF_HIP(HIP_NV_CASE)
  default:
    return "unrecognized error code";
  }
#undef HIP_NV_CASE
}

// CUDA's text for the error; of HIP's own errors, for the nearest that CUDA has.
static inline const char* hipGetErrorString(hipError_t error) { return cudaGetErrorString(hipErrorToCudaError(error)); }

static inline hipError_t hipDrvGetErrorName(hipError_t error, const char** errorString) {
  if (errorString == NULL) return hipErrorInvalidValue;
  *errorString = hipGetErrorName(error);
  return hipSuccess;
}

static inline hipError_t hipDrvGetErrorString(hipError_t error, const char** errorString) {
  if (errorString == NULL) return hipErrorInvalidValue;
  *errorString = hipGetErrorString(error);
  return hipSuccess;
}

#endif
