// runtime/base/biased_mutex.h - a mutual exclusion lock for an object that one and the same thread uses nearly always,
// such as a stream (biased locking). After a while the lock leans to that thread: the thread then takes and releases it
// by plain loads and stores, without an atomic read-modify-write or a fence. Another thread that wants the lock takes
// the mutex behind it, ends the lean, makes the first thread's stores visible with membarrier(2) and waits until that
// thread has released the lock. Each end of a lean doubles the time until the lock leans again; after kMostEnds ends,
// where the kernel has no membarrier, and where the library was loaded into a process of several threads that has not called
// prepare_process(), it stays an ordinary mutex. Works with std::lock_guard and std::unique_lock;
// not recursive. Thread safety: any thread may lock. Memory ordering: lock acquires, unlock releases.
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
  static constexpr size_t kMostThreads = 3; // the threads to which one lock may lean, one after the other

  constexpr BiasedMutex() noexcept = default;
  BiasedMutex(const BiasedMutex&) = delete;

  // For a process that had several threads when the library was loaded: locks may lean from now on. The kernel may need 20 ms for it.
  static void prepare_process() noexcept;

  void lock() noexcept {
    Lean* const lean = lean_.load(std::memory_order_acquire);
    if (lean->thread == this_thread()) [[likely]] {
      // Acquire: a thread that has ended may have had the id of this one, and its work under the lock must be visible
      // here.
      static_cast<void>(lean->inside.load(std::memory_order_acquire));
      lean->inside.store(1, std::memory_order_relaxed);
      // The processor may do the load below before the store above; the barrier in end_lean makes that harmless.
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
  // For tests: whether the lock leans to the calling thread, which then takes it by plain loads and stores.
  bool leans_here() const noexcept { return lean_.load(std::memory_order_acquire)->thread == this_thread(); }

private:
  // The lean to one thread. It is that thread's for as long as the lock exists: a thread that has read lean_ and is
  // then suspended may still write to `inside` when the lock leans to another thread.
  struct Lean {
    uintptr_t thread = 0;
    std::atomic<uint32_t> inside{0};
  };

  // An id that no other live thread has; never 0.
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
  Lean* held_by_ = nullptr;           // the lean that the holder used; null: the holder took mutex_
  std::array<Lean, kMostThreads> leans_{};
  uint32_t streak_ = 0, ends_ = 0; // under mutex_, like last_
  uintptr_t last_ = 0;             // the thread that took mutex_ last
  Mutex mutex_;
};

} // namespace hip
