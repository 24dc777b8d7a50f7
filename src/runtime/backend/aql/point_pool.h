// runtime/backend/aql/point_pool.h - points that are not in use. A device's pool makes them, 64 at a time, with signals
// in Control memory that is never given back to the agent: a late waiter may still look at one. A cache is one queue's
// part of the pool: what its packets are done with serves its next packets, without an atomic operation. A cache that
// runs dry takes all that is free, whatever the number, for that is one exchange; it gives back when the queue goes.
// Thread safety: PointPool any thread; only making new points takes a lock. A PointCache is used by one thread at a
// time. Memory ordering: give_back() releases, taking acquires.
#pragma once

#include "runtime/backend/aql/point.h"

#include <deque>

namespace hip::aql {

class PointPool {
public:
  explicit PointPool(Agent& agent) noexcept : agent_(agent) {}
  // The point's last reference is gone.
  void give_back(Point& point) noexcept;

private:
  friend class PointCache;
  static constexpr size_t kPointsPerBlock = 64;
  // All points that nobody has, or new ones.
  Result<Point*> take_chain();
  Result<Point*> grow();
  void push(Point& first, Point& last) noexcept;

  Agent& agent_;
  std::atomic<Point*> free_{nullptr}; // only pushed to, or taken as a whole: so a stack without the problem of ABA
  std::mutex mutex_;
  std::deque<Point> points_; // all that were made
};

class PointCache {
public:
  explicit PointCache(PointPool& pool) noexcept : pool_(pool) {}
  ~PointCache();
  PointCache(const PointCache&) = delete;

  // A point that a packet of the queue will reach: its signal has the value 1.
  Result<Ref<Point>> make_for_packet(const QueueBlock& queue, uint32_t queue_tag, const Ref<FaultLog>& faults,
                                     uint64_t packet);
  // A point that the host will reach by its signal.
  Result<Ref<Point>> make_for_host();
  // A point that was reached at this time, behind this packet.
  Result<Ref<Point>> make_reached(uint64_t timestamp_ns, const Ref<FaultLog>& faults, uint64_t packet);
  // Lets go of a point; keeps it when nobody else has it.
  void retire(Ref<Point> point) noexcept;

private:
  Result<Ref<Point>> take();
  PointPool& pool_;
  Point* first_ = nullptr;
};

} // namespace hip::aql
