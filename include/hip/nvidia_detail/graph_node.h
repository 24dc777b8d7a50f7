// hip/nvidia_detail/graph_node.h - nodes of graphs, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_GRAPH_NODE_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_GRAPH_NODE_H

#include <hip/nvidia_detail/graph.h>
#include <hip/nvidia_detail/types.h>

HIP_TO_CUDA(hipGraphAddChildGraphNode, cudaGraphAddChildGraphNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     hipGraph_t childGraph), (pGraphNode, graph, pDependencies, numDependencies, childGraph))
HIP_TO_CUDA(hipGraphAddEmptyNode, cudaGraphAddEmptyNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies),
    (pGraphNode, graph, pDependencies, numDependencies))
HIP_TO_CUDA(hipGraphAddEventRecordNode, cudaGraphAddEventRecordNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     hipEvent_t event), (pGraphNode, graph, pDependencies, numDependencies, event))
HIP_TO_CUDA(hipGraphAddEventWaitNode, cudaGraphAddEventWaitNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     hipEvent_t event), (pGraphNode, graph, pDependencies, numDependencies, event))
HIP_TO_CUDA(hipGraphAddExternalSemaphoresSignalNode, cudaGraphAddExternalSemaphoresSignalNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     const hipExternalSemaphoreSignalNodeParams* nodeParams),
    (pGraphNode, graph, pDependencies, numDependencies, nodeParams))
HIP_TO_CUDA(hipGraphAddExternalSemaphoresWaitNode, cudaGraphAddExternalSemaphoresWaitNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     const hipExternalSemaphoreWaitNodeParams* nodeParams),
    (pGraphNode, graph, pDependencies, numDependencies, nodeParams))
HIP_TO_CUDA(hipGraphAddHostNode, cudaGraphAddHostNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     const hipHostNodeParams* pNodeParams), (pGraphNode, graph, pDependencies, numDependencies, pNodeParams))
HIP_TO_CUDA(hipGraphAddKernelNode, cudaGraphAddKernelNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     const hipKernelNodeParams* pNodeParams), (pGraphNode, graph, pDependencies, numDependencies, pNodeParams))
HIP_TO_CUDA(hipGraphAddMemAllocNode, cudaGraphAddMemAllocNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     hipMemAllocNodeParams* pNodeParams), (pGraphNode, graph, pDependencies, numDependencies, pNodeParams))
HIP_TO_CUDA(hipGraphAddMemFreeNode, cudaGraphAddMemFreeNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     void* dev_ptr), (pGraphNode, graph, pDependencies, numDependencies, dev_ptr))
HIP_TO_CUDA(hipGraphAddMemcpyNode, cudaGraphAddMemcpyNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     const hipMemcpy3DParms* pCopyParams), (pGraphNode, graph, pDependencies, numDependencies, pCopyParams))
HIP_TO_CUDA(hipGraphAddMemcpyNode1D, cudaGraphAddMemcpyNode1D,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     void* dst, const void* src, size_t count, hipMemcpyKind kind),
    (pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind))
HIP_TO_CUDA(hipGraphAddMemcpyNodeFromSymbol, cudaGraphAddMemcpyNodeFromSymbol,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     void* dst, const void* symbol, size_t count, size_t offset, hipMemcpyKind kind),
    (pGraphNode, graph, pDependencies, numDependencies, dst, symbol, count, offset, kind))
HIP_TO_CUDA(hipGraphAddMemcpyNodeToSymbol, cudaGraphAddMemcpyNodeToSymbol,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     const void* symbol, const void* src, size_t count, size_t offset, hipMemcpyKind kind),
    (pGraphNode, graph, pDependencies, numDependencies, symbol, src, count, offset, kind))
HIP_TO_CUDA(hipGraphAddMemsetNode, cudaGraphAddMemsetNode,
    (hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies, size_t numDependencies,
     const hipMemsetParams* pMemsetParams), (pGraphNode, graph, pDependencies, numDependencies, pMemsetParams))
HIP_TO_CU(hipGraphAddBatchMemOpNode, cuGraphAddBatchMemOpNode,
    (hipGraphNode_t* phGraphNode, hipGraph_t hGraph, const hipGraphNode_t* dependencies, size_t numDependencies,
     const hipBatchMemOpNodeParams* nodeParams), (phGraphNode, hGraph, dependencies, numDependencies, nodeParams))
HIP_TO_CUDA(hipGraphChildGraphNodeGetGraph, cudaGraphChildGraphNodeGetGraph,
    (hipGraphNode_t node, hipGraph_t* pGraph), (node, pGraph))
HIP_TO_CUDA(hipGraphDestroyNode, cudaGraphDestroyNode, (hipGraphNode_t node), (node))
HIP_TO_CUDA(hipGraphNodeFindInClone, cudaGraphNodeFindInClone,
    (hipGraphNode_t* pNode, hipGraphNode_t originalNode, hipGraph_t clonedGraph), (pNode, originalNode, clonedGraph))
HIP_TO_CUDA(hipGraphNodeGetEnabled, cudaGraphNodeGetEnabled,
    (hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int* isEnabled), (hGraphExec, hNode, isEnabled))
HIP_TO_CUDA(hipGraphNodeGetType, cudaGraphNodeGetType, (hipGraphNode_t node, hipGraphNodeType* pType), (node, pType))
HIP_TO_CUDA(hipGraphNodeSetEnabled, cudaGraphNodeSetEnabled,
    (hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int isEnabled), (hGraphExec, hNode, isEnabled))
#if CUDART_VERSION >= 12020
HIP_TO_CUDA(hipGraphNodeSetParams, cudaGraphNodeSetParams,
    (hipGraphNode_t node, hipGraphNodeParams* nodeParams), (node, nodeParams))
#endif
HIP_TO_CUDA(hipGraphEventRecordNodeGetEvent, cudaGraphEventRecordNodeGetEvent,
    (hipGraphNode_t node, hipEvent_t* event_out), (node, event_out))
HIP_TO_CUDA(hipGraphEventRecordNodeSetEvent, cudaGraphEventRecordNodeSetEvent,
    (hipGraphNode_t node, hipEvent_t event), (node, event))
HIP_TO_CUDA(hipGraphEventWaitNodeGetEvent, cudaGraphEventWaitNodeGetEvent,
    (hipGraphNode_t node, hipEvent_t* event_out), (node, event_out))
HIP_TO_CUDA(hipGraphEventWaitNodeSetEvent, cudaGraphEventWaitNodeSetEvent,
    (hipGraphNode_t node, hipEvent_t event), (node, event))
HIP_TO_CUDA(hipGraphExecChildGraphNodeSetParams, cudaGraphExecChildGraphNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, hipGraph_t childGraph), (hGraphExec, node, childGraph))
HIP_TO_CUDA(hipGraphExecEventRecordNodeSetEvent, cudaGraphExecEventRecordNodeSetEvent,
    (hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event), (hGraphExec, hNode, event))
HIP_TO_CUDA(hipGraphExecEventWaitNodeSetEvent, cudaGraphExecEventWaitNodeSetEvent,
    (hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event), (hGraphExec, hNode, event))
HIP_TO_CUDA(hipGraphExecExternalSemaphoresSignalNodeSetParams, cudaGraphExecExternalSemaphoresSignalNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t hNode, const hipExternalSemaphoreSignalNodeParams* nodeParams),
    (hGraphExec, hNode, nodeParams))
HIP_TO_CUDA(hipGraphExecExternalSemaphoresWaitNodeSetParams, cudaGraphExecExternalSemaphoresWaitNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t hNode, const hipExternalSemaphoreWaitNodeParams* nodeParams),
    (hGraphExec, hNode, nodeParams))
HIP_TO_CUDA(hipGraphExecHostNodeSetParams, cudaGraphExecHostNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, const hipHostNodeParams* pNodeParams),
    (hGraphExec, node, pNodeParams))
HIP_TO_CUDA(hipGraphExecKernelNodeSetParams, cudaGraphExecKernelNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, const hipKernelNodeParams* pNodeParams),
    (hGraphExec, node, pNodeParams))
HIP_TO_CUDA(hipGraphExecMemcpyNodeSetParams, cudaGraphExecMemcpyNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, hipMemcpy3DParms* pNodeParams), (hGraphExec, node, pNodeParams))
HIP_TO_CUDA(hipGraphExecMemcpyNodeSetParams1D, cudaGraphExecMemcpyNodeSetParams1D,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, void* dst, const void* src, size_t count, hipMemcpyKind kind),
    (hGraphExec, node, dst, src, count, kind))
HIP_TO_CUDA(hipGraphExecMemcpyNodeSetParamsFromSymbol, cudaGraphExecMemcpyNodeSetParamsFromSymbol,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, void* dst, const void* symbol, size_t count, size_t offset,
     hipMemcpyKind kind), (hGraphExec, node, dst, symbol, count, offset, kind))
HIP_TO_CUDA(hipGraphExecMemcpyNodeSetParamsToSymbol, cudaGraphExecMemcpyNodeSetParamsToSymbol,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, const void* symbol, const void* src, size_t count, size_t offset,
     hipMemcpyKind kind), (hGraphExec, node, symbol, src, count, offset, kind))
HIP_TO_CUDA(hipGraphExecMemsetNodeSetParams, cudaGraphExecMemsetNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t node, const hipMemsetParams* pNodeParams),
    (hGraphExec, node, pNodeParams))
#if CUDART_VERSION >= 12020
HIP_TO_CUDA(hipGraphExecNodeSetParams, cudaGraphExecNodeSetParams,
    (hipGraphExec_t graphExec, hipGraphNode_t node, hipGraphNodeParams* nodeParams), (graphExec, node, nodeParams))
#endif
HIP_TO_CUDA(hipGraphExternalSemaphoresSignalNodeGetParams, cudaGraphExternalSemaphoresSignalNodeGetParams,
    (hipGraphNode_t hNode, hipExternalSemaphoreSignalNodeParams* params_out), (hNode, params_out))
HIP_TO_CUDA(hipGraphExternalSemaphoresSignalNodeSetParams, cudaGraphExternalSemaphoresSignalNodeSetParams,
    (hipGraphNode_t hNode, const hipExternalSemaphoreSignalNodeParams* nodeParams), (hNode, nodeParams))
HIP_TO_CUDA(hipGraphExternalSemaphoresWaitNodeGetParams, cudaGraphExternalSemaphoresWaitNodeGetParams,
    (hipGraphNode_t hNode, hipExternalSemaphoreWaitNodeParams* params_out), (hNode, params_out))
HIP_TO_CUDA(hipGraphExternalSemaphoresWaitNodeSetParams, cudaGraphExternalSemaphoresWaitNodeSetParams,
    (hipGraphNode_t hNode, const hipExternalSemaphoreWaitNodeParams* nodeParams), (hNode, nodeParams))
HIP_TO_CUDA(hipGraphHostNodeGetParams, cudaGraphHostNodeGetParams,
    (hipGraphNode_t node, hipHostNodeParams* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphHostNodeSetParams, cudaGraphHostNodeSetParams,
    (hipGraphNode_t node, const hipHostNodeParams* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphKernelNodeGetAttribute, cudaGraphKernelNodeGetAttribute,
    (hipGraphNode_t hNode, hipLaunchAttributeID attr, hipLaunchAttributeValue* value), (hNode, attr, value))
HIP_TO_CUDA(hipGraphKernelNodeGetParams, cudaGraphKernelNodeGetParams,
    (hipGraphNode_t node, hipKernelNodeParams* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphKernelNodeSetAttribute, cudaGraphKernelNodeSetAttribute,
    (hipGraphNode_t hNode, hipLaunchAttributeID attr, const hipLaunchAttributeValue* value), (hNode, attr, value))
HIP_TO_CUDA(hipGraphKernelNodeSetParams, cudaGraphKernelNodeSetParams,
    (hipGraphNode_t node, const hipKernelNodeParams* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphMemAllocNodeGetParams, cudaGraphMemAllocNodeGetParams,
    (hipGraphNode_t node, hipMemAllocNodeParams* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphMemFreeNodeGetParams, cudaGraphMemFreeNodeGetParams,
    (hipGraphNode_t node, void* dev_ptr), (node, dev_ptr))
HIP_TO_CUDA(hipGraphMemcpyNodeGetParams, cudaGraphMemcpyNodeGetParams,
    (hipGraphNode_t node, hipMemcpy3DParms* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphMemcpyNodeSetParams, cudaGraphMemcpyNodeSetParams,
    (hipGraphNode_t node, const hipMemcpy3DParms* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphMemcpyNodeSetParams1D, cudaGraphMemcpyNodeSetParams1D,
    (hipGraphNode_t node, void* dst, const void* src, size_t count, hipMemcpyKind kind), (node, dst, src, count, kind))
HIP_TO_CUDA(hipGraphMemcpyNodeSetParamsFromSymbol, cudaGraphMemcpyNodeSetParamsFromSymbol,
    (hipGraphNode_t node, void* dst, const void* symbol, size_t count, size_t offset, hipMemcpyKind kind),
    (node, dst, symbol, count, offset, kind))
HIP_TO_CUDA(hipGraphMemcpyNodeSetParamsToSymbol, cudaGraphMemcpyNodeSetParamsToSymbol,
    (hipGraphNode_t node, const void* symbol, const void* src, size_t count, size_t offset, hipMemcpyKind kind),
    (node, symbol, src, count, offset, kind))
HIP_TO_CUDA(hipGraphMemsetNodeGetParams, cudaGraphMemsetNodeGetParams,
    (hipGraphNode_t node, hipMemsetParams* pNodeParams), (node, pNodeParams))
HIP_TO_CUDA(hipGraphMemsetNodeSetParams, cudaGraphMemsetNodeSetParams,
    (hipGraphNode_t node, const hipMemsetParams* pNodeParams), (node, pNodeParams))
HIP_TO_CU(hipGraphBatchMemOpNodeGetParams, cuGraphBatchMemOpNodeGetParams,
    (hipGraphNode_t hNode, hipBatchMemOpNodeParams* nodeParams_out), (hNode, nodeParams_out))
HIP_TO_CU(hipGraphBatchMemOpNodeSetParams, cuGraphBatchMemOpNodeSetParams,
    (hipGraphNode_t hNode, hipBatchMemOpNodeParams* nodeParams), (hNode, nodeParams))
HIP_TO_CU(hipGraphExecBatchMemOpNodeSetParams, cuGraphExecBatchMemOpNodeSetParams,
    (hipGraphExec_t hGraphExec, hipGraphNode_t hNode, const hipBatchMemOpNodeParams* nodeParams),
    (hGraphExec, hNode, nodeParams))
HIP_TO_CU(hipDrvGraphAddMemFreeNode, cuGraphAddMemFreeNode,
    (hipGraphNode_t* phGraphNode, hipGraph_t hGraph, const hipGraphNode_t* dependencies, size_t numDependencies,
     hipDeviceptr_t dptr), (phGraphNode, hGraph, dependencies, numDependencies, dptr))

static inline hipError_t hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* pDependencies,
                                                     size_t* pNumDependencies) {
  return hipCUDAErrorTohipError(
      cudaGraphNodeGetDependencies(node, pDependencies, HIP_NV_EDGE_DATA pNumDependencies));
}
static inline hipError_t hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* pDependentNodes,
                                                       size_t* pNumDependentNodes) {
  return hipCUDAErrorTohipError(
      cudaGraphNodeGetDependentNodes(node, pDependentNodes, HIP_NV_EDGE_DATA pNumDependentNodes));
}

#if CUDART_VERSION >= 12020
static inline hipError_t hipGraphAddNode(hipGraphNode_t* pGraphNode, hipGraph_t graph,
                                         const hipGraphNode_t* pDependencies, size_t numDependencies,
                                         hipGraphNodeParams* nodeParams) {
  return hipCUDAErrorTohipError(
      cudaGraphAddNode(pGraphNode, graph, pDependencies, HIP_NV_EDGE_DATA numDependencies, nodeParams));
}
#endif

// HIP names the source first, CUDA the destination.
HIP_TO_CUDA(hipGraphKernelNodeCopyAttributes, cudaGraphKernelNodeCopyAttributes,
    (hipGraphNode_t hSrc, hipGraphNode_t hDst), (hDst, hSrc))

#endif
