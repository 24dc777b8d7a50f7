// runtime/base/mutex.h - a mutual exclusion lock for the paths of launches and allocations: where no other thread wants
// it, locking and unlocking are one inlined atomic operation each. A thread that has to wait spins a little, then
// sleeps. Works with std::lock_guard and std::unique_lock. Thread safety: any thread may lock. Memory ordering: lock
// acquires, unlock releases.
#pragma once

#include <atomic>
#include <cstdint>

namespace hip {

class Mutex {
public:
  constexpr Mutex() noexcept = default;
  Mutex(const Mutex&) = delete;

  void lock() noexcept {
    uint32_t expected = kFree;
    if (!state_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire, std::memory_order_relaxed))
        [[unlikely]]
      lock_slowly();
  }
  bool try_lock() noexcept {
    uint32_t expected = kFree;
    return state_.compare_exchange_strong(expected, kTaken, std::memory_order_acquire, std::memory_order_relaxed);
  }
  void unlock() noexcept {
    if (state_.exchange(kFree, std::memory_order_release) == kWanted) [[unlikely]]
      wake_one();
  }

private:
  static constexpr uint32_t kFree = 0, kTaken = 1, kWanted = 2; // kWanted: taken, and somebody may sleep
  void lock_slowly() noexcept;
  void wake_one() noexcept;
  std::atomic<uint32_t> state_{kFree};
};

} // namespace hip
