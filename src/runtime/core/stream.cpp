#include "runtime/core/stream.h"

#include "runtime/core/device.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/runtime.h"
#include "runtime/core/stream_group.h"
#include "runtime/core/thread_state.h"

#include <algorithm>
#include <cstring>

namespace hip::core {
namespace {

uint64_t next_stream_id() noexcept {
  static constinit std::atomic<uint64_t> next{0};
  return next.fetch_add(1, std::memory_order_relaxed);
}

backend::QueueKind queue_kind(Stream::Kind kind) noexcept {
  switch (kind) {
  case Stream::Kind::Null:
    return backend::QueueKind::Null;
  case Stream::Kind::Blocking:
    return backend::QueueKind::Blocking;
  case Stream::Kind::NonBlocking:
    break;
  }
  return backend::QueueKind::NonBlocking;
}

constexpr backend::PointOptions kForOrder{.timed = false};

} // namespace

namespace detail {
RT_NO_DESTROY constinit StreamTable streams;
}

Stream::Stream(Device& device, Kind kind, unsigned flags, int priority, std::vector<uint32_t> compute_unit_mask)
    : device_(device), kind_(kind),
      joins_(kind != Kind::NonBlocking && !device.hal().properties().native_default_stream), flags_(flags),
      priority_(priority), compute_unit_mask_(std::move(compute_unit_mask)), id_(next_stream_id()) {
  if (kind_ != Kind::Null) device_.add_stream(*this);
}

Stream::Stream(std::shared_ptr<StreamGroup> group, unsigned flags, int priority)
    : device_(group->device()), kind_(Kind::NonBlocking), joins_(false), flags_(flags), priority_(priority),
      compute_unit_mask_(group->compute_unit_mask()), group_(std::move(group)), id_(next_stream_id()) {
  device_.add_stream(*this);
}

Stream::~Stream() {
  if (captures() && kind_ != Kind::Null) forget_captured_stream(*this);
  // First finish, then leave the device's list: until then the null stream still waits for this stream's work. An error
  // that nobody has asked for is dropped.
  static_cast<void>(synchronize());
  if (kind_ != Kind::Null) device_.remove_stream(*this); // from here on no other thread reaches the stream
  queue_.reset();
}

void Stream::detach() noexcept {
  detached_.store(true, std::memory_order_relaxed);
  if (captures()) invalidate_capture_of(*this);
}

Status Stream::ensure_queue() {
  if (queue_) [[likely]]
    return {};
  RT_TRY_ASSIGN(auto queue, device_.hal().create_queue({.kind = queue_kind(kind_),
                                                        .priority = priority(),
                                                        .compute_unit_mask = compute_unit_mask_,
                                                        .partition = group_ ? group_->partition() : nullptr}));
  // What an execution context waits for, its later streams wait for too.
  RT_TRY(device_.first_waits.give(*queue));
  if (group_) RT_TRY(group_->first_waits.give(*queue));
  queue_ = std::move(queue);
  return attributes_ ? pass_access_window() : Status();
}

Status Stream::join_blocking_streams() {
  if (device_.blocking_streams_.load(std::memory_order_seq_cst) == 0) return {};
  std::lock_guard list_lock(device_.streams_mutex_);
  for (Stream* stream : device_.streams_) {
    if (stream->kind_ != Kind::Blocking || !stream->dirty_.load(std::memory_order_seq_cst)) continue;
    std::lock_guard lock(stream->mutex_);
    RT_TRY_ASSIGN(Ref<backend::Completion> point, stream->queue_->record(kForOrder));
    RT_TRY(queue_->wait(point));
    stream->dirty_.store(false, std::memory_order_seq_cst);
  }
  return {};
}

namespace {
// Releases a lock for as long as it lives.
struct Unlocked {
  explicit Unlocked(BiasedMutex& mutex) noexcept : mutex(mutex) { mutex.unlock(); }
  ~Unlocked() { mutex.lock(); }
  BiasedMutex& mutex;
};
} // namespace

Status Stream::join_null_stream() {
  // Sets dirty_ before it reads the epoch, while a submission to the null stream raises the epoch before it reads
  // dirty_ (prepare, join_blocking_streams): at least one of the two sees the other's store.
  if (!dirty_.load(std::memory_order_relaxed)) dirty_.store(true, std::memory_order_seq_cst);
  uint64_t epoch;
  while ((epoch = device_.null_epoch_.load(std::memory_order_seq_cst)) != joined_epoch_) {
    Ref<backend::Completion> point;
    {
      const Unlocked unlocked(mutex_);
      Stream& null_stream = device_.null_stream_;
      std::lock_guard null_lock(null_stream.mutex_);
      epoch = device_.null_epoch_.load(std::memory_order_relaxed);
      RT_TRY_ASSIGN(point, null_stream.queue_->record(kForOrder));
    }
    RT_TRY(queue_->wait(point));
    if (joined_epoch_ < epoch) joined_epoch_ = epoch;
    if (!dirty_.load(std::memory_order_relaxed)) dirty_.store(true, std::memory_order_seq_cst);
  }
  return {};
}

Status Stream::join() {
  RT_TRY(ensure_queue());
  if (!joins_) return {};
  return kind_ == Kind::Null ? join_blocking_streams() : join_null_stream();
}

Status Stream::prepare() {
  if (joins_ && kind_ == Kind::Null) {
    RT_TRY(ensure_queue()); // before the epoch: a stream that sees the new epoch asks the queue for a point
    device_.null_epoch_.store(device_.null_epoch_.load(std::memory_order_relaxed) + 1, std::memory_order_seq_cst);
  }
  return join();
}

Status Stream::call_now(SubmitFunction f) {
  {
    std::lock_guard lock(mutex_);
    RT_TRY(ensure_queue()); // the queue lives as long as the stream, so f needs no lock
  }
  return f(*queue_);
}

Status Stream::set_priority(int wanted) {
  std::lock_guard lock(mutex_);
  if (wanted == priority()) return {};
  if (queue_)
    return error(ErrorCode::NotSupported, "The stream was given work with priority {} and keeps it.", priority());
  priority_.store(wanted, std::memory_order_relaxed);
  return {};
}

LaunchAttributes Stream::attributes() {
  std::lock_guard lock(mutex_);
  return attributes_ ? *attributes_ : LaunchAttributes();
}

Status Stream::set_attribute(size_t id, const LaunchAttributeValue& value) {
  std::lock_guard lock(mutex_);
  if (!attributes_) attributes_ = std::make_unique<LaunchAttributes>();
  (*attributes_)[id] = value;
  return id == kAccessWindowAttribute && queue_ ? pass_access_window() : Status();
}

Status Stream::set_attributes(const LaunchAttributes& attributes) {
  std::lock_guard lock(mutex_);
  if (!attributes_) attributes_ = std::make_unique<LaunchAttributes>();
  *attributes_ = attributes;
  return queue_ ? pass_access_window() : Status();
}

Status Stream::pass_access_window() {
  if (device_.properties().access_policy_window_bytes == 0) return {};
  const auto& kept = (*attributes_)[kAccessWindowAttribute];
  if (!kept) return {};
  backend::AccessWindow window;
  static_assert(sizeof window <= sizeof(LaunchAttributeValue));
  std::memcpy(&window, kept->data(), sizeof window); // hipAccessPolicyWindow, of which it has the members
  return queue_->set_access_window(window);
}

Result<Ref<backend::Completion>> Stream::record(const backend::PointOptions& options) {
  std::lock_guard lock(mutex_);
  // An event on a blocking stream comes after the null stream's work given before.
  if (joins_ || !queue_) RT_TRY(join());
  return queue_->record(options);
}

Status Stream::wait(const Ref<backend::Completion>& completion, const Device& origin) {
  if (!device_.same_backend(origin)) return completion->wait();
  if (captures()) [[unlikely]]
    return refuse_work();
  return wait_now(completion, origin);
}

Status Stream::wait_now(const Ref<backend::Completion>& completion, const Device& origin) {
  if (!device_.same_backend(origin)) return completion->wait();
  return submit_now([&](backend::Queue& queue) { return queue.wait(completion); });
}

void Stream::see(const StreamProgress& other) {
  if (other.frees == 0 || other.stream == id_) return;
  constexpr size_t kMost = 64; // older ones are forgotten; their memory is reused when the work is done
  std::lock_guard lock(mutex_);
  for (StreamProgress& known : seen_) {
    if (known.stream != other.stream) continue;
    if (known.frees < other.frees) known.frees = other.frees;
    return;
  }
  if (seen_.size() == kMost) seen_.erase(seen_.begin());
  seen_.push_back(other);
  has_seen_.store(true, std::memory_order_release);
}

std::vector<StreamProgress> Stream::seen() {
  if (!has_seen_.load(std::memory_order_acquire)) [[likely]]
    return {};
  std::lock_guard lock(mutex_);
  return seen_;
}

Result<Ref<backend::Completion>> Stream::end() {
  {
    std::lock_guard lock(mutex_);
    // Without a queue this stream was never given anything; the null stream also needs to have no blocking streams to
    // wait for. A native default stream always asks its queue: what libraries gave to it is not known here.
    if (!queue_ && !is_native_default() &&
        (kind_ != Kind::Null || device_.blocking_streams_.load(std::memory_order_seq_cst) == 0))
      return Ref<backend::Completion>();
    RT_TRY(ensure_queue());
    if (joins_ && kind_ == Kind::Null) RT_TRY(join_blocking_streams());
    return queue_->tail();
  }
}

Status Stream::synchronize() {
  RT_TRY_ASSIGN(const Ref<backend::Completion> point, end());
  return point ? point->wait() : device_.hal().fault();
}

void Stream::finish() {
  const auto point = end();
  if (point.ok() && point.value()) point.value()->finish();
}

Status Stream::query() {
  Ref<backend::Completion> point;
  {
    std::lock_guard lock(mutex_);
    if (kind_ == Kind::Null && device_.blocking_streams_.load(std::memory_order_seq_cst) != 0) {
      std::lock_guard list_lock(device_.streams_mutex_);
      for (Stream* stream : device_.streams_) {
        if (stream->kind_ != Kind::Blocking) continue;
        std::lock_guard stream_lock(stream->mutex_);
        if (stream->queue_ && !stream->queue_->idle()) return Status(ErrorCode::NotReady, {});
      }
    }
    if (!queue_) return device_.hal().fault();
    if (!queue_->idle()) return Status(ErrorCode::NotReady, {});
    RT_TRY_ASSIGN(point, queue_->tail());
  }
  return point->wait(); // nothing is outstanding: only picks up an error
}

bool Stream::idle() noexcept {
  std::lock_guard lock(mutex_);
  return !queue_ || queue_->idle();
}

namespace {

// Default streams of threads that have exited, until their work is done. Never destroyed.
struct Retired {
  std::mutex mutex;
  std::vector<Handle> handles;
};
Retired& retired() {
  static Retired* const made = new Retired;
  return *made;
}

void reap_retired_streams() {
  std::vector<Handle> done;
  {
    std::lock_guard lock(retired().mutex);
    std::erase_if(retired().handles, [&](Handle handle) {
      const Pin<Stream> pin = streams().pin(handle); // none after hipDeviceReset
      if (pin && !pin->idle()) return false;
      done.push_back(handle);
      return true;
    });
  }
  for (Handle handle : done) streams().remove(handle);
}

} // namespace

void retire_per_thread_stream(Handle handle) noexcept {
  try {
    if (Pin<Stream> pin = streams().pin(handle); pin && !pin->idle()) {
      std::lock_guard lock(retired().mutex);
      retired().handles.push_back(handle);
      return;
    }
    streams().remove(handle);
  } catch (...) { // out of memory: the stream stays
  }
}

Result<Pin<Stream>> per_thread_stream() {
  RT_TRY_ASSIGN(Device * device, current_device());
  ThreadExtras& extras = this_thread_extras();
  const size_t index = static_cast<size_t>(device->ordinal());
  if (extras.per_thread_streams.size() <= index) extras.per_thread_streams.resize(index + 1);
  Handle& handle = extras.per_thread_streams[index];
  if (handle) {
    if (Pin<Stream> pin = streams().pin(handle)) return pin;
  }
  reap_retired_streams();
  handle = streams().insert(std::make_unique<Stream>(*device, Stream::Kind::Blocking, 0, 0));
  return streams().pin(handle);
}

Result<Pin<Stream>> find_special_stream(Handle handle) {
  const uintptr_t value = reinterpret_cast<uintptr_t>(handle);
  if (value == 0 || value == kLegacyStreamHandle) {
    RT_TRY_ASSIGN(Device * device, current_device());
    return Pin<Stream>::unowned(&device->null_stream());
  }
  if (value == kPerThreadStreamHandle) return per_thread_stream();
  if (const Pin<Stream> pin = streams().pin(handle); pin && pin->detached())
    return error(ErrorCode::StreamDetached, "The execution context of stream {} was destroyed.",
                 const_cast<void*>(handle));
  return error(ErrorCode::ContextIsDestroyed, "{} is not a stream, or the stream was destroyed.",
               const_cast<void*>(handle));
}

} // namespace hip::core
