// Managed memory beyond its allocation. Devices that address host memory directly need not move it, so prefetching to
// them only checks the arguments, as attaching does on every device; advice is kept and can be asked for.
#include "runtime/api/api.h"
#include "runtime/core/address_map.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/memory.h"
#include "runtime/core/range_advice.h"

#include <cstring>
#include <vector>

namespace hip::api {
namespace {

static_assert(static_cast<uint32_t>(hipMemAdviseSetReadMostly) == static_cast<uint32_t>(backend::Advice::ReadMostly) &&
              static_cast<uint32_t>(hipMemAdviseUnsetAccessedBy) ==
                  static_cast<uint32_t>(backend::Advice::NotAccessedBy));

using core::Allocation;
using core::RangeState;

Result<Allocation> find_managed(const void* ptr, size_t bytes) {
  const auto found = core::addresses().find(ptr);
  if (!ptr || !found || found->kind != core::PointerKind::Managed)
    return error(ErrorCode::InvalidValue, "{} is not managed memory.", const_cast<void*>(ptr));
  if (bytes > found->bytes_from(ptr))
    return error(ErrorCode::InvalidValue, "{} bytes from {} leave the allocation of {} bytes at {}.", bytes,
                 const_cast<void*>(ptr), found->bytes, found->base);
  return *found;
}

Result<Allocation> find_range(const void* ptr, size_t bytes) {
  if (bytes == 0) return error(ErrorCode::InvalidValue, "The range at {} has 0 bytes.", const_cast<void*>(ptr));
  return find_managed(ptr, bytes);
}

// A location as the ordinal that the older functions take.
Result<int> to_ordinal(const hipMemLocation& location) {
  switch (location.type) {
  case hipMemLocationTypeDevice:
    return location.id;
  case hipMemLocationTypeHost:
  case hipMemLocationTypeHostNuma:
  case hipMemLocationTypeHostNumaCurrent:
    return hipCpuDeviceId; // the host's memory is one
  case hipMemLocationTypeInvalid:
    break;
  }
  return error(ErrorCode::InvalidValue, "The location has type {}; it is a device's or the host's.",
               static_cast<int>(location.type));
}

Status prefetch(const void* dev_ptr, size_t count, int device, hipStream_t stream) {
  RT_TRY_ASSIGN(const Allocation memory, find_range(dev_ptr, count));
  core::Device* destination = nullptr;
  if (device != hipCpuDeviceId) {
    RT_TRY_ASSIGN(destination, core::find_device(device));
  }
  RT_TRY_ASSIGN(auto target, core::find_stream(stream));
  RT_TRY(core::prefetch(*target, *memory.device, dev_ptr, count, destination));
  core::advise_range(memory, dev_ptr, count, [](RangeState& s, int where) { s.prefetched = where; }, device);
  return {};
}

using Change = void (*)(RangeState&, int);
constexpr uint64_t bit_of(int device) { return uint64_t{1} << (device & 63); }

// What an advice changes; null for what is none.
Change change_of(hipMemoryAdvise advice) {
  switch (advice) {
  case hipMemAdviseSetReadMostly:
    return [](RangeState& s, int) { s.read_mostly = true; };
  case hipMemAdviseUnsetReadMostly:
    return [](RangeState& s, int) { s.read_mostly = false; };
  case hipMemAdviseSetPreferredLocation:
    return [](RangeState& s, int device) { s.preferred = device; };
  case hipMemAdviseUnsetPreferredLocation:
    return [](RangeState& s, int) { s.preferred = core::kNowhere; };
  case hipMemAdviseSetAccessedBy:
    return [](RangeState& s, int device) {
      if (device == core::kCpu)
        s.accessed_by_cpu = true;
      else
        s.accessed_by |= bit_of(device);
    };
  case hipMemAdviseUnsetAccessedBy:
    return [](RangeState& s, int device) {
      if (device == core::kCpu)
        s.accessed_by_cpu = false;
      else
        s.accessed_by &= ~bit_of(device);
    };
  case hipMemAdviseSetCoarseGrain:
    return [](RangeState& s, int) { s.coarse_grain = true; };
  case hipMemAdviseUnsetCoarseGrain:
    return [](RangeState& s, int) { s.coarse_grain = false; };
  }
  return nullptr;
}

bool needs_device(hipMemoryAdvise advice) {
  return advice != hipMemAdviseSetReadMostly && advice != hipMemAdviseUnsetReadMostly &&
         advice != hipMemAdviseUnsetPreferredLocation;
}

Status put_int(void* data, size_t data_size, int value) {
  if (data_size != sizeof value)
    return error(ErrorCode::InvalidValue, "The attribute has {} bytes; there is room for {}.", sizeof value, data_size);
  std::memcpy(data, &value, sizeof value);
  return {};
}

// Ordinals of the devices, and hipInvalidDeviceId in what is left of the room.
Status put_accessors(void* data, size_t data_size, const RangeState& state) {
  if (data_size == 0 || data_size % sizeof(int) != 0)
    return error(ErrorCode::InvalidValue, "The list of devices has room for {} bytes, which are no whole numbers.",
                 data_size);
  std::vector<int> devices;
  if (state.accessed_by_cpu) devices.push_back(hipCpuDeviceId);
  for (int ordinal = 0; ordinal < 64; ++ordinal)
    if ((state.accessed_by & bit_of(ordinal)) != 0) devices.push_back(ordinal);
  devices.resize(data_size / sizeof(int), hipInvalidDeviceId);
  std::memcpy(data, devices.data(), data_size);
  return {};
}

Status get_attribute(void* data, size_t data_size, hipMemRangeAttribute attribute, const RangeState& state,
                     bool mixed_grain) {
  if (!data) return error(ErrorCode::InvalidValue, "The place for the attribute is null.");
  switch (attribute) {
  case hipMemRangeAttributeReadMostly:
    return put_int(data, data_size, state.read_mostly);
  case hipMemRangeAttributePreferredLocation:
    return put_int(data, data_size, state.preferred);
  case hipMemRangeAttributeAccessedBy:
    return put_accessors(data, data_size, state);
  case hipMemRangeAttributeLastPrefetchLocation:
    return put_int(data, data_size, state.prefetched);
  case hipMemRangeAttributeCoherencyMode:
    return put_int(data, data_size,
                   mixed_grain          ? hipMemRangeCoherencyModeIndeterminate
                   : state.coarse_grain ? hipMemRangeCoherencyModeCoarseGrain
                                        : hipMemRangeCoherencyModeFineGrain);
  }
  return error(ErrorCode::InvalidValue, "{} is no attribute of a range.", static_cast<int>(attribute));
}

} // namespace

Status hipMemPrefetchAsync(const void* dev_ptr, size_t count, int device, hipStream_t stream) {
  return prefetch(dev_ptr, count, device, stream);
}

Status hipMemPrefetchAsync_v2(const void* dev_ptr, size_t count, hipMemLocation location, unsigned int flags,
                              hipStream_t stream) {
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags of a prefetch are {:#x}; they must be 0.", flags);
  RT_TRY_ASSIGN(const int device, to_ordinal(location));
  return prefetch(dev_ptr, count, device, stream);
}

namespace {

// Where each of `count` ranges goes: to locations[i] those from starts[i] on. All is checked before anything is done.
Result<std::vector<int>> destinations(void** ranges, const size_t* sizes, size_t count, const hipMemLocation* locations,
                                      const size_t* starts, size_t location_count, unsigned long long flags) {
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags of a prefetch are {:#x}; they must be 0.", flags);
  if (count == 0 || location_count == 0 || location_count > count || starts[0] != 0)
    return error(ErrorCode::InvalidValue, "{} ranges are to go to {} locations, the first from range {} on.", count,
                 location_count, location_count ? starts[0] : 0);
  for (size_t where = 1; where < location_count; ++where)
    if (starts[where] <= starts[where - 1] || starts[where] >= count)
      return error(ErrorCode::InvalidValue,
                   "Location {} begins at range {}; it begins behind the one before it, and at one of {} ranges.",
                   where, starts[where], count);
  std::vector<int> devices(count);
  for (size_t i = 0, where = 0; i < count; ++i) {
    if (where + 1 < location_count && starts[where + 1] == i) ++where;
    RT_TRY_ASSIGN(devices[i], to_ordinal(locations[where]));
    if (devices[i] != hipCpuDeviceId) RT_TRY(core::find_device(devices[i]).status());
    RT_TRY(find_range(ranges[i], sizes[i]).status());
  }
  return devices;
}

// Discards are of streams that were created.
Result<core::Pin<core::Stream>> find_created(hipStream_t stream) {
  if (!stream || stream == hipStreamLegacy || stream == hipStreamPerThread)
    return error(ErrorCode::InvalidValue, "Memory cannot be discarded in a default stream.");
  return core::find_stream(stream);
}

Status discard(core::Stream& stream, void** ranges, const size_t* sizes, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    RT_TRY_ASSIGN(const Allocation memory, find_range(ranges[i], sizes[i]));
    RT_TRY(core::discard(stream, *memory.device, ranges[i], sizes[i]));
  }
  return {};
}

} // namespace

Status hipMemPrefetchBatchAsync(void** dev_ptrs, size_t* sizes, size_t count, hipMemLocation* prefetch_locs,
                                size_t* prefetch_loc_idxs, size_t num_prefetch_locs, unsigned long long flags,
                                hipStream_t stream) {
  RT_TRY_ASSIGN(const std::vector<int> devices,
                destinations(dev_ptrs, sizes, count, prefetch_locs, prefetch_loc_idxs, num_prefetch_locs, flags));
  for (size_t i = 0; i < count; ++i) RT_TRY(prefetch(dev_ptrs[i], sizes[i], devices[i], stream));
  return {};
}

Status hipMemDiscardBatchAsync(void** dev_ptrs, size_t* sizes, size_t count, unsigned long long flags,
                               hipStream_t stream) {
  if (flags != 0 || count == 0)
    return error(ErrorCode::InvalidValue, "{} ranges with the flags {:#x} are discarded; flags must be 0.", count,
                 flags);
  RT_TRY_ASSIGN(const auto pin, find_created(stream));
  for (size_t i = 0; i < count; ++i) RT_TRY(find_range(dev_ptrs[i], sizes[i]).status());
  return discard(*pin, dev_ptrs, sizes, count);
}

Status hipDrvMemDiscardBatchAsync(hipDeviceptr_t* dptrs, size_t* sizes, size_t count, unsigned long long flags,
                                  hipStream_t stream) {
  return api::hipMemDiscardBatchAsync(dptrs, sizes, count, flags, stream);
}

Status hipMemDiscardAndPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count, hipMemLocation* prefetchLocs,
                                          size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                          hipStream_t stream) {
  RT_TRY_ASSIGN(const auto pin, find_created(stream));
  RT_TRY_ASSIGN(const std::vector<int> devices,
                destinations(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags));
  RT_TRY(discard(*pin, dptrs, sizes, count));
  for (size_t i = 0; i < count; ++i) RT_TRY(prefetch(dptrs[i], sizes[i], devices[i], stream));
  return {};
}

Status hipDrvMemDiscardAndPrefetchBatchAsync(hipDeviceptr_t* dptrs, size_t* sizes, size_t count,
                                             hipMemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                             size_t numPrefetchLocs, unsigned long long flags, hipStream_t stream) {
  return api::hipMemDiscardAndPrefetchBatchAsync(dptrs, sizes, count, prefetchLocs, prefetchLocIdxs, numPrefetchLocs,
                                                 flags, stream);
}

Status hipMemAdvise(const void* dev_ptr, size_t count, hipMemoryAdvise advice, int device) {
  const Change change = change_of(advice);
  RT_TRY(core::check_call_allowed());
  if (!change) return error(ErrorCode::InvalidValue, "{} is no advice.", static_cast<int>(advice));
  RT_TRY_ASSIGN(const Allocation memory, find_range(dev_ptr, count));
  core::Device* where = nullptr; // the host
  if (needs_device(advice) && device != hipCpuDeviceId) {
    RT_TRY_ASSIGN(where, core::find_device(device));
  }
  if (advice != hipMemAdviseSetCoarseGrain && advice != hipMemAdviseUnsetCoarseGrain) // AMD's own
    RT_TRY(core::advise(*memory.device, dev_ptr, count, static_cast<backend::Advice>(advice), where));
  core::advise_range(memory, dev_ptr, count, change, device);
  return {};
}

Status hipMemAdvise_v2(const void* dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location) {
  int device = hipCpuDeviceId;
  if (needs_device(advice)) {
    RT_TRY_ASSIGN(device, to_ordinal(location));
  }
  return api::hipMemAdvise(dev_ptr, count, advice, device);
}

Status hipMemRangeGetAttribute(void* data, size_t data_size, hipMemRangeAttribute attribute, const void* dev_ptr,
                               size_t count) {
  // The one attribute that other memory of a device has, too: what it was allocated as.
  if (attribute == hipMemRangeAttributeCoherencyMode && data)
    if (const auto found = core::addresses().find(dev_ptr); dev_ptr && found &&
                                                            found->kind == core::PointerKind::Device && count != 0 &&
                                                            count <= found->bytes_from(dev_ptr))
      return put_int(data, data_size,
                     found->memory == backend::MemoryKind::FineGrained ? hipMemRangeCoherencyModeFineGrain
                                                                       : hipMemRangeCoherencyModeCoarseGrain);
  RT_TRY_ASSIGN(const Allocation memory, find_range(dev_ptr, count));
  bool mixed_grain = false;
  const RangeState state = core::range_state(memory, dev_ptr, count, mixed_grain);
  return get_attribute(data, data_size, attribute, state, mixed_grain);
}

Status hipMemRangeGetAttributes(void** data, size_t* data_sizes, hipMemRangeAttribute* attributes,
                                size_t num_attributes, const void* dev_ptr, size_t count) {
  if (num_attributes == 0) return error(ErrorCode::InvalidValue, "No attributes are asked for.");
  RT_TRY_ASSIGN(const Allocation memory, find_range(dev_ptr, count));
  bool mixed_grain = false;
  const RangeState state = core::range_state(memory, dev_ptr, count, mixed_grain);
  for (size_t i = 0; i < num_attributes; ++i)
    RT_TRY(get_attribute(data[i], data_sizes[i], attributes[i], state, mixed_grain));
  return {};
}

Status hipStreamAttachMemAsync(hipStream_t stream, void* dev_ptr, size_t length, unsigned int flags) {
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of hipStreamAttachMemAsync are not known.", flags);
  RT_TRY_ASSIGN(const auto pin, core::find_stream(stream));
  if (flags == hipMemAttachSingle && pin->kind() == core::Stream::Kind::Null)
    return error(ErrorCode::InvalidValue, "Managed memory is attached to one stream, which cannot be the default one.");
  RT_TRY_ASSIGN(const Allocation memory, find_managed(dev_ptr, length));
  if (length != 0 && length != memory.bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {} are attached; an allocation is attached whole ({}, or 0).",
                 length, dev_ptr, memory.bytes);
  return {};
}

} // namespace hip::api
