// hip/nvidia_detail/ipc.h - memory and events of other processes, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_IPC_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_IPC_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipIpcCloseMemHandle, cudaIpcCloseMemHandle, (void* devPtr), (devPtr))
HIP_TO_CUDA(hipIpcGetEventHandle, cudaIpcGetEventHandle,
    (hipIpcEventHandle_t* handle, hipEvent_t event), (handle, event))
HIP_TO_CUDA(hipIpcGetMemHandle, cudaIpcGetMemHandle, (hipIpcMemHandle_t* handle, void* devPtr), (handle, devPtr))
HIP_TO_CUDA(hipIpcOpenEventHandle, cudaIpcOpenEventHandle,
    (hipEvent_t* event, hipIpcEventHandle_t handle), (event, handle))
HIP_TO_CUDA(hipIpcOpenMemHandle, cudaIpcOpenMemHandle,
    (void** devPtr, hipIpcMemHandle_t handle, unsigned int flags), (devPtr, handle, flags))

#endif
