// runtime/backend/aql/soft/barrier_wait.h - what the next packet of a queue waits for, when that is a barrier packet:
// it looks at the packet's signals and, while one of them holds the packet up, has the queue parked at them
// (parking.h), so that a change of theirs notifies it. Thread safety: the thread that has claimed the queue. Who
// changes a signal reads the tickets under the lock of their bucket; no lock is held between two calls. Memory
// ordering: signals are loaded before the queue is parked and once more afterwards, both sequentially consistent, so a
// change between the two is seen here or notifies the queue.
#pragma once

#include "runtime/backend/aql/soft/parking.h"

#include <array>

namespace hip::aql::soft {

class SoftQueue;
class System;

class BarrierWait {
public:
  BarrierWait(SoftQueue& queue, System& system) noexcept;

  // The first signal that the barrier packet still waits for, with the queue parked at all its signals, and looked
  // after by SignalPoll where one of them may change by a plain store; null: the packet may go on.
  const Signal* blocking_dependency(const BarrierPacket& packet, PacketType type) noexcept;
  // The same for a packet that waits for a signal's value.
  const Signal* blocking_value(const BarrierValuePacket& packet) noexcept;
  // The queue is parked nowhere any more.
  void unpark() noexcept {
    for (Parking::Ticket& ticket : tickets_) parking_.unpark(ticket);
  }

private:
  System& system_;
  Parking& parking_;
  std::array<Parking::Ticket, kBarrierDependencies> tickets_;
};

} // namespace hip::aql::soft
