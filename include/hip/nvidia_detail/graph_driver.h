// hip/nvidia_detail/graph_driver.h - the driver-style nodes of graphs, whose structures are HIP's own or the runtime's.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_GRAPH_DRIVER_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_GRAPH_DRIVER_H

#include <hip/nvidia_detail/copy_driver.h>

static inline CUDA_MEMSET_NODE_PARAMS __hip_to_cu_fill(const hipMemsetParams* fill) {
  HIP_NV_ZEROED(CUDA_MEMSET_NODE_PARAMS, result);
  result.dst = (CUdeviceptr)fill->dst;
  result.pitch = fill->pitch;
  result.value = fill->value;
  result.elementSize = fill->elementSize;
  result.width = fill->width;
  result.height = fill->height;
  return result;
}

static inline hipError_t hipDrvGraphAddMemcpyNode(hipGraphNode_t* phGraphNode, hipGraph_t hGraph,
                                                  const hipGraphNode_t* dependencies, size_t numDependencies,
                                                  const HIP_MEMCPY3D* copyParams, hipCtx_t ctx) {
  if (copyParams == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY3D copy = __hip_to_cu_copy3d(copyParams);
  return hipCUResultTohipError(cuGraphAddMemcpyNode(phGraphNode, hGraph, dependencies, numDependencies, &copy, ctx));
}

static inline hipError_t hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                            const HIP_MEMCPY3D* copyParams, hipCtx_t ctx) {
  if (copyParams == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY3D copy = __hip_to_cu_copy3d(copyParams);
  return hipCUResultTohipError(cuGraphExecMemcpyNodeSetParams(hGraphExec, hNode, &copy, ctx));
}

static inline hipError_t hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t hNode, const HIP_MEMCPY3D* nodeParams) {
  if (nodeParams == NULL) return hipErrorInvalidValue;
  const CUDA_MEMCPY3D copy = __hip_to_cu_copy3d(nodeParams);
  return hipCUResultTohipError(cuGraphMemcpyNodeSetParams(hNode, &copy));
}

static inline hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* phGraphNode, hipGraph_t hGraph,
                                                  const hipGraphNode_t* dependencies, size_t numDependencies,
                                                  const hipMemsetParams* memsetParams, hipCtx_t ctx) {
  if (memsetParams == NULL) return hipErrorInvalidValue;
  const CUDA_MEMSET_NODE_PARAMS fill = __hip_to_cu_fill(memsetParams);
  return hipCUResultTohipError(cuGraphAddMemsetNode(phGraphNode, hGraph, dependencies, numDependencies, &fill, ctx));
}

static inline hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                            const hipMemsetParams* memsetParams, hipCtx_t ctx) {
  if (memsetParams == NULL) return hipErrorInvalidValue;
  const CUDA_MEMSET_NODE_PARAMS fill = __hip_to_cu_fill(memsetParams);
  return hipCUResultTohipError(cuGraphExecMemsetNodeSetParams(hGraphExec, hNode, &fill, ctx));
}

#endif
