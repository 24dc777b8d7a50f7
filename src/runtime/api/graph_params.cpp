// Operations of nodes from HIP's structures: kernels, host functions, events, frees.
#include "runtime/api/graph_params.h"

#include "runtime/api/launch_forms.h"
#include "runtime/core/event.h"

namespace hip::api {

// A node's kernel is named by its host function or by its hipFunction_t.
Result<core::Operation> kernel_operation(const hipKernelNodeParams& params) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (!params.func) return error(ErrorCode::InvalidDeviceFunction, "The function of the kernel node is null.");
  core::KernelOperation kernel;
  kernel.named = params.func;
  if (core::RegisteredFunction* const registered = core::find_registered_function(params.func)) {
    RT_TRY_ASSIGN(kernel.function, registered->on(*device));
  } else if (const auto pin = core::functions().pin(params.func)) {
    kernel.function = &pin->function();
    device = &kernel.function->device();
  } else {
    return error(ErrorCode::InvalidDeviceFunction, "{} is neither the address of a registered kernel nor a function.",
                 params.func);
  }
  kernel.code = Ref<core::LoadedCode>(&kernel.function->code());
  core::LaunchRequest request{.shape = {.grid = to_core(params.gridDim),
                                        .group = to_core(params.blockDim),
                                        .dynamic_lds_bytes = params.sharedMemBytes}};
  RT_TRY(take_arguments(request, params.kernelParams, params.extra));
  RT_TRY(core::prepare_launch(*kernel.function, *device, request, kernel.launch));
  kernel.shape = request.shape;
  kernel.arguments =
      core::KernelArguments(kernel.function->kernel(), request.argument_pointers, request.packed_arguments);
  kernel.launch.argument_pointers = nullptr;
  kernel.launch.packed_arguments = {};
  return core::Operation(std::move(kernel));
}

hipKernelNodeParams kernel_params(core::KernelOperation& kernel) {
  hipKernelNodeParams params{};
  const auto dim = [](const core::Dim3& d) { return dim3(d[0], d[1], d[2]); };
  params.func = const_cast<void*>(kernel.named);
  params.gridDim = dim(kernel.shape.grid);
  params.blockDim = dim(kernel.shape.group);
  params.sharedMemBytes = static_cast<unsigned>(kernel.shape.dynamic_lds_bytes);
  if (kernel.arguments.form() == core::KernelArguments::Form::Packed)
    params.extra = kernel.arguments.packed_list(HIP_LAUNCH_PARAM_BUFFER_POINTER, HIP_LAUNCH_PARAM_BUFFER_SIZE,
                                                HIP_LAUNCH_PARAM_END);
  else
    params.kernelParams = kernel.arguments.pointers();
  return params;
}

Result<core::Operation> host_operation(const hipHostNodeParams& params) {
  if (!params.fn) return error(ErrorCode::InvalidValue, "The function of the host node is null.");
  return core::Operation(core::HostOperation{params.fn, params.userData});
}

namespace {

// Nodes answer a wrong event as they do every wrong parameter.
Status check_event(hipEvent_t event) {
  if (core::events().pin(event)) return {};
  return error(ErrorCode::InvalidValue, "{} is not an event, or the event was destroyed.", static_cast<void*>(event));
}

} // namespace

Result<core::Operation> event_wait_operation(hipEvent_t event) {
  RT_TRY(check_event(event));
  return core::Operation(core::EventWaitOperation{event});
}

Result<core::Operation> event_record_operation(hipEvent_t event) {
  RT_TRY(check_event(event));
  return core::Operation(core::EventRecordOperation{event});
}

Result<core::Operation> free_operation(void* address) {
  if (!core::find_graph_allocation(address))
    return error(ErrorCode::InvalidValue, "{} is not the address of an allocation node.", address);
  return core::Operation(core::FreeOperation{address});
}

Status add_node(hipGraphNode_t* node, hipGraph_t graph, const hipGraphNode_t* dependencies, size_t count,
                Result<core::Operation> operation) {
  if (!operation.ok()) return operation.status();
  RT_TRY_ASSIGN(const core::Handle added,
                core::add_node(graph, as_handles(dependencies), count, std::move(operation).value()));
  *node = as_handle<hipGraphNode_t>(added);
  return {};
}

} // namespace hip::api
