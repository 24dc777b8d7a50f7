// Kernel launches in all their forms, brought to core::launch.
#include "runtime/api/launch_forms.h"

#include <cstring>

namespace hip::api {
using core::LaunchRequest;

Status take_arguments(LaunchRequest& request, void** params, void** extra) {
  if (!extra) {
    request.argument_pointers = params;
    return {};
  }
  if (params) return error(ErrorCode::InvalidValue, "Arguments are given both as kernelParams and as extra.");
  const void* block = nullptr;
  size_t bytes = 0;
  bool has_block = false, has_bytes = false;
  for (size_t i = 0; extra[i] != HIP_LAUNCH_PARAM_END; i += 2) {
    if (i >= 4)
      return error(ErrorCode::InvalidValue, "The list \"extra\" has no HIP_LAUNCH_PARAM_END after its two entries.");
    if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_POINTER) {
      block = extra[i + 1];
      has_block = true;
    } else if (extra[i] == HIP_LAUNCH_PARAM_BUFFER_SIZE) {
      if (!extra[i + 1]) return error(ErrorCode::InvalidValue, "The size of the argument block in \"extra\" is null.");
      std::memcpy(&bytes, extra[i + 1], sizeof bytes);
      has_bytes = true;
    } else {
      return error(ErrorCode::InvalidValue, "Entry {} of \"extra\" is {}, which is no HIP_LAUNCH_PARAM key.", i,
                   extra[i]);
    }
  }
  if (!has_block || !has_bytes || (!block && bytes != 0))
    return error(ErrorCode::InvalidValue, "The list \"extra\" names no argument block, or not its size.");
  request.packed_arguments = {static_cast<const std::byte*>(block), bytes}, request.may_end_early = true;
  return {};
}

namespace {

using core::GridUnit;
using core::LaunchKind;

struct PinnedEvents {
  core::Pin<core::Event> start, stop;
};

Status pin_event(core::Pin<core::Event>& pin, hipEvent_t event) {
  if (!event) return {};
  auto found = core::find_event(event);
  if (!found.ok()) return Status(ErrorCode::InvalidValue, found.status().message());
  pin = std::move(found).value();
  return {};
}

Status pin_events(PinnedEvents& events, hipEvent_t start, hipEvent_t stop) {
  RT_TRY(pin_event(events.start, start));
  return pin_event(events.stop, stop);
}

Status launch_function(hipFunction_t f, hipStream_t stream, const LaunchRequest& request) {
  auto pin = core::functions().pin(f);
  if (!pin) [[unlikely]] {
    // A kernel of a library (hipKernel_t), which programs cast to a function.
    core::RegisteredFunction* const kernel = core::find_registered_function(f);
    if (!kernel)
      return error(ErrorCode::InvalidHandle, "{} is not a function, or its module was unloaded.",
                   static_cast<void*>(f));
    RT_TRY_ASSIGN(auto target, core::find_stream(stream));
    RT_TRY_ASSIGN(core::Function * function, kernel->on(target->device()));
    return core::launch(*function, *target, request);
  }
  RT_TRY_ASSIGN(auto target, core::find_stream(stream));
  return core::launch(pin->function(), *target, request);
}

// hipModuleLaunchKernel, hipModuleLaunchCooperativeKernel and hipLaunchByPtr, which ends in the first, have kept this
// error for a dimension of zero; from all others AMD's HIP 7.2 returns hipErrorInvalidConfiguration.
Status with_empty_as_invalid_value(Status status, const core::LaunchShape& shape) {
  if (status.code() == ErrorCode::InvalidConfiguration && core::is_empty(shape)) [[unlikely]]
    return Status(ErrorCode::InvalidValue, status.message());
  return status;
}

// What hipModuleLaunchKernel, and hipLaunchByPtr, which ends in it, take in AMD's HIP 7.2: in y and z one block more
// than hipDeviceProp_t tells. The others leave it to the device.
Status check_module_grid(const core::LaunchShape& shape) {
  constexpr core::Dim3 kMost{0x7fffffff, 65536, 65536};
  for (size_t d = 0; d < 3; ++d)
    if (shape.grid[d] > kMost[d])
      return error(ErrorCode::InvalidValue,
                   "A grid of {} blocks in dimension {}; this function takes {}, hipLaunchKernel and "
                   "hipDrvLaunchKernelEx what the device takes.",
                   shape.grid[d], d, kMost[d]);
  return {};
}

// Attributes of CUDA 12 that HIP has no name for, by their numbers there: programs made from CUDA sources launch with
// them.
constexpr int kProgrammaticStreamSerialization = 6, kProgrammaticEvent = 7, kPreferredClusterDimension = 11,
              kLaunchCompletionEvent = 12, kDeviceUpdatableKernelNode = 13, kPreferredSharedMemoryCarveout = 14;

Status read_attributes(LaunchRequest& request, const hipLaunchAttribute* attributes, unsigned count) {
  if (count != 0 && !attributes)
    return error(ErrorCode::InvalidValue, "{} launch attributes are announced, but their list is null.", count);
  for (unsigned i = 0; i < count; ++i) {
    switch (static_cast<int>(attributes[i].id)) {
    case hipLaunchAttributeCooperative:
      if (attributes[i].val.cooperative != 0) request.shape.kind = LaunchKind::Cooperative;
      break;
    case hipLaunchAttributeClusterDimension:
      if (const auto& c = attributes[i].val.clusterDim; c.x != 1 || c.y != 1 || c.z != 1)
        return error(ErrorCode::InvalidClusterSize, "A cluster of {} x {} x {} blocks; launches are not in clusters.",
                     c.x, c.y, c.z);
      break;
    case hipLaunchAttributeIgnore:
    case hipLaunchAttributeClusterSchedulingPolicyPreference:
    case hipLaunchAttributePriority:
    case hipLaunchAttributeSynchronizationPolicy:
    case hipLaunchAttributeAccessPolicyWindow:
    case hipLaunchAttributeMemSyncDomain:
    case hipLaunchAttributeMemSyncDomainMap:
    case kPreferredClusterDimension:
    case kPreferredSharedMemoryCarveout:
      break; // preferences without effect on what is computed
    case kProgrammaticStreamSerialization:
      break; // a kernel that may begin before the one in front of it ends begins behind it
    case kProgrammaticEvent:
    case kLaunchCompletionEvent:
      return error(ErrorCode::NotSupported, "Launch attribute {} records an event before its kernel ends.",
                   static_cast<int>(attributes[i].id));
    case kDeviceUpdatableKernelNode: {
      int updatable = 0; // the value's first member
      std::memcpy(&updatable, &attributes[i].val, sizeof(updatable));
      if (updatable != 0)
        return error(ErrorCode::NotSupported, "Kernels cannot update the nodes of graphs (launch attribute {}).",
                     static_cast<int>(attributes[i].id));
      break;
    }
    default:
      return error(ErrorCode::InvalidValue, "{} is no launch attribute.", static_cast<int>(attributes[i].id));
    }
  }
  return {};
}

Status launch_in_items(hipFunction_t f, core::Dim3 items, core::Dim3 group, size_t dynamic_bytes, hipStream_t stream,
                       void** params, void** extra, hipEvent_t start, hipEvent_t stop, unsigned flags) {
  if ((flags & ~static_cast<unsigned>(hipExtAnyOrderLaunch)) != 0)
    return error(ErrorCode::InvalidValue, "The launch flags {:#x} are not known.", flags);
  PinnedEvents events;
  RT_TRY(pin_events(events, start, stop));
  LaunchRequest request{
      .shape = {.grid = items, .group = group, .dynamic_lds_bytes = dynamic_bytes, .grid_unit = GridUnit::Items},
      .out_of_order = (flags & hipExtAnyOrderLaunch) != 0,
      .start = events.start.get(),
      .stop = events.stop.get()};
  RT_TRY(take_arguments(request, params, extra));
  return launch_function(f, stream, request);
}

} // namespace

Status hipLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args, size_t sharedMemBytes,
                       hipStream_t stream) {
  if (sharedMemBytes > UINT32_MAX) [[unlikely]] // the general form returns the error
    return core::launch_registered(
        function_address, stream,
        {.shape = {.grid = to_core(numBlocks), .group = to_core(dimBlocks), .dynamic_lds_bytes = sharedMemBytes},
         .argument_pointers = args});
  backend::Launch plain;
  plain.groups = to_core(numBlocks);
  plain.group_items = to_core(dimBlocks);
  plain.dynamic_lds_bytes = static_cast<uint32_t>(sharedMemBytes);
  plain.argument_pointers = args;
  return core::launch_registered(function_address, stream, plain);
}

Status hipLaunchKernelExC(const hipLaunchConfig_t* config, const void* fPtr, void** args) {
  LaunchRequest request{.shape = {.grid = to_core(config->gridDim),
                                  .group = to_core(config->blockDim),
                                  .dynamic_lds_bytes = config->dynamicSmemBytes},
                        .argument_pointers = args};
  RT_TRY(read_attributes(request, config->attrs, config->numAttrs));
  return core::launch_registered(fPtr, config->stream, request);
}

Status hipLaunchKernelBundledArgs(const void* hostFunction, dim3 gridDim, dim3 blockDim, void* args, size_t argsSize,
                                  size_t sharedMemBytes, hipStream_t stream) {
  if (!args && argsSize != 0)
    return error(ErrorCode::InvalidValue, "The block of {} bytes of arguments is null.", argsSize);
  const LaunchRequest request{
      .shape = {.grid = to_core(gridDim), .group = to_core(blockDim), .dynamic_lds_bytes = sharedMemBytes},
      .packed_arguments = {static_cast<const std::byte*>(args), argsSize},
      .may_end_early = true};
  const auto function = reinterpret_cast<hipFunction_t>(const_cast<void*>(hostFunction));
  if (core::functions().pin(function)) return launch_function(function, stream, request);
  return core::launch_registered(hostFunction, stream, request);
}

Status hipExtLaunchKernel(const void* function_address, dim3 numBlocks, dim3 dimBlocks, void** args,
                          size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent, hipEvent_t stopEvent,
                          int flags) {
  if ((flags & ~hipExtAnyOrderLaunch) != 0)
    return error(ErrorCode::InvalidValue, "The launch flags {:#x} are not known.", flags);
  PinnedEvents events;
  RT_TRY(pin_events(events, startEvent, stopEvent));
  return core::launch_registered(
      function_address, stream,
      LaunchRequest{
          .shape = {.grid = to_core(numBlocks), .group = to_core(dimBlocks), .dynamic_lds_bytes = sharedMemBytes},
          .argument_pointers = args,
          .out_of_order = (flags & hipExtAnyOrderLaunch) != 0,
          .start = events.start.get(),
          .stop = events.stop.get()});
}

Status hipLaunchCooperativeKernel(const void* f, dim3 gridDim, dim3 blockDimX, void** kernelParams,
                                  unsigned int sharedMemBytes, hipStream_t stream) {
  auto target = core::find_stream(stream);
  if (!target.ok()) return Status(ErrorCode::InvalidHandle, target.status().message());
  return core::launch_registered(f, stream,
                                 LaunchRequest{.shape = {.grid = to_core(gridDim),
                                                         .group = to_core(blockDimX),
                                                         .dynamic_lds_bytes = sharedMemBytes,
                                                         .kind = LaunchKind::Cooperative},
                                               .argument_pointers = kernelParams});
}

Status hipModuleLaunchKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                             unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                             unsigned int sharedMemBytes, hipStream_t stream, void** kernelParams, void** extra) {
  LaunchRequest request{.shape = {.grid = {gridDimX, gridDimY, gridDimZ},
                                  .group = {blockDimX, blockDimY, blockDimZ},
                                  .dynamic_lds_bytes = sharedMemBytes}};
  RT_TRY(check_module_grid(request.shape));
  RT_TRY(take_arguments(request, kernelParams, extra));
  return with_empty_as_invalid_value(launch_function(f, stream, request), request.shape);
}

Status hipModuleLaunchCooperativeKernel(hipFunction_t f, unsigned int gridDimX, unsigned int gridDimY,
                                        unsigned int gridDimZ, unsigned int blockDimX, unsigned int blockDimY,
                                        unsigned int blockDimZ, unsigned int sharedMemBytes, hipStream_t stream,
                                        void** kernelParams) {
  const LaunchRequest request{.shape = {.grid = {gridDimX, gridDimY, gridDimZ},
                                        .group = {blockDimX, blockDimY, blockDimZ},
                                        .dynamic_lds_bytes = sharedMemBytes,
                                        .kind = LaunchKind::Cooperative},
                              .argument_pointers = kernelParams};
  return with_empty_as_invalid_value(launch_function(f, stream, request), request.shape);
}

Status hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG* config, hipFunction_t f, void** params, void** extra) {
  LaunchRequest request{.shape = {.grid = {config->gridDimX, config->gridDimY, config->gridDimZ},
                                  .group = {config->blockDimX, config->blockDimY, config->blockDimZ},
                                  .dynamic_lds_bytes = config->sharedMemBytes}};
  RT_TRY(read_attributes(request, config->attrs, config->numAttrs));
  RT_TRY(take_arguments(request, params, extra));
  return launch_function(f, config->hStream, request);
}

Status hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                void** kernelParams, void** extra, hipEvent_t startEvent, hipEvent_t stopEvent,
                                uint32_t flags) {
  return launch_in_items(f, {globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ},
                         {localWorkSizeX, localWorkSizeY, localWorkSizeZ}, sharedMemBytes, hStream, kernelParams, extra,
                         startEvent, stopEvent, flags);
}

Status hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                void** kernelParams, void** extra, hipEvent_t startEvent, hipEvent_t stopEvent) {
  const core::LaunchShape shape{.grid = {globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ},
                                .group = {localWorkSizeX, localWorkSizeY, localWorkSizeZ}};
  Status status = launch_in_items(f, shape.grid, shape.group, sharedMemBytes, hStream, kernelParams, extra, startEvent,
                                  stopEvent, 0);
  // This deprecated function was left out when HIP 7 gave too large blocks an error of their own.
  if (status.code() == ErrorCode::InvalidConfiguration && !core::is_empty(shape))
    return Status(ErrorCode::InvalidValue, status.message());
  return status;
}

// hipConfigureCall and __hipPushCallConfiguration push to the same stack.
Status hipConfigureCall(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
  core::this_thread().push_configuration() = {to_core(gridDim), to_core(blockDim), sharedMem, stream};
  return {};
}

Status hipSetupArgument(const void* arg, size_t size, size_t offset) {
  const uint32_t depth = core::this_thread().configurations;
  if (depth == 0) return error(ErrorCode::MissingConfiguration, "hipSetupArgument comes without hipConfigureCall.");
  constexpr size_t kMost = 1u << 16; // far above what a kernel can take
  if (!arg || offset > kMost || size > kMost - offset)
    return error(ErrorCode::InvalidValue, "The argument of {} bytes at offset {} is null or too large.", size, offset);
  auto& pending = core::this_thread_extras().pending_arguments;
  while (!pending.empty() && pending.back().depth > depth) pending.pop_back(); // their configurations are gone
  if (pending.empty() || pending.back().depth != depth) pending.push_back({depth, {}});
  auto& block = pending.back().bytes;
  if (block.size() < offset + size) block.resize(offset + size);
  std::memcpy(block.data() + offset, arg, size);
  return {};
}

Status hipLaunchByPtr(const void* func) {
  const uint32_t depth = core::this_thread().configurations;
  const core::CallConfiguration* const c = core::this_thread().pop_configuration();
  if (!c) return error(ErrorCode::MissingConfiguration, "hipLaunchByPtr comes without hipConfigureCall.");
  auto& pending = core::this_thread_extras().pending_arguments;
  while (!pending.empty() && pending.back().depth > depth) pending.pop_back();
  std::vector<std::byte> arguments;
  if (!pending.empty() && pending.back().depth == depth) {
    arguments = std::move(pending.back().bytes);
    pending.pop_back();
  }
  const LaunchRequest request{.shape = {.grid = c->grid, .group = c->block, .dynamic_lds_bytes = c->dynamic_lds_bytes},
                              .packed_arguments = arguments};
  RT_TRY(check_module_grid(request.shape));
  return with_empty_as_invalid_value(core::launch_registered(func, c->stream, request), request.shape);
}

hipError_t __hipPushCallConfiguration(dim3 gridDim, dim3 blockDim, size_t sharedMem, hipStream_t stream) {
  // Compiled code then leaves the launch out, so this is the thread's last error.
  if (core::is_forked_child()) [[unlikely]]
    return answer("__hipPushCallConfiguration", core::initialise());
  core::this_thread().push_configuration() = {to_core(gridDim), to_core(blockDim), sharedMem, stream};
  return hipSuccess;
}

hipError_t __hipPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem, hipStream_t* stream) {
  if (core::is_forked_child()) [[unlikely]]
    return answer("__hipPopCallConfiguration", core::initialise());
  if (!gridDim || !blockDim || !sharedMem || !stream) [[unlikely]]
    return hipErrorInvalidValue;
  const core::CallConfiguration* const c = core::this_thread().pop_configuration();
  if (!c) return hipErrorMissingConfiguration;
  *gridDim = {c->grid[0], c->grid[1], c->grid[2]};
  *blockDim = {c->block[0], c->block[1], c->block[2]};
  *sharedMem = c->dynamic_lds_bytes;
  *stream = as_handle<hipStream_t>(c->stream);
  return hipSuccess;
}

} // namespace hip::api
