// Events.
#include "runtime/core/event.h"

#include "runtime/api/api.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/host_wait.h"
#include "runtime/core/shared_event.h"

namespace hip::api {
namespace {

Status create(hipEvent_t* event, unsigned flags) {
  constexpr unsigned kReleases = hipEventReleaseToDevice | hipEventReleaseToSystem;
  constexpr unsigned kKnown =
      hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess | hipEventDisableSystemFence | kReleases;
  *event = nullptr;
  if ((flags & ~kKnown) != 0)
    return error(ErrorCode::InvalidValue, "The event flags {:#x} are not known.", flags & ~kKnown);
  // At most one of these flags may say which caches a record writes back.
  const unsigned fence = flags & (kReleases | hipEventDisableSystemFence);
  if ((fence & (fence - 1)) != 0)
    return error(ErrorCode::InvalidValue, "The event flags {:#x} exclude each other.", fence);
  if ((flags & hipEventInterprocess) != 0 && (flags & hipEventDisableTiming) == 0)
    return error(ErrorCode::InvalidValue, "An interprocess event has no timing; hipEventDisableTiming is missing.");
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  RT_TRY(device->hal().fault());
  if ((flags & hipEventInterprocess) != 0) {
    RT_TRY_ASSIGN(auto shared, core::SharedEvent::create(*device));
    *event = as_handle<hipEvent_t>(core::events().insert(std::make_unique<core::Event>(*device, std::move(shared))));
    return {};
  }
  const auto timing = (flags & hipEventDisableTiming) != 0 ? core::EventTiming::Disabled : core::EventTiming::Enabled;
  const auto wait = (flags & hipEventBlockingSync) != 0 ? core::EventWait::Sleep : core::EventWait::Spin;
  *event = as_handle<hipEvent_t>(core::events().insert(std::make_unique<core::Event>(*device, timing, wait)));
  return {};
}

} // namespace

Status hipEventCreate(hipEvent_t* event) { return create(event, hipEventDefault); }
Status hipEventCreateWithFlags(hipEvent_t* event, unsigned int flags) { return create(event, flags); }

Status hipEventDestroy(hipEvent_t event) {
  core::Device* device = nullptr;
  {
    RT_TRY_ASSIGN(const auto pin, core::find_event(event));
    device = &pin->device();
  }
  if (!core::events().remove(event)) return core::no_event(event);
  return device->hal().fault(); // the event has ended all the same
}

Status hipEventRecord(hipEvent_t event, hipStream_t stream) {
  RT_TRY_ASSIGN(auto pin, core::find_event(event));
  RT_TRY_ASSIGN(auto target, core::find_stream(stream));
  return pin->record(*target);
}

Status hipEventRecordWithFlags(hipEvent_t event, hipStream_t stream, unsigned int flags) {
  if (flags != hipEventRecordDefault && flags != hipEventRecordExternal)
    return error(ErrorCode::InvalidValue, "The record flags {:#x} are not known.", flags);
  if (flags == hipEventRecordExternal) { // in a capture: a node, and no dependency of other streams
    RT_TRY_ASSIGN(auto pin, core::find_event(event));
    RT_TRY_ASSIGN(auto target, core::find_stream(stream));
    if (target->captures()) return core::capture_event_record(*target, *pin, event, true);
  }
  return api::hipEventRecord(event, stream);
}

Status hipEventQuery(hipEvent_t event) {
  RT_TRY_ASSIGN(auto pin, core::find_event(event));
  RT_TRY(core::check_event_wait_allowed(*pin));
  Status done = pin->query();
  if (done.ok()) core::after_host_query();
  return done;
}

Status hipEventSynchronize(hipEvent_t event) {
  RT_TRY_ASSIGN(auto pin, core::find_event(event));
  RT_TRY(core::check_event_wait_allowed(*pin));
  Status done = pin->synchronize();
  core::after_host_wait();
  return done;
}

Status hipEventElapsedTime(float* ms, hipEvent_t start, hipEvent_t stop) {
  RT_TRY_ASSIGN(auto begin, core::find_event(start));
  RT_TRY_ASSIGN(auto end, core::find_event(stop));
  if (begin->is_captured() || end->is_captured())
    return error(ErrorCode::CapturedEvent, "The {} event was last recorded in a stream that was being captured.",
                 begin->is_captured() ? "start" : "stop");
  RT_TRY_ASSIGN(*ms, core::Event::elapsed_ms(*begin, *end));
  return {};
}

Status hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned int flags) {
  if (flags != hipEventWaitDefault && flags != hipEventWaitExternal)
    return error(ErrorCode::InvalidValue, "The wait flags {:#x} are not known.", flags);
  RT_TRY_ASSIGN(auto pin, core::find_event(event));
  auto target = core::find_stream(stream);
  if (!target.ok() && target.status().code() == ErrorCode::StreamDetached) return target.status();
  if (!target.ok()) return Status(ErrorCode::InvalidHandle, target.status().message());
  if (target.value()->captures() || pin->is_captured()) [[unlikely]]
    return core::capture_event_wait(*target.value(), *pin, event, flags == hipEventWaitExternal);
  if (core::SharedEvent* const shared = pin->shared())
    return target.value()->submit_now([&](backend::Queue& queue) { return shared->hold(queue); });
  const core::Event::Recorded recorded = pin->recorded();
  if (!recorded.point) return {}; // never recorded
  RT_TRY(target.value()->wait(recorded.point, pin->device()));
  target.value()->see(recorded.progress);
  return {};
}

} // namespace hip::api
