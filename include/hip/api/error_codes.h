// hip/api/error_codes.h - the numbers of HIP's errors, the same on every platform.
#ifndef HIP_INCLUDE_HIP_API_ERROR_CODES_H
#define HIP_INCLUDE_HIP_API_ERROR_CODES_H

// hipSuccess is 0. An error from work that was queued earlier may be returned by any later call.
typedef enum hipError_t {
  hipSuccess = 0,
  hipErrorInvalidValue = 1, // an argument is outside what the function takes
  hipErrorOutOfMemory = 2,
  hipErrorMemoryAllocation = 2,
  hipErrorNotInitialized = 3,
  hipErrorInitializationError = 3,
  hipErrorDeinitialized = 4, // the process is ending
  hipErrorProfilerDisabled = 5,
  hipErrorProfilerNotInitialized = 6,
  hipErrorProfilerAlreadyStarted = 7,
  hipErrorProfilerAlreadyStopped = 8,
  hipErrorInvalidConfiguration = 9, // a block or grid is larger than the device allows
  hipErrorInvalidPitchValue = 12,
  hipErrorInvalidSymbol = 13, // not the address of a device variable
  hipErrorInvalidDevicePointer = 17,
  hipErrorInvalidMemcpyDirection = 21,
  hipErrorInsufficientDriver = 35,
  hipErrorMissingConfiguration = 52,
  hipErrorPriorLaunchFailure = 53,
  hipErrorInvalidDeviceFunction = 98, // not the address of a kernel, or none for this device
  hipErrorNoDevice = 100,
  hipErrorInvalidDevice = 101,
  hipErrorInvalidImage = 200, // the bytes are no code object, bundle or fat binary
  hipErrorInvalidContext = 201,
  hipErrorContextAlreadyCurrent = 202,
  hipErrorMapFailed = 205,
  hipErrorMapBufferObjectFailed = 205,
  hipErrorUnmapFailed = 206,
  hipErrorArrayIsMapped = 207,
  hipErrorAlreadyMapped = 208,
  hipErrorNoBinaryForGpu = 209, // no code object fits the device
  hipErrorAlreadyAcquired = 210,
  hipErrorNotMapped = 211,
  hipErrorNotMappedAsArray = 212,
  hipErrorNotMappedAsPointer = 213,
  hipErrorECCNotCorrectable = 214,
  hipErrorUnsupportedLimit = 215,
  hipErrorContextAlreadyInUse = 216,
  hipErrorPeerAccessUnsupported = 217,
  hipErrorInvalidKernelFile = 218, // the code object cannot be loaded
  hipErrorInvalidGraphicsContext = 219,
  hipErrorInvalidSource = 300,
  hipErrorFileNotFound = 301,
  hipErrorSharedObjectSymbolNotFound = 302,
  hipErrorSharedObjectInitFailed = 303,
  hipErrorOperatingSystem = 304,
  hipErrorInvalidHandle = 400,
  hipErrorInvalidResourceHandle = 400,
  hipErrorIllegalState = 401,
  hipErrorNotFound = 500,             // no symbol of that name
  hipErrorNotReady = 600,             // the work asked about has not ended: an answer, not a failure
  hipErrorIllegalAddress = 700,       // a kernel touched memory that is not allocated
  hipErrorLaunchOutOfResources = 701, // the kernel needs more registers or memory than there is
  hipErrorLaunchTimeOut = 702,
  hipErrorPeerAccessAlreadyEnabled = 704,
  hipErrorPeerAccessNotEnabled = 705,
  hipErrorSetOnActiveProcess = 708,
  hipErrorContextIsDestroyed = 709, // also: the stream does not exist
  hipErrorAssert = 710,             // assert() in a kernel failed
  hipErrorHostMemoryAlreadyRegistered = 712,
  hipErrorHostMemoryNotRegistered = 713,
  hipErrorLaunchFailure = 719,             // a kernel ended with a fault
  hipErrorCooperativeLaunchTooLarge = 720, // the blocks do not all fit on the device at once
  hipErrorNotSupported = 801,
  hipErrorStreamCaptureUnsupported = 900,
  hipErrorStreamCaptureInvalidated = 901,
  hipErrorStreamCaptureMerge = 902,
  hipErrorStreamCaptureUnmatched = 903,
  hipErrorStreamCaptureUnjoined = 904,
  hipErrorStreamCaptureIsolation = 905,
  hipErrorStreamCaptureImplicit = 906,
  hipErrorCapturedEvent = 907,
  hipErrorStreamCaptureWrongThread = 908,
  hipErrorGraphExecUpdateFailure = 910, // the graph does not have the shape of the executable
  hipErrorInvalidChannelDescriptor = 911,
  hipErrorInvalidTexture = 912,
  hipErrorInvalidResourceType = 914,          // a device resource of another type is wanted
  hipErrorInvalidResourceConfiguration = 915, // device resources that cannot be had together
  hipErrorStreamDetached = 916,               // the stream's execution context was destroyed
  hipErrorUnknown = 999,
  hipErrorRuntimeMemory = 1052,      // a driver call about memory failed
  hipErrorRuntimeOther = 1053,       // a driver call about something else failed
  hipErrorInvalidClusterSize = 1054, // the device has no clusters of that many blocks
  hipErrorTbd = 1055,                // no error has this number
} hipError_t;

// Names from before hipError_t; kept because programs compare against them.
enum {
  HIP_SUCCESS = 0,
  HIP_ERROR_INVALID_VALUE = 1,
  HIP_ERROR_NOT_INITIALIZED = 2,
  HIP_ERROR_LAUNCH_OUT_OF_RESOURCES = 3
};

#endif
