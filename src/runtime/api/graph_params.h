// runtime/api/graph_params.h - between HIP's structures of node parameters and core's operations. Making an operation
// checks everything that the matching call outside of graphs checks.
#pragma once

#include "runtime/api/api.h"
#include "runtime/core/graph/graph_exec.h"

namespace hip::api {

Result<core::Operation> kernel_operation(const hipKernelNodeParams& params);
hipKernelNodeParams kernel_params(core::KernelOperation& kernel);

// graph_node_params.cpp: of kernel nodes and of streams. Error: InvalidValue.
Status check_window(core::Device& device, const hipAccessPolicyWindow& window);

// copy_box.cpp
Result<core::Operation> copy_operation(const hipMemcpy3DParms& params);
Result<core::Operation> copy_operation(const HIP_MEMCPY3D& params);
hipMemcpy3DParms copy_params(const core::CopyOperation& copy);
HIP_MEMCPY3D driver_copy_params(const core::CopyOperation& copy);
// copy.cpp
Result<core::Operation> copy_operation(void* dst, const void* src, size_t bytes, hipMemcpyKind kind);
Result<core::Operation> copy_to_symbol_operation(const void* symbol, const void* src, size_t bytes, size_t offset,
                                                 hipMemcpyKind kind);
Result<core::Operation> copy_from_symbol_operation(void* dst, const void* symbol, size_t bytes, size_t offset,
                                                   hipMemcpyKind kind);
// fill.cpp
Result<core::Operation> fill_operation(const hipMemsetParams& params);
hipMemsetParams fill_params(const core::FillOperation& fill);

// stream_value.cpp
Result<core::Operation> batch_operation(const hipBatchMemOpNodeParams& params);
hipBatchMemOpNodeParams batch_params(core::BatchOperation& batch);

// external.cpp
Result<core::Operation> external_operation(const hipExternalSemaphoreSignalNodeParams& params);
Result<core::Operation> external_operation(const hipExternalSemaphoreWaitNodeParams& params);
hipExternalSemaphoreSignalNodeParams external_params(const core::ExternalSignalOperation& signal);
hipExternalSemaphoreWaitNodeParams external_params(const core::ExternalWaitOperation& wait);

Result<core::Operation> host_operation(const hipHostNodeParams& params);
Result<core::Operation> event_wait_operation(hipEvent_t event);
Result<core::Operation> event_record_operation(hipEvent_t event);
Result<core::Operation> free_operation(void* address);

// Nodes as core's list of handles.
inline const core::Handle* as_handles(const hipGraphNode_t* nodes) noexcept {
  static_assert(sizeof(hipGraphNode_t) == sizeof(core::Handle));
  return reinterpret_cast<const core::Handle*>(nodes);
}
// Adds the node of an operation that has been made, or returns why it was not.
Status add_node(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
                Result<core::Operation> operation);

} // namespace hip::api
