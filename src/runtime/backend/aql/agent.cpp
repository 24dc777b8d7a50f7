#include "runtime/backend/aql/agent.h"

#include "runtime/base/log.h"

#include <cstring>
#include <new>

namespace hip::aql {

namespace {

constexpr size_t kPageBytes = 4096;

// Memory of the agent for block and ring.
class AllocatedRing final : public PacketRing {
public:
  explicit AllocatedRing(Agent& agent) noexcept : agent_(agent) {}
  ~AllocatedRing() override {
    hardware_.reset();
    if (!memory_ || !agent_.usable().ok()) return;
    if (Status status = agent_.free(memory_); !status.ok())
      log(LogLevel::Warning, "Destroying a queue: {}", status.message());
  }

  Status initialize(const RingOptions& options) {
    static_assert(sizeof(QueueBlock) <= kPageBytes);
    const size_t ring_bytes = options.packets * sizeof(Packet);
    RT_TRY_ASSIGN(memory_, agent_.allocate(kPageBytes + ring_bytes, kPageBytes, AgentMemory::Control));
    block_ = new (memory_) QueueBlock;
    auto* const ring = reinterpret_cast<Packet*>(static_cast<std::byte*>(memory_) + kPageBytes);
    std::memset(static_cast<void*>(ring), 0, ring_bytes);
    for (uint32_t i = 0; i < options.packets; ++i) ring[i].raw.first_word = kInvalidFirstWord;
    const backend::DeviceProperties& properties = agent_.properties();
    block_->base_address = reinterpret_cast<uint64_t>(ring);
    block_->size = options.packets;
    static std::atomic<uint64_t> next_id{1};
    block_->id = next_id.fetch_add(1, std::memory_order_relaxed);
    block_->max_cu_id = properties.compute_units - 1;
    block_->max_wave_id = properties.max_waves_per_cu - 1;
    block_->read_dispatch_id_field_base_byte_offset = offsetof(QueueBlock, read_dispatch_id);
    block_->queue_properties = QueueBlock::kIsPtr64 | QueueBlock::kEnableProfiling;
    RT_TRY_ASSIGN(hardware_, agent_.create_queue(*block_, options.priority, options.compute_unit_mask, options.faults));
    return Status();
  }

private:
  Agent& agent_;
  void* memory_ = nullptr;
};

} // namespace

Result<std::unique_ptr<PacketRing>> Agent::create_ring(const RingOptions& options) {
  auto ring = std::make_unique<AllocatedRing>(*this);
  RT_TRY(ring->initialize(options));
  return std::unique_ptr<PacketRing>(std::move(ring));
}

Status Agent::clear(void* base, size_t bytes) {
  if (!transfers_in_packets()) {
    Transfer zeros;
    zeros.dst = {base, bytes, bytes};
    zeros.extent.width_bytes = bytes;
    zeros.pattern_bytes = 1;
    return transfer(zeros);
  }
  std::memset(base, 0, bytes);
  return Status();
}

Status Agent::create_signals(std::span<Signal*> signals) {
  RT_TRY_ASSIGN(void* const block, allocate(signals.size() * sizeof(Signal), alignof(Signal), AgentMemory::Control));
  for (size_t i = 0; i < signals.size(); ++i) {
    signals[i] = new (static_cast<std::byte*>(block) + i * sizeof(Signal)) Signal;
    signals[i]->kind = Signal::kUser;
    signals[i]->changes_are_told = 1;
  }
  return Status();
}

} // namespace hip::aql
