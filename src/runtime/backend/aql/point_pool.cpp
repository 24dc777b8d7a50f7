#include "runtime/backend/aql/point_pool.h"

#include <thread>
#include <utility>

namespace hip::aql {

void PointPool::push(Point& first, Point& last) noexcept {
  Point* head = free_.load(std::memory_order_relaxed);
  do {
    last.next_ = head;
  } while (!free_.compare_exchange_weak(head, &first, std::memory_order_release, std::memory_order_relaxed));
}

void PointPool::give_back(Point& point) noexcept { push(point, point); }

Point* PointPool::take_free() noexcept {
  while (cutting_.exchange(true, std::memory_order_acquire))
    std::this_thread::yield(); // some 64 steps of another thread
  if (!taken_) taken_ = free_.exchange(nullptr, std::memory_order_acquire);
  Point* const first = taken_;
  if (Point* last = first) {
    for (size_t n = 1; n < kPointsPerBlock && last->next_; ++n) last = last->next_;
    taken_ = std::exchange(last->next_, nullptr);
  }
  cutting_.store(false, std::memory_order_release);
  return first;
}

Result<Point*> PointPool::take_chain() {
  if (Point* const first = take_free()) return first;
  return grow();
}

// Where memory runs out half-way, what has been made serves the next call.
Result<Point*> PointPool::grow() {
  std::lock_guard guard(mutex_);
  if (signals_left_ == 0) {
    RT_TRY(agent_.create_signals(signals_));
    signals_left_ = signals_.size();
  }
  for (; signals_left_ > 0; --signals_left_) points_.emplace_back(agent_, *this, *signals_[signals_left_ - 1]);
  Point* first = nullptr;
  for (; given_out_ < points_.size(); ++given_out_) {
    Point& point = points_[given_out_];
    point.next_ = std::exchange(first, &point);
  }
  return first;
}

PointCache::~PointCache() {
  if (!first_) return;
  Point* last = first_;
  while (last->next_) last = last->next_;
  pool_.push(*first_, *last);
}

Result<Ref<Point>> PointCache::take() {
  if (!first_) {
    RT_TRY_ASSIGN(first_, pool_.take_chain());
  }
  Point* const point = std::exchange(first_, first_->next_);
  point->revive();
  return Ref<Point>::adopt(point);
}

Result<Ref<Point>> PointCache::make_for_packet(const QueueBlock& queue, uint32_t queue_tag, const Ref<FaultLog>& faults,
                                               uint64_t packet) {
  RT_TRY_ASSIGN(Ref<Point> point, take());
  Signal& signal = point->own_signal_;
  signal.start_ts = signal.end_ts = 0;
  signal.queue_ptr = reinterpret_cast<uint64_t>(&queue);
  signal.queue_tag.store(queue_tag, std::memory_order_relaxed);
  signal.value.store(1, std::memory_order_relaxed);
  point->signal_ = &signal;
  point->begin(faults, packet);
  return point;
}

Result<Ref<Point>> PointCache::make_for_host() {
  RT_TRY_ASSIGN(Ref<Point> point, take());
  Signal& signal = point->own_signal_;
  signal.start_ts = signal.end_ts = signal.queue_ptr = 0;
  signal.queue_tag.store(0, std::memory_order_relaxed);
  signal.value.store(1, std::memory_order_relaxed);
  point->signal_ = &signal;
  point->begin(Ref<FaultLog>(), 0);
  return point;
}

Result<Ref<Point>> PointCache::make_reached(uint64_t timestamp_ns, const Ref<FaultLog>& faults, uint64_t packet) {
  RT_TRY_ASSIGN(Ref<Point> point, take());
  point->signal_ = nullptr;
  point->timestamp_ns_ = timestamp_ns;
  point->begin(faults, packet);
  return point;
}

void PointCache::retire(Ref<Point> ref) noexcept {
  if (!ref->unique()) return;
  Point* const point = ref.detach();
  point->next_ = std::exchange(first_, point);
}

} // namespace hip::aql
