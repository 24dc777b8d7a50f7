#include "runtime/backend/aql/fault_log.h"

namespace hip::aql {

void FaultLog::failed(uint64_t packet, Status status) noexcept {
  std::lock_guard guard(mutex_);
  if (!pending_.ok()) return;
  pending_ = std::move(status);
  packet_ = packet;
  any_.store(true, std::memory_order_release);
}

Status FaultLog::claim(uint64_t packet) noexcept {
  if (!any()) return Status();
  std::lock_guard guard(mutex_);
  if (pending_.ok() || packet_ > packet) return Status();
  any_.store(false, std::memory_order_relaxed);
  return std::exchange(pending_, Status());
}

Status FaultLog::peek(uint64_t packet) noexcept {
  if (!any()) return Status();
  std::lock_guard guard(mutex_);
  return packet_ <= packet ? pending_ : Status();
}

} // namespace hip::aql
