// runtime/backend/aql/command_list.h - a backend::CommandList as packets: made once, with their arguments in memory of
// their own, and copied into a ring as often as the list is submitted. A kernel that needs something of its queue
// (printf, calls to the host, a grid barrier, the queue's address) is no packet but a launch of its own.
// Thread safety: immutable after create().
#pragma once

#include "runtime/backend/aql/executable.h"

namespace hip::aql {

class CommandList final : public backend::CommandList {
public:
  // A ring takes a batch as a whole: with at most this many packets, of which the last one has the barrier bit, so that
  // its completion is that of all.
  static constexpr size_t kMostPackets = 128;
  // Packets without completion signals, or one launch.
  struct Part {
    std::vector<Packet> packets;      // complete, headers included
    std::unique_ptr<PacketList> list; // of the packets, where the agent takes them as one
    const backend::Command* single = nullptr;
  };

  static Result<Ref<backend::CommandList>> create(Device& device, std::vector<backend::Command> commands);
  CommandList(Device& device, std::vector<backend::Command> commands)
      : backend::CommandList(std::move(commands)), device_(device) {}

  Device& device() const noexcept { return device_; }
  const std::vector<Part>& parts() const noexcept { return parts_; }

private:
  ~CommandList() override;
  // Not a packet that does for every queue: the queue submits it.
  bool is_single(const backend::Command& command) const noexcept;
  Status build();
  Status add_launch(const backend::Command& command, std::byte* arguments);
  Status add_transfer(const backend::Command& command, std::byte* arguments);
  // The packet to fill in, behind those of the batch.
  Packet& next_packet(BarrierBit barrier);
  void close_batch();
  Status make_lists();

  Device& device_;
  std::vector<Part> parts_;
  std::byte* arguments_ = nullptr;
};

// What a dispatch packet says of a launch, but for its header and its completion signal. `setup` is the second half of
// the first word.
uint16_t encode_dispatch(KernelDispatchPacket& packet, const AqlKernel& kernel, const backend::Launch& launch,
                         const void* arguments) noexcept;

} // namespace hip::aql
