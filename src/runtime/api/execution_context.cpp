// Contexts on a part of a device's compute units, and the resources that they are made of.
#include "runtime/core/execution_context.h"

#include "runtime/api/api.h"
#include "runtime/core/fat_binary.h"

#include <algorithm>
#include <cstring>

namespace hip::api {
namespace {

using core::ComputeUnits;
using core::ExecutionContext;

static_assert(sizeof(hipDevResource) == sizeof(ComputeUnits) &&
              offsetof(hipDevResource, sm) == offsetof(ComputeUnits, count));
static_assert(sizeof(hipDevSmResourceGroupParams) == sizeof(core::UnitGroup));

ComputeUnits to_units(const hipDevResource& resource) {
  ComputeUnits units;
  std::memcpy(&units, &resource, sizeof units);
  return units;
}

void put(hipDevResource* resource, const ComputeUnits& units) { std::memcpy(resource, &units, sizeof units); }

Status check_is_units(hipDevResourceType type) {
  if (type == hipDevResourceTypeSm) return {};
  return error(ErrorCode::InvalidResourceType, "A resource of type {}; compute units ({}) can be asked for.",
               static_cast<int>(type), static_cast<int>(hipDevResourceTypeSm));
}

Result<core::Pin<ExecutionContext>> find_context(hipExecutionCtx_t ctx) {
  auto pin = core::execution_contexts().pin(ctx);
  if (!pin)
    return error(ErrorCode::InvalidValue, "{} is not an execution context, or it was destroyed.",
                 static_cast<void*>(ctx));
  return pin;
}

// Of these functions alone: an event that was destroyed is an invalid handle.
Result<core::Pin<core::Event>> find_event(hipEvent_t event) {
  auto pin = core::find_event(event);
  if (!pin.ok() && pin.status().code() == ErrorCode::ContextIsDestroyed)
    return Status(ErrorCode::InvalidHandle, pin.status().message());
  return pin;
}

// Results and a remainder of the program's own type, filled by `divide` as ComputeUnits.
template<class F> Status divide(hipDevResource* result, size_t count, hipDevResource* remainder, const F& divide) {
  std::vector<ComputeUnits> groups(result ? count : 0);
  ComputeUnits rest;
  RT_TRY(divide(result ? groups.data() : nullptr, remainder ? &rest : nullptr));
  for (size_t i = 0; i < groups.size(); ++i)
    if (groups[i].count != 0) put(&result[i], groups[i]); // those that there are
  if (remainder) put(remainder, rest);
  return {};
}

} // namespace

// ---- resources -----------------------------------------------------------------------------------------------------

Status hipDeviceGetDevResource(hipDevice_t device, hipDevResource* resource, hipDevResourceType type) {
  RT_TRY_ASSIGN(core::Device* const found, core::find_device(device));
  RT_TRY(check_is_units(type));
  RT_TRY_ASSIGN(const ComputeUnits units, core::all_compute_units(*found));
  put(resource, units);
  return {};
}

Status hipDevSmResourceSplitByCount(hipDevResource* result, unsigned int* nbGroups, const hipDevResource* input,
                                    hipDevResource* remainder, unsigned int flags, unsigned int minCount) {
  RT_TRY(check_is_units(input->type));
  if ((flags & ~(core::kIgnoreCoscheduling | core::kLargestClusters)) != 0)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of a division are not known.", flags);
  const ComputeUnits units = to_units(*input);
  // There are no more groups than units.
  unsigned groups = result ? std::min(*nbGroups, units.count) : *nbGroups;
  RT_TRY(divide(result, groups, remainder, [&](ComputeUnits* parts, ComputeUnits* rest) {
    return core::split_evenly(parts, groups, units, rest, flags, minCount);
  }));
  *nbGroups = groups;
  return {};
}

Status hipDevSmResourceSplit(hipDevResource* result, unsigned int nbGroups, const hipDevResource* input,
                             hipDevResource* remainder, unsigned int flags, hipDevSmResourceGroupParams* groupParams) {
  RT_TRY(check_is_units(input->type));
  if (flags != 0 || nbGroups == 0)
    return error(ErrorCode::InvalidValue, "{} groups with the flags {:#x} are asked for; flags must be 0.", nbGroups,
                 flags);
  const ComputeUnits units = to_units(*input);
  if (nbGroups > units.count)
    return error(ErrorCode::InvalidResourceConfiguration, "{} groups are asked for of {} compute units.", nbGroups,
                 units.count);
  std::vector<core::UnitGroup> groups(nbGroups);
  std::memcpy(groups.data(), groupParams, groups.size() * sizeof groups[0]);
  for (const core::UnitGroup& group : groups)
    if ((group.flags & ~core::UnitGroup::kBackfill) != 0)
      return error(ErrorCode::InvalidValue, "The flags {:#x} of a group are not known.", group.flags);
  RT_TRY(divide(result, nbGroups, remainder,
                [&](ComputeUnits* parts, ComputeUnits* rest) { return core::split(parts, groups, units, rest); }));
  std::memcpy(groupParams, groups.data(), groups.size() * sizeof groups[0]);
  return {};
}

Status hipDevResourceGenerateDesc(hipDevResourceDesc_t* phDesc, hipDevResource* resources, unsigned int nbResources) {
  *phDesc = nullptr;
  if (nbResources == 0) return error(ErrorCode::InvalidValue, "No resources are listed.");
  std::vector<ComputeUnits> parts;
  std::optional<core::ResourceDescriptor::Queues> queues;
  for (const hipDevResource& resource : std::span(resources, nbResources)) {
    if (resource.type != hipDevResourceTypeWorkqueueConfig) {
      RT_TRY(check_is_units(resource.type));
      parts.push_back(to_units(resource));
      continue;
    }
    const hipDevWorkqueueConfigResource& config = resource.wqConfig;
    if (queues || (config.sharingScope != hipDevWorkqueueConfigScopeDeviceCtx &&
                   config.sharingScope != hipDevWorkqueueConfigScopeGreenCtxBalanced))
      return error(ErrorCode::InvalidResourceConfiguration,
                   "There are two configurations of work queues, or one with the scope {}.",
                   static_cast<int>(config.sharingScope));
    queues = {config.device, config.wqConcurrencyLimit, static_cast<unsigned>(config.sharingScope)};
  }
  if (parts.empty()) return error(ErrorCode::InvalidResourceConfiguration, "The resources have no compute units.");
  RT_TRY_ASSIGN(core::Device* const device, core::check_together(parts));
  if (queues && queues->device != device->ordinal())
    return error(ErrorCode::InvalidResourceConfiguration,
                 "The configuration of work queues is for device {}, the compute units are device {}'s.",
                 queues->device, device->ordinal());
  *phDesc = as_handle<hipDevResourceDesc_t>(
      core::descriptors().insert(std::make_unique<core::ResourceDescriptor>(*device, std::move(parts), queues)));
  return {};
}

Status hipStreamGetDevResource(hipStream_t hStream, hipDevResource* resource, hipDevResourceType type) {
  RT_TRY_ASSIGN(const auto pin, core::find_stream(hStream));
  RT_TRY(check_is_units(type));
  if (const core::StreamGroup* const group = pin->group()) {
    put(resource, group->units());
    return {};
  }
  if (!pin->compute_unit_mask().empty()) {
    put(resource, core::units_of_mask(pin->device(), pin->compute_unit_mask()));
    return {};
  }
  RT_TRY_ASSIGN(const ComputeUnits units, core::all_compute_units(pin->device()));
  put(resource, units);
  return {};
}

// ---- contexts ------------------------------------------------------------------------------------------------------

Status hipGreenCtxCreate(hipExecutionCtx_t* ctx, hipDevResourceDesc_t desc, int device, unsigned int flags) {
  *ctx = nullptr;
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags of a context are {:#x}; they must be 0.", flags);
  RT_TRY_ASSIGN(core::Device* const found, core::find_device(device));
  const auto pin = core::descriptors().pin(desc);
  if (!pin)
    return error(ErrorCode::InvalidValue, "{} describes no resources, or its context was destroyed.",
                 static_cast<void*>(desc));
  if (&pin->device() != found)
    return error(ErrorCode::InvalidDevice, "The resources are device {}'s, the context is to be device {}'s.",
                 pin->device().ordinal(), device);
  core::load_registered_code(*found);
  RT_TRY_ASSIGN(auto made, ExecutionContext::create(*pin));
  *ctx = as_handle<hipExecutionCtx_t>(core::execution_contexts().insert(std::move(made)));
  return {};
}

Status hipExecutionCtxDestroy(hipExecutionCtx_t ctx) {
  {
    RT_TRY_ASSIGN(const auto pin, find_context(ctx));
    if (pin->is_device())
      return error(ErrorCode::InvalidValue, "The context of device {} cannot be destroyed.", pin->device().ordinal());
  }
  if (!core::execution_contexts().remove(ctx)) // by another thread
    return error(ErrorCode::InvalidValue, "{} was destroyed before.", static_cast<void*>(ctx));
  return {};
}

Status hipExecutionCtxStreamCreate(hipStream_t* stream, hipExecutionCtx_t greenctx, unsigned int flags, int priority) {
  *stream = nullptr;
  RT_TRY_ASSIGN(const auto pin, find_context(greenctx));
  if (flags != hipStreamDefault && flags != hipStreamNonBlocking)
    return error(ErrorCode::InvalidValue, "The stream flags {:#x} are not known.", flags);
  int least = 0, greatest = 0;
  RT_TRY(api::hipDeviceGetStreamPriorityRange(&least, &greatest));
  RT_TRY_ASSIGN(const core::Handle made, pin->create_stream(flags, std::clamp(priority, greatest, least)));
  *stream = as_handle<hipStream_t>(made);
  return {};
}

Status hipDeviceGetExecutionCtx(hipExecutionCtx_t* ctx, int device) {
  *ctx = nullptr;
  RT_TRY_ASSIGN(core::Device* const found, core::find_device(device));
  RT_TRY_ASSIGN(const core::Handle handle, core::device_execution_context(*found));
  *ctx = as_handle<hipExecutionCtx_t>(handle);
  return {};
}

Status hipExecutionCtxGetDevResource(hipExecutionCtx_t ctx, hipDevResource* resource, hipDevResourceType type) {
  RT_TRY_ASSIGN(const auto pin, find_context(ctx));
  if (type == hipDevResourceTypeWorkqueueConfig && pin->queues()) {
    *resource = {};
    resource->type = type;
    resource->wqConfig = {pin->queues()->device, pin->queues()->concurrency,
                          static_cast<hipDevWorkqueueConfigScope>(pin->queues()->scope)};
    return {};
  }
  RT_TRY(check_is_units(type));
  put(resource, pin->units());
  return {};
}

Status hipExecutionCtxGetDevice(int* device, hipExecutionCtx_t ctx) {
  RT_TRY_ASSIGN(const auto pin, find_context(ctx));
  *device = pin->device().ordinal();
  return {};
}

Status hipExecutionCtxGetId(hipExecutionCtx_t ctx, unsigned long long* ctxId) {
  RT_TRY_ASSIGN(const auto pin, find_context(ctx));
  *ctxId = pin->id();
  return {};
}

Status hipExecutionCtxRecordEvent(hipExecutionCtx_t ctx, hipEvent_t event) {
  RT_TRY_ASSIGN(const auto pin, find_context(ctx));
  RT_TRY_ASSIGN(const auto recorded, find_event(event));
  return pin->record(*recorded);
}

Status hipExecutionCtxSynchronize(hipExecutionCtx_t ctx) {
  RT_TRY_ASSIGN(const auto pin, find_context(ctx));
  return pin->synchronize();
}

Status hipExecutionCtxWaitEvent(hipExecutionCtx_t ctx, hipEvent_t event) {
  RT_TRY_ASSIGN(const auto pin, find_context(ctx));
  RT_TRY_ASSIGN(const auto awaited, find_event(event));
  return pin->wait(*awaited);
}

} // namespace hip::api
