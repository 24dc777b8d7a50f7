#include "runtime/base/biased_mutex.h"

#include <linux/membarrier.h>
#include <sys/single_threaded.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace hip {
namespace {

bool membarrier(int command) noexcept { return ::syscall(SYS_membarrier, command, 0, 0) == 0; }

// Whether the process is registered for membarrier; a child process keeps the registration.
std::atomic<bool> registered{false};

void register_process() noexcept {
  registered.store(membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED), std::memory_order_relaxed);
}

// For a process of one thread the kernel does it at once. Else it waits until all processors have gone through a scheduler: 5 to 18 ms
// on a server of 16 cores.
[[gnu::constructor]] void register_while_there_is_one_thread() noexcept {
  if (__libc_single_threaded) register_process();
}

// When it returns, each other thread of the process has passed a full memory barrier.
void barrier_in_all_threads() noexcept {
  if (membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED)) return;
  // A filter of system calls that was installed after the registration forbids the call. Stores leave their processor
  // within microseconds by themselves, so a pause of a millisecond does instead.
  const timespec pause{.tv_sec = 0, .tv_nsec = 1'000'000};
  ::nanosleep(&pause, nullptr);
}

} // namespace

constinit BiasedMutex::Lean BiasedMutex::nobody_;

void BiasedMutex::prepare_process() noexcept {
  if (!registered.load(std::memory_order_relaxed)) register_process();
}

void BiasedMutex::lock_mutex() noexcept {
  mutex_.lock();
  if (Lean& lean = *lean_.load(std::memory_order_relaxed); &lean != &nobody_) end_lean(lean);
  const uintptr_t me = this_thread();
  if (last_ != me) {
    last_ = me;
    streak_ = 0;
  }
  if (ends_ >= kMostEnds || ++streak_ < kFirstStreak << ends_) return;
  Lean* const lean = registered.load(std::memory_order_relaxed) ? lean_of(me) : nullptr;
  if (lean)
    lean_.store(lean, std::memory_order_release); // used by this thread's next lock()
  else
    ends_ = kMostEnds;
}

void BiasedMutex::end_lean(Lean& lean) noexcept {
  lean_.store(&nobody_, std::memory_order_relaxed);
  // After the barrier, either the thread sees that its lean has ended, or this thread sees that the other one is
  // inside.
  barrier_in_all_threads();
  constexpr int kSpins = 100;
  for (int i = 0; i < kSpins && lean.inside.load(std::memory_order_acquire) != 0; ++i) __builtin_ia32_pause();
  while (lean.inside.load(std::memory_order_acquire) != 0) lean.inside.wait(1, std::memory_order_acquire);
  streak_ = 0;
  ++ends_;
}

BiasedMutex::Lean* BiasedMutex::lean_of(uintptr_t thread) noexcept {
  for (Lean& lean : leans_) {
    if (lean.thread == thread) return &lean;
    if (lean.thread != 0) continue;
    lean.thread = thread;
    return &lean;
  }
  return nullptr;
}

} // namespace hip
