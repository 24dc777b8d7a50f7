// hip/nvidia_detail/error.h - HIP's errors, CUDA's errors, and the way between them. hipError_t has HIP's own numbers
// on every platform. An error of CUDA that HIP has no name for becomes the nearest one that it has.
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
  F(InvalidClusterSize, InvalidClusterSize, INVALID_CLUSTER_SIZE) \
  F(Unknown, Unknown, UNKNOWN)

// F(name without "hipError", name without "cudaError", nearest name without "CUDA_ERROR_"): the driver has no such
// error.
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

// F(name without "hipError", nearest name without "cudaError", nearest name without "CUDA_ERROR_"): errors that CUDA's
// runtime does not have. The driver has the first of them.
#define HIP_NV_ERRORS_OF_HIP(F) \
  F(ContextAlreadyCurrent, IncompatibleDriverContext, CONTEXT_ALREADY_CURRENT) \
  F(InvalidResourceType, InvalidValue, INVALID_VALUE) \
  F(InvalidResourceConfiguration, InvalidConfiguration, INVALID_VALUE) \
  F(StreamDetached, InvalidResourceHandle, INVALID_HANDLE) \
  F(RuntimeMemory, MemoryAllocation, OUT_OF_MEMORY) \
  F(RuntimeOther, Unknown, UNKNOWN) \
  F(Tbd, Unknown, UNKNOWN)

// F(number, name without "hipError"): errors that CUDA has and HIP has not. The runtime and the driver share these
// numbers; some of their names, said behind them, are younger than CUDA 12.0.
#define HIP_NV_ERRORS_OF_CUDA(F) \
  F(34, InsufficientDriver) /* STUB_LIBRARY */ \
  F(36, InsufficientDriver) /* CALL_REQUIRES_NEWER_DRIVER */ \
  F(46, ContextAlreadyInUse) /* DEVICE_UNAVAILABLE */ \
  F(102, InvalidDevice) /* DEVICE_NOT_LICENSED */ \
  F(220, ECCNotCorrectable) /* NVLINK_UNCORRECTABLE */ \
  F(221, SharedObjectInitFailed) /* JIT_COMPILER_NOT_FOUND */ \
  F(222, InvalidKernelFile) /* UNSUPPORTED_PTX_VERSION */ \
  F(223, NotSupported) /* JIT_COMPILATION_DISABLED */ \
  F(224, NotSupported) /* UNSUPPORTED_EXEC_AFFINITY */ \
  F(225, NotSupported) /* UNSUPPORTED_DEVSIDE_SYNC */ \
  F(226, LaunchFailure) /* CONTAINED */ \
  F(402, IllegalState) /* LOSSY_QUERY */ \
  F(703, LaunchFailure) /* LAUNCH_INCOMPATIBLE_TEXTURING */ \
  F(711, PeerAccessUnsupported) /* TOO_MANY_PEERS */ \
  F(714, LaunchFailure) /* HARDWARE_STACK_ERROR */ \
  F(715, LaunchFailure) /* ILLEGAL_INSTRUCTION */ \
  F(716, LaunchFailure) /* MISALIGNED_ADDRESS */ \
  F(717, LaunchFailure) /* INVALID_ADDRESS_SPACE */ \
  F(718, LaunchFailure) /* INVALID_PC */ \
  F(721, LaunchFailure) /* TENSOR_MEMORY_LEAK */ \
  F(800, NotSupported) /* NOT_PERMITTED */ \
  F(802, NotInitialized) /* SYSTEM_NOT_READY */ \
  F(803, InsufficientDriver) /* SYSTEM_DRIVER_MISMATCH */ \
  F(804, InsufficientDriver) /* COMPAT_NOT_SUPPORTED_ON_DEVICE */ \
  F(805, OperatingSystem) /* MPS_CONNECTION_FAILED */ \
  F(806, OperatingSystem) /* MPS_RPC_FAILURE */ \
  F(807, OperatingSystem) /* MPS_SERVER_NOT_READY */ \
  F(808, OutOfMemory) /* MPS_MAX_CLIENTS_REACHED */ \
  F(809, OutOfMemory) /* MPS_MAX_CONNECTIONS_REACHED */ \
  F(810, OperatingSystem) /* MPS_CLIENT_TERMINATED */ \
  F(811, NotSupported) /* CDP_NOT_SUPPORTED */ \
  F(812, NotSupported) /* CDP_VERSION_MISMATCH */ \
  F(909, LaunchTimeOut) /* TIMEOUT */ \
  F(911, Unknown) /* EXTERNAL_DEVICE */ \
  F(913, InvalidDeviceFunction) /* FUNCTION_NOT_LOADED */ \
  F(914, InvalidResourceType) /* INVALID_RESOURCE_TYPE */ \
  F(915, InvalidResourceConfiguration) /* INVALID_RESOURCE_CONFIGURATION */ \
  F(916, Unknown) /* KEY_ROTATION */ \
  F(917, StreamDetached) /* STREAM_DETACHED */

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
