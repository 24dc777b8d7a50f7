#include "runtime/backend/aql/signal_pool.h"

#include <mutex>
#include <new>

namespace hip::aql {

namespace {
constexpr size_t kSignalsPerBlock = 64;
}

Result<Signal*> SignalPool::acquire(uint64_t queue_ptr) {
  for (;;) {
    {
      std::lock_guard guard(lock_);
      if (!free_.empty()) {
        Signal* signal = free_.back();
        free_.pop_back();
        signal->start_ts = signal->end_ts = 0;
        signal->queue_ptr = queue_ptr;
        signal->value.store(1, std::memory_order_relaxed);
        return signal;
      }
    }
    RT_TRY(grow());
  }
}

void SignalPool::release(Signal* signal) noexcept {
  std::lock_guard guard(lock_);
  free_.push_back(signal);
}

Status SignalPool::grow() {
  RT_TRY_ASSIGN(void* const block,
                agent_.allocate(kSignalsPerBlock * sizeof(Signal), alignof(Signal), AgentMemory::Control));
  std::lock_guard guard(lock_);
  made_ += kSignalsPerBlock;
  if (free_.capacity() < made_) free_.reserve(made_ * 2);
  for (size_t i = 0; i < kSignalsPerBlock; ++i) {
    Signal* signal = new (static_cast<std::byte*>(block) + i * sizeof(Signal)) Signal;
    signal->kind = Signal::kUser;
    free_.push_back(signal);
  }
  return Status();
}

} // namespace hip::aql
