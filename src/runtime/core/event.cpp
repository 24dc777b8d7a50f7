#include "runtime/core/event.h"

#include "runtime/base/no_destroy.h"

namespace hip::core {

EventTable& events() noexcept {
  RT_NO_DESTROY static constinit EventTable table;
  return table;
}

Result<Pin<Event>> find_event(Handle handle) {
  if (!handle) return error(ErrorCode::InvalidHandle, "The event is null.");
  Pin<Event> pin = events().pin(handle);
  if (!pin)
    return error(ErrorCode::ContextIsDestroyed, "{} is not an event, or the event was destroyed.",
                 const_cast<void*>(handle));
  return pin;
}

Status Event::record(Stream& stream) {
  if (&stream.device() != &device_)
    return error(ErrorCode::InvalidHandle, "The event belongs to device {}, the stream to device {}.", device_.ordinal(),
                 stream.device().ordinal());
  RT_TRY_ASSIGN(Ref<backend::Completion> point, stream.record(point_options()));
  set_point(std::move(point));
  return {};
}

void Event::set_point(Ref<backend::Completion> point) noexcept {
  std::lock_guard lock(mutex_);
  std::swap(point_, point); // the old point is released after the lock
}

Ref<backend::Completion> Event::point() const noexcept {
  std::lock_guard lock(mutex_);
  return point_;
}

Status Event::query() const {
  const Ref<backend::Completion> point = this->point();
  if (!point) return {};
  if (!point->done()) return Status(ErrorCode::NotReady, {});
  return point->status();
}

Status Event::synchronize() const {
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
