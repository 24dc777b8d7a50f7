#include "runtime/backend/aql/soft/packet_list.h"

#include "runtime/backend/aql/soft/system.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace hip::aql::soft {

namespace {

// A thread that executes a run looks at nothing else meanwhile.
constexpr size_t kMostInRun = 64;
constexpr uint64_t kLongestRunNs = 50'000;
// A run is late when it has taken so many times as long as expected, and so much more: then the times are old.
constexpr uint64_t kLateTimes = 4, kLateNs = 20'000;
// The list is begun so many times before its kernels' times are taken for settled; the first ones include the load of
// their code.
constexpr uint64_t kUnsettled = 8, kRunsLast = 64;

uint64_t groups_of(const KernelDispatchPacket& p) noexcept {
  const auto count = [](uint64_t grid, uint64_t group) { return group == 0 ? 0 : (grid + group - 1) / group; };
  return count(p.grid_size_x, p.workgroup_size_x) * count(p.grid_size_y, p.workgroup_size_y) *
         count(p.grid_size_z, p.workgroup_size_z);
}

bool is_kernel(const Packet& packet) noexcept {
  return packet_type(static_cast<uint16_t>(packet.raw.first_word)) == PacketType::KernelDispatch;
}

} // namespace

engine::Dispatch dispatch_of(const KernelDispatchPacket& packet) noexcept {
  engine::Dispatch d;
  d.packet_address = reinterpret_cast<uint64_t>(&packet);
  d.kernel_object = packet.kernel_object;
  d.kernarg_address = packet.kernarg_address;
  d.grid_items = {packet.grid_size_x, packet.grid_size_y, packet.grid_size_z};
  d.group_items = {packet.workgroup_size_x, packet.workgroup_size_y, packet.workgroup_size_z};
  d.private_segment_bytes = packet.private_segment_size;
  d.group_segment_bytes = packet.group_segment_size;
  d.cooperative = (packet.setup & kCooperativeSetup) != 0;
  return d;
}

Result<std::unique_ptr<aql::PacketList>> PacketList::create(std::shared_ptr<System> system,
                                                            std::span<const Packet> packets) {
  std::unique_ptr<PacketList> list(new PacketList(std::move(system)));
  RT_TRY_ASSIGN(void* const memory,
                list->system_->arena().allocate(packets.size_bytes(), alignof(Packet), Purse::Host));
  list->packets_ = static_cast<Packet*>(memory);
  list->count_ = packets.size();
  std::memcpy(memory, packets.data(), packets.size_bytes());
  list->places_.resize(packets.size());
  for (size_t i = 0; i < packets.size(); ++i)
    list->places_[i] = {is_kernel(packets[i]) ? groups_of(packets[i].dispatch) : 0, 0, static_cast<uint32_t>(i)};
  return std::unique_ptr<aql::PacketList>(std::move(list));
}

PacketList::~PacketList() {
  if (!packets_ || !system_->usable().ok()) return;
  if (Status status = system_->arena().free(packets_); !status.ok())
    log(LogLevel::Warning, "Freeing a list of packets: {}", status.message());
}

PacketHead PacketList::encode(Packet& packet) noexcept {
  packet.raw.word1 = 0;
  std::memset(packet.raw.body, 0, sizeof packet.raw.body);
  packet.list.list = reinterpret_cast<uint64_t>(this);
  return {PacketType::Vendor, PacketListPacket::kFormat};
}

bool PacketList::begin() noexcept {
  if (taken_.exchange(true, std::memory_order_acquire)) return false;
  ++times_begun_;
  measures_ = std::exchange(late_, false);
  if (times_begun_ == 1) return true; // most lists are begun once, and nothing is known yet
  if (!sequence_made_) {
    sequence_made_ = true;
    try {
      make_sequence();
    } catch (const std::bad_alloc&) { // all packets go the general way
    }
  }
  if (times_begun_ < kUnsettled || times_begun_ % kRunsLast == 0 || measures_) make_runs();
  return true;
}

void PacketList::replace(size_t number, const Packet& packet) noexcept {
  Packet& old = packets_[number];
  Place& place = places_[number];
  const uint64_t groups = is_kernel(packet) ? groups_of(packet.dispatch) : 0;
  const bool same_work =
      groups == place.groups && (groups == 0 || packet.dispatch.kernel_object == old.dispatch.kernel_object);
  old = packet;
  place.groups = groups;
  if (groups != 0) sequence_made_ = false;
  if (!same_work) times_begun_ = std::min<uint64_t>(times_begun_, 1); // what is there now is not known to be short
}

void PacketList::make_sequence() {
  sequence_.reset();
  engine::Engine* const engine = system_->opened_engine();
  if (!engine) return;
  std::vector<engine::Dispatch> dispatches(count_);
  for (size_t i = 0; i < count_; ++i)
    if (is_kernel(packets_[i])) dispatches[i] = dispatch_of(packets_[i].dispatch);
  sequence_ = engine->make_sequence(dispatches);
}

// From the last to the first: a run ends where the next one begins, or in front of what is no short kernel.
void PacketList::make_runs() noexcept {
  Scheduler& scheduler = system_->scheduler();
  uint64_t run_ns = 0;
  for (size_t i = count_; i-- > 0;) {
    Place& place = places_[i];
    place.end = static_cast<uint32_t>(i);
    if (place.groups == 0 || measures_ || !scheduler.is_short(packets_[i].dispatch.kernel_object, place.groups))
      continue;
    place.expected_ns = scheduler.kernel_times().expected_ns(packets_[i].dispatch.kernel_object, place.groups);
    const uint32_t end_of_next = i + 1 < count_ ? places_[i + 1].end : static_cast<uint32_t>(count_);
    const bool continues = end_of_next > i + 1 && end_of_next - i <= kMostInRun && run_ns < kLongestRunNs;
    place.end = continues ? end_of_next : static_cast<uint32_t>(i + 1);
    run_ns = continues ? run_ns + place.expected_ns : place.expected_ns;
  }
}

size_t PacketList::run_short(engine::Worker& worker, size_t position, Status& status) noexcept {
  const size_t end = places_[position].end;
  if (!sequence_ || end == position) return position;
  const uint64_t start_ns = now_ns();
  const size_t next = sequence_->run(worker, position, end);
  if (!sequence_->status().ok()) status = sequence_->status();
  uint64_t expected_ns = 0;
  for (size_t i = position; i < next; ++i) expected_ns += places_[i].expected_ns;
  if (now_ns() - start_ns > kLateTimes * expected_ns + kLateNs) late_ = true;
  return next;
}

} // namespace hip::aql::soft
