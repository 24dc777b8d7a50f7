// runtime/backend/aql/point_pool.h - points that are not in use. A device's pool makes them, 64 at a time, with signals
// in Control memory that is never given back to the agent: a late waiter may still look at one. A cache is one queue's
// part of the pool: the points of its finished packets serve its next packets, without an atomic operation. A cache
// that runs dry takes a block's worth of the pool's free points, never all of them: two queues that are made and
// destroyed in turn would need new points each time. Its points go back when the queue is destroyed. Thread safety:
// PointPool any thread; only making new points takes a lock. A PointCache is used by one thread at a time. Memory
// ordering: give_back() releases, taking acquires.
#pragma once

#include "runtime/backend/aql/point.h"

#include <array>
#include <deque>

namespace hip::aql {

class PointPool {
public:
  explicit PointPool(Agent& agent) noexcept : agent_(agent) {}
  // Takes back a point whose last reference is gone.
  void give_back(Point& point) noexcept;

private:
  friend class PointCache;
  static constexpr size_t kPointsPerBlock = 64;
  // Points that nobody has, or new ones: a list of at most kPointsPerBlock.
  Result<Point*> take_chain();
  Point* take_free() noexcept; // null: there are none
  Result<Point*> grow();
  void push(Point& first, Point& last) noexcept;

  Agent& agent_;
  std::atomic<Point*> free_{nullptr}; // a stack that is only pushed to or taken as a whole, so it has no ABA problem
  std::atomic<bool> cutting_{false};  // a thread has taken_, what is left of the stack that was taken last
  Point* taken_ = nullptr;
  std::mutex mutex_;         // what follows
  std::deque<Point> points_; // all that were made
  size_t given_out_ = 0;     // the first of them that nobody has had yet
  std::array<Signal*, kPointsPerBlock> signals_{};
  size_t signals_left_ = 0; // the first so many of them have no point yet
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
  // Drops a reference to a point; keeps the point in the cache when nobody else holds it.
  void retire(Ref<Point> point) noexcept;

private:
  Result<Ref<Point>> take();
  PointPool& pool_;
  Point* first_ = nullptr;
};

} // namespace hip::aql
