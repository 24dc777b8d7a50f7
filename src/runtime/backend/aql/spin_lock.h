// runtime/backend/aql/spin_lock.h - a lock for critical sections of a few instructions that hold no other lock and make
// no system call. Spins, then yields, so that a preempted owner can finish on a machine with few cores.
#pragma once

#include <atomic>
#include <sched.h>

namespace hip::aql {

inline void cpu_relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class SpinLock {
public:
  void lock() noexcept {
    for (unsigned spins = 0; locked_.exchange(true, std::memory_order_acquire);) {
      do {
        if (++spins % 256 == 0) ::sched_yield();
        cpu_relax();
      } while (locked_.load(std::memory_order_relaxed));
    }
  }
  bool try_lock() noexcept { return !locked_.exchange(true, std::memory_order_acquire); }
  void unlock() noexcept { locked_.store(false, std::memory_order_release); }

private:
  std::atomic<bool> locked_{false};
};

} // namespace hip::aql
