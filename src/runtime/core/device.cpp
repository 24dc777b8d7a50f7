#include "runtime/core/device.h"

#include "runtime/core/graph/graph_memory.h"
#include "runtime/core/memory.h"
#include "runtime/core/pool_table.h"
#include "runtime/core/software_images.h"
#include "runtime/core/texture.h"
#include "runtime/core/virtual_memory.h"

#include <algorithm>

namespace hip::core {

Device::Device(int ordinal, backend::Device& hal, const backend::Backend& group)
    : ordinal_(ordinal), hal_(hal), properties_(hal.properties()), group_(group),
      software_images_(std::make_unique<SoftwareImages>(*this)), null_stream_(*this, Stream::Kind::Null, 0, 0) {
  // The documented defaults: 1 KiB of stack per work-item, 1 MiB of printf buffer, 8 MiB of device heap.
  for (const auto& [limit, bytes] : {std::pair(Limit::StackSize, 1024u), std::pair(Limit::PrintfFifoSize, 1u << 20),
                                     std::pair(Limit::MallocHeapSize, 8u << 20)})
    limits_[static_cast<unsigned>(limit)].store(bytes, std::memory_order_relaxed);
}

backend::Images* Device::images() noexcept {
  backend::Images* const own = hal_.images();
  return own || !software_textures() ? own : software_images_.get();
}

const backend::TextureLimits& Device::texture_limits() const noexcept {
  return hal_.images() || !software_textures() ? properties_.textures : SoftwareImages::limits();
}

Status Device::set_limit(Limit limit, uint64_t value) {
  switch (limit) {
  case Limit::StackSize:
    RT_TRY(hal_.set_limit(backend::DeviceLimit::StackBytes, value));
    break;
  case Limit::PrintfFifoSize:
    RT_TRY(hal_.set_limit(backend::DeviceLimit::PrintfBytes, value));
    break;
  case Limit::MallocHeapSize:
    RT_TRY(hal_.set_limit(backend::DeviceLimit::HeapBytes, value));
    break;
  case Limit::PersistingL2Size:
    RT_TRY(hal_.set_limit(backend::DeviceLimit::PersistingL2Bytes, value));
    break;
  default:
    break;
  }
  limits_[static_cast<unsigned>(limit)].store(value, std::memory_order_relaxed);
  return {};
}

void Device::add_stream(Stream& stream) {
  std::lock_guard lock(streams_mutex_);
  streams_.push_back(&stream);
  if (stream.kind() == Stream::Kind::Blocking) blocking_streams_.fetch_add(1, std::memory_order_seq_cst);
}

void Device::remove_stream(Stream& stream) noexcept {
  std::lock_guard lock(streams_mutex_);
  std::erase(streams_, &stream);
  if (stream.kind() == Stream::Kind::Blocking) blocking_streams_.fetch_sub(1, std::memory_order_seq_cst);
}

Status Device::set_flags(unsigned flags) {
  using backend::WaitPolicy;
  constexpr WaitPolicy kPolicies[] = {WaitPolicy::Auto, WaitPolicy::Spin, WaitPolicy::Yield, WaitPolicy::Auto,
                                      WaitPolicy::Block};
  const unsigned schedule = flags & kScheduleFlags;
  RT_TRY(hal_.set_wait_policy(schedule < std::size(kPolicies) ? kPolicies[schedule] : WaitPolicy::Auto));
  flags_.store(schedule, std::memory_order_relaxed);
  return {};
}

Status Device::set_context_flags(unsigned flags) {
  RT_TRY(set_flags(flags));
  flags_.store(flags, std::memory_order_relaxed);
  return {};
}

std::vector<Handle> Device::stream_handles() {
  std::vector<Handle> handles;
  std::lock_guard lock(streams_mutex_);
  for (const Stream* stream : streams_)
    if (const Handle handle = stream->handle()) handles.push_back(handle);
  return handles;
}

void FirstWaits::add(const Ref<backend::Completion>& point) {
  std::lock_guard lock(mutex_);
  std::erase_if(points_, [](const Ref<backend::Completion>& each) { return each->done(); });
  points_.push_back(point);
  any_.store(true, std::memory_order_release);
}

Status FirstWaits::give(backend::Queue& queue) {
  if (!any_.load(std::memory_order_acquire)) [[likely]]
    return {};
  std::lock_guard lock(mutex_);
  std::erase_if(points_, [](const Ref<backend::Completion>& each) { return each->done(); });
  for (const Ref<backend::Completion>& point : points_) RT_TRY(queue.wait(point));
  any_.store(!points_.empty(), std::memory_order_relaxed);
  return {};
}

Result<std::vector<Ref<backend::Completion>>> Device::stream_ends() {
  std::vector<Ref<backend::Completion>> points;
  std::lock_guard list_lock(streams_mutex_);
  for (Stream* stream : streams_) {
    std::lock_guard lock(stream->mutex_);
    if (!stream->queue_) continue;
    RT_TRY_ASSIGN(Ref<backend::Completion> point, stream->queue_->tail());
    points.push_back(std::move(point));
  }
  return points;
}

Status Device::synchronize() {
  if (properties().native_default_stream) return hal_.synchronize();
  Status first = null_stream_.synchronize(); // joins the blocking streams too, which report their errors themselves
  RT_TRY_ASSIGN(const auto points, stream_ends());
  for (const auto& point : points)
    if (Status status = point->wait(); first.ok()) first = std::move(status);
  return first;
}

void Device::finish() {
  if (properties().native_default_stream)
    return static_cast<void>(hal_.synchronize()); // which tells of faults each time
  null_stream_.finish();
  const auto points = stream_ends();
  if (!points.ok()) return;
  for (const auto& point : points.value()) point->finish();
}

bool Device::idle() noexcept {
  if (!null_stream_.idle()) return false;
  std::lock_guard list_lock(streams_mutex_);
  return std::all_of(streams_.begin(), streams_.end(), [](Stream* stream) { return stream->idle(); });
}

Status Device::add_points(std::vector<Ref<backend::Completion>>& points) {
  const auto add = [&](Stream& stream) -> Status {
    std::lock_guard lock(stream.mutex_);
    if (!stream.queue_ || stream.queue_->idle()) return {};
    RT_TRY_ASSIGN(Ref<backend::Completion> point, stream.queue_->record({.timed = false}));
    points.push_back(std::move(point));
    return {};
  };
  RT_TRY(add(null_stream_));
  std::lock_guard list_lock(streams_mutex_);
  for (Stream* stream : streams_) RT_TRY(add(*stream));
  return {};
}

Status Device::reset() {
  static_cast<void>(synchronize()); // faults of work that is thrown away do not matter
  for (Handle handle : stream_handles()) streams().remove(handle);
  static_cast<void>(set_flags(0));
  peers_.store(0, std::memory_order_relaxed);
  destroy_all_textures(*this);
  free_all_arrays(*this);
  end_graph_allocations(*this);
  Status freed = free_all(*this);
  GraphAllocation::give_back_unused(*this);
  static_cast<void>(null_stream_.synchronize()); // in which pools of the driver get their memory back
  reset_mappings(*this);
  reset_pools(*this);
  return freed;
}

Stream& Device::side_stream() {
  std::lock_guard lock(side_mutex_);
  for (const auto& stream : side_streams_)
    if (stream->idle()) return *stream;
  side_streams_.push_back(std::make_unique<Stream>(*this, Stream::Kind::NonBlocking, 0, 0));
  return *side_streams_.back();
}

Status Device::copy_outside_streams(void* dst, const void* src, size_t bytes) {
  std::lock_guard lock(own_queue_mutex_);
  if (!own_queue_) {
    RT_TRY_ASSIGN(own_queue_, hal_.create_queue({}));
  }
  Status copied = own_queue_->copy(dst, src, bytes);
  Status waited = own_queue_->synchronize(); // after an error, too: a part of the copy may be under way
  return copied.ok() ? std::move(waited) : std::move(copied);
}

bool Device::set_peer_access(const Device& peer, bool enabled) noexcept {
  const uint64_t bit = 1ull << (peer.ordinal() & 63);
  const uint64_t before =
      enabled ? peers_.fetch_or(bit, std::memory_order_relaxed) : peers_.fetch_and(~bit, std::memory_order_relaxed);
  return ((before & bit) != 0) != enabled;
}

} // namespace hip::core
