// hip/nvidia_detail/graph.h - graphs and executable graphs, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_GRAPH_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_GRAPH_H

#include <hip/nvidia_detail/types.h>

// Edges have no data here. CUDA 13 takes and gives it with every edge.
#if CUDART_VERSION >= 13000
#define HIP_NV_EDGE_DATA NULL,
#else
#define HIP_NV_EDGE_DATA
#endif

HIP_TO_CUDA(hipGraphCreate, cudaGraphCreate, (hipGraph_t* pGraph, unsigned int flags), (pGraph, flags))
HIP_TO_CUDA(hipGraphDestroy, cudaGraphDestroy, (hipGraph_t graph), (graph))
HIP_TO_CUDA(hipGraphClone, cudaGraphClone,
    (hipGraph_t* pGraphClone, hipGraph_t originalGraph), (pGraphClone, originalGraph))
HIP_TO_CUDA(hipGraphDebugDotPrint, cudaGraphDebugDotPrint,
    (hipGraph_t graph, const char* path, unsigned int flags), (graph, path, flags))
HIP_TO_CUDA(hipGraphGetNodes, cudaGraphGetNodes,
    (hipGraph_t graph, hipGraphNode_t* nodes, size_t* numNodes), (graph, nodes, numNodes))
HIP_TO_CUDA(hipGraphGetRootNodes, cudaGraphGetRootNodes,
    (hipGraph_t graph, hipGraphNode_t* pRootNodes, size_t* pNumRootNodes), (graph, pRootNodes, pNumRootNodes))
HIP_TO_CUDA(hipGraphInstantiateWithFlags, cudaGraphInstantiateWithFlags,
    (hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags), (pGraphExec, graph, flags))
HIP_TO_CUDA(hipGraphInstantiateWithParams, cudaGraphInstantiateWithParams,
    (hipGraphExec_t* pGraphExec, hipGraph_t graph, hipGraphInstantiateParams* instantiateParams),
    (pGraphExec, graph, instantiateParams))
HIP_TO_CUDA(hipGraphUpload, cudaGraphUpload, (hipGraphExec_t graphExec, hipStream_t stream), (graphExec, stream))
HIP_TO_CUDA(hipGraphLaunch, cudaGraphLaunch, (hipGraphExec_t graphExec, hipStream_t stream), (graphExec, stream))
HIP_TO_CUDA(hipGraphExecDestroy, cudaGraphExecDestroy, (hipGraphExec_t graphExec), (graphExec))
HIP_TO_CUDA(hipGraphExecGetFlags, cudaGraphExecGetFlags,
    (hipGraphExec_t graphExec, unsigned long long* flags), (graphExec, flags))
HIP_TO_CUDA(hipUserObjectCreate, cudaUserObjectCreate,
    (hipUserObject_t* object_out, void* ptr, hipHostFn_t destroy, unsigned int initialRefcount, unsigned int flags),
    (object_out, ptr, destroy, initialRefcount, flags))
HIP_TO_CUDA(hipUserObjectRelease, cudaUserObjectRelease,
    (hipUserObject_t object, unsigned int count __dparm(1)), (object, count))
HIP_TO_CUDA(hipUserObjectRetain, cudaUserObjectRetain,
    (hipUserObject_t object, unsigned int count __dparm(1)), (object, count))
HIP_TO_CUDA(hipGraphReleaseUserObject, cudaGraphReleaseUserObject,
    (hipGraph_t graph, hipUserObject_t object, unsigned int count __dparm(1)), (graph, object, count))
HIP_TO_CUDA(hipGraphRetainUserObject, cudaGraphRetainUserObject,
    (hipGraph_t graph, hipUserObject_t object, unsigned int count __dparm(1), unsigned int flags __dparm(0)),
    (graph, object, count, flags))
HIP_TO_CUDA(hipDeviceGetGraphMemAttribute, cudaDeviceGetGraphMemAttribute,
    (int device, hipGraphMemAttributeType attr, void* value), (device, attr, value))
HIP_TO_CUDA(hipDeviceSetGraphMemAttribute, cudaDeviceSetGraphMemAttribute,
    (int device, hipGraphMemAttributeType attr, void* value), (device, attr, value))
HIP_TO_CUDA(hipDeviceGraphMemTrim, cudaDeviceGraphMemTrim, (int device), (device))

static inline hipError_t hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to,
                                          size_t* numEdges) {
  return hipCUDAErrorTohipError(cudaGraphGetEdges(graph, from, to, HIP_NV_EDGE_DATA numEdges));
}
static inline hipError_t hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                                 const hipGraphNode_t* to, size_t numDependencies) {
  return hipCUDAErrorTohipError(cudaGraphAddDependencies(graph, from, to, HIP_NV_EDGE_DATA numDependencies));
}
static inline hipError_t hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from,
                                                    const hipGraphNode_t* to, size_t numDependencies) {
  return hipCUDAErrorTohipError(cudaGraphRemoveDependencies(graph, from, to, HIP_NV_EDGE_DATA numDependencies));
}

// `pErrorNode` returns the node that is to blame, `pLogBuffer` an empty text: CUDA 12 took it away.
static inline hipError_t hipGraphInstantiate(hipGraphExec_t* pGraphExec, hipGraph_t graph, hipGraphNode_t* pErrorNode,
                                             char* pLogBuffer, size_t bufferSize) {
  HIP_NV_ZEROED(cudaGraphInstantiateParams, parameters);
  cudaError_t error = cudaGraphInstantiateWithParams(pGraphExec, graph, &parameters);
  if (pErrorNode != NULL) *pErrorNode = parameters.errNode_out;
  if (pLogBuffer != NULL && bufferSize != 0) pLogBuffer[0] = '\0';
  return hipCUDAErrorTohipError(error);
}

static inline hipError_t hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph,
                                            hipGraphNode_t* hErrorNode_out,
                                            hipGraphExecUpdateResult* updateResult_out) {
  HIP_NV_ZEROED(cudaGraphExecUpdateResultInfo, info);
  cudaError_t error = cudaGraphExecUpdate(hGraphExec, hGraph, &info);
  if (hErrorNode_out != NULL) *hErrorNode_out = info.errorNode;
  if (updateResult_out != NULL) *updateResult_out = info.result;
  return hipCUDAErrorTohipError(error);
}

#endif
