// hip/api/init.h - initialisation, versions, and looking up entry points by name.
#ifndef HIP_INCLUDE_HIP_API_INIT_H
#define HIP_INCLUDE_HIP_API_INIT_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

// The outcome of hipGetProcAddress and hipGetDriverEntryPoint.
typedef enum hipDriverProcAddressQueryResult {
  HIP_GET_PROC_ADDRESS_SUCCESS = 0,
  HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND = 1,
  HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT = 2
} hipDriverProcAddressQueryResult;

typedef enum hipDriverEntryPointQueryResult {
  hipDriverEntryPointSuccess = 0,
  hipDriverEntryPointSymbolNotFound = 1,
  hipDriverEntryPointVersionNotSufficent = 2 // spelled so in the interface
} hipDriverEntryPointQueryResult;

// Flags of hipGetProcAddress: which form of a stream call to return.
#define HIP_GET_PROC_ADDRESS_DEFAULT 0x0
#define HIP_GET_PROC_ADDRESS_LEGACY_STREAM 0x1
#define HIP_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM 0x2
// The same for hipGetDriverEntryPoint.
#define hipEnableDefault 0x0
#define hipEnableLegacyStream 0x1
#define hipEnablePerThreadDefaultStream 0x2

HIP_C_BEGIN

// Initialises HIP in this process. `flags` must be 0. Never needed: the first call that needs a device does it. A
// process initialises after fork, not before.
hipError_t hipInit(unsigned int flags);

// Version of the driver side as HIP_VERSION encodes it.
hipError_t hipDriverGetVersion(int* driverVersion);

// Version of this library as HIP_VERSION encodes it.
hipError_t hipRuntimeGetVersion(int* runtimeVersion);

// Finds an exported function by name, in the newest form that a program written for `hipVersion` may use.
// `symbolStatus` may be null. hipErrorNotFound when there is none.
hipError_t hipGetProcAddress(const char* symbol, void** pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult* symbolStatus);

// As hipGetProcAddress for the version that this header describes. `driverStatus` may be null.
hipError_t hipGetDriverEntryPoint(const char* symbol, void** funcPtr, unsigned long long flags,
                                  hipDriverEntryPointQueryResult* driverStatus);

// Name of the interface function with the trace id `id`; a fixed text when there is none.
const char* hipApiName(uint32_t id);

// Asks an attached profiler to collect from here on.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipProfilerStart(void);

// Asks an attached profiler to stop collecting.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipProfilerStop(void);

// What hipExtEnableLogging is to switch on: `log_level` counts as AMD_LOG_LEVEL does, from 0 (nothing) to 5. A level of
// 3 or more with bit 0 of `log_mask` tells every call. `log_size` is kept, and limits nothing: the log goes to standard
// error.
hipError_t hipExtSetLoggingParams(size_t log_level, size_t log_size, size_t log_mask);

// Switches the log to what hipExtSetLoggingParams has set: nothing, if it was never called.
hipError_t hipExtEnableLogging(void);

// Switches the log off, what the environment has asked for as well. Faults of kernels are told all the same.
hipError_t hipExtDisableLogging(void);

// Text that identifies the build of this library.
const char* amd_dbgapi_get_build_name(void);

// Revision that this library was built from.
const char* amd_dbgapi_get_git_hash(void);

// Number that identifies the build of this library.
size_t amd_dbgapi_get_build_id(void);

HIP_C_END

#endif
