// runtime/core/event.h - a HIP event: the point of a queue that it was last recorded at.
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/core/device.h"

#include <memory>
#include <mutex>

namespace hip::core {

struct EventCapture;

enum class EventTiming { Enabled, Disabled };
enum class EventWait { Spin, Sleep }; // hipEventBlockingSync

class SharedEvent; // shared_event.h

class Event {
public:
  Event(Device& device, EventTiming timing, EventWait wait = EventWait::Spin) noexcept;
  // An event of several processes, without timing.
  Event(Device& device, std::unique_ptr<SharedEvent> shared) noexcept;
  ~Event();

  Device& device() const noexcept { return device_; }
  backend::PointOptions point_options() const noexcept {
    return {.timed = timing_ == EventTiming::Enabled, .blocking_wait = wait_ == EventWait::Sleep};
  }
  Handle handle() const noexcept { return handle_; }
  void set_handle(Handle handle) noexcept { handle_ = handle; }

  // Error: InvalidHandle when the stream belongs to another device.
  Status check_stream(const Stream& stream) const;
  // Replaces what was recorded before; waits already made keep the old point. Errors: as check_stream.
  [[gnu::hot]] Status record(Stream& stream);
  // Null for an event of this process alone.
  SharedEvent* shared() const noexcept { return shared_.get(); }
  // As record(), by what Stream::submit_now calls for a stream that check_stream takes.
  Status record_in(backend::Queue& queue);
  // The recorded point; empty when there is none.
  Ref<backend::Completion> point() const noexcept;
  // What a wait for the event waits for; the point is empty when there is none.
  struct Recorded {
    Ref<backend::Completion> point{};
    StreamProgress progress{};
  };
  Recorded recorded() const noexcept;

  // The event was last recorded in a stream that was captured (graph/capture.h).
  bool is_captured() const noexcept { return is_captured_.load(std::memory_order_acquire); }
  // Where; none when it was not.
  std::shared_ptr<const EventCapture> capture() const noexcept;
  void set_capture(std::shared_ptr<const EventCapture> capture) noexcept;

  // A never-recorded event counts as done. NotReady without a message while not done.
  Status query() const;
  Status synchronize() const;
  // Milliseconds of device time from start to stop. Errors: InvalidHandle when one was never recorded, has timing
  // disabled or is of another device; NotReady.
  static Result<float> elapsed_ms(const Event& start, const Event& stop);

private:
  void set_point(Ref<backend::Completion> point) noexcept;

  Device& device_;
  const EventTiming timing_;
  const EventWait wait_;
  Handle handle_ = nullptr;
  std::atomic<bool> is_captured_{false};
  mutable Mutex mutex_;
  std::shared_ptr<const EventCapture> capture_;
  Ref<backend::Completion> point_;
  StreamProgress progress_; // of the stream at the point
  const std::unique_ptr<SharedEvent> shared_;
};

using EventTable = HandleTable<Event, HandleKind::Event>;
namespace detail {
RT_NO_DESTROY extern constinit EventTable events;
}
inline EventTable& events() noexcept { return detail::events; }

// Errors: InvalidHandle for null, ContextIsDestroyed for any other handle that is not a live event.
Status no_event(Handle handle);
inline Result<Pin<Event>> find_event(Handle handle) {
  if (Pin<Event> pin = events().pin(handle)) [[likely]]
    return pin;
  return no_event(handle);
}

} // namespace hip::core
