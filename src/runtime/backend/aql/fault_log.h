// runtime/backend/aql/fault_log.h - faults of one hardware queue on their way to whoever synchronises first. A fault is
// reported once: to the first point behind the failed packet that asks, or to the queue's own synchronize.
// Thread safety: any thread. Takes no lock while nothing has failed. Outlives the queue, because points do.
// Memory ordering: an agent reports before it decrements the packet's signal, so who sees a completion sees its fault.
#pragma once

#include "runtime/backend/aql/agent.h"

#include <atomic>
#include <mutex>

namespace hip::aql {

class FaultLog final : public FaultSink {
public:
  // Keeps the queue's first fault until it is claimed and drops later ones: most of them are consequences of the first.
  void failed(uint64_t packet, Status status) noexcept override;
  // Returns the fault that nobody has claimed, if its packet is `packet` or an earlier one, and marks it claimed.
  Status claim(uint64_t packet) noexcept;
  // Returns what claim() would return, without marking it.
  Status peek(uint64_t packet) noexcept;
  // There is a fault that nobody has claimed.
  bool any() const noexcept { return any_.load(std::memory_order_acquire); }

private:
  std::atomic<bool> any_{false};
  std::mutex mutex_; // all below
  Status pending_;
  uint64_t packet_ = 0;
};

} // namespace hip::aql
