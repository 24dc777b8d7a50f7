// hip/api/capture.h - recording a stream's work into a graph instead of running it.
#ifndef HIP_INCLUDE_HIP_API_CAPTURE_H
#define HIP_INCLUDE_HIP_API_CAPTURE_H

#include <hip/api/graph_types.h>

HIP_C_BEGIN

// Starts recording. The legacy default stream cannot be captured.
hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode);

// Starts recording into `graph`, after `dependencies`.
hipError_t hipStreamBeginCaptureToGraph(hipStream_t stream, hipGraph_t graph, const hipGraphNode_t* dependencies,
                                        const hipGraphEdgeData* dependencyData, size_t numDependencies,
                                        hipStreamCaptureMode mode);

// Ends recording and returns the graph; null and an error when the capture was invalidated.
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t* pGraph);

// Whether the stream records.
hipError_t hipStreamIsCapturing(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus);

// Whether the stream records, and the capture's number.
hipError_t hipStreamGetCaptureInfo(hipStream_t stream, hipStreamCaptureStatus* pCaptureStatus, unsigned long long* pId);

// Also the graph and the nodes that the next one depends on. The outputs after the first may be null.
hipError_t hipStreamGetCaptureInfo_v2(hipStream_t stream, hipStreamCaptureStatus* captureStatus_out,
                                      unsigned long long* id_out __dparm(0), hipGraph_t* graph_out __dparm(0),
                                      const hipGraphNode_t** dependencies_out __dparm(0),
                                      size_t* numDependencies_out __dparm(0));

// Changes the nodes that the next one depends on.
hipError_t hipStreamUpdateCaptureDependencies(hipStream_t stream, hipGraphNode_t* dependencies, size_t numDependencies,
                                              unsigned int flags __dparm(0));

// Swaps the calling thread's capture mode with `mode`.
hipError_t hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode* mode);

HIP_C_END

#endif
