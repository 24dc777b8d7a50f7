#include "runtime/core/event.h"

#include "runtime/core/graph/capture.h"
#include "runtime/core/shared_event.h"

namespace hip::core {

namespace detail {
RT_NO_DESTROY constinit EventTable events;
}

Status no_event(Handle handle) {
  if (!handle) return error(ErrorCode::InvalidHandle, "The event is null.");
  return error(ErrorCode::ContextIsDestroyed, "{} is not an event, or the event was destroyed.",
               const_cast<void*>(handle));
}

Event::Event(Device& device, EventTiming timing, EventWait wait) noexcept
    : device_(device), timing_(timing), wait_(wait) {}
Event::Event(Device& device, std::unique_ptr<SharedEvent> shared) noexcept
    : device_(device), timing_(EventTiming::Disabled), wait_(EventWait::Sleep), shared_(std::move(shared)) {}
Event::~Event() = default;

Status Event::check_stream(const Stream& stream) const {
  if (&stream.device() == &device_) [[likely]]
    return {};
  return error(ErrorCode::InvalidHandle, "The event belongs to device {}, the stream to device {}.", device_.ordinal(),
               stream.device().ordinal());
}

Status Event::record(Stream& stream) {
  RT_TRY(check_stream(stream));
  if (stream.captures()) [[unlikely]]
    return capture_event_record(stream, *this, handle_, false);
  if (is_captured()) [[unlikely]]
    set_capture(nullptr);
  if (shared_) [[unlikely]]
    return shared_->record(stream);
  return stream.record_by([&](backend::Queue& queue) {
    std::lock_guard lock(mutex_); // so that nobody takes a reference to the point while it is renewed
    progress_ = stream.progress();
    return queue.record_into(point_, point_options());
  });
}

Status Event::record_in(backend::Queue& queue) {
  if (is_captured()) [[unlikely]]
    set_capture(nullptr);
  if (shared_) return shared_->record(queue);
  RT_TRY_ASSIGN(Ref<backend::Completion> point, queue.record(point_options()));
  set_point(std::move(point));
  return {};
}

void Event::set_point(Ref<backend::Completion> point) noexcept {
  std::lock_guard lock(mutex_);
  std::swap(point_, point); // the old point is released after the lock
  progress_ = {};
}

Ref<backend::Completion> Event::point() const noexcept {
  std::lock_guard lock(mutex_);
  return point_;
}

Event::Recorded Event::recorded() const noexcept {
  std::lock_guard lock(mutex_);
  return {point_, progress_};
}

std::shared_ptr<const EventCapture> Event::capture() const noexcept {
  std::lock_guard lock(mutex_);
  return capture_;
}

void Event::set_capture(std::shared_ptr<const EventCapture> capture) noexcept {
  std::lock_guard lock(mutex_);
  std::swap(capture_, capture); // the old one is released after the lock
  is_captured_.store(capture_ != nullptr, std::memory_order_release);
}

Status Event::query() const {
  if (shared_) return shared_->query();
  const Ref<backend::Completion> point = this->point();
  if (!point) return {};
  if (!point->done()) return Status(ErrorCode::NotReady, {});
  return point->status();
}

Status Event::synchronize() const {
  if (shared_) return shared_->synchronize();
  const Ref<backend::Completion> point = this->point();
  return point ? point->wait() : Status();
}

Result<float> Event::elapsed_ms(const Event& start, const Event& stop) {
  if (start.timing_ == EventTiming::Disabled || stop.timing_ == EventTiming::Disabled)
    return error(ErrorCode::InvalidHandle, "The {} event was created with timing disabled.",
                 start.timing_ == EventTiming::Disabled ? "start" : "stop");
  if (&start.device_ != &stop.device_)
    return error(ErrorCode::InvalidHandle, "The events belong to devices {} and {}.", start.device_.ordinal(),
                 stop.device_.ordinal());
  const Ref<backend::Completion> begin = start.point(), end = stop.point();
  if (!begin || !end)
    return error(ErrorCode::InvalidHandle, "The {} event was never recorded.", begin ? "stop" : "start");
  if (!begin->done() || !end->done()) return Status(ErrorCode::NotReady, {});
  return end->elapsed_ms(*begin);
}

} // namespace hip::core
