#include "runtime/backend/aql/point.h"

#include "runtime/backend/aql/point_pool.h"

namespace hip::aql {

void Point::last_release() const noexcept { pool_.give_back(const_cast<Point&>(*this)); }

void Point::begin(Ref<FaultLog> faults, uint64_t packet) noexcept {
  if (faults_.get() != faults.get()) faults_ = std::move(faults);
  packet_ = packet;
  if (!has_claimed_.load(std::memory_order_relaxed)) return;
  claimed_ = Status();
  has_claimed_.store(false, std::memory_order_relaxed);
}

bool Point::done() const noexcept { return !signal_ || signal_->value.load(std::memory_order_acquire) < 1; }

void Point::wait_done() const noexcept {
  if (!done() && agent_.usable().ok()) agent_.wait_signal(*signal_, 1, kNoTimeout);
}

Status Point::wait() noexcept {
  if (!done()) {
    RT_TRY(agent_.usable());
    agent_.wait_signal(*signal_, 1, kNoTimeout);
  }
  RT_TRY(status());
  return agent_.usable(); // not where it was lost meanwhile, and somebody else has claimed the fault
}

void Point::finish() noexcept {
  wait_done();
  if (!agent_.usable().ok()) agent_.settle(); // copies of a card that is lost may be under way
}

Status Point::status() const noexcept {
  if (!faults_ || !done()) return Status();
  if (!faults_->any() && !has_claimed_.load(std::memory_order_acquire)) return Status();
  std::lock_guard guard(mutex_);
  if (claimed_.ok()) claimed_ = faults_->claim(packet_);
  if (!claimed_.ok()) agent_.settle();
  if (!claimed_.ok()) has_claimed_.store(true, std::memory_order_release);
  return claimed_;
}

uint64_t Point::timestamp_ns() const noexcept {
  if (!signal_) return timestamp_ns_;
  return done() ? agent_.ticks_to_ns(signal_->end_ts) : 0;
}

} // namespace hip::aql
