// omnihip/driver_nodes.h - functions of the driver's interface for graphs and attributes whose structures are converted
// by their contents, as runtime_special.h has them for the runtime's, and the structures that hold others of
// driver_structures.h. Included by driver_special.h, behind the structures that are made.
#ifndef OMNIHIP_CUDA_DRIVER_NODES_H
#define OMNIHIP_CUDA_DRIVER_NODES_H

OMNIHIP_CUDA_FUNCTION CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph,
                                                           const CUgraphNode* dependencies,
                                                           const CUgraphEdgeData* dependencyData,
                                                           size_t numDependencies, CUstreamCaptureMode mode) {
  hipGraphEdgeData* const edges = __omnihip_edges_to_hip(dependencyData, numDependencies);
  if (dependencyData && numDependencies && !edges) return CUDA_ERROR_OUT_OF_MEMORY;
  const hipError_t error =
      hipStreamBeginCaptureToGraph((hipStream_t)stream, (hipGraph_t)graph, (const hipGraphNode_t*)dependencies, edges,
                                   numDependencies, (hipStreamCaptureMode)mode);
  free(edges);
  return __cu_result(error);
}

OMNIHIP_CUDA_FUNCTION CUresult cuGraphInstantiateWithParams(CUgraphExec* exec, CUgraph graph,
                                                            CUDA_GRAPH_INSTANTIATE_PARAMS* params) {
  hipGraphInstantiateParams hip;
  const hipError_t error = hipGraphInstantiateWithParams((hipGraphExec_t*)exec, (hipGraph_t)graph,
                                                         __omnihip_to_hip_CUDA_GRAPH_INSTANTIATE_PARAMS(params, &hip));
  if (params) __omnihip_to_cuda_CUDA_GRAPH_INSTANTIATE_PARAMS(&hip, params);
  return __cu_result(error);
}

// --- Nodes of any type: CUDA's structures of the driver, where HIP has the runtime's
typedef struct CUDA_MEMCPY_NODE_PARAMS_st {
  int flags;
  int reserved;
  CUcontext copyCtx;
  CUDA_MEMCPY3D copyParams;
} CUDA_MEMCPY_NODE_PARAMS;

typedef struct CUDA_MEM_ALLOC_NODE_PARAMS_v1_st {
  CUmemPoolProps poolProps;
  const CUmemAccessDesc* accessDescs;
  size_t accessDescCount;
  size_t bytesize;
  CUdeviceptr dptr;
} CUDA_MEM_ALLOC_NODE_PARAMS_v1;
typedef CUDA_MEM_ALLOC_NODE_PARAMS_v1 CUDA_MEM_ALLOC_NODE_PARAMS;
typedef CUDA_MEM_ALLOC_NODE_PARAMS_v1 CUDA_MEM_ALLOC_NODE_PARAMS_st;
OMNIHIP_CUDA_SAME_SIZE(CUDA_MEM_ALLOC_NODE_PARAMS, hipMemAllocNodeParams)

typedef struct CUDA_MEM_FREE_NODE_PARAMS_st {
  CUdeviceptr dptr;
} CUDA_MEM_FREE_NODE_PARAMS;
OMNIHIP_CUDA_SAME_SIZE(CUDA_MEM_FREE_NODE_PARAMS, hipMemFreeNodeParams)

typedef struct CUgraphNodeParams_st {
  CUgraphNodeType type;
  int reserved0[3];
  union {
    long long reserved1[29];
    CUDA_KERNEL_NODE_PARAMS_v3 kernel;
    CUDA_MEMCPY_NODE_PARAMS memcpy;
    CUDA_MEMSET_NODE_PARAMS_v2 memset;
    CUDA_HOST_NODE_PARAMS host;
    CUDA_CHILD_GRAPH_NODE_PARAMS graph;
    CUDA_EVENT_WAIT_NODE_PARAMS eventWait;
    CUDA_EVENT_RECORD_NODE_PARAMS eventRecord;
    CUDA_EXT_SEM_SIGNAL_NODE_PARAMS extSemSignal;
    CUDA_EXT_SEM_WAIT_NODE_PARAMS extSemWait;
    CUDA_MEM_ALLOC_NODE_PARAMS alloc;
    CUDA_MEM_FREE_NODE_PARAMS free;
  };
  long long reserved2;
} CUgraphNodeParams;
OMNIHIP_CUDA_SAME_SIZE(CUgraphNodeParams, hipGraphNodeParams)

// Copies are not converted: HIP has functions that take them as the driver describes them.
static inline hipGraphNodeParams __omnihip_driver_node_to_hip(const CUgraphNodeParams* from) {
  hipGraphNodeParams to = {hipGraphNodeTypeKernel, {0, 0, 0}, {{0}}, 0};
  if (!from) return to;
  __builtin_memcpy((void*)&to, (const void*)from, sizeof(to));
  if (from->type == CU_GRAPH_NODE_TYPE_KERNEL) __omnihip_to_hip_CUDA_KERNEL_NODE_PARAMS(&from->kernel, &to.kernel);
  if (from->type == CU_GRAPH_NODE_TYPE_MEMSET) __omnihip_to_hip_CUDA_MEMSET_NODE_PARAMS_v2(&from->memset, &to.memset);
  return to;
}
// The description of a copy, null for a node of another type.
static inline HIP_MEMCPY3D* __omnihip_copy_to_hip(const CUgraphNodeParams* from, HIP_MEMCPY3D* to) {
  if (!from || from->type != CU_GRAPH_NODE_TYPE_MEMCPY) return NULL;
  return __omnihip_to_hip_CUDA_MEMCPY3D(&from->memcpy.copyParams, to);
}
OMNIHIP_CUDA_FUNCTION CUresult cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                              size_t count, CUgraphNodeParams* params) {
  HIP_MEMCPY3D copy;
  if (__omnihip_copy_to_hip(params, &copy))
    return __cu_result(hipDrvGraphAddMemcpyNode((hipGraphNode_t*)node, (hipGraph_t)graph,
                                                (const hipGraphNode_t*)dependencies, count, &copy,
                                                (hipCtx_t)params->memcpy.copyCtx));
  hipGraphNodeParams hip = __omnihip_driver_node_to_hip(params);
  const hipError_t error = hipGraphAddNode((hipGraphNode_t*)node, (hipGraph_t)graph,
                                           (const hipGraphNode_t*)dependencies, count, params ? &hip : NULL);
  if (error == hipSuccess && params->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    params->alloc.dptr = (CUdeviceptr)hip.alloc.dptr;
  return __cu_result(error);
}
OMNIHIP_CUDA_FUNCTION CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* params) {
  HIP_MEMCPY3D copy;
  if (__omnihip_copy_to_hip(params, &copy))
    return __cu_result(hipDrvGraphMemcpyNodeSetParams((hipGraphNode_t)node, &copy));
  hipGraphNodeParams hip = __omnihip_driver_node_to_hip(params);
  return __cu_result(hipGraphNodeSetParams((hipGraphNode_t)node, params ? &hip : NULL));
}
OMNIHIP_CUDA_FUNCTION CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* params) {
  HIP_MEMCPY3D copy;
  if (__omnihip_copy_to_hip(params, &copy))
    return __cu_result(hipDrvGraphExecMemcpyNodeSetParams((hipGraphExec_t)exec, (hipGraphNode_t)node, &copy,
                                                          (hipCtx_t)params->memcpy.copyCtx));
  hipGraphNodeParams hip = __omnihip_driver_node_to_hip(params);
  return __cu_result(hipGraphExecNodeSetParams((hipGraphExec_t)exec, (hipGraphNode_t)node, params ? &hip : NULL));
}
OMNIHIP_CUDA_FUNCTION CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* dptr_out) {
  return __cu_result(hipGraphMemFreeNodeGetParams((hipGraphNode_t)node, dptr_out));
}

OMNIHIP_CUDA_FUNCTION CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* props) {
  if (props && props->usage != 0) return CUDA_ERROR_NOT_SUPPORTED;
  return __cu_result(hipMemPoolCreate((hipMemPool_t*)pool, (const hipMemPoolProps*)props));
}

// --- Attributes
static inline const hipLaunchAttributeValue* __omnihip_driver_attribute_to_hip(CUlaunchAttributeID id,
                                                                               const CUlaunchAttributeValue* from,
                                                                               hipLaunchAttributeValue* to) {
  if (!from || id != CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) return (const hipLaunchAttributeValue*)from;
  __omnihip_to_hip_CUaccessPolicyWindow(&from->accessPolicyWindow, &to->accessPolicyWindow);
  return to;
}
static inline CUresult __omnihip_driver_attribute_to_cuda(hipError_t error, CUlaunchAttributeID id,
                                                          CUlaunchAttributeValue* value) {
  if (error == hipSuccess && id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) {
    hipAccessPolicyWindow window;
    __builtin_memcpy(&window, value, sizeof(window));
    __omnihip_to_cuda_CUaccessPolicyWindow(&window, &value->accessPolicyWindow);
  }
  return __cu_result(error);
}
OMNIHIP_CUDA_FUNCTION CUresult cuStreamGetAttribute(CUstream stream, CUlaunchAttributeID attr,
                                                    CUlaunchAttributeValue* value) {
  return __omnihip_driver_attribute_to_cuda(
      hipStreamGetAttribute((hipStream_t)stream, (hipLaunchAttributeID)attr, (hipLaunchAttributeValue*)value), attr,
      value);
}
OMNIHIP_CUDA_FUNCTION CUresult cuStreamSetAttribute(CUstream stream, CUlaunchAttributeID attr,
                                                    const CUlaunchAttributeValue* value) {
  hipLaunchAttributeValue hip;
  return __cu_result(hipStreamSetAttribute((hipStream_t)stream, (hipLaunchAttributeID)attr,
                                           __omnihip_driver_attribute_to_hip(attr, value, &hip)));
}
OMNIHIP_CUDA_FUNCTION CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID attr,
                                                             CUlaunchAttributeValue* value) {
  return __omnihip_driver_attribute_to_cuda(
      hipGraphKernelNodeGetAttribute((hipGraphNode_t)node, (hipLaunchAttributeID)attr, (hipLaunchAttributeValue*)value),
      attr, value);
}
OMNIHIP_CUDA_FUNCTION CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID attr,
                                                             const CUlaunchAttributeValue* value) {
  hipLaunchAttributeValue hip;
  return __cu_result(hipGraphKernelNodeSetAttribute((hipGraphNode_t)node, (hipLaunchAttributeID)attr,
                                                    __omnihip_driver_attribute_to_hip(attr, value, &hip)));
}

#endif
