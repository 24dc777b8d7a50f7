#include "runtime/backend/aql/fork_generation.h"

#include <mutex>
#include <pthread.h>

namespace hip::aql {

constinit std::atomic<unsigned> fork_generation{0};

Generation::Generation() noexcept {
  static constinit std::once_flag once;
  std::call_once(once, [] {
    // It fails only without memory; then inherited() is false in children, too.
    static_cast<void>(
        ::pthread_atfork(nullptr, nullptr, [] { fork_generation.fetch_add(1, std::memory_order_relaxed); }));
  });
  made_in_ = fork_generation.load(std::memory_order_relaxed);
}

} // namespace hip::aql
