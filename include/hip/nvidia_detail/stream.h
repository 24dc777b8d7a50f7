// hip/nvidia_detail/stream.h - streams, and operations on memory in stream order, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_STREAM_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_STREAM_H

#include <stdlib.h>

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipStreamCreate, cudaStreamCreate, (hipStream_t* stream), (stream))
HIP_TO_CUDA(hipStreamCreateWithFlags, cudaStreamCreateWithFlags,
    (hipStream_t* stream, unsigned int flags), (stream, flags))
HIP_TO_CUDA(hipStreamCreateWithPriority, cudaStreamCreateWithPriority,
    (hipStream_t* stream, unsigned int flags, int priority), (stream, flags, priority))
HIP_TO_CUDA(hipStreamDestroy, cudaStreamDestroy, (hipStream_t stream), (stream))
HIP_TO_CUDA(hipStreamGetFlags, cudaStreamGetFlags, (hipStream_t stream, unsigned int* flags), (stream, flags))
HIP_TO_CUDA(hipStreamGetPriority, cudaStreamGetPriority, (hipStream_t stream, int* priority), (stream, priority))
HIP_TO_CUDA(hipStreamQuery, cudaStreamQuery, (hipStream_t stream), (stream))
HIP_TO_CUDA(hipStreamSynchronize, cudaStreamSynchronize, (hipStream_t stream), (stream))
HIP_TO_CUDA(hipStreamWaitEvent, cudaStreamWaitEvent,
    (hipStream_t stream, hipEvent_t event, unsigned int flags __dparm(0)), (stream, event, flags))
HIP_TO_CU(hipStreamBatchMemOp, cuStreamBatchMemOp,
    (hipStream_t stream, unsigned int count, hipStreamBatchMemOpParams* paramArray, unsigned int flags),
    (stream, count, paramArray, flags))
HIP_TO_CU(hipStreamWriteValue32, cuStreamWriteValue32,
    (hipStream_t stream, void* ptr, uint32_t value, unsigned int flags), (stream, (CUdeviceptr)ptr, value, flags))
HIP_TO_CU(hipStreamWriteValue64, cuStreamWriteValue64,
    (hipStream_t stream, void* ptr, uint64_t value, unsigned int flags), (stream, (CUdeviceptr)ptr, value, flags))
HIP_TO_CUDA(hipStreamGetAttribute, cudaStreamGetAttribute,
    (hipStream_t stream, hipLaunchAttributeID attr, hipLaunchAttributeValue* value_out), (stream, attr, value_out))
HIP_TO_CUDA(hipStreamSetAttribute, cudaStreamSetAttribute,
    (hipStream_t stream, hipLaunchAttributeID attr, const hipLaunchAttributeValue* value), (stream, attr, value))
HIP_TO_CUDA(hipStreamGetId, cudaStreamGetId, (hipStream_t stream, unsigned long long* streamId), (stream, streamId))
HIP_TO_CUDA(hipStreamCopyAttributes, cudaStreamCopyAttributes, (hipStream_t dst, hipStream_t src), (dst, src))
HIP_TO_CUDA(hipDeviceGetStreamPriorityRange, cudaDeviceGetStreamPriorityRange,
    (int* leastPriority, int* greatestPriority), (leastPriority, greatestPriority))

// CUDA has no masks: anything but the default, all bits, is hipErrorNotSupported.
static inline hipError_t hipStreamWaitValue32(hipStream_t stream, void* ptr, uint32_t value, unsigned int flags,
                                              uint32_t mask __dparm(0xFFFFFFFF)) {
  if (mask != 0xFFFFFFFFu) return hipErrorNotSupported;
  return hipCUResultTohipError(cuStreamWaitValue32(stream, (CUdeviceptr)ptr, value, flags));
}
static inline hipError_t hipStreamWaitValue64(hipStream_t stream, void* ptr, uint64_t value, unsigned int flags,
                                              uint64_t mask __dparm(0xFFFFFFFFFFFFFFFF)) {
  if (mask != 0xFFFFFFFFFFFFFFFFull) return hipErrorNotSupported;
  return hipCUResultTohipError(cuStreamWaitValue64(stream, (CUdeviceptr)ptr, value, flags));
}

#if CUDART_VERSION >= 12080
HIP_TO_CUDA(hipStreamGetDevice, cudaStreamGetDevice, (hipStream_t stream, hipDevice_t* device), (stream, device))
#endif

// A callback gets HIP's number of the result, so it is called through one that converts.
typedef struct __hip_stream_callback {
  hipStreamCallback_t function;
  void* user_data;
} __hip_stream_callback;

static inline void CUDART_CB __hip_call_stream_callback(cudaStream_t stream, cudaError_t status, void* data) {
  __hip_stream_callback callback = *(__hip_stream_callback*)data;
  free(data);
  callback.function(stream, hipCUDAErrorTohipError(status), callback.user_data);
}

static inline hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void* userData,
                                              unsigned int flags) {
  if (callback == NULL) return hipErrorInvalidValue;
  __hip_stream_callback* data = (__hip_stream_callback*)malloc(sizeof(__hip_stream_callback));
  if (data == NULL) return hipErrorOutOfMemory;
  data->function = callback;
  data->user_data = userData;
  cudaError_t error = cudaStreamAddCallback(stream, __hip_call_stream_callback, data, flags);
  if (error != cudaSuccess) free(data);
  return hipCUDAErrorTohipError(error);
}

#endif
