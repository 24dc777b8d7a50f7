// runtime/backend/aql/packets.h - what lies in memory between host and agent: AQL packets, signals and the queue block,
// as the HSA runtime specification (sections 2.8 and 2.9) and the amd_queue_t / amd_signal_t layouts of AMD's agents
// have them. Memory ordering: a packet is published by the release store of its first 32 bits (header and setup) and
// taken by an acquire load of them; a signal's value is decremented with release and read with acquire, so that who
// sees a completion sees the work and the timestamps.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace hip::aql {

enum class PacketType : uint8_t {
  Vendor = 0,
  Invalid = 1, // slot without a packet
  KernelDispatch = 2,
  BarrierAnd = 3,
  AgentDispatch = 4,
  BarrierOr = 5,
};
enum class BarrierBit : uint8_t { Clear, Set }; // Set: starts when every earlier packet of the queue is complete
enum class FenceScope : uint8_t { None = 0, Agent = 1, System = 2 };

constexpr uint16_t make_header(PacketType type, BarrierBit barrier, FenceScope acquire = FenceScope::System,
                               FenceScope release = FenceScope::System) noexcept {
  return static_cast<uint16_t>(static_cast<unsigned>(type) | static_cast<unsigned>(barrier) << 8 |
                               static_cast<unsigned>(acquire) << 9 | static_cast<unsigned>(release) << 11);
}
constexpr PacketType packet_type(uint16_t header) noexcept { return static_cast<PacketType>(header & 0xff); }
constexpr bool has_barrier_bit(uint16_t header) noexcept { return (header >> 8 & 1) != 0; }

// amd_signal_t. Completion of a packet subtracts 1 from its completion signal's value.
struct alignas(64) Signal {
  enum Kind : int64_t { kInvalid = 0, kUser = 1, kDoorbell = -1 };
  int64_t kind = kInvalid;
  std::atomic<int64_t> value{0};
  uint64_t event_mailbox_ptr = 0; // 0: nobody wants an interrupt
  uint32_t event_id = 0;
  uint32_t reserved1 = 0;
  uint64_t start_ts = 0, end_ts = 0; // agent ticks of the packet that completed it
  uint64_t queue_ptr = 0;            // QueueBlock whose packet will complete it; 0 when none will
  // Reserved in amd_signal_t, as the next one: how the agent knows that queue; 0: none. A host thread that waits for
  // the signal executes what that queue has to do.
  std::atomic<uint32_t> queue_tag{0};
  // 1: whoever changes the value tells the agent, so the signal is a point of the back end. 0: a user's signal, which
  // kernels and the host may change by a plain store.
  uint32_t changes_are_told = 0;
};
static_assert(sizeof(Signal) == 64 && alignof(Signal) == 64 && sizeof(std::atomic<int64_t>) == 8);
static_assert(offsetof(Signal, value) == 8 && offsetof(Signal, event_mailbox_ptr) == 16);
static_assert(offsetof(Signal, event_id) == 24 && offsetof(Signal, start_ts) == 32 && offsetof(Signal, end_ts) == 40);
static_assert(offsetof(Signal, queue_ptr) == 48);

// Handles in packets are addresses of Signals; 0 means none.
inline uint64_t to_handle(const Signal* signal) noexcept { return reinterpret_cast<uint64_t>(signal); }
inline Signal* to_signal(uint64_t handle) noexcept { return reinterpret_cast<Signal*>(handle); }

struct KernelDispatchPacket {
  uint16_t header;
  uint16_t setup; // bits 0-1: dimensions of the grid, 1 to 3
  uint16_t workgroup_size_x, workgroup_size_y, workgroup_size_z;
  uint16_t reserved0;
  uint32_t grid_size_x, grid_size_y, grid_size_z; // work-items
  uint32_t private_segment_size;                  // bytes per work-item
  uint32_t group_segment_size;                    // bytes per work-group, static and dynamic
  uint64_t kernel_object;                         // address of the kernel descriptor
  uint64_t kernarg_address;
  uint64_t reserved2;
  uint64_t completion_signal;
};
static_assert(sizeof(KernelDispatchPacket) == 64);
static_assert(offsetof(KernelDispatchPacket, workgroup_size_x) == 4 &&
              offsetof(KernelDispatchPacket, grid_size_x) == 12);
static_assert(offsetof(KernelDispatchPacket, private_segment_size) == 24);
static_assert(offsetof(KernelDispatchPacket, group_segment_size) == 28);
static_assert(offsetof(KernelDispatchPacket, kernel_object) == 32);
static_assert(offsetof(KernelDispatchPacket, kernarg_address) == 40);
static_assert(offsetof(KernelDispatchPacket, completion_signal) == 56);

inline constexpr size_t kBarrierDependencies = 5;

// BarrierAnd completes when all dependencies have value 0 (or none is given), BarrierOr when any has.
struct BarrierPacket {
  uint16_t header;
  uint16_t reserved0;
  uint32_t reserved1;
  uint64_t dep_signal[kBarrierDependencies]; // 0: unused
  uint64_t reserved2;
  uint64_t completion_signal;
};
static_assert(sizeof(BarrierPacket) == 64 && offsetof(BarrierPacket, dep_signal) == 8);
static_assert(offsetof(BarrierPacket, completion_signal) == 56);

// AMD's packet of the vendor's type with format 2: completes when the signal's value, masked, satisfies the condition.
struct BarrierValuePacket {
  static constexpr uint8_t kFormat = 2;
  enum class Condition : uint32_t { Equal, NotEqual, Less, GreaterEqual }; // hsa_signal_condition_t's numbers
  uint16_t header;
  uint8_t format;
  uint8_t reserved;
  uint32_t reserved0;
  uint64_t signal;
  int64_t value;
  int64_t mask;
  Condition condition;
  uint32_t reserved1;
  uint64_t reserved2, reserved3;
  uint64_t completion_signal;

  bool holds(int64_t of_signal) const noexcept {
    const int64_t masked = of_signal & mask;
    switch (condition) {
    case Condition::Equal:
      return masked == value;
    case Condition::NotEqual:
      return masked != value;
    case Condition::Less:
      return masked < value;
    case Condition::GreaterEqual:
      return masked >= value;
    }
    return true; // no condition to wait for
  }
};
static_assert(sizeof(BarrierValuePacket) == 64 && offsetof(BarrierValuePacket, signal) == 8);
static_assert(offsetof(BarrierValuePacket, condition) == 32 && offsetof(BarrierValuePacket, completion_signal) == 56);

// The software agent's packet of the vendor's type: packets that lie elsewhere, and are taken as if they were in the
// ring in its place. `list` is an object of the agent's own (Agent::make_packet_list), so queues whose packets a user
// writes do not have it.
struct PacketListPacket {
  static constexpr uint8_t kFormat = 0x80; // above AMD's own formats
  uint16_t header;
  uint8_t format;
  uint8_t reserved;
  uint32_t reserved0;
  uint64_t list;
  uint64_t reserved1[5];
  uint64_t completion_signal; // of the last packet
};
static_assert(sizeof(PacketListPacket) == 64 && offsetof(PacketListPacket, list) == 8);
static_assert(offsetof(PacketListPacket, completion_signal) == 56);

// A request to a service that the agent offers.
struct AgentDispatchPacket {
  uint16_t header;
  uint16_t type; // 0x8000 and above: defined by the agent
  uint32_t reserved0;
  uint64_t return_address;
  uint64_t arg[4];
  uint64_t reserved2;
  uint64_t completion_signal;
};
static_assert(sizeof(AgentDispatchPacket) == 64 && offsetof(AgentDispatchPacket, arg) == 16);
static_assert(offsetof(AgentDispatchPacket, completion_signal) == 56);

// One slot of a ring. The common part of all packets is the first word and the last quadword.
union alignas(64) Packet {
  struct {
    uint32_t first_word; // header and the 16 bits behind it
    uint32_t word1;
    uint64_t body[6];
    uint64_t completion_signal;
  } raw;
  KernelDispatchPacket dispatch;
  BarrierPacket barrier;
  BarrierValuePacket barrier_value;
  PacketListPacket list;
  AgentDispatchPacket agent;

  std::atomic_ref<uint32_t> first_word() noexcept { return std::atomic_ref<uint32_t>(raw.first_word); }
};
static_assert(sizeof(Packet) == 64 && alignof(Packet) == 64);

inline constexpr uint32_t kInvalidFirstWord = static_cast<uint32_t>(PacketType::Invalid);

// amd_queue_t, first version: the hsa_queue_t that applications know, then what agent and host share.
struct alignas(64) QueueBlock {
  // hsa_queue_t
  uint32_t type = 0;     // 0: several producers, 1: one, 2: kernels are cooperative
  uint32_t features = 3; // 1: kernel dispatch, 2: agent dispatch
  uint64_t base_address = 0;
  uint64_t doorbell_signal = 0;
  uint32_t size = 0; // packets, a power of two
  uint32_t reserved1 = 0;
  uint64_t id = 0;
  uint32_t caps = 0;
  uint32_t reserved2[3] = {};
  std::atomic<uint64_t> write_dispatch_id{0}; // packets reserved by producers
  uint32_t group_segment_aperture_base_hi = 0;
  uint32_t private_segment_aperture_base_hi = 0;
  uint32_t max_cu_id = 0;
  uint32_t max_wave_id = 0;
  uint64_t max_legacy_doorbell_dispatch_id_plus_1 = 0;
  uint32_t legacy_doorbell_lock = 0;
  uint32_t reserved3[9] = {};
  std::atomic<uint64_t> read_dispatch_id{0}; // packets that the agent is done with; may lag behind
  uint32_t read_dispatch_id_field_base_byte_offset = 0;
  uint32_t compute_tmpring_size = 0;
  uint32_t scratch_resource_descriptor[4] = {};
  uint64_t scratch_backing_memory_location = 0;
  uint64_t scratch_backing_memory_byte_size = 0;
  uint32_t scratch_wave64_lane_byte_size = 0;
  uint32_t queue_properties = 0;
  uint64_t scratch_max_use_index = 0;
  uint64_t queue_inactive_signal = 0;
  uint64_t reserved4[7] = {};

  static constexpr uint32_t kCooperative = 2;   // of type
  static constexpr uint32_t kAgentDispatch = 2; // of features
  enum Properties : uint32_t { kIsPtr64 = 1u << 1, kEnableProfiling = 1u << 3 };
};
static_assert(sizeof(QueueBlock) == 256 && alignof(QueueBlock) == 64);
static_assert(offsetof(QueueBlock, base_address) == 0x08 && offsetof(QueueBlock, size) == 0x18);
static_assert(offsetof(QueueBlock, id) == 0x20 && offsetof(QueueBlock, write_dispatch_id) == 0x38);
static_assert(offsetof(QueueBlock, group_segment_aperture_base_hi) == 0x40);
static_assert(offsetof(QueueBlock, max_cu_id) == 0x48 && offsetof(QueueBlock, read_dispatch_id) == 0x80);
static_assert(offsetof(QueueBlock, read_dispatch_id_field_base_byte_offset) == 0x88);
static_assert(offsetof(QueueBlock, scratch_backing_memory_location) == 0xa0);
static_assert(offsetof(QueueBlock, queue_properties) == 0xb4 && offsetof(QueueBlock, queue_inactive_signal) == 0xc0);

} // namespace hip::aql
