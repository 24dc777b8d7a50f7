// hip/api/ipc.h - sharing device memory and events between processes of one machine.
#ifndef HIP_INCLUDE_HIP_API_IPC_H
#define HIP_INCLUDE_HIP_API_IPC_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

#define HIP_IPC_HANDLE_SIZE 64
// Flag of hipIpcOpenMemHandle: enable peer access when it is needed.
#define hipIpcMemLazyEnablePeerAccess 0x01

// Bytes to send to the other process by any means.
typedef struct hipIpcMemHandle_st {
  char reserved[HIP_IPC_HANDLE_SIZE];
} hipIpcMemHandle_t;

typedef struct hipIpcEventHandle_st {
  char reserved[HIP_IPC_HANDLE_SIZE];
} hipIpcEventHandle_t;

HIP_C_BEGIN

// A handle for the device allocation that contains `devPtr`.
hipError_t hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* devPtr);

// Maps another process's allocation into this one.
hipError_t hipIpcOpenMemHandle(void** devPtr, hipIpcMemHandle_t handle, unsigned int flags);

// Takes back hipIpcOpenMemHandle.
hipError_t hipIpcCloseMemHandle(void* devPtr);

// A handle for an event made with hipEventInterprocess and hipEventDisableTiming.
hipError_t hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event);

// Opens another process's event.
hipError_t hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle);

HIP_C_END

#endif
