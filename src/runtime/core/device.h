// runtime/core/device.h - one visible device as HIP sees it: the back end's device with its primary context's state,
// its default stream and its list of streams. Devices live as long as the process. Thread safety: all functions may be
// called from any thread.
#pragma once

#include "runtime/backend/images.h"
#include "runtime/core/stream.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace hip::core {

class MemoryPool;

// Points that streams wait for before their first work.
class FirstWaits {
public:
  void add(const Ref<backend::Completion>& point);
  Status give(backend::Queue& queue);

private:
  std::atomic<bool> any_{false};
  std::mutex mutex_;
  std::vector<Ref<backend::Completion>> points_;
};

enum class Limit : unsigned {
  StackSize,
  PrintfFifoSize,
  MallocHeapSize,
  PersistingL2Size, // of devices with persisting_l2_bytes; 0 until it is set
  ScratchMin,
  ScratchMax,
  ScratchCurrent,
  Count
};

class Device {
public:
  // `group` stands for the back end that `hal` comes from.
  Device(int ordinal, backend::Device& hal, const backend::Backend& group);
  Device(const Device&) = delete;

  int ordinal() const noexcept { return ordinal_; }
  backend::Device& hal() noexcept { return hal_; }
  // Queues of one back end can wait for each other and copy between each other's memories.
  bool same_backend(const Device& other) const noexcept { return &group_ == &other.group_; }
  const backend::DeviceProperties& properties() const noexcept { return properties_; }
  // The device's images, or those in software where the program asked for them (software_images.h); else null.
  backend::Images* images() noexcept;
  const backend::TextureLimits& texture_limits() const noexcept;

  Stream& null_stream() noexcept { return null_stream_; }
  // A non-blocking stream of the runtime's own, with nothing to do a moment ago: for work that streams of other devices
  // are given and this device does.
  Stream& side_stream();
  // Copies in the order of no stream, for memory that no stream's work uses yet, and waits for nothing but this copy.
  Status copy_outside_streams(void* dst, const void* src, size_t bytes);
  // Blocks until all streams of the device are done. The first error that none of them has reported yet.
  Status synchronize();
  // Blocks as synchronize(), and leaves faults to who asks for them: a call that waits for something else would lose
  // them.
  void finish();
  // The streams have done all that they were given.
  bool idle() noexcept;
  // Adds a point behind what each stream was given so far, unless it has done that. Waits for nothing.
  Status add_points(std::vector<Ref<backend::Completion>>& points);
  // hipDeviceReset: finishes all work, ends the user's streams and frees the user's memory on this device.
  Status reset();

  static constexpr unsigned kScheduleFlags = 7;
  // hipSetDeviceFlags. At most one of the schedule bits, which say how the host waits, is set; the others ask for what
  // every device has, and are not kept.
  unsigned flags() const noexcept { return flags_.load(std::memory_order_relaxed); }
  // Keeps those for scheduling; a context keeps all that it was created with.
  Status set_flags(unsigned flags);
  Status set_context_flags(unsigned flags);

  uint64_t limit(Limit limit) const noexcept {
    return limits_[static_cast<unsigned>(limit)].load(std::memory_order_relaxed);
  }
  Status set_limit(Limit limit, uint64_t value);

  // Peer access from this device to `peer` (hipDeviceEnablePeerAccess). False: it was so already.
  bool set_peer_access(const Device& peer, bool enabled) noexcept;

  // How many fat binaries had been registered when load_registered_code (fat_binary.h) last looked.
  std::atomic<uint32_t> registrations_seen{0};
  // How many holders hipDevicePrimaryCtxRetain has made.
  std::atomic<int> primary_context_users{0};
  // Of hipMallocAsync (memory_pool.h). No current pool means the default one, which is made when first needed.
  std::atomic<MemoryPool*> default_pool{nullptr};
  std::atomic<Handle> current_pool{nullptr};

  // The execution context of the whole device (execution_context.h); null: nobody has asked for it.
  std::atomic<Handle> execution_context{nullptr};
  FirstWaits first_waits;
  // Of the user's streams and those of threads.
  std::vector<Handle> stream_handles();

private:
  friend class Stream;
  void add_stream(Stream& stream);
  void remove_stream(Stream& stream) noexcept;

  const int ordinal_;
  backend::Device& hal_;
  const backend::DeviceProperties& properties_;
  const backend::Backend& group_;
  const std::unique_ptr<backend::Images> software_images_;
  Stream null_stream_;
  // Number of submissions to the null stream; written under the null stream's lock. A blocking stream that has seen the
  // current value needs no wait.
  std::atomic<uint64_t> null_epoch_{0};
  std::atomic<uint32_t> blocking_streams_{0};
  std::mutex streams_mutex_;     // streams_
  std::vector<Stream*> streams_; // without the null stream

  std::atomic<unsigned> flags_{0};
  std::array<std::atomic<uint64_t>, static_cast<size_t>(Limit::Count)> limits_{};
  // Points behind what each stream but the null stream was given so far.
  Result<std::vector<Ref<backend::Completion>>> stream_ends();

  std::atomic<uint64_t> peers_{0}; // bit per ordinal
  std::mutex side_mutex_;          // side_streams_
  std::vector<std::unique_ptr<Stream>> side_streams_;
  std::mutex own_queue_mutex_;                // own_queue_
  std::unique_ptr<backend::Queue> own_queue_; // of copy_outside_streams; made at first use
};

} // namespace hip::core
