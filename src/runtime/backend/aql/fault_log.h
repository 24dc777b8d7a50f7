// runtime/backend/aql/fault_log.h - faults of one hardware queue on their way to whoever synchronises first. A fault is
// reported once: to the first point behind the failed packet that asks, or to the queue's own synchronize.
// Thread safety: any thread. Outlives the queue, because points do.
#pragma once

#include "runtime/backend/aql/agent.h"

#include <mutex>

namespace hip::aql {

class FaultLog final : public RefCounted {
public:
  explicit FaultLog(HardwareQueue& queue) noexcept : queue_(&queue) {}
  // The first fault not claimed yet of the packets up to and including `packet`, and marks it claimed.
  Status claim(uint64_t packet) noexcept;
  // The same without marking it.
  Status peek(uint64_t packet) noexcept;
  // The hardware queue is about to go: takes what it still has to say.
  void close() noexcept;

private:
  void pull() noexcept;

  std::mutex mutex_;
  HardwareQueue* queue_;
  Fault pending_;
};

} // namespace hip::aql
