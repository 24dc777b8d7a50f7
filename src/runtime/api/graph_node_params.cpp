// Reading and changing the parameters of nodes, in graphs and in executables.
#include "runtime/api/graph_params.h"

#include "runtime/core/event.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/graph/exec_table.h"
#include "runtime/core/launch.h"

#include <cstring>

namespace hip::api {
namespace {

Status set_in_graph(hipGraphNode_t node, Result<core::Operation> operation) {
  RT_TRY(core::kind_of_node(node).status()); // a wrong node comes before wrong parameters
  if (!operation.ok()) return operation.status();
  return core::set_operation(node, std::move(operation).value());
}

Status set_in_exec(hipGraphExec_t exec, hipGraphNode_t node, Result<core::Operation> operation) {
  RT_TRY_ASSIGN(const auto found, core::find_exec(exec));
  if (!operation.ok()) return operation.status();
  return found->set_operation(node, std::move(operation).value());
}

// A kernel keeps its attributes when its other parameters change.
Status keep_attributes(core::KernelOperation& kernel, const core::LaunchAttributes& attributes, core::LaunchKind kind) {
  if (kernel.shape.kind != kind) RT_TRY(core::change_kind(*kernel.function, kind, kernel.shape, kernel.launch));
  kernel.attributes = attributes;
  return {};
}

// An executable's copy may change in its values, not in what it copies between.
Status check_same_kind(hipGraphExec_t exec, hipGraphNode_t node, const core::Operation& operation) {
  RT_TRY_ASSIGN(const auto found, core::find_exec(exec));
  const auto& copy = std::get<core::CopyOperation>(operation);
  return found->with_operation<core::CopyOperation>(node, [&](const core::CopyOperation& old) -> Status {
    if (!old.dst.array == !copy.dst.array && !old.src.array == !copy.src.array && old.kind == copy.kind) return {};
    return error(ErrorCode::InvalidValue,
                 "A copy of an executable cannot change its direction or between what it copies.");
  });
}

// HIP refuses, where parameters are set, what it takes where a node is added.
Status check_apart(const void* dst, const void* src, size_t bytes) {
  const uintptr_t to = reinterpret_cast<uintptr_t>(dst), from = reinterpret_cast<uintptr_t>(src);
  if ((to < from ? from - to : to - from) >= bytes) return {};
  return error(ErrorCode::InvalidValue, "The copy node's {} bytes at {} and at {} overlap.", bytes,
               const_cast<void*>(src), const_cast<void*>(dst));
}

Status set_copy_in_exec(hipGraphExec_t exec, hipGraphNode_t node, Result<core::Operation> operation) {
  RT_TRY(core::find_exec(exec).status());
  if (!operation.ok()) return operation.status();
  RT_TRY(check_same_kind(exec, node, operation.value()));
  return set_in_exec(exec, node, std::move(operation));
}

} // namespace

// ---- kernels -------------------------------------------------------------------------------------------------------

Status hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams* pNodeParams) {
  return core::with_operation<core::KernelOperation>(node, [&](core::KernelOperation& kernel) -> Status {
    *pNodeParams = kernel_params(kernel);
    return {};
  });
}

Status hipGraphKernelNodeSetParams(hipGraphNode_t node, const hipKernelNodeParams* pNodeParams) {
  auto operation = kernel_operation(*pNodeParams);
  if (operation.ok())
    RT_TRY(core::with_operation<core::KernelOperation>(node, [&](const core::KernelOperation& old) {
      return keep_attributes(std::get<core::KernelOperation>(operation.value()), old.attributes, old.shape.kind);
    }));
  return set_in_graph(node, std::move(operation));
}

Status hipGraphExecKernelNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                       const hipKernelNodeParams* pNodeParams) {
  RT_TRY_ASSIGN(const auto exec, core::find_exec(hGraphExec));
  auto operation = kernel_operation(*pNodeParams);
  if (operation.ok())
    RT_TRY(exec->with_operation<core::KernelOperation>(node, [&](const core::KernelOperation& old) -> Status {
      auto& kernel = std::get<core::KernelOperation>(operation.value());
      if (&kernel.function->device() != &old.function->device())
        return error(ErrorCode::InvalidValue, "The kernel of an executable's node cannot move to another device.");
      return keep_attributes(kernel, old.attributes, old.shape.kind);
    }));
  return set_in_exec(hGraphExec, node, std::move(operation));
}

namespace {

Status check_attribute(hipLaunchAttributeID id) {
  switch (id) {
  case hipLaunchAttributeAccessPolicyWindow:
  case hipLaunchAttributeCooperative:
  case hipLaunchAttributePriority:
    return {};
  default:
    return error(ErrorCode::InvalidValue, "{} is no attribute of kernel nodes.", static_cast<int>(id));
  }
}

} // namespace

Status check_window(core::Device& device, const hipAccessPolicyWindow& window) {
  if (window.hitRatio < 0 || window.hitRatio > 1)
    return error(ErrorCode::InvalidValue, "The hit ratio {} of an access policy window is not between 0 and 1.",
                 window.hitRatio);
  const uint32_t most = device.properties().access_policy_window_bytes;
  if (window.num_bytes > most && window.num_bytes != 0)
    return error(ErrorCode::InvalidValue, "An access policy window of {} bytes; the device takes {}.", window.num_bytes,
                 most);
  if (window.missProp == hipAccessPropertyPersisting)
    return error(ErrorCode::InvalidValue, "The miss property of an access policy window cannot be persisting.");
  return {};
}

Status hipGraphKernelNodeGetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr, hipLaunchAttributeValue* value) {
  RT_TRY(check_attribute(attr));
  return core::with_operation<core::KernelOperation>(hNode, [&](const core::KernelOperation& kernel) -> Status {
    static_assert(sizeof(*value) >= sizeof(core::LaunchAttributeValue));
    *value = {};
    if (const auto& kept = kernel.attributes[static_cast<size_t>(attr)])
      std::memcpy(value, kept->data(), kept->size());
    else if (attr == hipLaunchAttributeCooperative)
      value->cooperative = kernel.launch.cooperative ? 1 : 0;
    return {};
  });
}

Status hipGraphKernelNodeSetAttribute(hipGraphNode_t hNode, hipLaunchAttributeID attr,
                                      const hipLaunchAttributeValue* value) {
  RT_TRY(check_attribute(attr));
  return core::with_operation<core::KernelOperation>(hNode, [&](core::KernelOperation& kernel) -> Status {
    if (attr == hipLaunchAttributeAccessPolicyWindow)
      RT_TRY(check_window(kernel.function->device(), value->accessPolicyWindow));
    if (attr == hipLaunchAttributeCooperative)
      RT_TRY(core::change_kind(*kernel.function,
                               value->cooperative != 0 ? core::LaunchKind::Cooperative : core::LaunchKind::Plain,
                               kernel.shape, kernel.launch));
    std::memcpy(kernel.attributes[static_cast<size_t>(attr)].emplace().data(), value,
                sizeof(core::LaunchAttributeValue));
    return {};
  });
}

Status hipGraphKernelNodeCopyAttributes(hipGraphNode_t hSrc, hipGraphNode_t hDst) {
  core::LaunchAttributes attributes;
  core::LaunchKind kind{};
  const core::Device* device = nullptr;
  RT_TRY(core::with_operation<core::KernelOperation>(hSrc, [&](const core::KernelOperation& kernel) -> Status {
    attributes = kernel.attributes;
    kind = kernel.shape.kind;
    device = &kernel.function->device();
    return {};
  }));
  return core::with_operation<core::KernelOperation>(hDst, [&](core::KernelOperation& kernel) -> Status {
    if (&kernel.function->device() != device)
      return error(ErrorCode::InvalidContext, "The nodes' kernels are of devices {} and {}; attributes stay on one.",
                   device->ordinal(), kernel.function->device().ordinal());
    return keep_attributes(kernel, attributes, kind);
  });
}

// ---- copies --------------------------------------------------------------------------------------------------------

Status hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms* pNodeParams) {
  return core::with_operation<core::CopyOperation>(node, [&](const core::CopyOperation& copy) -> Status {
    *pNodeParams = copy_params(copy);
    return {};
  });
}

Status hipDrvGraphMemcpyNodeGetParams(hipGraphNode_t hNode, HIP_MEMCPY3D* nodeParams) {
  return core::with_operation<core::CopyOperation>(hNode, [&](const core::CopyOperation& copy) -> Status {
    *nodeParams = driver_copy_params(copy);
    return {};
  });
}

Status hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms* pNodeParams) {
  return set_in_graph(node, copy_operation(*pNodeParams));
}

Status hipDrvGraphMemcpyNodeSetParams(hipGraphNode_t hNode, const HIP_MEMCPY3D* nodeParams) {
  return set_in_graph(hNode, copy_operation(*nodeParams));
}

Status hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void* dst, const void* src, size_t count,
                                     hipMemcpyKind kind) {
  RT_TRY(check_apart(dst, src, count));
  return set_in_graph(node, copy_operation(dst, src, count, kind));
}

Status hipGraphMemcpyNodeSetParamsToSymbol(hipGraphNode_t node, const void* symbol, const void* src, size_t count,
                                           size_t offset, hipMemcpyKind kind) {
  return set_in_graph(node, copy_to_symbol_operation(symbol, src, count, offset, kind));
}

Status hipGraphMemcpyNodeSetParamsFromSymbol(hipGraphNode_t node, void* dst, const void* symbol, size_t count,
                                             size_t offset, hipMemcpyKind kind) {
  return set_in_graph(node, copy_from_symbol_operation(dst, symbol, count, offset, kind));
}

Status hipGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, hipMemcpy3DParms* pNodeParams) {
  return set_copy_in_exec(hGraphExec, node, copy_operation(*pNodeParams));
}

Status hipDrvGraphExecMemcpyNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                          const HIP_MEMCPY3D* copyParams, hipCtx_t ctx) {
  return set_copy_in_exec(hGraphExec, hNode, copy_operation(*copyParams));
}

Status hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t hGraphExec, hipGraphNode_t node, void* dst, const void* src,
                                         size_t count, hipMemcpyKind kind) {
  RT_TRY(check_apart(dst, src, count));
  return set_copy_in_exec(hGraphExec, node, copy_operation(dst, src, count, kind));
}

Status hipGraphExecMemcpyNodeSetParamsToSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node, const void* symbol,
                                               const void* src, size_t count, size_t offset, hipMemcpyKind kind) {
  return set_copy_in_exec(hGraphExec, node, copy_to_symbol_operation(symbol, src, count, offset, kind));
}

Status hipGraphExecMemcpyNodeSetParamsFromSymbol(hipGraphExec_t hGraphExec, hipGraphNode_t node, void* dst,
                                                 const void* symbol, size_t count, size_t offset, hipMemcpyKind kind) {
  return set_copy_in_exec(hGraphExec, node, copy_from_symbol_operation(dst, symbol, count, offset, kind));
}

// ---- fills ---------------------------------------------------------------------------------------------------------

Status hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams* pNodeParams) {
  return core::with_operation<core::FillOperation>(node, [&](const core::FillOperation& fill) -> Status {
    *pNodeParams = fill_params(fill);
    return {};
  });
}

Status hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams* pNodeParams) {
  return set_in_graph(node, fill_operation(*pNodeParams));
}

Status hipGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                       const hipMemsetParams* pNodeParams) {
  return set_in_exec(hGraphExec, node, fill_operation(*pNodeParams));
}

Status hipDrvGraphExecMemsetNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                          const hipMemsetParams* memsetParams, hipCtx_t ctx) {
  return set_in_exec(hGraphExec, hNode, fill_operation(*memsetParams));
}

// ---- host functions, events, child graphs --------------------------------------------------------------------------

Status hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams* pNodeParams) {
  return core::with_operation<core::HostOperation>(node, [&](const core::HostOperation& host) -> Status {
    *pNodeParams = {host.function, host.user_data};
    return {};
  });
}

Status hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams* pNodeParams) {
  return set_in_graph(node, host_operation(*pNodeParams));
}

Status hipGraphExecHostNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node,
                                     const hipHostNodeParams* pNodeParams) {
  return set_in_exec(hGraphExec, node, host_operation(*pNodeParams));
}

Status hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t* event_out) {
  return core::with_operation<core::EventRecordOperation>(node,
                                                          [&](const core::EventRecordOperation& record) -> Status {
                                                            *event_out = as_handle<hipEvent_t>(record.event);
                                                            return {};
                                                          });
}

Status hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_in_graph(node, event_record_operation(event));
}

Status hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event) {
  return set_in_exec(hGraphExec, hNode, event_record_operation(event));
}

Status hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t* event_out) {
  return core::with_operation<core::EventWaitOperation>(node, [&](const core::EventWaitOperation& wait) -> Status {
    *event_out = as_handle<hipEvent_t>(wait.event);
    return {};
  });
}

Status hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
  return set_in_graph(node, event_wait_operation(event));
}

Status hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t hGraphExec, hipGraphNode_t hNode, hipEvent_t event) {
  return set_in_exec(hGraphExec, hNode, event_wait_operation(event));
}

Status hipGraphExecChildGraphNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t node, hipGraph_t childGraph) {
  RT_TRY_ASSIGN(const auto exec, core::find_exec(hGraphExec));
  return exec->set_child(node, childGraph);
}

// ---- batches of memory operations ----------------------------------------------------------------------------------

Status hipGraphBatchMemOpNodeGetParams(hipGraphNode_t hNode, hipBatchMemOpNodeParams* nodeParams_out) {
  return core::with_operation<core::BatchOperation>(hNode, [&](core::BatchOperation& batch) -> Status {
    *nodeParams_out = batch_params(batch);
    return {};
  });
}

Status hipGraphBatchMemOpNodeSetParams(hipGraphNode_t hNode, hipBatchMemOpNodeParams* nodeParams) {
  return set_in_graph(hNode, batch_operation(*nodeParams));
}

Status hipGraphExecBatchMemOpNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                           const hipBatchMemOpNodeParams* nodeParams) {
  return set_in_exec(hGraphExec, hNode, batch_operation(*nodeParams));
}

// ---- external semaphores -------------------------------------------------------------------------------------------

Status hipGraphExternalSemaphoresSignalNodeGetParams(hipGraphNode_t hNode,
                                                     hipExternalSemaphoreSignalNodeParams* params_out) {
  return core::with_operation<core::ExternalSignalOperation>(
      hNode, [&](const core::ExternalSignalOperation& signal) -> Status {
        *params_out = external_params(signal);
        return {};
      });
}

Status hipGraphExternalSemaphoresSignalNodeSetParams(hipGraphNode_t hNode,
                                                     const hipExternalSemaphoreSignalNodeParams* nodeParams) {
  return set_in_graph(hNode, external_operation(*nodeParams));
}

Status hipGraphExecExternalSemaphoresSignalNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                         const hipExternalSemaphoreSignalNodeParams* nodeParams) {
  return set_in_exec(hGraphExec, hNode, external_operation(*nodeParams));
}

Status hipGraphExternalSemaphoresWaitNodeGetParams(hipGraphNode_t hNode,
                                                   hipExternalSemaphoreWaitNodeParams* params_out) {
  return core::with_operation<core::ExternalWaitOperation>(hNode,
                                                           [&](const core::ExternalWaitOperation& wait) -> Status {
                                                             *params_out = external_params(wait);
                                                             return {};
                                                           });
}

Status hipGraphExternalSemaphoresWaitNodeSetParams(hipGraphNode_t hNode,
                                                   const hipExternalSemaphoreWaitNodeParams* nodeParams) {
  return set_in_graph(hNode, external_operation(*nodeParams));
}

Status hipGraphExecExternalSemaphoresWaitNodeSetParams(hipGraphExec_t hGraphExec, hipGraphNode_t hNode,
                                                       const hipExternalSemaphoreWaitNodeParams* nodeParams) {
  return set_in_exec(hGraphExec, hNode, external_operation(*nodeParams));
}

// ---- any kind ------------------------------------------------------------------------------------------------------

namespace {

Status cannot_change(hipGraphNodeType type) {
  const bool of_memory = type == hipGraphNodeTypeMemAlloc || type == hipGraphNodeTypeMemFree;
  return error(of_memory ? ErrorCode::NotSupported : ErrorCode::InvalidValue,
               "The parameters of a node of type {} cannot be changed.", static_cast<int>(type));
}

} // namespace

Status hipGraphNodeSetParams(hipGraphNode_t node, hipGraphNodeParams* nodeParams) {
  switch (nodeParams->type) {
  case hipGraphNodeTypeKernel:
    return api::hipGraphKernelNodeSetParams(node, &nodeParams->kernel);
  case hipGraphNodeTypeMemcpy:
    return set_in_graph(node, copy_operation(nodeParams->memcpy.copyParams));
  case hipGraphNodeTypeMemset:
    return set_in_graph(node, fill_operation(nodeParams->memset));
  case hipGraphNodeTypeHost:
    return set_in_graph(node, host_operation(nodeParams->host));
  case hipGraphNodeTypeWaitEvent:
    return set_in_graph(node, event_wait_operation(nodeParams->eventWait.event));
  case hipGraphNodeTypeEventRecord:
    return set_in_graph(node, event_record_operation(nodeParams->eventRecord.event));
  case hipGraphNodeTypeExtSemaphoreSignal:
    return set_in_graph(node, external_operation(nodeParams->extSemSignal));
  case hipGraphNodeTypeExtSemaphoreWait:
    return set_in_graph(node, external_operation(nodeParams->extSemWait));
  default:
    return cannot_change(nodeParams->type);
  }
}

Status hipGraphExecNodeSetParams(hipGraphExec_t graphExec, hipGraphNode_t node, hipGraphNodeParams* nodeParams) {
  switch (nodeParams->type) {
  case hipGraphNodeTypeKernel:
    return api::hipGraphExecKernelNodeSetParams(graphExec, node, &nodeParams->kernel);
  case hipGraphNodeTypeMemcpy:
    return set_copy_in_exec(graphExec, node, copy_operation(nodeParams->memcpy.copyParams));
  case hipGraphNodeTypeMemset:
    return set_in_exec(graphExec, node, fill_operation(nodeParams->memset));
  case hipGraphNodeTypeHost:
    return set_in_exec(graphExec, node, host_operation(nodeParams->host));
  case hipGraphNodeTypeGraph:
    return api::hipGraphExecChildGraphNodeSetParams(graphExec, node, nodeParams->graph.graph);
  case hipGraphNodeTypeWaitEvent:
    return set_in_exec(graphExec, node, event_wait_operation(nodeParams->eventWait.event));
  case hipGraphNodeTypeEventRecord:
    return set_in_exec(graphExec, node, event_record_operation(nodeParams->eventRecord.event));
  case hipGraphNodeTypeExtSemaphoreSignal:
    return set_in_exec(graphExec, node, external_operation(nodeParams->extSemSignal));
  case hipGraphNodeTypeExtSemaphoreWait:
    return set_in_exec(graphExec, node, external_operation(nodeParams->extSemWait));
  default:
    return cannot_change(nodeParams->type);
  }
}

} // namespace hip::api
