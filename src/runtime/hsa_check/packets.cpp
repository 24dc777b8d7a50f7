// runtime/hsa_check/packets.cpp - the rules of packets. A packet is read when the doorbell tells of it. OmniHIP's
// queues take none before; AMD's may have taken it by then, and it stays unseen.
#include "runtime/hsa_check/book.h"

#include <algorithm>
#include <cstring>

namespace hip::hsa_check {

namespace {

constexpr uint32_t kKernargAlignment = 16;

struct Slot {
  Book& book;
  Queue& queue;
  uint64_t index;
  std::string where;
  Work work;
};

bool bits_at(const void* packet, size_t offset, size_t bytes) {
  const auto* const begin = static_cast<const uint8_t*>(packet) + offset;
  return std::any_of(begin, begin + bytes, [](uint8_t byte) { return byte != 0; });
}

void check_reserved(const Slot& slot, const void* packet, std::initializer_list<std::pair<size_t, size_t>> fields) {
  for (const auto& [offset, bytes] : fields)
    if (bits_at(packet, offset, bytes))
      report(Rule::PacketReserved, slot.where, "the reserved {} bytes at {} are not zero.", bytes, offset);
}

void check_completion(Slot& slot, uint64_t handle) {
  if (handle == 0) return;
  Signal* const signal = slot.book.usable(handle, slot.where + ", completion signal");
  if (!signal) return;
  if (signal->doorbell_of)
    report(Rule::SignalDoorbell, slot.where, "the completion signal {:#x} is a doorbell.", handle);
  slot.work.completion = handle;
}

void check_dependency(Slot& slot, uint64_t handle, uint64_t completion) {
  if (!slot.book.usable(handle, slot.where + ", signal that it waits for")) return;
  slot.work.waits_for.push_back(handle);
  if (handle == completion)
    report(Rule::BarrierSelf, slot.where, "it waits for {:#x}, which it completes itself.", handle);
}

void check_sizes(const Slot& slot, const hsa_kernel_dispatch_packet_t& p, unsigned dimensions) {
  const uint16_t group[3] = {p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
  const uint32_t grid[3] = {p.grid_size_x, p.grid_size_y, p.grid_size_z};
  const AgentFacts& agent = slot.book.agents[slot.queue.agent.handle];
  uint64_t items = 1;
  for (unsigned d = 0; d < 3; ++d) {
    const char name = static_cast<char>('x' + d);
    items *= group[d];
    if (group[d] == 0 || (d >= dimensions && group[d] != 1))
      report(Rule::DispatchGroup, slot.where, "workgroup_size_{} is {} in a grid of {} dimensions.", name, group[d],
             dimensions);
    else if (group[d] > agent.max_group[d])
      report(Rule::DispatchGroup, slot.where, "workgroup_size_{} is {}; the agent has {} at most.", name, group[d],
             agent.max_group[d]);
    if (grid[d] == 0 || (d < dimensions ? grid[d] < group[d] : grid[d] != 1))
      report(Rule::DispatchGrid, slot.where, "grid_size_{} is {} in a grid of {} dimensions, with work-groups of {}.",
             name, grid[d], dimensions, group[d]);
  }
  if (items > agent.max_group_items)
    report(Rule::DispatchGroup, slot.where, "a work-group has {} work-items; the agent has {} at most.", items,
           agent.max_group_items);
}

void check_kernarg(Slot& slot, const Kernel& kernel, const void* address) {
  if (kernel.kernarg_bytes == 0) return;
  const auto at = reinterpret_cast<uint64_t>(address);
  const uint32_t alignment = std::max(kernel.kernarg_alignment, kKernargAlignment);
  if (!address)
    return report(Rule::DispatchKernarg, slot.where, "kernarg_address is null; {} takes {} bytes of arguments.",
                  kernel.name, kernel.kernarg_bytes);
  if (at % alignment != 0)
    report(Rule::DispatchKernarg, slot.where, "kernarg_address {} is not aligned to {}.", address, alignment);
  const Book::Place place = slot.book.place_of(address);
  if (place.type == HSA_EXT_POINTER_TYPE_UNKNOWN)
    return report(Rule::DispatchKernarg, slot.where, "kernarg_address {} is no memory that agents reach.", address);
  const uint64_t left = place.range.begin + place.range.bytes - at;
  if (left < kernel.kernarg_bytes)
    report(Rule::DispatchKernarg, slot.where, "the memory ends {} bytes behind kernarg_address {}; {} reads {}.", left,
           address, kernel.name, kernel.kernarg_bytes);
  // AMD's HIP puts arguments into memory of the GPU itself, whose pools have no such flag.
  const bool own = place.owner.handle == slot.queue.agent.handle;
  if (place.type == HSA_EXT_POINTER_TYPE_HSA && !own &&
      (place.flags & HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT) == 0)
    report(Rule::DispatchKernarg, slot.where, "kernarg_address {} is of a pool that is not for kernel arguments.",
           address);
  if (!slot.book.may_access(slot.queue.agent, place))
    report(Rule::DispatchKernarg, slot.where, "the queue's agent has no access to kernarg_address {}.", address);
  slot.work.memory.push_back({at, kernel.kernarg_bytes});
}

void check_dispatch(Slot& slot, const hsa_kernel_dispatch_packet_t& p) {
  const unsigned dimensions = p.setup & 3;
  if (dimensions == 0 || p.setup > 3) report(Rule::DispatchDimensions, slot.where, "setup is {:#x}.", p.setup);
  if (dimensions != 0) check_sizes(slot, p, dimensions);
  check_reserved(
      slot, &p,
      {{offsetof(hsa_kernel_dispatch_packet_t, reserved0), 2}, {offsetof(hsa_kernel_dispatch_packet_t, reserved2), 8}});
  const auto found = slot.book.kernels.find(p.kernel_object);
  if (found == slot.book.kernels.end())
    return report(Rule::DispatchKernel, slot.where, "kernel_object {:#x} is no kernel of a live executable.",
                  p.kernel_object);
  const Kernel& kernel = found->second;
  slot.work.executable = kernel.executable;
  slot.work.what += " (" + kernel.name + ")";
  if (kernel.agent != slot.queue.agent.handle)
    report(Rule::DispatchKernel, slot.where, "{} was loaded for another agent than the queue's.", kernel.name);
  if (p.private_segment_size < kernel.private_bytes)
    report(Rule::DispatchPrivate, slot.where, "private_segment_size is {}; {} uses {}.", p.private_segment_size,
           kernel.name, kernel.private_bytes);
  const uint64_t group_bytes = slot.book.agents[slot.queue.agent.handle].group_pool_bytes;
  if (p.group_segment_size < kernel.group_bytes || (group_bytes != 0 && p.group_segment_size > group_bytes))
    report(Rule::DispatchGroupSegment, slot.where, "group_segment_size is {}; {} uses {}, and the agent has {}.",
           p.group_segment_size, kernel.name, kernel.group_bytes, group_bytes);
  check_kernarg(slot, kernel, p.kernarg_address);
}

template<class Barrier> void check_barrier(Slot& slot, const Barrier& p) {
  check_reserved(
      slot, &p,
      {{offsetof(Barrier, reserved0), 2}, {offsetof(Barrier, reserved1), 4}, {offsetof(Barrier, reserved2), 8}});
  for (const hsa_signal_t& signal : p.dep_signal)
    if (signal.handle != 0) check_dependency(slot, signal.handle, p.completion_signal.handle);
}

void check_vendor(Slot& slot, const hsa_amd_barrier_value_packet_t& p) {
  if (p.header.AmdFormat != HSA_AMD_PACKET_TYPE_BARRIER_VALUE)
    return report(Rule::PacketType, slot.where, "AMD's format {} is not known.", p.header.AmdFormat);
  using Value = hsa_amd_barrier_value_packet_t;
  check_reserved(
      slot, &p,
      {{3, 1}, {offsetof(Value, reserved0), 4}, {offsetof(Value, reserved1), 4}, {offsetof(Value, reserved2), 16}});
  if (p.cond > HSA_SIGNAL_CONDITION_GTE)
    report(Rule::PacketType, slot.where, "the condition {} is none of hsa_signal_condition_t.", p.cond);
  if (p.signal.handle != 0) check_dependency(slot, p.signal.handle, 0); // none: AMD's HIP uses it as a barrier alone
}

void check_packet(Book& book, Queue& queue, uint64_t index, const hsa_kernel_dispatch_packet_t& p) {
  Slot slot{book, queue, index, fmt::format("packet {} of queue {}", index, queue.id), {}};
  slot.work = {slot.where, queue.handle, index, 0, {}, {}, 0, false, (p.header >> HSA_PACKET_HEADER_BARRIER & 1) != 0};
  const unsigned type = p.header & 0xff, acquire = p.header >> 9 & 3, release = p.header >> 11 & 3;
  if (acquire == 3 || release == 3)
    report(Rule::PacketScope, slot.where, "the header {:#x} has acquire scope {} and release scope {}; 3 is none.",
           p.header, acquire, release);
  if (p.header >> 13 != 0) report(Rule::PacketHeader, slot.where, "the header is {:#x}.", p.header);
  switch (type) {
  case HSA_PACKET_TYPE_VENDOR_SPECIFIC:
    check_vendor(slot, reinterpret_cast<const hsa_amd_barrier_value_packet_t&>(p));
    break;
  case HSA_PACKET_TYPE_KERNEL_DISPATCH:
    check_dispatch(slot, p);
    break;
  case HSA_PACKET_TYPE_BARRIER_AND:
  case HSA_PACKET_TYPE_BARRIER_OR:
    check_barrier(slot, reinterpret_cast<const hsa_barrier_and_packet_t&>(p));
    break;
  case HSA_PACKET_TYPE_AGENT_DISPATCH:
    if ((queue.features & HSA_QUEUE_FEATURE_AGENT_DISPATCH) == 0)
      report(Rule::PacketType, slot.where, "the queue takes no agent dispatches.");
    break;
  default:
    return report(Rule::PacketType, slot.where, "the header {:#x} has type {}, which is none.", p.header, type);
  }
  check_completion(slot, p.completion_signal.handle);
  book.add(std::move(slot.work));
}

// A copy of the packet; false: its header is not there, or the queue has taken the packet.
bool read_packet(const Queue& queue, uint64_t index, hsa_kernel_dispatch_packet_t& packet) {
  const auto& slot = static_cast<const hsa_kernel_dispatch_packet_t*>(queue.base)[index % queue.packets];
  const uint32_t first = __atomic_load_n(&slot.full_header, __ATOMIC_ACQUIRE);
  if ((first & 0xff) == HSA_PACKET_TYPE_INVALID) return false;
  std::memcpy(reinterpret_cast<char*>(&packet) + 4, reinterpret_cast<const char*>(&slot) + 4, sizeof packet - 4);
  packet.full_header = first;
  return true;
}

// The packet's header was not there when its doorbell was rung.
void report_invalid(const Queue& queue, uint64_t index, std::string_view where) {
  report(Rule::PacketInvalid, where, "packet {} of queue {} has no header yet (its type is HSA_PACKET_TYPE_INVALID).",
         index, queue.id);
}

// Looks at a packet of not_written again, or for the first time. Returns whether it was seen. `rung`: its doorbell is
// rung now.
bool look_at(Book& book, Queue& queue, uint64_t index, bool& rung_before, bool rung, std::string_view where) {
  hsa_kernel_dispatch_packet_t packet;
  const bool there = read_packet(queue, index, packet);
  // Where a runtime takes packets before their doorbells, this one may have been taken, and its slot filled again.
  if (!book.waits_for_doorbell && next.hsa_queue_load_read_index_scacquire(queue.handle) > index) return false;
  if (!there) {
    if (rung && book.waits_for_doorbell) report_invalid(queue, index, where);
    rung_before |= rung;
    return false;
  }
  if (rung_before && !book.waits_for_doorbell) report_invalid(queue, index, where); // it came behind its doorbell
  check_packet(book, queue, index, packet);
  return true;
}

} // namespace

std::optional<uint64_t> check_packets(Book& book, Queue& queue, uint64_t rung, std::string_view where) {
  if (queue.lost) {
    report(Rule::QueueLost, where, "queue {} takes no packets any more.", queue.id);
    return rung;
  }
  const uint64_t written = next.hsa_queue_load_write_index_scacquire(queue.handle);
  if (rung >= written) {
    report(Rule::DoorbellIndex, where, "the doorbell of queue {} is rung with {}; the write index is {}.", queue.id,
           rung, written);
    return rung;
  }
  if (const uint64_t read = next.hsa_queue_load_read_index_scacquire(queue.handle); rung >= read + queue.packets)
    report(
        Rule::RingOverrun, where,
        "packet {} of queue {} overwrites one that has not been taken: the read index is {}, the queue has {} packets.",
        rung, queue.id, read, queue.packets);
  if (rung < queue.checked && queue.type == HSA_QUEUE_TYPE_SINGLE)
    report(Rule::DoorbellOrder, where, "the doorbell of queue {} is rung with {} after {}.", queue.id, rung,
           queue.checked - 1);
  for (uint64_t index = std::max(queue.checked, rung + 1 < queue.packets ? 0 : rung + 1 - queue.packets); index <= rung;
       ++index)
    queue.not_written.emplace(index, false);
  queue.checked = std::max(queue.checked, rung + 1);
  // One by one: looking at a packet may take others out (Book::sweep).
  for (auto each = queue.not_written.begin(); each != queue.not_written.end();) {
    const uint64_t index = each->first;
    if (look_at(book, queue, index, each->second, index == rung, where)) queue.not_written.erase(index);
    each = queue.not_written.upper_bound(index);
  }
  while (queue.not_written.size() > queue.packets) queue.not_written.erase(queue.not_written.begin());
  if (!book.waits_for_doorbell) return rung;
  // A packet that was not seen stays the producer's: the runtime is not told of those behind it.
  const uint64_t seen = queue.not_written.empty() ? queue.checked : queue.not_written.begin()->first;
  if (seen <= queue.told) return std::nullopt;
  queue.told = seen;
  return seen - 1;
}

} // namespace hip::hsa_check
