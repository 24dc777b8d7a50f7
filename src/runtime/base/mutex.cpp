#include "runtime/base/mutex.h"

namespace hip {

void Mutex::lock_slowly() noexcept {
  constexpr int kSpins = 100; // most holders are done within a microsecond
  for (int i = 0; i < kSpins; ++i) {
    if (state_.load(std::memory_order_relaxed) == kFree && try_lock()) return;
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
  while (state_.exchange(kWanted, std::memory_order_acquire) != kFree) state_.wait(kWanted, std::memory_order_relaxed);
}

void Mutex::wake_one() noexcept { state_.notify_one(); }

} // namespace hip
