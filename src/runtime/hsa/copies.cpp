#include "runtime/hsa/copies.h"

#include "runtime/base/log.h"

#include <new>
#include <sched.h>
#include <utility>

namespace hip::hsa {

namespace {
constexpr uint32_t kSlots = 256;
}

class Copies::Engine {
public:
  explicit Engine(aql::Agent& agent) noexcept : agent_(agent) {}
  ~Engine();
  Status initialize();
  Status copy(const aql::Transfer& transfer, std::span<const hsa_signal_t> dependencies, aql::Signal* completion);
  bool idle() const noexcept {
    return block_->read_dispatch_id.load(std::memory_order_acquire) == block_->write_dispatch_id.load();
  }

private:
  class Faults;
  // Waits for a free slot.
  aql::Packet& reserve() noexcept;
  void publish(aql::Packet& packet, aql::PacketHead head) noexcept;

  aql::Agent& agent_;
  std::mutex mutex_;       // packets of one copy follow each other
  void* memory_ = nullptr; // block, ring, arguments
  aql::QueueBlock* block_ = nullptr;
  aql::Packet* ring_ = nullptr;
  std::byte* arguments_ = nullptr; // of the packet in the same slot
  uint64_t write_ = 0;
  Ref<Faults> faults_;
  std::unique_ptr<aql::HardwareQueue> hardware_;
};

// A copy that fails changes its signal from 1 to -1 at once: nobody sees 0, which is success, and nobody who has seen
// the end sees another change. So the signal is taken out of the packet, whose completion follows this call.
class Copies::Engine::Faults final : public aql::FaultSink {
public:
  Faults(aql::Agent& agent, aql::Packet* ring) noexcept : agent_(agent), ring_(ring) {}
  void failed(uint64_t packet, Status status) noexcept override {
    log(LogLevel::Fault, "An asynchronous copy has failed: {}", status.message());
    aql::Signal* const signal =
        aql::to_signal(std::exchange(ring_[packet % kSlots].raw.completion_signal, uint64_t{0}));
    if (!signal) return;
    signal->value.store(-1, std::memory_order_seq_cst);
    agent_.signal_changed(*signal);
  }

private:
  aql::Agent& agent_;
  aql::Packet* const ring_;
};

Status Copies::Engine::initialize() {
  constexpr size_t kRing = 4096; // offset of the ring
  static_assert(sizeof(aql::QueueBlock) <= kRing);
  constexpr size_t kBytes = kRing + kSlots * (sizeof(aql::Packet) + aql::kTransferArgumentBytes);
  RT_TRY_ASSIGN(memory_, agent_.allocate(kBytes, 4096, aql::AgentMemory::Control));
  auto* const bytes = static_cast<std::byte*>(memory_);
  block_ = new (bytes) aql::QueueBlock;
  ring_ = reinterpret_cast<aql::Packet*>(bytes + kRing);
  arguments_ = bytes + kRing + kSlots * sizeof(aql::Packet);
  for (uint32_t i = 0; i < kSlots; ++i) ring_[i].raw.first_word = aql::kInvalidFirstWord;
  block_->base_address = reinterpret_cast<uint64_t>(ring_);
  block_->size = kSlots;
  faults_ = Ref<Faults>::adopt(new Faults(agent_, ring_));
  RT_TRY_ASSIGN(hardware_, agent_.create_queue(*block_, 0, {}, faults_));
  return Status();
}

Copies::Engine::~Engine() {
  if (hardware_) hardware_->stop();
  hardware_.reset();
  if (!memory_) return;
  if (Status status = agent_.free(memory_); !status.ok())
    log(LogLevel::Warning, "Ending a copy queue: {}", status.message());
}

aql::Packet& Copies::Engine::reserve() noexcept {
  while (write_ - block_->read_dispatch_id.load(std::memory_order_acquire) >= kSlots) ::sched_yield();
  return ring_[write_ % kSlots];
}

void Copies::Engine::publish(aql::Packet& packet, aql::PacketHead head) noexcept {
  block_->write_dispatch_id.store(++write_, std::memory_order_relaxed);
  const uint32_t header = aql::make_header(head.type, aql::BarrierBit::Set);
  packet.first_word().store(header | uint32_t(head.second_half) << 16, std::memory_order_release);
  hardware_->ring_doorbell(write_ - 1);
}

Status Copies::Engine::copy(const aql::Transfer& transfer, std::span<const hsa_signal_t> dependencies,
                            aql::Signal* completion) {
  std::lock_guard guard(mutex_);
  while (!dependencies.empty()) {
    aql::Packet& packet = reserve();
    aql::BarrierPacket& barrier = packet.barrier;
    barrier.reserved1 = 0;
    for (uint64_t& dependency : barrier.dep_signal) {
      dependency = dependencies.empty() ? 0 : dependencies[0].handle;
      if (!dependencies.empty()) dependencies = dependencies.subspan(1);
    }
    barrier.reserved2 = 0;
    barrier.completion_signal = 0;
    publish(packet, {aql::PacketType::BarrierAnd, 0});
  }
  aql::Packet& packet = reserve();
  std::byte* const arguments = arguments_ + write_ % kSlots * aql::kTransferArgumentBytes;
  RT_TRY_ASSIGN(const aql::PacketHead head, agent_.encode_transfer(transfer, arguments, packet));
  packet.raw.completion_signal = aql::to_handle(completion);
  publish(packet, head);
  return Status();
}

Copies::Copies(aql::Agent& agent) noexcept : agent_(agent) {}
Copies::~Copies() = default;

Result<Copies::Engine*> Copies::engine(unsigned index) {
  std::unique_ptr<Engine>& engine = engines_[index];
  if (!engine) {
    auto made = std::make_unique<Engine>(agent_);
    RT_TRY(made->initialize());
    engine = std::move(made);
  }
  return engine.get();
}

Status Copies::copy(const aql::Transfer& transfer, std::span<const hsa_signal_t> dependencies, aql::Signal* completion,
                    unsigned index) {
  Engine* chosen = nullptr;
  {
    std::lock_guard guard(mutex_);
    if (index == kAny) {
      for (unsigned i = 0; i < kEngines && index == kAny; ++i)
        if (!engines_[i] || engines_[i]->idle()) index = i;
      if (index == kAny) index = next_++;
    }
    RT_TRY_ASSIGN(chosen, engine(index % kEngines));
  }
  return chosen->copy(transfer, dependencies, completion);
}

uint32_t Copies::idle_engines() noexcept {
  std::lock_guard guard(mutex_);
  uint32_t idle = 0;
  for (unsigned i = 0; i < kEngines; ++i)
    if (!engines_[i] || engines_[i]->idle()) idle |= 1u << i;
  return idle;
}

} // namespace hip::hsa
