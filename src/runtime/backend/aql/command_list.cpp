#include "runtime/backend/aql/command_list.h"

#include "runtime/backend/aql/device.h"
#include "runtime/backend/aql/transfer_forms.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <cstring>

namespace hip::aql {
namespace {

constexpr size_t kAlignment = 64; // of each argument block

const AqlKernel& kernel_of(const backend::Command& command) noexcept {
  return static_cast<const AqlKernel&>(*command.launch.kernel);
}

// Whether the same arguments do for every queue.
bool is_same_for_all_queues(const backend::Command& command) noexcept {
  const AqlKernel& kernel = kernel_of(command);
  return !kernel.wants_printf && !kernel.wants_hostcall && !kernel.layout.wants(codeobject::ArgKind::HiddenQueuePtr) &&
         !kernel.layout.wants(codeobject::ArgKind::HiddenSharedBase) &&
         !kernel.layout.wants(codeobject::ArgKind::HiddenPrivateBase) && !command.launch.cooperative &&
         !command.launch.multi_grid;
}

} // namespace

bool CommandList::is_single(const backend::Command& command) const noexcept {
  if (command.kind != backend::Command::Kind::Launch) return !device_.agent().transfers_in_packets();
  return !is_same_for_all_queues(command);
}

namespace {

size_t argument_bytes(const backend::Command& command) noexcept {
  const size_t bytes =
      command.kind == backend::Command::Kind::Launch ? kernel_of(command).layout.bytes() : kTransferArgumentBytes;
  return (bytes + kAlignment - 1) & ~(kAlignment - 1);
}

uint64_t kernel_id(const backend::Command& command) noexcept {
  return command.kind == backend::Command::Kind::Launch ? kernel_of(command).id : 0;
}

void set_header(Packet& packet, PacketHead head, BarrierBit barrier) noexcept {
  packet.raw.first_word = make_header(head.type, barrier) | uint32_t(head.second_half) << 16;
  packet.raw.completion_signal = 0;
}

BarrierBit barrier_of(const Packet& packet) noexcept {
  return has_barrier_bit(static_cast<uint16_t>(packet.raw.first_word)) ? BarrierBit::Set : BarrierBit::Clear;
}

} // namespace

uint16_t encode_dispatch(KernelDispatchPacket& p, const AqlKernel& kernel, const backend::Launch& launch,
                         const void* arguments) noexcept {
  constexpr uint32_t kDynamicStackBytes = 16 * 1024; // per work-item, for kernels whose stack the compiler cannot bound
  // HSA: no grid is smaller than its work-groups. A kernel learns the size of a partial one from the remainder.
  const auto group_items = [&](int d) {
    return static_cast<uint16_t>(std::min<uint64_t>(launch.group_items[d], launch.grid_items[d]));
  };
  p.workgroup_size_x = group_items(0);
  p.workgroup_size_y = group_items(1);
  p.workgroup_size_z = group_items(2);
  p.reserved0 = 0;
  p.grid_size_x = launch.grid_items[0];
  p.grid_size_y = launch.grid_items[1];
  p.grid_size_z = launch.grid_items[2];
  p.private_segment_size = kernel.attributes.uses_dynamic_stack
                               ? std::max({kernel.attributes.private_bytes, kDynamicStackBytes, launch.stack_bytes})
                               : kernel.attributes.private_bytes;
  p.group_segment_size = kernel.attributes.static_lds_bytes + launch.dynamic_lds_bytes;
  p.kernel_object = kernel.kernel_object;
  p.kernarg_address = reinterpret_cast<uint64_t>(arguments);
  p.reserved2 = 0;
  return grid_dimensions(launch);
}

Result<Ref<backend::CommandList>> CommandList::create(Device& device, std::vector<backend::Command> commands) {
  auto list = make_ref<CommandList>(device, std::move(commands));
  RT_TRY(list->build());
  return Ref<backend::CommandList>(std::move(list));
}

CommandList::~CommandList() {
  if (!arguments_ || !device_.agent().usable().ok()) return;
  if (Status status = device_.agent().free(arguments_); !status.ok())
    log(LogLevel::Warning, "Freeing the arguments of a command list: {}", status.message());
}

Status CommandList::build() {
  size_t bytes = 0;
  for (const backend::Command& command : commands())
    if (!is_single(command)) bytes += argument_bytes(command);
  if (bytes != 0) {
    RT_TRY_ASSIGN(void* const memory, device_.agent().allocate(bytes, kAlignment, AgentMemory::Control));
    arguments_ = static_cast<std::byte*>(memory);
  }
  std::byte* arguments = arguments_;
  for (const backend::Command& command : commands()) {
    if (is_single(command)) {
      close_batch();
      places_.push_back({true, parts_.size(), 0, nullptr, 0, 0});
      parts_.emplace_back().single = &command;
      continue;
    }
    Packet& packet = next_packet(command.starts_step ? BarrierBit::Set : BarrierBit::Clear);
    RT_TRY(encode(command, arguments, packet));
    places_.push_back({false, parts_.size() - 1, parts_.back().packets.size() - 1, arguments, argument_bytes(command),
                       kernel_id(command)});
    arguments += argument_bytes(command);
  }
  close_batch();
  return make_lists();
}

Status CommandList::make_lists() {
  for (Part& part : parts_)
    if (part.packets.size() > 1) {
      RT_TRY_ASSIGN(part.list, device_.agent().make_packet_list(part.packets));
    }
  return {};
}

Packet& CommandList::next_packet(BarrierBit barrier) {
  if (parts_.empty() || parts_.back().single) parts_.emplace_back();
  if (parts_.back().packets.size() + 1 >= kMostPackets) { // the last place is for close_batch
    close_batch();
    parts_.emplace_back();
  }
  Packet& packet = parts_.back().packets.emplace_back();
  packet = {};
  set_header(packet, {PacketType::Invalid, 0}, barrier);
  return packet;
}

// The last packet of a batch is complete only when all are: it has the barrier bit, and so has one that was alone in
// its step. Where several packets end together a barrier packet ends the batch.
void CommandList::close_batch() {
  if (parts_.empty() || parts_.back().packets.empty()) return;
  std::vector<Packet>& packets = parts_.back().packets;
  if (barrier_of(packets.back()) == BarrierBit::Set) return;
  Packet& end = packets.emplace_back();
  end = {};
  set_header(end, {PacketType::BarrierAnd, 0}, BarrierBit::Set);
}

Status CommandList::encode(const backend::Command& command, std::byte* arguments, Packet& packet) {
  return command.kind == backend::Command::Kind::Launch ? encode_launch(command, arguments, packet)
                                                        : encode_transfer(command, arguments, packet);
}

Status CommandList::encode_launch(const backend::Command& command, std::byte* arguments, Packet& packet) {
  const AqlKernel& kernel = kernel_of(command);
  HiddenPointers hidden;
  if (kernel.wants_heap) {
    RT_TRY_ASSIGN(hidden.heap, device_.heap());
  }
  backend::Launch launch = command.launch;
  launch.packed_arguments = command.arguments;
  kernel.layout.write(arguments, launch, hidden);
  const BarrierBit barrier = barrier_of(packet);
  const uint16_t setup = encode_dispatch(packet.dispatch, kernel, launch, arguments);
  set_header(packet, {PacketType::KernelDispatch, setup}, barrier);
  return {};
}

Status CommandList::encode_transfer(const backend::Command& command, std::byte* arguments, Packet& packet) {
  Transfer transfer = make_copy(command.dst, command.src, command.extent);
  if (command.kind == backend::Command::Kind::Fill) {
    RT_TRY_ASSIGN(transfer, make_fill(command.dst, command.pattern, command.pattern_bytes, command.extent));
  }
  const BarrierBit barrier = barrier_of(packet);
  RT_TRY_ASSIGN(const PacketHead head, device_.agent().encode_transfer(transfer, arguments, packet));
  set_header(packet, head, barrier);
  return {};
}

Result<bool> CommandList::replace(size_t place, backend::Command command) {
  Place& p = places_[place];
  const bool single = is_single(command);
  if (single != p.single || (!single && argument_bytes(command) > p.argument_bytes)) return false;
  if (!single) {
    Part& part = parts_[p.part];
    Packet& packet = part.packets[p.packet];
    const Packet old = packet;
    RT_TRY(encode(command, p.arguments, packet));
    // Most often only arguments are others, which the kernel reads where they have always been. The packet of another
    // kernel may be the same when it was loaded in the old one's place.
    const bool is_launch = command.kind == backend::Command::Kind::Launch;
    const bool same_packet = std::memcmp(&old, &packet, sizeof packet) == 0 && kernel_id(command) == p.kernel_id;
    p.kernel_id = kernel_id(command);
    if (part.list && (!same_packet || (is_launch && kernel_of(command).preloads_arguments)))
      part.list->replace(p.packet, packet);
  }
  return backend::CommandList::replace(place, std::move(command));
}

} // namespace hip::aql
