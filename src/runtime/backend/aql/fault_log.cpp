#include "runtime/backend/aql/fault_log.h"

namespace hip::aql {

void FaultLog::pull() noexcept {
  if (!queue_ || !pending_.status.ok()) return; // a later fault of a queue is a consequence more often than news
  pending_ = queue_->take_fault();
}

Status FaultLog::claim(uint64_t packet) noexcept {
  std::lock_guard guard(mutex_);
  pull();
  if (pending_.status.ok() || pending_.packet > packet) return Status();
  return std::exchange(pending_, Fault()).status;
}

Status FaultLog::peek(uint64_t packet) noexcept {
  std::lock_guard guard(mutex_);
  pull();
  return pending_.packet <= packet ? pending_.status : Status();
}

void FaultLog::close() noexcept {
  std::lock_guard guard(mutex_);
  pull();
  queue_ = nullptr;
}

} // namespace hip::aql
