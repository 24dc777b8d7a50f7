#include "runtime/backend/cuda/device_clock.h"

#include "runtime/backend/cuda/context.h"
#include "runtime/base/own.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

namespace hip::cuda {

namespace {
constexpr backend::PointOptions kTimed{.timed = true};
}

Epoch::~Epoch() { context_.give_event(event_, kTimed); }

uint64_t Epoch::time_of_ns(CUevent event) const noexcept {
  float ms = 0;
  if (context_.driver().cuEventElapsedTime(&ms, event_, event) != kSuccess) return 0;
  return reached_ns_ + static_cast<uint64_t>(std::llround(static_cast<double>(ms) * 1e6)); // negative: before the epoch
}

uint64_t DeviceClock::steady_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// Asks again instead of waiting in the driver, which would wait for as long as the device is held up.
bool DeviceClock::is_reached(CUevent event, uint64_t recorded_ns, uint64_t patience_ns) const noexcept {
  for (;;) {
    const CUresult result = context_.driver().cuEventQuery(event);
    if (result == kSuccess) return true;
    if (result != kErrorNotReady || now_() - recorded_ns > patience_ns) return false;
    std::this_thread::yield();
  }
}

Ref<Epoch> DeviceClock::epoch(uint64_t patience_ns) {
  std::lock_guard lock(mutex_);
  const uint64_t asked_ns = now_();
  if (asked_ns < renewal_ns_) return newest_;
  renewal_ns_ = asked_ns + kRetryNs;
  const Driver& driver = context_.driver();
  if (!stream_ && driver.cuStreamCreateWithPriority(&stream_, kStreamNonBlocking, 0) != kSuccess) {
    stream_ = nullptr;
    return newest_;
  }
  const Result<CUevent> taken = context_.take_event(kTimed);
  if (!taken.ok()) return newest_;
  CUevent const event = taken.value();
  Ref<Epoch> made = own([&] { return make_ref<Epoch>(context_, event); }, [&] { context_.give_event(event, kTimed); });
  const uint64_t first_ns = now_();
  if (driver.cuEventRecord(event, stream_) != kSuccess || !is_reached(event, first_ns, patience_ns)) return newest_;
  const uint64_t last_ns = now_();
  // The device has reached the event between these two. The time since the epoch before decides where between them, so
  // that times by one epoch and by the next agree. It is corrected where it lies outside: the two clocks do not run
  // equally fast, and after a long time it is not exact.
  const uint64_t measured_ns = newest_ ? newest_->time_of_ns(event) : 0;
  made->reached_ns_ =
      measured_ns != 0 ? std::clamp(measured_ns, first_ns, last_ns) : first_ns + (last_ns - first_ns) / 2;
  renewal_ns_ = last_ns + kEpochNs;
  return newest_ = std::move(made);
}

Ref<Epoch> DeviceClock::epoch_for_earlier() {
  constexpr uint64_t kPatience = 1'000'000'000; // without an epoch there is no time at all
  {
    std::lock_guard lock(mutex_);
    if (newest_) return newest_;
    renewal_ns_ = 0;
  }
  return epoch(kPatience);
}

void DeviceClock::end() noexcept {
  std::lock_guard lock(mutex_);
  newest_ = {};
  if (stream_) context_.driver().cuStreamDestroy(std::exchange(stream_, nullptr));
}

} // namespace hip::cuda
