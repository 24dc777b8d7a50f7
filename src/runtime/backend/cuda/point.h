// runtime/backend/cuda/point.h - the two Completions of this back end: a CUevent, and the end of a stream for waits on
// the host alone. Thread safety: any thread. Memory ordering: the driver's queries and waits acquire what the device
// wrote.
#pragma once

#include "runtime/backend/cuda/context.h"

namespace hip::cuda {

// A CUstream and what was launched in it: shared by the queue and whoever waits for it.
class Stream final : public RefCounted {
public:
  enum class Owned { No, Yes };
  Stream(Context& context, CUstream handle, Owned owned);
  Context& context() const noexcept { return context_; }
  CUstream handle() const noexcept { return handle_; }
  LaunchLog& log() const noexcept { return *log_; }
  const Ref<LaunchLog>& shared_log() const noexcept { return log_; }
  // Blocks until all work is done.
  Status synchronize();
  // All work is done, or failed.
  bool idle();

private:
  ~Stream() override;
  Context& context_;
  const CUstream handle_;
  const Owned owned_;
  Ref<LaunchLog> log_;
};

class Point final : public backend::Completion {
public:
  // Takes over `event`, which was recorded after `launches` launches of the stream. `epoch` is what the time of a dated
  // one is measured from.
  Point(const Stream& stream, CUevent event, const backend::PointOptions& options, uint64_t launches,
        Ref<Epoch> epoch = {}) noexcept
      : context_(stream.context()), event_(event), options_(options), log_(stream.shared_log()), launches_(launches),
        epoch_(std::move(epoch)) {}
  ~Point() override { context_.give_event(event_, options_); }

  CUevent event() const noexcept { return event_; }
  // Whether the event may be recorded again for this point: nobody else holds it, it has these options, and it needs no
  // other epoch.
  bool fits(const Context& context, const backend::PointOptions& options) const noexcept {
    return unique() && &context_ == &context && options_.timed == options.timed && !options_.dated && !options.dated &&
           options_.blocking_wait == options.blocking_wait;
  }
  // The event was recorded again, after `launches` launches of the stream.
  void renew(const Stream& stream, uint64_t launches) noexcept {
    if (log_.get() != stream.shared_log().get()) log_ = stream.shared_log();
    launches_ = launches;
    reached_.store(false, std::memory_order_relaxed);
  }

  bool done() const noexcept override;
  Status wait() noexcept override;
  Status status() const noexcept override;
  uint64_t timestamp_ns() const noexcept override;
  Result<float> elapsed_ms(const Completion& start) const override;

private:
  void reached() const noexcept;

  Context& context_;
  const CUevent event_;
  const backend::PointOptions options_;
  Ref<LaunchLog> log_;
  uint64_t launches_;
  const Ref<Epoch> epoch_; // null: any
  mutable std::atomic<bool> reached_{false};
};

// Reached when the stream is idle: made once per queue, so that a wait allocates nothing and records nothing.
class StreamEnd final : public backend::Completion {
public:
  explicit StreamEnd(Ref<Stream> stream) noexcept : stream_(std::move(stream)) {}
  bool done() const noexcept override { return stream_->idle(); }
  Status wait() noexcept override { return stream_->synchronize(); }
  Status status() const noexcept override { return stream_->context().fault(); }
  uint64_t timestamp_ns() const noexcept override { return 0; }

private:
  Ref<Stream> stream_;
};

} // namespace hip::cuda
