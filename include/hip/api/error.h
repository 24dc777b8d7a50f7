// hip/api/error.h - error numbers, their names and texts, and the last error of the calling thread.
//
// Every call returns its own result. In addition each thread keeps one last error: a failing call sets it, hipSuccess
// and hipErrorNotReady never overwrite it, and hipGetLastError reads and clears it.
#ifndef HIP_INCLUDE_HIP_API_ERROR_H
#define HIP_INCLUDE_HIP_API_ERROR_H

#include <hip/api/error_codes.h>
#include <hip/hip_common.h>

HIP_C_BEGIN

// Returns the calling thread's last error and sets it back to hipSuccess.
hipError_t hipGetLastError(void);

// Returns the calling thread's last error and leaves it as it is.
hipError_t hipPeekAtLastError(void);

// Returns the result of the calling thread's most recent call, hipSuccess included: what hipGetLastError did before
// HIP 7.
hipError_t hipExtGetLastError(void);

// The error's identifier, "hipErrorInvalidValue" for example; a fixed text for a number that is no HIP error. The
// string lives as long as the program.
const char* hipGetErrorName(hipError_t hip_error);

// One line that says what the error means. The string lives as long as the program.
const char* hipGetErrorString(hipError_t hipError);

// As hipGetErrorName, through `errorString`. hipErrorInvalidValue and a null string for a number that is no HIP
// error.
hipError_t hipDrvGetErrorName(hipError_t hipError, const char** errorString);

// As hipGetErrorString, through `errorString`. hipErrorInvalidValue and a null string for a number that is no HIP
// error.
hipError_t hipDrvGetErrorString(hipError_t hipError, const char** errorString);

HIP_C_END

#endif
