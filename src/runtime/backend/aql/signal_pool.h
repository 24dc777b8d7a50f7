// runtime/backend/aql/signal_pool.h - completion signals of one agent, recycled. Signals lie in Control memory, 64 to a
// page, and are never given back to the agent: a late waiter may still read one.
// Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/spin_lock.h"

namespace hip::aql {

class SignalPool {
public:
  explicit SignalPool(Agent& agent) noexcept : agent_(agent) {}
  // A user signal of value 1 that a packet of the queue at `queue_ptr` will complete (0: the host will).
  Result<Signal*> acquire(uint64_t queue_ptr);
  void release(Signal* signal) noexcept;

private:
  Status grow();

  Agent& agent_;
  SpinLock lock_;
  std::vector<Signal*> free_; // capacity covers every signal made, so that release never allocates
  size_t made_ = 0;
};

} // namespace hip::aql
