// runtime/backend/aql/soft/packet_list.h - packets of a command list, which a queue takes from here as if they were in
// its ring (PacketListPacket), and what is known of them from one time to the next: which of them are kernels so short
// that one thread executes them one after the other, and the engine's sequence for those.
// The first time every packet goes the general way, which measures how long its kernel takes (KernelTimes). Later
// neighbouring short kernels are given to the engine together. When such a run takes much longer than expected, the
// next time all go the general way again, and are measured. When packets were replaced the sequence is made again.
// Thread safety: packets() any thread; the rest belongs to the queue for which begin() has returned true, until end();
// replace() to whoever knows that no queue has it.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/engine/engine.h"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace hip::aql::soft {

class System;

// What the engine has to know of a kernel's packet, wherever it lies; but for the queue and the packet's number there.
engine::Dispatch dispatch_of(const KernelDispatchPacket& packet) noexcept;

class PacketList final : public aql::PacketList {
public:
  static Result<std::unique_ptr<aql::PacketList>> create(std::shared_ptr<System> system,
                                                         std::span<const Packet> packets);
  ~PacketList() override;
  PacketHead encode(Packet& packet) noexcept override;
  void replace(size_t number, const Packet& packet) noexcept override;
  static bool is_in(const Packet& packet) noexcept { return packet.list.format == PacketListPacket::kFormat; }
  static PacketList& of(const Packet& packet) noexcept { return *reinterpret_cast<PacketList*>(packet.list.list); }

  std::span<const Packet> packets() const noexcept { return {packets_, count_}; }

  // A queue begins with the list. False: another queue has it at the moment, so this one uses packets() alone.
  bool begin() noexcept;
  void end() noexcept { taken_.store(false, std::memory_order_release); }
  // Every kernel's time is wanted.
  bool measures() const noexcept { return measures_; }
  // Executes short kernels from this packet on, on the calling thread, and returns the number of the first packet that
  // it did not execute: `position` when that one has to go the general way. After a kernel that failed, `status` is
  // its.
  size_t run_short(engine::Worker& worker, size_t position, Status& status) noexcept;

private:
  explicit PacketList(std::shared_ptr<System> system) noexcept : system_(std::move(system)) {}
  void make_sequence();
  void make_runs() noexcept;

  // A packet; `end` is the one behind the short kernels that begin with it, or itself.
  struct Place {
    uint64_t groups = 0; // of its kernel; 0: it is none
    uint64_t expected_ns = 0;
    uint32_t end = 0;
  };

  const std::shared_ptr<System> system_;
  Packet* packets_ = nullptr; // in the arena, for kernels may read their packet
  size_t count_ = 0;
  std::atomic<bool> taken_{false};
  uint64_t times_begun_ = 0;
  bool measures_ = false, late_ = false;
  std::vector<Place> places_;
  bool sequence_made_ = false;
  std::unique_ptr<engine::DispatchSequence> sequence_; // null: not made yet, or the engine has none
};

} // namespace hip::aql::soft
