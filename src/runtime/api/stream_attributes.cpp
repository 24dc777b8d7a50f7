// Attributes of streams, and the compute units that they use.
#include "runtime/api/graph_params.h"
#include "runtime/core/stream.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace hip::api {
namespace {

Status check_attribute(hipLaunchAttributeID id) {
  switch (id) {
  case hipLaunchAttributeAccessPolicyWindow:
  case hipLaunchAttributeSynchronizationPolicy:
  case hipLaunchAttributePriority:
  case hipLaunchAttributeMemSyncDomainMap:
  case hipLaunchAttributeMemSyncDomain:
    return {};
  default:
    return error(ErrorCode::InvalidValue, "{} is no attribute of streams.", static_cast<int>(id));
  }
}

Status check_value(core::Stream& stream, hipLaunchAttributeID id, const hipLaunchAttributeValue& value) {
  switch (id) {
  case hipLaunchAttributeAccessPolicyWindow:
    // What core takes for a backend::AccessWindow.
    using Given = hipAccessPolicyWindow;
    using Taken = backend::AccessWindow;
    static_assert(hipLaunchAttributeAccessPolicyWindow == core::kAccessWindowAttribute);
    static_assert(sizeof(Given) == sizeof(Taken) && offsetof(Given, hitProp) == offsetof(Taken, hit_property) &&
                  offsetof(Given, hitRatio) == offsetof(Taken, hit_ratio) &&
                  offsetof(Given, missProp) == offsetof(Taken, miss_property) &&
                  offsetof(Given, num_bytes) == offsetof(Taken, bytes));
    return check_window(stream.device(), value.accessPolicyWindow);
  case hipLaunchAttributeSynchronizationPolicy:
    if (const int policy = static_cast<int>(value.syncPolicy);
        policy < hipSyncPolicyAuto || policy > hipSyncPolicyBlockingSync)
      return error(ErrorCode::InvalidValue, "{} is no hipSynchronizationPolicy.", policy);
    return {};
  case hipLaunchAttributeMemSyncDomain:
    if (const int domain = static_cast<int>(value.memSyncDomain);
        domain != hipLaunchMemSyncDomainDefault && domain != hipLaunchMemSyncDomainRemote)
      return error(ErrorCode::InvalidValue, "{} is no hipLaunchMemSyncDomain.", domain);
    return {};
  case hipLaunchAttributeMemSyncDomainMap:
    if (value.memSyncDomainMap.default_ != 0 || value.memSyncDomainMap.remote != 0)
      return error(ErrorCode::InvalidValue, "The domains are mapped to {} and {}; the device has domain 0 alone.",
                   value.memSyncDomainMap.default_, value.memSyncDomainMap.remote);
    return {};
  case hipLaunchAttributePriority: {
    int least = 0, greatest = 0;
    RT_TRY(api::hipDeviceGetStreamPriorityRange(&least, &greatest));
    if (value.priority < greatest || value.priority > least)
      return error(ErrorCode::InvalidValue, "The priority {} is not between {} and {}.", value.priority, greatest,
                   least);
    return {};
  }
  default:
    return {};
  }
}

// What a stream has before somebody sets it.
hipLaunchAttributeValue initial_value(hipLaunchAttributeID id) {
  hipLaunchAttributeValue value{};
  if (id == hipLaunchAttributeSynchronizationPolicy) value.syncPolicy = hipSyncPolicyAuto;
  return value;
}

// The device's compute units in words of 32.
std::vector<uint32_t> all_units(const core::Device& device) {
  const uint32_t units = device.properties().compute_units;
  std::vector<uint32_t> words((units + 31) / 32, UINT32_MAX);
  if (units % 32 != 0) words.back() = (uint32_t{1} << units % 32) - 1;
  return words;
}

} // namespace

Status hipStreamGetAttribute(hipStream_t stream, hipLaunchAttributeID attr, hipLaunchAttributeValue* value_out) {
  RT_TRY(check_attribute(attr));
  RT_TRY_ASSIGN(const auto pin, core::find_stream_even_detached(stream));
  *value_out = initial_value(attr);
  if (attr == hipLaunchAttributePriority) {
    value_out->priority = pin->priority();
    return {};
  }
  static_assert(sizeof(*value_out) >= sizeof(core::LaunchAttributeValue));
  const core::LaunchAttributes kept = pin->attributes();
  if (const auto& value = kept[static_cast<size_t>(attr)]) std::memcpy(value_out, value->data(), value->size());
  return {};
}

Status hipStreamSetAttribute(hipStream_t stream, hipLaunchAttributeID attr, const hipLaunchAttributeValue* value) {
  RT_TRY(check_attribute(attr));
  RT_TRY_ASSIGN(const auto pin, core::find_stream_even_detached(stream));
  RT_TRY(check_value(*pin, attr, *value));
  if (attr == hipLaunchAttributePriority) return pin->set_priority(value->priority);
  core::LaunchAttributeValue kept;
  std::memcpy(kept.data(), value, kept.size());
  return pin->set_attribute(static_cast<size_t>(attr), kept);
}

Status hipStreamCopyAttributes(hipStream_t dst, hipStream_t src) {
  RT_TRY_ASSIGN(const auto to, core::find_stream_even_detached(dst));
  RT_TRY_ASSIGN(const auto from, core::find_stream_even_detached(src));
  if (&to->device() != &from->device())
    return error(ErrorCode::InvalidValue, "The streams belong to the devices {} and {}.", to->device().ordinal(),
                 from->device().ordinal());
  RT_TRY(to->set_priority(from->priority()));
  return to->set_attributes(from->attributes());
}

Status hipExtStreamCreateWithCUMask(hipStream_t* stream, uint32_t cuMaskSize, const uint32_t* cuMask) {
  if (!stream) return error(ErrorCode::InvalidHandle, "The place for the stream is null."); // ROCm's error, here alone
  *stream = nullptr;
  if (cuMaskSize == 0) return error(ErrorCode::InvalidValue, "The mask of compute units has no words.");
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  const std::vector<uint32_t> all = all_units(*device);
  std::vector<uint32_t> mask(all.size());
  for (size_t i = 0; i < mask.size() && i < cuMaskSize; ++i) mask[i] = cuMask[i] & all[i];
  // HIP takes a mask without any unit of the device for none at all.
  const bool none = std::all_of(mask.begin(), mask.end(), [](uint32_t word) { return word == 0; });
  if (none || mask == all) mask.clear();
  if (!mask.empty() && !device->properties().compute_unit_masks)
    return error(ErrorCode::NotSupported, "Device {} cannot keep a stream to a part of its compute units.",
                 device->ordinal());
  *stream = as_handle<hipStream_t>(core::streams().insert(
      std::make_unique<core::Stream>(*device, core::Stream::Kind::Blocking, hipStreamDefault, 0, std::move(mask))));
  return {};
}

Status hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t* cuMask) {
  RT_TRY_ASSIGN(const auto pin, core::find_stream_even_detached(stream));
  const std::vector<uint32_t> mask =
      pin->compute_unit_mask().empty() ? all_units(pin->device()) : pin->compute_unit_mask();
  if (cuMaskSize < mask.size())
    return error(ErrorCode::InvalidValue, "{} words for the mask of {} compute units, which has {}.", cuMaskSize,
                 pin->device().properties().compute_units, mask.size());
  std::fill_n(std::copy(mask.begin(), mask.end(), cuMask), cuMaskSize - mask.size(), 0);
  return {};
}

} // namespace hip::api
