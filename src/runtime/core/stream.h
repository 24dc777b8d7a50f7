// runtime/core/stream.h - a HIP stream: a back-end queue plus the order that HIP prescribes between the legacy default
// stream of a device (kind Null) and the device's blocking streams. Work on the null stream starts when all work given
// before to blocking streams is done, and work given later to blocking streams starts when the null stream's is done;
// non-blocking streams take no part. Devices with a native default stream keep that order themselves.
// Thread safety: all functions may be called from any thread. Lock order: core/README.md; a null stream's lock is taken
// before any blocking stream's, and no blocking stream's lock is held when the null stream's is taken.
#pragma once

#include "runtime/backend/backend.h"
#include "runtime/base/biased_mutex.h"
#include "runtime/base/no_destroy.h"
#include "runtime/core/handle_table.h"
#include "runtime/core/launch_attributes.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace hip::core {

class Device;
class StreamGroup; // stream_group.h
struct StreamCapture;

// Borrowed reference to a callable for submit(), where it goes through several functions.
class SubmitFunction {
public:
  template<class F> SubmitFunction(F& f) noexcept
      : object_(&f), call_([](void* o, backend::Queue& q) -> Status { return (*static_cast<F*>(o))(q); }) {}
  Status operator()(backend::Queue& queue) const { return call_(object_, queue); }

private:
  void* object_;
  Status (*call_)(void*, backend::Queue&);
};

// How far a stream has come in freeing memory of pools: what is freed before has a point before.
struct StreamProgress {
  uint64_t stream = 0, frees = 0;
};

class Stream {
public:
  enum class Kind { Null, Blocking, NonBlocking };

  // A null stream is made by its device; others register themselves with it.
  Stream(Device& device, Kind kind, unsigned flags, int priority, std::vector<uint32_t> compute_unit_mask = {});
  // A stream of an execution context.
  Stream(std::shared_ptr<StreamGroup> group, unsigned flags, int priority);
  ~Stream(); // finishes outstanding work
  Stream(const Stream&) = delete;

  Device& device() const noexcept { return device_; }
  Kind kind() const noexcept { return kind_; }
  unsigned flags() const noexcept { return flags_; }
  int priority() const noexcept { return priority_.load(std::memory_order_relaxed); }
  // Error: NotSupported for another priority than the stream has once it was given work.
  Status set_priority(int priority);
  // Of the streams of an execution context; else null.
  StreamGroup* group() const noexcept { return group_.get(); }
  // A bit for each compute unit that kernels may use; empty: all.
  const std::vector<uint32_t>& compute_unit_mask() const noexcept { return compute_unit_mask_; }
  // What the user has set.
  LaunchAttributes attributes();
  Status set_attributes(const LaunchAttributes& attributes);
  Status set_attribute(size_t id, const LaunchAttributeValue& value);
  uint64_t id() const noexcept { return id_; } // unique in the process
  // Null until the stream is in the table: its device may list it before.
  Handle handle() const noexcept { return handle_.load(std::memory_order_relaxed); }
  void set_handle(Handle handle) noexcept { handle_.store(handle, std::memory_order_relaxed); }
  // The stream's execution context has ended: find_stream refuses it from now on, what it was given is still done, and
  // a capture that it takes part in is invalid. It lasts until it is destroyed, too. Needs no memory.
  void detach() noexcept;
  bool detached() const noexcept { return detached_.load(std::memory_order_relaxed); }

  // Calls f with the queue, after the waits that the order above asks for. What f submits is one step: no other
  // thread's work comes between.
  template<class F> Status submit(const F& f) {
    if (captures()) [[unlikely]]
      return refuse_work();
    return submit_now(f);
  }
  // The same for what no capture concerns: the caller has asked captures(), or works on the runtime's own account.
  template<class F> Status submit_now(const F& f) {
    std::lock_guard lock(mutex_);
    if (joins_ || !queue_) RT_TRY(prepare());
    return f(*queue_);
  }
  // Work for this stream is recorded or refused and not given to the queue: the stream is captured or, for a null
  // stream, a blocking stream of its device is (graph/capture.h).
  bool captures() const noexcept { return captures_.load(std::memory_order_relaxed) != 0; }
  // The answer to work that a capture cannot record. Invalidates the captures concerned.
  [[gnu::cold]] Status refuse_work();
  // A default stream whose order with other streams is the device's own (backend::Queue::copy_now).
  bool is_native_default() const noexcept { return kind_ == Kind::Null && !joins_; }
  // Calls f with the queue of a native default stream, without keeping other threads from submitting.
  Status call_now(SubmitFunction f);
  // Calls f, which records a point, with the queue: after the waits that put the point behind all that it has to
  // follow.
  template<class F> Status record_by(const F& f) {
    std::lock_guard lock(mutex_);
    if (joins_ || !queue_) RT_TRY(join());
    return f(*queue_);
  }
  // A point after everything given to the stream so far; on the null stream also after all blocking streams' work.
  Result<Ref<backend::Completion>> record(const backend::PointOptions& options = {});
  // Later work of this stream waits for a point of a stream of `origin`. When that device belongs to another back end,
  // the calling thread waits for it, here and now.
  Status wait(const Ref<backend::Completion>& completion, const Device& origin);
  // The same on the runtime's own account: no capture is asked.
  Status wait_now(const Ref<backend::Completion>& completion, const Device& origin);
  // Of frees of pool memory (memory_pool.h). Counts one; called by what submit() calls.
  uint64_t count_free() noexcept { return ++frees_; }
  // Called by what submit() and record_by() call.
  StreamProgress progress() const noexcept { return {id_, frees_}; }
  // This stream waits for what the other had freed.
  void see(const StreamProgress& other);
  // What the stream waits for by events; empty in programs without pools.
  std::vector<StreamProgress> seen();
  // Blocks until everything given so far is done, without keeping other threads from submitting.
  [[gnu::hot]] Status synchronize();
  // Blocks as synchronize(), and leaves faults to who asks for them: a call that waits for something else would lose
  // them.
  void finish();
  // All that was given to the stream is done.
  bool idle() noexcept;
  // NotReady, without a message, while work is outstanding; else as synchronize().
  Status query();

private:
  friend class Device;
  Status ensure_queue();
  // A point behind everything that was given so far; null where nothing was.
  Result<Ref<backend::Completion>> end();
  // Tells the queue the access policy window that the user has set, if any. With the lock held and a queue.
  Status pass_access_window();
  // These are called with mutex_ locked.
  Status prepare();               // before a submission
  Status join_blocking_streams(); // of a null stream
  // Makes later work of this stream wait as the rules for default streams ask; may unlock and lock mutex_ in between.
  Status join();
  // Orders this blocking stream after the null stream's work; may unlock and lock mutex_ in between.
  Status join_null_stream();

  // What launches read comes first.
  Device& device_;
  const Kind kind_;
  const bool joins_; // this class, not the device, keeps the rules for default streams
  std::atomic<bool> detached_{false};
  std::atomic<uint32_t> captures_{0};     // of this stream or, for a null stream, of how many blocking streams
  BiasedMutex mutex_;                     // leans to the thread that submits
  std::unique_ptr<backend::Queue> queue_; // made at first use
  uint64_t joined_epoch_ = 0;             // blocking: the null stream's epoch that this stream has waited for
  std::atomic<bool> dirty_{false};        // blocking: work was given since the null stream last joined

  friend struct StreamCapture;
  std::shared_ptr<StreamCapture> capture_; // with graph_mutex(): the capture that this stream is part of

  const unsigned flags_;
  std::atomic<int> priority_;
  const std::vector<uint32_t> compute_unit_mask_;
  const std::shared_ptr<StreamGroup> group_;
  std::unique_ptr<LaunchAttributes> attributes_; // with mutex_ locked; null: none set
  const uint64_t id_;
  std::atomic<Handle> handle_{nullptr};
  uint64_t frees_ = 0;                // with mutex_ locked
  std::atomic<bool> has_seen_{false}; // seen_ is not empty
  std::vector<StreamProgress> seen_;  // with mutex_ locked
};

using StreamTable = HandleTable<Stream, HandleKind::Stream>;
namespace detail {
RT_NO_DESTROY extern constinit StreamTable streams;
}
inline StreamTable& streams() noexcept { return detail::streams; }

// Values of hipStream_t with a meaning of their own.
inline constexpr uintptr_t kLegacyStreamHandle = 1, kPerThreadStreamHandle = 2;

// The calling thread's own default stream on the current device.
Result<Pin<Stream>> per_thread_stream();
// Ends the default stream of a thread that exits. Work in it still runs to its end, and the thread does not wait for
// it.
void retire_per_thread_stream(Handle handle) noexcept;

} // namespace hip::core
