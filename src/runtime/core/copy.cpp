#include "runtime/core/copy.h"

#include "runtime/core/copy_between.h"
#include "runtime/core/device.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/runtime.h"

#include <array>
#include <span>
#include <unordered_set>

namespace hip::core {
namespace {

constinit std::atomic<bool> any_sync_memops{false};
constinit std::mutex sync_memops_mutex;
std::unordered_set<uint64_t>& sync_memops_set() {
  static auto* set = new std::unordered_set<uint64_t>;
  return *set;
}

using Found = std::optional<Allocation>;

// The default stream of the device whose memory is touched, when the user named no stream of his own.
Stream& choose_stream(Stream& stream, const Found& dst, const Found& src) {
  if (stream.kind() != Stream::Kind::Null) return stream;
  for (const Found* end : {&src, &dst})
    if (*end && !(*end)->on_host() && (*end)->kind != PointerKind::Managed) return (*end)->device->null_stream();
  return stream;
}

// Whether the call returns only when the work is done.
enum class HostWait { No, Yes };

// Whether a call waits for the sake of this end: a blocking call does for memory that the host reaches, every call does
// for memory with HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS.
bool waits_for(CopyWait wait, const Allocation& end) {
  if (any_sync_memops.load(std::memory_order_relaxed) && sync_memops(end.id)) return true;
  return wait == CopyWait::Blocking && (end.on_host() || end.kind == PointerKind::Managed);
}

HostWait copy_wait(CopyWait wait, const Found& dst, const Found& src) {
  // Pageable memory may be changed or freed by the host as soon as the call returns; from host to host every copy
  // waits.
  if (!dst || !src || (dst->on_host() && src->on_host())) return HostWait::Yes;
  return waits_for(wait, *dst) || waits_for(wait, *src) ? HostWait::Yes : HostWait::No;
}

// Unlike a copy, an asynchronous fill does not wait for the sake of host memory.
HostWait fill_wait(CopyWait wait, const Allocation& dst) { return waits_for(wait, dst) ? HostWait::Yes : HostWait::No; }

Status check_kind(CopyKind kind) {
  switch (kind) {
  case CopyKind::HostToHost:
  case CopyKind::HostToDevice:
  case CopyKind::DeviceToHost:
  case CopyKind::DeviceToDevice:
  case CopyKind::Default:
  case CopyKind::DeviceToDeviceNoCU:
    return {};
  }
  return error(ErrorCode::InvalidMemcpyDirection, "{} is no hipMemcpyKind.", static_cast<int>(kind));
}

// Two pageable ends are a copy from host to host, which `kind` must say or leave open; unless the device reaches
// pageable memory, as an address of the device's then may be.
Status check_ends(const Stream& stream, const Found& dst, const Found& src, CopyKind kind) {
  if (dst || src || kind == CopyKind::HostToHost || kind == CopyKind::Default) return {};
  if (stream.device().properties().pageable_memory_access) return {};
  return error(ErrorCode::InvalidValue,
               "Neither the source nor the destination of the copy is memory of a device or registered host memory, "
               "but its kind is "
               "{}, not hipMemcpyHostToHost or hipMemcpyDefault.",
               static_cast<int>(kind));
}

// Memory of hipMemMap has an access of its own, and mappings that follow each other are one range.
Status check_mapped(const char* end, const void* address, size_t bytes, backend::PoolAccess access) {
  if (addresses().is_mapped(address, bytes, access)) return {};
  return error(ErrorCode::InvalidValue, "The {} range of {} bytes at {} leaves what is mapped there, or may not be {}.",
               end, bytes, const_cast<void*>(address), access == backend::PoolAccess::Read ? "read" : "written");
}

// `bytes` from `address` stay inside the allocation, when there is one.
Status check_range(const char* end, const Found& found, const void* address, size_t bytes, backend::PoolAccess access) {
  if (found && found->is_mapped()) [[unlikely]]
    return check_mapped(end, address, bytes, access);
  if (!found || bytes <= found->bytes_from(address)) return {};
  return error(ErrorCode::InvalidValue, "The {} range of {} bytes at {} leaves its allocation of {} bytes at {}.", end,
               bytes, address, found->bytes, found->base);
}

// Bytes from the first to the last byte of a box; nothing when the sum does not fit a size_t.
std::optional<size_t> span_of(const CopyRegion& region, const backend::Extent3& extent) {
  size_t rows, slices, sum;
  if (__builtin_mul_overflow(region.pitch_bytes, extent.height - 1, &rows) ||
      __builtin_mul_overflow(region.slice_bytes, extent.depth - 1, &slices) ||
      __builtin_add_overflow(rows, slices, &sum) || __builtin_add_overflow(sum, extent.width_bytes, &sum))
    return std::nullopt;
  return sum;
}

constexpr backend::PoolAccess kRead = backend::PoolAccess::Read, kWrite = backend::PoolAccess::ReadWrite;

Status check_box(const char* end, const Found& found, const CopyRegion& region, const backend::Extent3& extent,
                 backend::PoolAccess access) {
  auto span = span_of(region, extent);
  if (!span || __builtin_add_overflow(*span, region.offset_bytes, &*span))
    return error(ErrorCode::InvalidValue, "The {} box of {} x {} x {} bytes is larger than the address space.", end,
                 extent.width_bytes, extent.height, extent.depth);
  return check_range(end, found, region.memory, *span, access);
}

// What is given to a default stream is in the order of the default streams of the calling thread's device, whose stream
// the user named, and of all devices whose memory it touches. The work is in one of these streams; the others:
struct OtherStreams {
  std::array<Stream*, 2> all{};
  size_t count = 0;
  void add(Stream& stream) {
    if (count == 0 || all[0] != &stream) all[count++] = &stream;
  }
};

// `stream` is one of the default streams of the memory's devices, so that there are two others at most.
OtherStreams other_default_streams(const Stream& stream, Stream& given, const Found& dst, const Found& src) {
  OtherStreams others;
  if (stream.kind() != Stream::Kind::Null) return others;
  if (&given != &stream) others.add(given);
  for (const Found* end : {&dst, &src})
    if (*end && (*end)->kind == PointerKind::Device && (*end)->device != &stream.device())
      others.add((*end)->device->null_stream());
  return others;
}

// The device whose back end alone can reach this end; null for memory that the host, and so every back end, can reach.
// An array, which has no address, belongs to its device.
Device* owner(const Found& end) {
  if (!end) return nullptr;
  const bool is_array = !end->base;
  if (!is_array &&
      (end->on_host() || end->kind == PointerKind::Managed || end->device->properties().memory_is_host_memory))
    return nullptr;
  return end->device;
}

// The owners of the ends of a copy that queues of `device` do, in that device's back end; nothing where HIP does not
// know them: of pageable memory, which may be another library's device memory, and of what was mapped or imported,
// whose addresses do not tell.
std::optional<backend::CopyOwners> known_owners(const Device& device, const Found& dst, const Found& src) {
  const auto known = [&](const Found& end) {
    return end && (end->memory != backend::MemoryKind::Mapped && end->memory != backend::MemoryKind::External);
  };
  if (!known(dst) || !known(src)) return std::nullopt;
  Device *const to = owner(dst), *const from = owner(src);
  if ((to && !to->same_backend(device)) || (from && !from->same_backend(device))) return std::nullopt;
  return backend::CopyOwners{to ? &to->hal() : nullptr, from ? &from->hal() : nullptr};
}

// For memory that belongs to another back end than the stream's device: the memory's device does the work in a stream
// of its own, between two waits of the host.
Status run_elsewhere(Stream& given, Device& device, SubmitFunction submit) {
  RT_TRY(given.synchronize());
  Stream own(device, Stream::Kind::NonBlocking, 0, 0);
  RT_TRY(own.submit(submit));
  return own.synchronize();
}

// As above, for a device of the same back end: in the order of `given`, without a wait of the host.
Status run_beside(Stream& given, Device& device, HostWait wait, SubmitFunction submit) {
  Stream& side = device.side_stream();
  RT_TRY_ASSIGN(const Ref<backend::Completion> before, given.record({.timed = false}));
  RT_TRY(side.wait(before, given.device()));
  RT_TRY(side.submit(submit));
  RT_TRY_ASSIGN(const Ref<backend::Completion> after, side.record({.timed = false}));
  RT_TRY(given.wait(after, device));
  return wait == HostWait::Yes ? given.synchronize() : Status();
}

Status no_way_between(const Device& to, const Device& from) {
  return error(
      ErrorCode::NotSupported,
      "Device {} ({}) and device {} ({}) are of two vendors: copies between their memories cannot be captured or be "
      "nodes of graphs, nor be of arrays; copy through host memory.",
      from.ordinal(), from.properties().name, to.ordinal(), to.properties().name);
}

// The ends belong to two back ends.
bool lie_apart(const Found& dst, const Found& src) {
  const Device *const to = owner(dst), *const from = owner(src);
  return to && from && !to->same_backend(*from);
}

// What does not run now: it is prepared for a graph's node, or the stream is captured.
[[gnu::cold, gnu::noinline]] Status hand_over(const CopyTarget& target, const Found& dst, const Found& src,
                                              PreparedTransfer transfer, CopyKind kind) {
  Device* const to = owner(dst);
  Device* const from = owner(src);
  if (to && from && !to->same_backend(*from)) return no_way_between(*to, *from);
  transfer.owner = to ? to : from;
  transfer.dst_allocation = dst ? dst->id : 0;
  transfer.src_allocation = src ? src->id : 0;
  if (!target.prepare_into) return capture_transfer(*target.stream, target.wait, std::move(transfer), kind);
  target.prepare_into->push_back(std::move(transfer));
  return {};
}

inline bool runs_later(const CopyTarget& target) noexcept { return target.prepare_into || target.stream->captures(); }

backend::BoxEnd memory_end(const CopyRegion& region) noexcept {
  return {nullptr, 0, 0, 0, {region.base(), region.pitch_bytes, region.slice_bytes}};
}

// `now`, if not null, does the same work as one blocking call (backend::Queue::copy_now).
Status run(Stream& given, const Found& dst, const Found& src, HostWait wait, SubmitFunction submit,
           const SubmitFunction* now = nullptr) {
  Stream& stream = choose_stream(given, dst, src);
  const OtherStreams others = other_default_streams(stream, given, dst, src);
  Device* const to = owner(dst);
  Device* const from = owner(src);
  if (to && from && !to->same_backend(*from)) return no_way_between(*to, *from);
  for (Stream* const other : std::span(others.all).first(others.count)) {
    RT_TRY_ASSIGN(const Ref<backend::Completion> before, other->record({.timed = false}));
    RT_TRY(stream.wait(before, other->device()));
  }
  Device* const reaches = to ? to : from;
  if (reaches && !reaches->same_backend(stream.device())) return run_elsewhere(stream, *reaches, submit);
  if (now && others.count == 0 && wait == HostWait::Yes && stream.is_native_default()) return stream.call_now(*now);
  RT_TRY(stream.submit(submit));
  if (others.count != 0) {
    RT_TRY_ASSIGN(const Ref<backend::Completion> after, stream.record({.timed = false}));
    for (Stream* const other : std::span(others.all).first(others.count)) RT_TRY(other->wait(after, stream.device()));
  }
  return wait == HostWait::Yes ? stream.synchronize() : Status();
}

} // namespace

Status PreparedTransfer::submit(backend::Queue& queue) const {
  if (pattern_bytes != 0) return queue.fill_3d(dst.memory, pattern, pattern_bytes, extent);
  if (dst.image || src.image) return queue.copy_box(dst, src, extent);
  if (is_linear()) return queue.copy(dst.memory.base, src.memory.base, extent.width_bytes);
  return queue.copy_3d(dst.memory, src.memory, extent);
}

void set_sync_memops(uint64_t allocation_id, bool on) {
  std::lock_guard lock(sync_memops_mutex);
  if (on) {
    sync_memops_set().insert(allocation_id);
    any_sync_memops.store(true, std::memory_order_relaxed);
  } else {
    sync_memops_set().erase(allocation_id);
  }
}

bool sync_memops(uint64_t allocation_id) noexcept {
  if (!any_sync_memops.load(std::memory_order_relaxed)) return false;
  std::lock_guard lock(sync_memops_mutex);
  return sync_memops_set().contains(allocation_id);
}

Status copy(const CopyTarget& target, void* dst, const void* src, size_t bytes, CopyKind kind) {
  RT_TRY(check_kind(kind));
  if (bytes == 0) return {};
  if (!dst || !src)
    return error(ErrorCode::InvalidValue, "The {} of the copy is null.", dst ? "source" : "destination");
  const Found to = addresses().find(dst), from = addresses().find(src);
  RT_TRY(check_ends(*target.stream, to, from, kind));
  RT_TRY(check_range("destination", to, dst, bytes, kWrite));
  RT_TRY(check_range("source", from, src, bytes, kRead));
  if (dst == src) return {};
  if (runs_later(target)) [[unlikely]]
    return hand_over(target, to, from,
                     {.dst = {nullptr, 0, 0, 0, {dst, bytes, bytes}},
                      .src = {nullptr, 0, 0, 0, {const_cast<void*>(src), bytes, bytes}},
                      .extent = {bytes, 1, 1}},
                     kind);
  if (lie_apart(to, from)) [[unlikely]]
    return copy_between(*target.stream, *owner(to), {dst, bytes, bytes}, *owner(from),
                        {const_cast<void*>(src), bytes, bytes}, {bytes, 1, 1});
  const std::optional<backend::CopyOwners> owners = known_owners(target.stream->device(), to, from);
  auto submit = [&](backend::Queue& queue) {
    return owners ? queue.copy_between(dst, src, bytes, *owners) : queue.copy(dst, src, bytes);
  };
  const bool to_device = to && !to->on_host() && to->kind != PointerKind::Managed;
  auto blocking = [&](backend::Queue& queue) {
    return queue.copy_now(dst, src, bytes, to_device ? backend::CopyTo::Device : backend::CopyTo::Host);
  };
  const SubmitFunction now(blocking);
  // copy_now only promises that the host may reuse its memory, so it is not for a copy that must be done when the call
  // returns.
  const bool safe_is_enough = target.wait == CopyWait::Blocking && !any_sync_memops.load(std::memory_order_relaxed);
  return run(*target.stream, to, from, copy_wait(target.wait, to, from), submit, safe_is_enough ? &now : nullptr);
}

Status copy_3d(const CopyTarget& target, const CopyRegion& dst, const CopyRegion& src, const backend::Extent3& extent,
               CopyKind kind) {
  RT_TRY(check_kind(kind));
  if (extent.width_bytes == 0 || extent.height == 0 || extent.depth == 0) return {};
  if (!dst.memory || !src.memory)
    return error(ErrorCode::InvalidValue, "The {} of the copy is null.", dst.memory ? "source" : "destination");
  const Found to = addresses().find(dst.memory), from = addresses().find(src.memory);
  RT_TRY(check_ends(*target.stream, to, from, kind));
  RT_TRY(check_box("destination", to, dst, extent, kWrite));
  RT_TRY(check_box("source", from, src, extent, kRead));
  if (runs_later(target)) [[unlikely]]
    return hand_over(target, to, from, {.dst = memory_end(dst), .src = memory_end(src), .extent = extent}, kind);
  if (lie_apart(to, from)) [[unlikely]]
    return copy_between(*target.stream, *owner(to), memory_end(dst).memory, *owner(from), memory_end(src).memory,
                        extent);
  auto submit = [&](backend::Queue& queue) {
    return queue.copy_3d({dst.base(), dst.pitch_bytes, dst.slice_bytes}, {src.base(), src.pitch_bytes, src.slice_bytes},
                         extent);
  };
  return run(*target.stream, to, from, copy_wait(target.wait, to, from), submit);
}

namespace {

// An array is device memory that has no address.
Allocation allocation_of(const Array& array) {
  Allocation allocation;
  allocation.device = &array.device();
  return allocation;
}

Status check_end(const char* name, const CopyEnd& end, const Found& found, const backend::Extent3& e,
                 backend::PoolAccess access) {
  if (!end.array) return check_box(name, found, end.memory, e, access);
  const backend::ImageShape& s = end.array->shape();
  const auto leaves = [](size_t at, size_t extent, size_t size) { return at > size || extent > size - at; };
  if (leaves(end.x_bytes, e.width_bytes, s.row_bytes()) || leaves(end.y, e.height, s.rows()) ||
      leaves(end.z, e.depth, s.slices()))
    return error(ErrorCode::InvalidValue, "{} x {} x {} bytes at {}, {}, {} leave the {} array of {} x {} x {} bytes.",
                 e.width_bytes, e.height, e.depth, end.x_bytes, end.y, end.z, name, s.row_bytes(), s.rows(),
                 s.slices());
  if (end.x_bytes % s.format.bytes() != 0 || e.width_bytes % s.format.bytes() != 0)
    return error(ErrorCode::InvalidValue, "{} bytes from byte {} on are no whole elements of the {} array ({} bytes).",
                 e.width_bytes, end.x_bytes, name, s.format.bytes());
  return {};
}

backend::BoxEnd box_end(const CopyEnd& end) {
  if (end.array) {
    backend::Region rows = end.array->image()->linear();
    if (!rows.base) return {end.array->image().get(), end.x_bytes, end.y, end.z, {}};
    rows.base = static_cast<char*>(rows.base) + end.z * rows.slice_bytes + end.y * rows.pitch_bytes + end.x_bytes;
    return {nullptr, 0, 0, 0, rows};
  }
  return {nullptr, 0, 0, 0, {end.memory.base(), end.memory.pitch_bytes, end.memory.slice_bytes}};
}

} // namespace

Status copy_box(const CopyTarget& target, const CopyEnd& dst, const CopyEnd& src, const backend::Extent3& extent,
                CopyKind kind) {
  RT_TRY(check_kind(kind));
  const bool to_host = kind == CopyKind::HostToHost || kind == CopyKind::DeviceToHost;
  const bool from_host = kind == CopyKind::HostToHost || kind == CopyKind::HostToDevice;
  if ((dst.array && to_host) || (src.array && from_host))
    return error(ErrorCode::InvalidMemcpyDirection, "The {} is an array, which is not on the host.",
                 dst.array && to_host ? "destination" : "source");
  if (extent.width_bytes == 0 || extent.height == 0 || extent.depth == 0) return {};
  if ((!dst.array && !dst.memory.memory) || (!src.array && !src.memory.memory))
    return error(ErrorCode::InvalidValue, "The {} of the copy is null.",
                 !dst.array && !dst.memory.memory ? "destination" : "source");
  const Found to = dst.array ? allocation_of(*dst.array) : addresses().find(dst.memory.memory);
  const Found from = src.array ? allocation_of(*src.array) : addresses().find(src.memory.memory);
  RT_TRY(check_end("destination", dst, to, extent, kWrite));
  RT_TRY(check_end("source", src, from, extent, kRead));
  if (runs_later(target)) [[unlikely]]
    return hand_over(target, to, from,
                     {.dst = box_end(dst),
                      .src = box_end(src),
                      .dst_image = dst.array ? dst.array->image() : Ref<backend::Image>(),
                      .src_image = src.array ? src.array->image() : Ref<backend::Image>(),
                      .extent = extent},
                     kind);
  const PreparedTransfer transfer{.dst = box_end(dst), .src = box_end(src), .extent = extent};
  auto submit = [&](backend::Queue& queue) { return transfer.submit(queue); };
  return run(*target.stream, to, from, copy_wait(target.wait, to, from), submit);
}

Status fill(const CopyTarget& target, void* dst, uint32_t pattern, uint32_t pattern_bytes, size_t count) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size_t{pattern_bytes}, &bytes))
    return error(ErrorCode::InvalidValue, "{} elements of {} bytes are more than the address space holds.", count,
                 pattern_bytes);
  return fill_3d(target, {.memory = dst}, pattern, pattern_bytes, {bytes, 1, 1});
}

Status fill_3d(const CopyTarget& target, const CopyRegion& dst, uint32_t pattern, uint32_t pattern_bytes,
               const backend::Extent3& extent) {
  if (extent.width_bytes == 0 || extent.height == 0 || extent.depth == 0) return {};
  if (!dst.memory) return error(ErrorCode::InvalidValue, "The memory to fill is null.");
  const Found to = addresses().find(dst.memory);
  if (!to) return error(ErrorCode::InvalidValue, "{} is not memory that HIP knows.", dst.memory);
  RT_TRY(check_box("destination", to, dst, extent, kWrite));
  if (reinterpret_cast<uintptr_t>(dst.base()) % pattern_bytes != 0)
    return error(ErrorCode::InvalidValue, "{} is not aligned to the element of {} bytes.", dst.base(), pattern_bytes);
  if (runs_later(target)) [[unlikely]]
    return hand_over(target, to, to,
                     {.dst = memory_end(dst), .extent = extent, .pattern = pattern, .pattern_bytes = pattern_bytes},
                     CopyKind::Default);
  auto submit = [&](backend::Queue& queue) {
    return queue.fill_3d({dst.base(), dst.pitch_bytes, dst.slice_bytes}, pattern, pattern_bytes, extent);
  };
  const HostWait wait = fill_wait(target.wait, *to);
  Stream& stream = choose_stream(*target.stream, to, to);
  Device* const own = owner(to);
  if (own && own != &stream.device() && own->same_backend(stream.device()) &&
      stream.device().properties().fills_own_memory_alone) [[unlikely]]
    return run_beside(stream, *own, wait, submit);
  return run(*target.stream, to, to, wait, submit);
}

} // namespace hip::core
