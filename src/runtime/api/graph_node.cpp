// Adding nodes to graphs, and what nodes of every kind have.
#include "runtime/api/graph_params.h"
#include "runtime/core/graph/exec_table.h"

#include <cstring>

namespace hip::api {
namespace {

// The parameters of an allocation node with the access list that they point at.
struct GivenAllocation {
  hipMemAllocNodeParams params{};
  std::vector<hipMemAccessDesc> access;
};

Result<core::AllocationOperation> allocation_operation(hipMemAllocNodeParams& p) {
  if (p.poolProps.allocType != hipMemAllocationTypePinned)
    return error(ErrorCode::InvalidValue, "The allocation type {} is not supported in graphs; pinned memory is.",
                 static_cast<int>(p.poolProps.allocType));
  if (p.poolProps.handleTypes != hipMemHandleTypeNone)
    return error(ErrorCode::InvalidValue, "Memory of graphs cannot be given to other processes (handle type {}).",
                 static_cast<int>(p.poolProps.handleTypes));
  if (p.poolProps.location.type != hipMemLocationTypeDevice)
    return error(ErrorCode::InvalidValue, "The location type {} is not supported in graphs; a device is.",
                 static_cast<int>(p.poolProps.location.type));
  if (p.bytesize == 0) return error(ErrorCode::InvalidValue, "An allocation node of 0 bytes.");
  if (p.accessDescCount != 0 && !p.accessDescs)
    return error(ErrorCode::InvalidValue, "{} access descriptions are announced, but their list is null.",
                 p.accessDescCount);
  auto device = core::find_device(p.poolProps.location.id);
  if (!device.ok()) return Status(ErrorCode::InvalidValue, device.status().message());
  auto given = std::make_shared<GivenAllocation>();
  for (size_t i = 0; i < p.accessDescCount; ++i) {
    const hipMemAccessDesc& access = p.accessDescs[i];
    if (access.location.type != hipMemLocationTypeDevice || !core::find_device(access.location.id).ok())
      return error(ErrorCode::InvalidValue, "Access description {} of {} names no device.", i, p.accessDescCount);
    given->access.push_back(access);
  }
  RT_TRY_ASSIGN(Ref<core::GraphAllocation> allocation, core::GraphAllocation::create(*device.value(), p.bytesize));
  p.dptr = allocation->address();
  given->params = p;
  given->params.accessDescs = given->access.empty() ? nullptr : given->access.data();
  return core::AllocationOperation{std::move(allocation), std::move(given)};
}

} // namespace

Status hipGraphAddKernelNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                             size_t numDependencies, const hipKernelNodeParams* pNodeParams) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, kernel_operation(*pNodeParams));
}

Status hipGraphAddMemcpyNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                             size_t numDependencies, const hipMemcpy3DParms* pCopyParams) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, copy_operation(*pCopyParams));
}

Status hipGraphAddMemcpyNode1D(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                               size_t numDependencies, void* dst, const void* src, size_t count, hipMemcpyKind kind) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, copy_operation(dst, src, count, kind));
}

Status hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                                     size_t numDependencies, const void* symbol, const void* src, size_t count,
                                     size_t offset, hipMemcpyKind kind) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies,
                  copy_to_symbol_operation(symbol, src, count, offset, kind));
}

Status hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t* pGraphNode, hipGraph_t graph,
                                       const hipGraphNode_t* pDependencies, size_t numDependencies, void* dst,
                                       const void* symbol, size_t count, size_t offset, hipMemcpyKind kind) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies,
                  copy_from_symbol_operation(dst, symbol, count, offset, kind));
}

Status hipDrvGraphAddMemcpyNode(hipGraphNode_t* phGraphNode, hipGraph_t hGraph, const hipGraphNode_t* dependencies,
                                size_t numDependencies, const HIP_MEMCPY3D* copyParams, hipCtx_t ctx) {
  return add_node(phGraphNode, hGraph, dependencies, numDependencies, copy_operation(*copyParams));
}

Status hipGraphAddMemsetNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                             size_t numDependencies, const hipMemsetParams* pMemsetParams) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, fill_operation(*pMemsetParams));
}

Status hipDrvGraphAddMemsetNode(hipGraphNode_t* phGraphNode, hipGraph_t hGraph, const hipGraphNode_t* dependencies,
                                size_t numDependencies, const hipMemsetParams* memsetParams, hipCtx_t ctx) {
  return add_node(phGraphNode, hGraph, dependencies, numDependencies, fill_operation(*memsetParams));
}

Status hipGraphAddHostNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                           size_t numDependencies, const hipHostNodeParams* pNodeParams) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, host_operation(*pNodeParams));
}

Status hipGraphAddEmptyNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                            size_t numDependencies) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, core::Operation(core::EmptyOperation()));
}

Status hipGraphAddChildGraphNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                                 size_t numDependencies, hipGraph_t childGraph) {
  RT_TRY_ASSIGN(const core::Handle node,
                core::add_child_node(graph, as_handles(pDependencies), numDependencies, childGraph));
  *pGraphNode = as_handle<hipGraphNode_t>(node);
  return {};
}

Status hipGraphAddEventRecordNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                                  size_t numDependencies, hipEvent_t event) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, event_record_operation(event));
}

Status hipGraphAddEventWaitNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                                size_t numDependencies, hipEvent_t event) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, event_wait_operation(event));
}

Status hipGraphAddMemAllocNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                               size_t numDependencies, hipMemAllocNodeParams* pNodeParams) {
  RT_TRY(core::nodes_of(graph).status()); // before memory is asked for
  RT_TRY_ASSIGN(core::AllocationOperation operation, allocation_operation(*pNodeParams));
  return add_node(pGraphNode, graph, pDependencies, numDependencies, core::Operation(std::move(operation)));
}

Status hipGraphMemAllocNodeGetParams(hipGraphNode_t node, hipMemAllocNodeParams* pNodeParams) {
  return core::with_operation<core::AllocationOperation>(node, [&](const core::AllocationOperation& made) -> Status {
    if (const auto* const given = static_cast<const GivenAllocation*>(made.given.get())) {
      *pNodeParams = given->params;
      return {};
    }
    *pNodeParams = {}; // of a captured hipMallocAsync
    pNodeParams->poolProps.allocType = hipMemAllocationTypePinned;
    pNodeParams->poolProps.location = {hipMemLocationTypeDevice, made.allocation->device().ordinal()};
    pNodeParams->bytesize = made.allocation->bytes();
    pNodeParams->dptr = made.allocation->address();
    return {};
  });
}

Status hipGraphAddMemFreeNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                              size_t numDependencies, void* dev_ptr) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, free_operation(dev_ptr));
}

Status hipDrvGraphAddMemFreeNode(hipGraphNode_t* phGraphNode, hipGraph_t hGraph, const hipGraphNode_t* dependencies,
                                 size_t numDependencies, hipDeviceptr_t dptr) {
  return add_node(phGraphNode, hGraph, dependencies, numDependencies, free_operation(dptr));
}

Status hipGraphAddBatchMemOpNode(hipGraphNode_t* phGraphNode, hipGraph_t hGraph, const hipGraphNode_t* dependencies,
                                 size_t numDependencies, const hipBatchMemOpNodeParams* nodeParams) {
  return add_node(phGraphNode, hGraph, dependencies, numDependencies, batch_operation(*nodeParams));
}

Status hipGraphAddExternalSemaphoresSignalNode(hipGraphNode_t* pGraphNode, hipGraph_t graph,
                                               const hipGraphNode_t* pDependencies, size_t numDependencies,
                                               const hipExternalSemaphoreSignalNodeParams* nodeParams) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, external_operation(*nodeParams));
}

Status hipGraphAddExternalSemaphoresWaitNode(hipGraphNode_t* pGraphNode, hipGraph_t graph,
                                             const hipGraphNode_t* pDependencies, size_t numDependencies,
                                             const hipExternalSemaphoreWaitNodeParams* nodeParams) {
  return add_node(pGraphNode, graph, pDependencies, numDependencies, external_operation(*nodeParams));
}

Status hipGraphAddNode(hipGraphNode_t* pGraphNode, hipGraph_t graph, const hipGraphNode_t* pDependencies,
                       size_t numDependencies, hipGraphNodeParams* nodeParams) {
  const auto add = [&](Result<core::Operation> operation) {
    return add_node(pGraphNode, graph, pDependencies, numDependencies, std::move(operation));
  };
  switch (nodeParams->type) {
  case hipGraphNodeTypeKernel:
    return add(kernel_operation(nodeParams->kernel));
  case hipGraphNodeTypeMemcpy:
    return add(copy_operation(nodeParams->memcpy.copyParams));
  case hipGraphNodeTypeMemset:
    return add(fill_operation(nodeParams->memset));
  case hipGraphNodeTypeHost:
    return add(host_operation(nodeParams->host));
  case hipGraphNodeTypeEmpty:
    return add(core::Operation(core::EmptyOperation()));
  case hipGraphNodeTypeWaitEvent:
    return add(event_wait_operation(nodeParams->eventWait.event));
  case hipGraphNodeTypeEventRecord:
    return add(event_record_operation(nodeParams->eventRecord.event));
  case hipGraphNodeTypeMemFree:
    return add(free_operation(nodeParams->free.dptr));
  case hipGraphNodeTypeGraph:
    return api::hipGraphAddChildGraphNode(pGraphNode, graph, pDependencies, numDependencies, nodeParams->graph.graph);
  case hipGraphNodeTypeMemAlloc:
    return api::hipGraphAddMemAllocNode(pGraphNode, graph, pDependencies, numDependencies, &nodeParams->alloc);
  case hipGraphNodeTypeExtSemaphoreSignal:
    return add(external_operation(nodeParams->extSemSignal));
  case hipGraphNodeTypeExtSemaphoreWait:
    return add(external_operation(nodeParams->extSemWait));
  default:
    return error(ErrorCode::InvalidValue, "{} is no type of node that can be added.",
                 static_cast<int>(nodeParams->type));
  }
}

// ---- nodes of every kind -------------------------------------------------------------------------------------------

Status hipGraphDestroyNode(hipGraphNode_t node) { return core::destroy_node(node); }

Status hipGraphNodeGetType(hipGraphNode_t node, hipGraphNodeType* pType) {
  RT_TRY_ASSIGN(const core::NodeKind kind, core::kind_of_node(node));
  *pType = static_cast<hipGraphNodeType>(kind);
  return {};
}

Status hipGraphNodeFindInClone(hipGraphNode_t* pNode, hipGraphNode_t originalNode, hipGraph_t clonedGraph) {
  RT_TRY_ASSIGN(const core::Handle found, core::find_in_clone(originalNode, clonedGraph));
  *pNode = as_handle<hipGraphNode_t>(found);
  return {};
}

Status hipGraphChildGraphNodeGetGraph(hipGraphNode_t node, hipGraph_t* pGraph) {
  RT_TRY_ASSIGN(const core::Handle graph, core::child_graph_of(node));
  *pGraph = as_handle<hipGraph_t>(graph);
  return {};
}

Status hipGraphMemFreeNodeGetParams(hipGraphNode_t node, void* dev_ptr) {
  return core::with_operation<core::FreeOperation>(node, [&](const core::FreeOperation& freed) -> Status {
    std::memcpy(dev_ptr, &freed.address, sizeof freed.address);
    return {};
  });
}

Status hipGraphNodeGetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int* isEnabled) {
  RT_TRY_ASSIGN(const auto exec, core::find_exec(hGraphExec));
  RT_TRY_ASSIGN(const bool enabled, exec->enabled(hNode));
  *isEnabled = enabled ? 1 : 0;
  return {};
}

Status hipGraphNodeSetEnabled(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, unsigned int isEnabled) {
  RT_TRY_ASSIGN(const auto exec, core::find_exec(hGraphExec));
  return exec->set_enabled(hNode, isEnabled != 0);
}

} // namespace hip::api
