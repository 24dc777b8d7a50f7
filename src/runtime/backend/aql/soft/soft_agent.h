// runtime/backend/aql/soft/soft_agent.h - the software GPU as an Agent: properties of one processor, memory of the
// shared arena, queues processed by the shared threads. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/soft/external_memory.h"
#include "runtime/backend/aql/soft/packet_list.h"
#include "runtime/backend/aql/soft/system.h"

namespace hip::aql::soft {

class SoftAgent final : public Agent {
public:
  // `processor` is a row of codeobject/processors.def that is no generic processor; hipErrorInvalidValue otherwise.
  static Result<std::unique_ptr<Agent>> create(std::shared_ptr<System> system, std::string_view processor,
                                               unsigned index);

  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  Result<backend::MemoryInfo> memory_info() override;
  Result<void*> allocate(size_t bytes, size_t alignment, AgentMemory kind) override;
  Status free(void* base) override;
  Status register_host(void* base, size_t bytes) override;
  Status unregister_host(void* base) override;
  Status unregister_host_part(void* base, size_t bytes) override;
  Status share_host(void* base, size_t bytes, SharedAccess access) override;
  Status map_code(const CodeSegment& segment, const std::string& target, std::span<const CodeSymbol> symbols,
                  std::shared_ptr<const codeobject::LineSections> lines) override;
  Status unmap_code(void* base) override;
  Result<std::unique_ptr<HardwareQueue>> create_queue(QueueBlock& block, int priority,
                                                      std::span<const uint32_t> compute_unit_mask,
                                                      const Ref<FaultSink>& faults) override;
  uint16_t cooperative_setup() const noexcept override { return kCooperativeSetup; }
  Result<PacketHead> encode_transfer(const Transfer& transfer, void* arguments, Packet& packet) override;
  Result<std::unique_ptr<aql::PacketList>> make_packet_list(std::span<const Packet> packets) override {
    return PacketList::create(system_, packets);
  }
  Result<bool> transfer_now(const Transfer& transfer) override;
  backend::PeerLink peer_link(Agent& peer) override { // software GPUs share an address space
    const bool access = dynamic_cast<SoftAgent*>(&peer) != nullptr;
    return {.access = access, .native_atomics = access, .array_access = false, .performance_rank = access ? 1 : 0};
  }
  bool wait_signal(Signal& signal, int64_t below, uint64_t timeout_ns) noexcept override;
  void subtract_signal(Signal& signal, int64_t amount) noexcept override;
  void signal_changed(Signal& signal) noexcept override { system_->parking().changed(signal); }
  void sleep_on_signal(Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept override {
    system_->parking().sleep_while(signal, seen, timeout_ns);
  }
  void sleep_on_any_signal(std::span<const SeenSignal> signals, uint64_t timeout_ns) noexcept override {
    system_->parking().sleep_while_all(signals, timeout_ns);
  }
  uint64_t ticks_to_ns(uint64_t ticks) const noexcept override { return ticks; }
  backend::VirtualMemory* virtual_memory() noexcept override { return &system_->virtual_memory(); }
  Result<Ref<backend::ExternalMemory>> import_memory(const backend::ExternalMemorySource& source) override {
    return ExternalMemory::import(system_, source);
  }
  Status unmap_external(void* base) override { return system_->virtual_memory().unmap_view(base); }
  Status usable() const override { return system_->usable(); }
  std::optional<Allocation> allocation_at(const void* address) const override;

private:
  explicit SoftAgent(std::shared_ptr<System> system) noexcept : system_(std::move(system)) {}
  std::shared_ptr<System> system_;
  backend::DeviceProperties properties_;
};

// The agents that the environment asks for (OMNIHIP_SOFT_DEVICES, OMNIHIP_SOFT_TARGET), over a system of `options`.
Result<std::vector<std::unique_ptr<Agent>>> create_agents(const SystemOptions& options);
// The same over the system that the process has already, if it has one (shared_system.h).
Result<std::vector<std::unique_ptr<Agent>>> shared_agents(const SystemOptions& options);

} // namespace hip::aql::soft
