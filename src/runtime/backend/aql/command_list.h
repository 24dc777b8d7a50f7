// runtime/backend/aql/command_list.h - a backend::CommandList as packets: made once, with their arguments in memory of
// their own, and copied into a ring as often as the list is submitted. A kernel that needs something of its queue
// (printf, calls to the host, a grid barrier, the queue's address) is no packet but a launch of its own.
// Thread safety: immutable after create(), but for replace().
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
  // A packet and its arguments are written anew where they lie: the new command is a packet if the old one is, and
  // needs no more arguments.
  Result<bool> replace(size_t place, backend::Command command) override;

private:
  // Where a command is.
  struct Place {
    bool single;
    size_t part, packet;  // the packet's number in that part
    std::byte* arguments; // of the packet
    size_t argument_bytes;
    uint64_t kernel_id; // 0: a transfer
  };
  ~CommandList() override;
  // Not a packet that does for every queue: the queue submits it.
  bool is_single(const backend::Command& command) const noexcept;
  Status build();
  // Writes the command's arguments, and all of the packet but the barrier bit, which it has already.
  Status encode(const backend::Command& command, std::byte* arguments, Packet& packet);
  Status encode_launch(const backend::Command& command, std::byte* arguments, Packet& packet);
  Status encode_transfer(const backend::Command& command, std::byte* arguments, Packet& packet);
  // The packet to fill in, behind those of the batch.
  Packet& next_packet(BarrierBit barrier);
  void close_batch();
  Status make_lists();

  Device& device_;
  std::vector<Part> parts_;
  std::vector<Place> places_; // of each command
  std::byte* arguments_ = nullptr;
};

// What a dispatch packet says of a launch, but for its header and its completion signal. `setup` is the second half of
// the first word.
uint16_t encode_dispatch(KernelDispatchPacket& packet, const AqlKernel& kernel, const backend::Launch& launch,
                         const void* arguments) noexcept;

} // namespace hip::aql
