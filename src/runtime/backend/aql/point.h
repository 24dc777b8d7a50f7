// runtime/backend/aql/point.h - the Completion of this back end: a completion signal, or a time that has passed
// already. Thread safety: any thread. Memory ordering: as Completion promises; the signal's value is read with acquire.
#pragma once

#include "runtime/backend/aql/fault_log.h"
#include "runtime/backend/aql/signal_pool.h"

namespace hip::aql {

class Point final : public backend::Completion {
public:
  // Reached when `signal` (owned from here on) has been decremented; `faults` may be null for a point that the host
  // makes.
  Point(Agent& agent, SignalPool& pool, Signal& signal, Ref<FaultLog> faults, uint64_t packet) noexcept
      : agent_(agent), pool_(&pool), signal_(&signal), faults_(std::move(faults)), packet_(packet) {}
  // Reached at `timestamp_ns`.
  Point(Agent& agent, uint64_t timestamp_ns, Ref<FaultLog> faults, uint64_t packet) noexcept
      : agent_(agent), timestamp_ns_(timestamp_ns), faults_(std::move(faults)), packet_(packet) {}
  ~Point() override;

  bool done() const noexcept override;
  Status wait() noexcept override;
  Status status() const noexcept override;
  uint64_t timestamp_ns() const noexcept override;

  // Null for a point that was reached when it was made.
  Signal* signal() const noexcept { return signal_; }
  Agent& agent() const noexcept { return agent_; }
  uint64_t packet() const noexcept { return packet_; }
  // Blocks without looking at faults.
  void wait_done() const noexcept;

private:
  Agent& agent_;
  SignalPool* pool_ = nullptr;
  Signal* signal_ = nullptr;
  uint64_t timestamp_ns_ = 0;
  Ref<FaultLog> faults_;
  uint64_t packet_ = 0; // of the queue that made it: faults up to here concern this point
  mutable std::mutex mutex_;
  mutable Status claimed_; // a fault reported here is reported here again
};

} // namespace hip::aql
