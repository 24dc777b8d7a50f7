// Nodes of graphs.
#include "runtime/compat/compat.h"
#include "runtime/compat/older_types.h"

#include <cstring>

using hip::compat::Hip6MemsetNodeParams;
using hip::compat::OlderLaunchAttributeValue;

RT_SHIM hipError_t hipGraphKernelNodeGetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr,
                                                  hipLaunchAttributeValue* value) {
  if (!value) return RT_CORE(hipGraphKernelNodeGetAttribute)(hNode, attr, value);
  hipLaunchAttributeValue whole{};
  const hipError_t result = RT_CORE(hipGraphKernelNodeGetAttribute)(hNode, attr, &whole);
  if (result == hipSuccess) std::memcpy(static_cast<void*>(value), &whole, sizeof(OlderLaunchAttributeValue));
  return result;
}

RT_SHIM hipError_t hipGraphKernelNodeSetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr,
                                                  const hipLaunchAttributeValue* value) {
  if (!value) return RT_CORE(hipGraphKernelNodeSetAttribute)(hNode, attr, value);
  hipLaunchAttributeValue whole{};
  std::memcpy(static_cast<void*>(&whole), value, sizeof(OlderLaunchAttributeValue));
  return RT_CORE(hipGraphKernelNodeSetAttribute)(hNode, attr, &whole);
}

RT_SHIM hipError_t hipGraphAddMemAllocNode(hipGraphNode_t* pGraphNode, hipGraph_t graph,
                                           const hipGraphNode_t* pDependencies, size_t numDependencies,
                                           hipMemAllocNodeParams* pNodeParams) {
  if (!pNodeParams)
    return RT_CORE(hipGraphAddMemAllocNode)(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
  hipMemAllocNodeParams params = *pNodeParams;
  params.poolProps = hip::compat::from_hip5(params.poolProps);
  const hipError_t result =
      RT_CORE(hipGraphAddMemAllocNode)(pGraphNode, graph, pDependencies, numDependencies, &params);
  pNodeParams->dptr = params.dptr;
  return result;
}

RT_SHIM hipError_t hipDrvGraphAddMemsetNode(hipGraphNode_t* phGraphNode, hipGraph_t hGraph,
                                            const hipGraphNode_t* dependencies, size_t numDependencies,
                                            const hipMemsetParams* memsetParams, hipCtx_t ctx) {
  hipMemsetParams params;
  if (memsetParams) params = from_hip6(*reinterpret_cast<const Hip6MemsetNodeParams*>(memsetParams));
  return RT_CORE(hipDrvGraphAddMemsetNode)(phGraphNode, hGraph, dependencies, numDependencies,
                                           memsetParams ? &params : nullptr, ctx);
}

RT_SHIM hipError_t hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                      const hipMemsetParams* memsetParams, hipCtx_t ctx) {
  hipMemsetParams params;
  if (memsetParams) params = from_hip6(*reinterpret_cast<const Hip6MemsetNodeParams*>(memsetParams));
  return RT_CORE(hipDrvGraphExecMemsetNodeSetParams)(hGraphExec, hNode, memsetParams ? &params : nullptr, ctx);
}
