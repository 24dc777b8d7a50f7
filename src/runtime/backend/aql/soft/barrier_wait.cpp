#include "runtime/backend/aql/soft/barrier_wait.h"

#include "runtime/backend/aql/soft/system.h"

namespace hip::aql::soft {

BarrierWait::BarrierWait(SoftQueue& queue, System& system) noexcept : system_(system), parking_(system.parking()) {
  for (Parking::Ticket& ticket : tickets_) ticket.queue = &queue;
}

const Signal* BarrierWait::blocking_dependency(const BarrierPacket& packet, PacketType type) noexcept {
  bool all_told = true;
  const auto waiting_for = [&]() -> const Signal* {
    const Signal* unfinished = nullptr;
    for (const uint64_t handle : packet.dep_signal) {
      if (handle == 0) continue;
      const Signal* signal = to_signal(handle);
      // A negative value is a failure (of a copy, HSA's hsa_amd_memory_async_copy) that somebody has to look at first:
      // packet processors wait for 0.
      const bool done = signal->value.load(std::memory_order_seq_cst) == 0;
      if (done && type == PacketType::BarrierOr) return nullptr;
      if (done) continue;
      if (!unfinished) unfinished = signal;
      all_told &= signal->changes_are_told != 0;
    }
    return unfinished;
  };
  if (!waiting_for()) return nullptr;
  for (size_t i = 0; i < kBarrierDependencies; ++i)
    if (packet.dep_signal[i] != 0) parking_.park(tickets_[i], *to_signal(packet.dep_signal[i]));
  const Signal* const signal = waiting_for();
  if (!signal)
    unpark();
  else if (!all_told) // also where a packet will complete the signal: somebody else may change it before
    system_.signal_poll().watch();
  return signal;
}

const Signal* BarrierWait::blocking_value(const BarrierValuePacket& packet) noexcept {
  const Signal* const signal = to_signal(packet.signal);
  const auto holds = [&] { return !signal || packet.holds(signal->value.load(std::memory_order_seq_cst)); };
  if (holds()) return nullptr;
  parking_.park(tickets_[0], *signal);
  if (holds()) {
    parking_.unpark(tickets_[0]);
    return nullptr;
  }
  system_.signal_poll().watch();
  return signal;
}

} // namespace hip::aql::soft
