// Whole graphs, executables, user objects, and the memory of graphs.
#include "runtime/core/graph/exec_table.h"

#include "runtime/api/graph_params.h"
#include "runtime/core/graph/dot.h"

#include <algorithm>
#include <cstring>

namespace hip::api {
namespace {

// The rule of all functions that list nodes or edges: a null list asks how many there are; else `count` says how many
// places there are, and those that stay free are set to null.
template<class F> Status fill_list(size_t found, size_t* count, bool only_count, const F& put) {
  if (only_count) {
    *count = found;
    return {};
  }
  for (size_t i = 0; i < *count; ++i) put(i, i < found);
  *count = std::min(*count, found);
  return {};
}

Status fill_nodes(const std::vector<core::Handle>& found, hipGraphNode_t* nodes, size_t* count) {
  return fill_list(found.size(), count, nodes == nullptr, [&](size_t i, bool is_there) {
    nodes[i] = is_there ? as_handle<hipGraphNode_t>(found[i]) : nullptr;
  });
}

// hipGraphInstantiateFlagDeviceLaunch is kept and changes nothing, as in AMD's HIP: no function of kernels launches a
// graph.
constexpr unsigned long long kKnownFlags = hipGraphInstantiateFlagAutoFreeOnLaunch | hipGraphInstantiateFlagUpload |
                                           hipGraphInstantiateFlagDeviceLaunch | hipGraphInstantiateFlagUseNodePriority;

Status instantiate(hipGraphExec_t* exec, hipGraph_t graph, unsigned long long flags, core::Handle& error_node) {
  *exec = nullptr;
  if ((flags & ~kKnownFlags) != 0)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of an executable graph are not known.",
                 flags & ~kKnownFlags);
  RT_TRY_ASSIGN(const core::Handle made, core::instantiate(graph, flags, error_node));
  *exec = as_handle<hipGraphExec_t>(made);
  return {};
}

Status upload(hipGraphExec_t exec, hipStream_t stream) {
  RT_TRY_ASSIGN(const auto found, core::find_exec(exec));
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return found->upload(pin->device());
}

Status check_references(unsigned count) {
  if (count != 0 && count <= INT32_MAX) return {};
  return error(ErrorCode::InvalidValue, "{} references of a user object; it takes 1 to {}.", count, INT32_MAX);
}

} // namespace

Status hipGraphCreate(hipGraph_t* pGraph, unsigned int flags) {
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags of a graph are {:#x}; they must be 0.", flags);
  *pGraph = as_handle<hipGraph_t>(core::create_graph());
  return {};
}

Status hipGraphDestroy(hipGraph_t graph) { return core::destroy_graph(graph); }

Status hipGraphClone(hipGraph_t* pGraphClone, hipGraph_t originalGraph) {
  RT_TRY_ASSIGN(const core::Handle clone, core::clone_graph(originalGraph));
  *pGraphClone = as_handle<hipGraph_t>(clone);
  return {};
}

Status hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t* nodes, size_t* numNodes) {
  RT_TRY_ASSIGN(const auto found, core::nodes_of(graph));
  return fill_nodes(found, nodes, numNodes);
}

Status hipGraphGetRootNodes(hipGraph_t graph, hipGraphNode_t* pRootNodes, size_t* pNumRootNodes) {
  RT_TRY_ASSIGN(const auto found, core::root_nodes_of(graph));
  return fill_nodes(found, pRootNodes, pNumRootNodes);
}

Status hipGraphGetEdges(hipGraph_t graph, hipGraphNode_t* from, hipGraphNode_t* to, size_t* numEdges) {
  RT_TRY_ASSIGN(const auto found, core::edges_of(graph));
  if (!from != !to) return error(ErrorCode::InvalidValue, "Only one of the two lists of nodes is null.");
  return fill_list(found.size(), numEdges, from == nullptr, [&](size_t i, bool is_there) {
    from[i] = is_there ? as_handle<hipGraphNode_t>(found[i].first) : nullptr;
    to[i] = is_there ? as_handle<hipGraphNode_t>(found[i].second) : nullptr;
  });
}

Status hipGraphNodeGetDependencies(hipGraphNode_t node, hipGraphNode_t* pDependencies, size_t* pNumDependencies) {
  RT_TRY_ASSIGN(const auto found, core::dependencies_of(node));
  return fill_nodes(found, pDependencies, pNumDependencies);
}

Status hipGraphNodeGetDependentNodes(hipGraphNode_t node, hipGraphNode_t* pDependentNodes, size_t* pNumDependentNodes) {
  RT_TRY_ASSIGN(const auto found, core::dependents_of(node));
  return fill_nodes(found, pDependentNodes, pNumDependentNodes);
}

Status hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                               size_t numDependencies) {
  return core::add_edges(graph, as_handles(from), as_handles(to), numDependencies);
}

Status hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t* from, const hipGraphNode_t* to,
                                  size_t numDependencies) {
  return core::remove_edges(graph, as_handles(from), as_handles(to), numDependencies);
}

Status hipGraphDebugDotPrint(hipGraph_t graph, const char* path, unsigned int flags) {
  return core::print_dot(graph, path, flags);
}

// ---- executables ---------------------------------------------------------------------------------------------------

Status hipGraphInstantiate(hipGraphExec_t* pGraphExec, hipGraph_t graph, hipGraphNode_t* pErrorNode, char* pLogBuffer,
                           size_t bufferSize) {
  core::Handle error_node = nullptr;
  const Status status = instantiate(pGraphExec, graph, 0, error_node);
  if (pErrorNode) *pErrorNode = as_handle<hipGraphNode_t>(error_node);
  if (pLogBuffer && bufferSize != 0) {
    const size_t length = std::min(status.message().size(), bufferSize - 1);
    std::memcpy(pLogBuffer, status.message().data(), length);
    pLogBuffer[length] = '\0';
  }
  return status;
}

Status hipGraphInstantiateWithFlags(hipGraphExec_t* pGraphExec, hipGraph_t graph, unsigned long long flags) {
  if ((flags & hipGraphInstantiateFlagUpload) != 0) {
    *pGraphExec = nullptr;
    return error(ErrorCode::InvalidValue,
                 "hipGraphInstantiateFlagUpload needs a stream; call hipGraphInstantiateWithParams.");
  }
  core::Handle error_node = nullptr;
  return instantiate(pGraphExec, graph, flags, error_node);
}

Status hipGraphInstantiateWithParams(hipGraphExec_t* pGraphExec, hipGraph_t graph,
                                     hipGraphInstantiateParams* instantiateParams) {
  core::Handle error_node = nullptr;
  Status status = instantiate(pGraphExec, graph, instantiateParams->flags, error_node);
  instantiateParams->errNode_out = as_handle<hipGraphNode_t>(error_node);
  if (status.ok() && (instantiateParams->flags & hipGraphInstantiateFlagUpload) != 0) {
    status = upload(*pGraphExec, instantiateParams->uploadStream);
    if (!status.ok()) {
      static_cast<void>(core::destroy_exec(std::exchange(*pGraphExec, nullptr)));
      if (!core::find_stream(instantiateParams->uploadStream).ok())
        status = Status(ErrorCode::InvalidValue, status.message());
    }
  }
  if (status.ok())
    instantiateParams->result_out = hipGraphInstantiateSuccess;
  else if (status.code() == ErrorCode::NotSupported)
    instantiateParams->result_out = hipGraphInstantiateNodeOperationNotSupported;
  else
    instantiateParams->result_out = error_node ? hipGraphInstantiateInvalidStructure : hipGraphInstantiateError;
  return status;
}

Status hipGraphUpload(hipGraphExec_t graphExec, hipStream_t stream) { return upload(graphExec, stream); }

Status hipGraphLaunch(hipGraphExec_t graphExec, hipStream_t stream) {
  RT_TRY_ASSIGN(const auto exec, core::find_exec(graphExec));
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  return exec->launch(*pin);
}

Status hipGraphExecDestroy(hipGraphExec_t graphExec) { return core::destroy_exec(graphExec); }

Status hipGraphExecGetFlags(hipGraphExec_t graphExec, unsigned long long* flags) {
  RT_TRY_ASSIGN(const auto exec, core::find_exec(graphExec));
  *flags = exec->flags();
  return {};
}

Status hipGraphExecUpdate(hipGraphExec_t hGraphExec, hipGraph_t hGraph, hipGraphNode_t* hErrorNode_out,
                          hipGraphExecUpdateResult* updateResult_out) {
  core::Handle error_node = nullptr;
  *hErrorNode_out = nullptr;
  *updateResult_out = hipGraphExecUpdateError;
  RT_TRY_ASSIGN(const auto exec, core::find_exec(hGraphExec));
  auto result = exec->update(hGraph, error_node);
  *hErrorNode_out = as_handle<hipGraphNode_t>(error_node);
  if (!result.ok()) return result.status();
  *updateResult_out = static_cast<hipGraphExecUpdateResult>(result.value());
  if (result.value() == core::UpdateResult::Success) return {};
  return error(ErrorCode::GraphExecUpdateFailure,
               "The executable cannot take the graph's nodes (hipGraphExecUpdateResult {}).",
               static_cast<int>(result.value()));
}

// ---- user objects --------------------------------------------------------------------------------------------------

Status hipUserObjectCreate(hipUserObject_t* object_out, void* ptr, hipHostFn_t destroy, unsigned int initialRefcount,
                           unsigned int flags) {
  if (flags != hipUserObjectNoDestructorSync)
    return error(ErrorCode::InvalidValue, "The flags of a user object are {:#x}; they must be {:#x}.", flags,
                 static_cast<unsigned>(hipUserObjectNoDestructorSync));
  RT_TRY(check_references(initialRefcount));
  *object_out = as_handle<hipUserObject_t>(core::create_user_object(ptr, destroy, initialRefcount));
  return {};
}

Status hipUserObjectRetain(hipUserObject_t object, unsigned int count) {
  RT_TRY(check_references(count));
  return core::retain_user_object(object, count);
}

Status hipUserObjectRelease(hipUserObject_t object, unsigned int count) {
  RT_TRY(check_references(count));
  return core::release_user_object(object, count);
}

Status hipGraphRetainUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count, unsigned int flags) {
  if (flags != 0 && flags != hipGraphUserObjectMove)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of a graph's references are not known.", flags);
  RT_TRY(check_references(count));
  return core::retain_user_object(graph, object, count, flags != 0 ? core::Move::Yes : core::Move::No);
}

Status hipGraphReleaseUserObject(hipGraph_t graph, hipUserObject_t object, unsigned int count) {
  RT_TRY(check_references(count));
  return core::release_user_object(graph, object, count);
}

// ---- memory --------------------------------------------------------------------------------------------------------

namespace {

Result<core::GraphMemory> graph_memory(hipGraphMemAttributeType attribute) {
  switch (attribute) {
  case hipGraphMemAttrUsedMemCurrent:
    return core::GraphMemory::UsedNow;
  case hipGraphMemAttrUsedMemHigh:
    return core::GraphMemory::UsedHigh;
  case hipGraphMemAttrReservedMemCurrent:
    return core::GraphMemory::ReservedNow;
  case hipGraphMemAttrReservedMemHigh:
    return core::GraphMemory::ReservedHigh;
  }
  return error(ErrorCode::InvalidValue, "{} is no attribute of graph memory.", static_cast<int>(attribute));
}

} // namespace

Status hipDeviceGetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void* value) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  RT_TRY_ASSIGN(const core::GraphMemory what, graph_memory(attr));
  const uint64_t bytes = core::graph_memory_bytes(*found, what);
  std::memcpy(value, &bytes, sizeof bytes);
  return {};
}

Status hipDeviceSetGraphMemAttribute(int device, hipGraphMemAttributeType attr, void* value) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  RT_TRY_ASSIGN(const core::GraphMemory what, graph_memory(attr));
  if (what != core::GraphMemory::UsedHigh && what != core::GraphMemory::ReservedHigh)
    return error(ErrorCode::InvalidValue, "Attribute {} of graph memory cannot be set.", static_cast<int>(attr));
  uint64_t bytes;
  std::memcpy(&bytes, value, sizeof bytes);
  if (bytes != 0) return error(ErrorCode::InvalidValue, "A high mark can only be set to 0, not to {}.", bytes);
  core::reset_graph_memory_high(*found, what);
  return {};
}

Status hipDeviceGraphMemTrim(int device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  core::GraphAllocation::give_back_unused(*found);
  return {};
}

} // namespace hip::api
