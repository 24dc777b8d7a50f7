#include "runtime/backend/aql/printf/hostcall.h"

#include "device/abi/hostcall.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace hip::aql {
namespace {

constexpr size_t round64(size_t bytes) { return (bytes + 63) & ~size_t{63}; }
HostcallBuffer& buffer_of(void* memory) { return *static_cast<HostcallBuffer*>(memory); }

using HostFunction = void (*)(uint64_t* output, const uint64_t* input);

} // namespace

size_t HostcallServer::buffer_bytes(uint32_t packets) noexcept {
  return round64(sizeof(HostcallBuffer)) + round64(size_t{packets} * sizeof(HostcallPacketHeader)) +
         size_t{packets} * sizeof(HostcallPayload);
}

HostcallServer::HostcallServer(void* memory, uint32_t packets, uint64_t doorbell, HostcallServices services)
    : memory_(memory), packets_(packets), services_(std::move(services)) {
  RT_CHECK(packets >= 2 && std::has_single_bit(packets), "a hostcall buffer has a power of two of packets");
  auto* bytes = static_cast<std::byte*>(memory);
  std::fill_n(bytes, buffer_bytes(packets), std::byte{0});
  HostcallBuffer& buffer = buffer_of(memory);
  buffer.headers = reinterpret_cast<HostcallPacketHeader*>(bytes + round64(sizeof(HostcallBuffer)));
  buffer.payloads = reinterpret_cast<HostcallPayload*>(bytes + round64(sizeof(HostcallBuffer)) +
                                                       round64(packets * sizeof(HostcallPacketHeader)));
  buffer.doorbell = doorbell;
  buffer.index_mask = packets - 1;
  // All packets are free. The tag starts at 1, so that packet 0 is not the empty stack.
  for (uint32_t i = 0; i < packets; ++i) buffer.headers[i].next = i + 1 < packets ? uint64_t{packets} + i + 1 : 0;
  buffer.free_stack = packets;
}

bool HostcallServer::ready() const noexcept {
  return std::atomic_ref(buffer_of(memory_).ready_stack).load(std::memory_order_relaxed) != 0;
}

size_t HostcallServer::process_ready() {
  if (!ready() || working_.test_and_set(std::memory_order_acquire)) return 0;
  HostcallBuffer& buffer = buffer_of(memory_);
  size_t lanes_served = 0;
  while (uint64_t packet = std::atomic_ref(buffer.ready_stack).exchange(0, std::memory_order_acquire)) {
    // The stack has the newest packet on top. The links are read before any packet is given back; a loop in them, which
    // only a damaged buffer can have, ends when every packet has been seen.
    std::vector<uint32_t> order;
    while (packet != 0 && order.size() < packets_) {
      order.push_back(static_cast<uint32_t>(packet & (packets_ - 1)));
      packet = buffer.headers[order.back()].next;
    }
    for (auto it = order.rbegin(); it != order.rend(); ++it) serve(*it, lanes_served);
  }
  working_.clear(std::memory_order_release);
  return lanes_served;
}

void HostcallServer::serve(uint32_t packet_index, size_t& lanes_served) {
  HostcallPacketHeader& packet = buffer_of(memory_).headers[packet_index];
  HostcallPayload& payload = buffer_of(memory_).payloads[packet_index];
  for (uint64_t lanes = packet.active_mask; lanes != 0; lanes &= lanes - 1) {
    serve_lane(packet.service, std::span<uint64_t, kHostcallSlotWords>(payload.slots[std::countr_zero(lanes)]));
    ++lanes_served;
  }
  std::atomic_ref(packet.control).fetch_and(~uint32_t{kHostcallControlReady}, std::memory_order_release);
}

void HostcallServer::serve_lane(uint32_t service, std::span<uint64_t, kHostcallSlotWords> slot) {
  switch (service) {
  case kHostcallFunctionCall: { // slot 0: function; 1..7: input. Out: 0 and 1.
    uint64_t output[2] = {0, 0};
    if (const auto function = reinterpret_cast<HostFunction>(slot[0])) function(output, slot.data() + 1);
    slot[0] = output[0];
    slot[1] = output[1];
    return;
  }
  case kHostcallPrintf:
    slot[0] = messages_.add(slot, [this](std::span<const uint64_t> message) -> uint64_t {
      const PrintfMessage printf = format_printf_message(message);
      services_.print(printf.stream, printf.text);
      return printf.text.size(); // the value of printf in the kernel
    });
    return;
  case kHostcallDeviceMemory: // slot 0: memory to free, else slot 1: bytes to allocate. Out: 0.
    if (slot[0] != 0) {
      if (services_.free) services_.free(reinterpret_cast<void*>(slot[0]));
      slot[0] = 0;
    } else {
      slot[0] = services_.allocate ? reinterpret_cast<uint64_t>(services_.allocate(slot[1])) : 0;
    }
    return;
  default:
    while (error_lock_.test_and_set(std::memory_order_acquire)) {
    }
    if (error_.ok())
      error_ =
          error(ErrorCode::NotSupported, "A kernel asks the host for the service {}, which is not offered.", service);
    error_lock_.clear(std::memory_order_release);
    slot[0] = slot[1] = 0;
  }
}

Status HostcallServer::take_error() {
  while (error_lock_.test_and_set(std::memory_order_acquire)) {
  }
  Status taken = std::exchange(error_, Status());
  error_lock_.clear(std::memory_order_release);
  return taken;
}

} // namespace hip::aql
