// runtime/backend/cuda/device_clock.h - when the device has reached an event, in ns of steady_clock. The driver tells
// the time between two events as a float of milliseconds, whose steps grow with it: they are 31 ns after half a second
// and 62 us after ten minutes. An event is measured from an epoch therefore, an event of the clock's own that was
// reached shortly before, and whose time is known. There is a new epoch every half second while somebody asks for
// times; who measures from an older one keeps it. Thread safety: any thread; one lock, taken before the context's.
#pragma once

#include "runtime/backend/cuda/driver.h"
#include "runtime/base/ref.h"

#include <cstdint>
#include <mutex>

namespace hip::cuda {

class Context;

class Epoch final : public RefCounted {
public:
  // Takes over an event of `context`, to which the last reference gives it back.
  Epoch(Context& context, CUevent event) noexcept : context_(context), event_(event) {}
  CUevent event() const noexcept { return event_; }
  uint64_t reached_ns() const noexcept { return reached_ns_; }
  // When the device has reached an event that it has reached; 0 when the driver does not tell. The context is current.
  uint64_t time_of_ns(CUevent event) const noexcept;

private:
  friend class DeviceClock;
  ~Epoch() override;
  Context& context_;
  const CUevent event_;
  uint64_t reached_ns_ = 0; // set before others see the epoch
};

class DeviceClock {
public:
  using Now = uint64_t (*)() noexcept;
  static uint64_t steady_ns() noexcept;
  static constexpr uint64_t kEpochNs = 500'000'000; // how long one is the newest
  static constexpr uint64_t kRetryNs = 100'000'000; // after an attempt that has failed
  // How long an epoch is waited for. Where streams of the program hold the clock's up, an old one has to do: what they
  // wait for may be the calling thread.
  static constexpr uint64_t kPatienceNs = 2'000'000;

  // `now` is the host's clock.
  explicit DeviceClock(Context& context, Now now = steady_ns) noexcept : context_(context), now_(now) {}
  DeviceClock(const DeviceClock&) = delete;

  // The epoch for events that are recorded from now on; null when there is none yet. The context is current.
  Ref<Epoch> epoch() { return epoch(kPatienceNs); }
  // The epoch for an event that was recorded some time ago, for which epoch() was not asked: the newest, or the first.
  Ref<Epoch> epoch_for_earlier();
  // Gives back what the driver has made, before the context goes, which is current.
  void end() noexcept;

private:
  Ref<Epoch> epoch(uint64_t patience_ns);
  bool is_reached(CUevent event, uint64_t recorded_ns, uint64_t patience_ns) const noexcept;

  Context& context_;
  const Now now_;
  std::mutex mutex_;
  CUstream stream_ = nullptr; // in which nothing but epochs is recorded
  Ref<Epoch> newest_;
  uint64_t renewal_ns_ = 0; // when the next one is due
};

} // namespace hip::cuda
