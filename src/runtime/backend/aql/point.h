// runtime/backend/aql/point.h - the Completion of this back end: a completion signal, or a time that has passed
// already. Points come from a pool (point_pool.h), each with a signal for life, and go back with their last reference.
// Thread safety: any thread. Memory ordering: as Completion promises; the signal's value is read with acquire.
#pragma once

#include "runtime/backend/aql/fault_log.h"

#include <atomic>
#include <mutex>

namespace hip::aql {

class PointPool;

class Point final : public backend::Completion {
public:
  Point(Agent& agent, PointPool& pool, Signal& signal) noexcept : agent_(agent), pool_(pool), own_signal_(signal) {}

  bool done() const noexcept override;
  Status wait() noexcept override;
  void finish() noexcept override;
  Status status() const noexcept override;
  uint64_t timestamp_ns() const noexcept override;

  // Null for a point that was reached when it was made.
  Signal* signal() const noexcept { return signal_; }
  Agent& agent() const noexcept { return agent_; }
  uint64_t packet() const noexcept { return packet_; }
  // Waits for the signal and does not look at faults. Returns at once when the agent executes nothing any more.
  void wait_done() const noexcept;

private:
  friend class PointPool;
  friend class PointCache;
  void last_release() const noexcept override;
  // Prepares a point that nobody else holds for its next use: by a packet, or by the host when `faults` is null.
  void begin(Ref<FaultLog> faults, uint64_t packet) noexcept;

  Agent& agent_;
  PointPool& pool_;
  Signal& own_signal_;
  Signal* signal_ = nullptr;
  uint64_t timestamp_ns_ = 0;
  Ref<FaultLog> faults_;
  uint64_t packet_ = 0;   // index in the queue that made the point: faults of packets up to this one concern it
  Point* next_ = nullptr; // in the pool or a cache
  mutable std::mutex mutex_;
  mutable std::atomic<bool> has_claimed_{false};
  mutable Status claimed_; // the fault that this point has reported, for further calls
};

} // namespace hip::aql
