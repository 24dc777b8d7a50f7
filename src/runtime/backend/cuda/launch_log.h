// runtime/backend/cuda/launch_log.h - which kernels one stream was given, for the report when the device fails: CUDA
// tells that a kernel did something wrong, not which. Thread safety: one thread at a time calls add() (the queue's
// user); any thread calls the other functions.
#pragma once

#include "runtime/base/ref.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace hip::cuda {

class LaunchLog final : public RefCounted {
public:
  static constexpr uint64_t kKept = 16;

  // Notes a launch that the driver has accepted. `name` lives as long as the process.
  void add(const char* name) noexcept {
    const uint64_t number = launches_.load(std::memory_order_relaxed);
    names_[number % kKept].store(name, std::memory_order_relaxed);
    launches_.store(number + 1, std::memory_order_release);
  }
  uint64_t launches() const noexcept { return launches_.load(std::memory_order_acquire); }

  // Notes that the first `launches` launches have ended without an error.
  void good_up_to(uint64_t launches) noexcept {
    uint64_t known = good_.load(std::memory_order_relaxed);
    while (known < launches && !good_.compare_exchange_weak(known, launches, std::memory_order_relaxed)) {
    }
  }

  // Calls `tell(name)` for the kept launches that may have failed, oldest first; returns how many others there are.
  template<class F> uint64_t suspects(F tell) const {
    const uint64_t end = launches(), begin = good_.load(std::memory_order_relaxed);
    if (end <= begin) return 0;
    const uint64_t first = std::max(begin, end > kKept ? end - kKept : 0);
    for (uint64_t i = first; i < end; ++i) tell(names_[i % kKept].load(std::memory_order_relaxed));
    return first - begin;
  }

private:
  std::array<std::atomic<const char*>, kKept> names_{};
  std::atomic<uint64_t> launches_{0}, good_{0};
};

} // namespace hip::cuda
