#include "runtime/backend/aql/point.h"

namespace hip::aql {

Point::~Point() {
  if (signal_) pool_->release(signal_);
}

bool Point::done() const noexcept { return !signal_ || signal_->value.load(std::memory_order_acquire) < 1; }

void Point::wait_done() const noexcept {
  if (!done()) agent_.wait_signal(*signal_, 1, kNoTimeout);
}

Status Point::wait() noexcept {
  wait_done();
  return status();
}

Status Point::status() const noexcept {
  if (!faults_ || !done()) return Status();
  std::lock_guard guard(mutex_);
  if (claimed_.ok()) claimed_ = faults_->claim(packet_);
  return claimed_;
}

uint64_t Point::timestamp_ns() const noexcept {
  if (!signal_) return timestamp_ns_;
  return done() ? agent_.ticks_to_ns(signal_->end_ts) : 0;
}

} // namespace hip::aql
