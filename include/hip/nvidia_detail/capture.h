// hip/nvidia_detail/capture.h - recording streams into graphs, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_CAPTURE_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_CAPTURE_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipStreamBeginCapture, cudaStreamBeginCapture,
    (hipStream_t stream, hipStreamCaptureMode mode), (stream, mode))
#if CUDART_VERSION >= 12030
HIP_TO_CUDA(hipStreamBeginCaptureToGraph, cudaStreamBeginCaptureToGraph,
    (hipStream_t stream, hipGraph_t graph, const hipGraphNode_t* dependencies, const hipGraphEdgeData* dependencyData,
     size_t numDependencies, hipStreamCaptureMode mode),
    (stream, graph, dependencies, dependencyData, numDependencies, mode))
#endif
HIP_TO_CUDA(hipStreamEndCapture, cudaStreamEndCapture, (hipStream_t stream, hipGraph_t* pGraph), (stream, pGraph))
HIP_TO_CUDA(hipStreamIsCapturing, cudaStreamIsCapturing,
    (hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus), (stream, pCaptureStatus))
HIP_TO_CUDA(hipThreadExchangeStreamCaptureMode, cudaThreadExchangeStreamCaptureMode,
    (hipStreamCaptureMode* mode), (mode))

// CUDA 13 tells the edges' data as well; HIP has no place for it. Edges that carry data make the call fail as CUDA does
// when it has nowhere to put them.
static inline hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out,
                                                    unsigned long long* id_out __dparm(0),
                                                    hipGraph_t* graph_out __dparm(0),
                                                    const hipGraphNode_t** dependencies_out __dparm(0),
                                                    size_t* numDependencies_out __dparm(0)) {
#if CUDART_VERSION >= 13000
  return hipCUDAErrorTohipError(cudaStreamGetCaptureInfo(stream, captureStatus_out, id_out, graph_out,
                                                         dependencies_out, NULL, numDependencies_out));
#else
  return hipCUDAErrorTohipError(cudaStreamGetCaptureInfo_v2(stream, captureStatus_out, id_out, graph_out,
                                                            dependencies_out, numDependencies_out));
#endif
}

static inline hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus,
                                                 unsigned long long* pId) {
  return hipStreamGetCaptureInfo_v2(stream, pCaptureStatus, pId, NULL, NULL, NULL);
}

static inline hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies,
                                                            size_t numDependencies, unsigned int flags __dparm(0)) {
#if CUDART_VERSION >= 13000
  return hipCUDAErrorTohipError(
      cudaStreamUpdateCaptureDependencies(stream, dependencies, NULL, numDependencies, flags));
#else
  return hipCUDAErrorTohipError(cudaStreamUpdateCaptureDependencies(stream, dependencies, numDependencies, flags));
#endif
}

#endif
