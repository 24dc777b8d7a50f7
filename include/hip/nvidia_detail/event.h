// hip/nvidia_detail/event.h - events, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_EVENT_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_EVENT_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipEventCreate, cudaEventCreate, (hipEvent_t* event), (event))
HIP_TO_CUDA(hipEventDestroy, cudaEventDestroy, (hipEvent_t event), (event))
HIP_TO_CUDA(hipEventElapsedTime, cudaEventElapsedTime,
    (float* ms, hipEvent_t start, hipEvent_t stop), (ms, start, stop))
HIP_TO_CUDA(hipEventQuery, cudaEventQuery, (hipEvent_t event), (event))
HIP_TO_CUDA(hipEventRecord, cudaEventRecord, (hipEvent_t event, hipStream_t stream __dparm(NULL)), (event, stream))
HIP_TO_CUDA(hipEventSynchronize, cudaEventSynchronize, (hipEvent_t event), (event))

HIP_TO_CUDA(hipEventCreateWithFlags, cudaEventCreateWithFlags, (hipEvent_t* event, unsigned int flags), (event, flags))
HIP_TO_CUDA(hipEventRecordWithFlags, cudaEventRecordWithFlags,
    (hipEvent_t event, hipStream_t stream __dparm(0), unsigned int flags __dparm(0)), (event, stream, flags))

#endif
