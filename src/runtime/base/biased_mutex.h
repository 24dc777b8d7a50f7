// runtime/base/biased_mutex.h - a mutual exclusion lock for what nearly always one and the same thread uses: a stream.
// After a while the lock leans to that thread, which then takes and gives it back by plain loads and stores: no atomic
// read-modify-write, no fence, nobody to wait for. Another thread that wants it takes the mutex behind it, ends the
// lean, makes the first thread's stores visible with membarrier(2) and waits until that thread is out; each time this
// happens the lock takes twice as long to lean again, and after kMostEnds times it stays an ordinary mutex, as where
// the kernel has no membarrier. Works with std::lock_guard and std::unique_lock; not recursive. Thread safety: what it
// is for. Memory ordering: lock acquires, unlock releases.
#pragma once

#include "runtime/base/mutex.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hip {

class BiasedMutex {
public:
  static constexpr uint32_t kFirstStreak = 64; // times in a row that one thread takes it before it leans to that thread
  static constexpr uint32_t kMostEnds = 8;
  static constexpr size_t kMostThreads = 3; // to which it may lean, one after the other

  constexpr BiasedMutex() noexcept = default;
  BiasedMutex(const BiasedMutex&) = delete;

  void lock() noexcept {
    Lean* const lean = lean_.load(std::memory_order_acquire);
    if (lean->thread == this_thread()) [[likely]] {
      // Acquire: what a thread did that ended and whose name this thread has now.
      static_cast<void>(lean->inside.load(std::memory_order_acquire));
      lean->inside.store(1, std::memory_order_relaxed);
      // The processor may let the load pass the store; who ends the lean sees to it that this does not matter.
      std::atomic_signal_fence(std::memory_order_seq_cst);
      if (lean_.load(std::memory_order_relaxed) == lean) [[likely]] {
        held_by_ = lean;
        return;
      }
      leave(*lean);
    }
    lock_mutex();
  }
  void unlock() noexcept {
    if (Lean* const lean = held_by_) [[likely]] {
      held_by_ = nullptr;
      leave(*lean);
    } else {
      mutex_.unlock();
    }
  }
  // For tests: the thread that calls this takes it by plain loads and stores.
  bool leans_here() const noexcept { return lean_.load(std::memory_order_acquire)->thread == this_thread(); }

private:
  // A thread's own, for as long as the lock exists: a thread that has seen its lean and then sleeps may still write to
  // `inside` when the lock leans to another thread.
  struct Lean {
    uintptr_t thread = 0;
    std::atomic<uint32_t> inside{0};
  };

  // What no other thread that is alive has; never 0.
  static uintptr_t this_thread() noexcept { return reinterpret_cast<uintptr_t>(__builtin_thread_pointer()); }
  void leave(Lean& lean) noexcept {
    lean.inside.store(0, std::memory_order_release);
    std::atomic_signal_fence(std::memory_order_seq_cst);
    if (lean_.load(std::memory_order_relaxed) != &lean) [[unlikely]]
      lean.inside.notify_all();
  }
  void lock_mutex() noexcept;
  void end_lean(Lean& lean) noexcept;
  Lean* lean_of(uintptr_t thread) noexcept;

  static constinit Lean nobody_;
  std::atomic<Lean*> lean_{&nobody_}; // changed under mutex_
  Lean* held_by_ = nullptr;           // the holder's; null: the holder took mutex_
  std::array<Lean, kMostThreads> leans_{};
  uint32_t streak_ = 0, ends_ = 0; // under mutex_, as the next
  uintptr_t last_ = 0;             // who took it last
  Mutex mutex_;
};

} // namespace hip
