// runtime/backend/aql/hsa/hsa_agent.h - an AMD card through AMD's runtime. Memory is that of HSA's pools and reached by
// the host at the same addresses (large BAR); code is loaded by HSA's executables; copies are HSA's, which engines
// do behind signals where they reach both ends, and else a thread of the host waits for (hsa_copy.cpp). A kernel that
// faults ends the device for the process: HSA's queue is lost with it, and every later call gives the report. Not seen
// on a card yet: tested over libhsa-runtime64 of the SDK. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/hsa/hsa_memory.h"
#include "runtime/backend/aql/hsa/library.h"

#include <map>
#include <mutex>

namespace hip::aql::hsa {

// What all cards of the process share.
struct Cards {
  explicit Cards(const Library& library) noexcept : hsa(library) {}
  const Library& hsa;
  hsa_agent_t host{};
  hsa_amd_memory_pool_t host_memory{}; // fine-grained, for kernel arguments too
  std::vector<hsa_agent_t> gpus;
  double ns_per_tick = 1;
  int64_t clock_offset_ns = 0; // steady_clock less HSA's clock
  uint64_t limit_ns = 0;       // how long a wait may take; 0: for any time
};

class HsaAgent final : public Agent {
public:
  // Error: NotSupported for a GPU that the back end cannot use, with the reason.
  static Result<std::unique_ptr<Agent>> create(std::shared_ptr<const Cards> cards, hsa_agent_t gpu);
  ~HsaAgent() override;

  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  backend::MemoryInfo memory_info() noexcept override;
  Result<void*> allocate(size_t bytes, size_t alignment, AgentMemory kind) override;
  Status free(void* base) override;
  Status register_host(void* base, size_t bytes) override;
  Status unregister_host(void* base) override;
  Status map_code(const CodeSegment&, const std::string&, std::span<const CodeSymbol>,
                  std::shared_ptr<const codeobject::LineSections>) override;
  Status unmap_code(void* base) override;
  Result<std::unique_ptr<HardwareQueue>> create_queue(QueueBlock& block, int priority, std::span<const uint32_t> mask,
                                                      const Ref<FaultSink>& faults) override;
  Result<std::unique_ptr<PacketRing>> create_ring(const RingOptions& options) override;
  Status create_signals(std::span<Signal*> signals) override;
  Result<std::optional<LoadedCode>> load_code(const codeobject::CodeObject& code,
                                              const codeobject::ResolveSymbol& resolve) override;
  uint16_t cooperative_setup() const noexcept override { return 0; }
  Result<PacketHead> encode_transfer(const Transfer& transfer, void* arguments, Packet& packet) override;
  bool transfers_in_packets() const noexcept override { return false; }
  Result<bool> begin_transfer(const Transfer& transfer, Signal* after, Signal& done,
                              std::function<void(const Status&)> ended) override;
  Status transfer(const Transfer& transfer) override;
  Result<bool> transfer_now(const Transfer&) override { return false; }
  bool wait_signal(Signal& signal, int64_t below, uint64_t timeout_ns) noexcept override;
  void subtract_signal(Signal& signal, int64_t amount) noexcept override;
  void signal_changed(Signal& signal) noexcept override { subtract_signal(signal, 0); }
  void sleep_on_signal(Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept override;
  uint64_t ticks_to_ns(uint64_t ticks) const noexcept override;
  Status usable() const override;
  backend::VirtualMemory* virtual_memory() noexcept override { return memory_.get(); }

  // A kernel or packet has failed: the device is lost.
  void lose(Status why) noexcept;
  // The kernel whose descriptor lies there, for reports; empty when it is not known.
  std::string kernel_at(uint64_t kernel_object) const;
  void forget_kernels(std::span<const uint64_t> kernel_objects);

  // Of an allocation of allocate(), as many bytes as were asked for; 0: it is none.
  size_t bytes_of(void* base) const;

  const Cards& cards() const noexcept { return *cards_; }
  const Library& hsa() const noexcept { return cards_->hsa; }
  hsa_agent_t gpu() const noexcept { return gpu_; }

private:
  // What agents see of one end of a copy.
  struct Side {
    bool reachable = false; // memory of HSA, or locked
    hsa_agent_t agent{};    // whose it is
  };

  HsaAgent(std::shared_ptr<const Cards> cards, hsa_agent_t gpu) noexcept : cards_(std::move(cards)), gpu_(gpu) {}
  Status initialize();
  Status find_pools();

  // hsa_copy.cpp
  Side side_of(const void* base, size_t bytes) const;
  Result<hsa_signal_t> take_copy_signal();
  Result<void*> take_stage();
  Status wait_copy(Status begun, hsa_signal_t done, const Transfer& transfer);
  Status begin_copy(const Transfer& transfer, hsa_agent_t dst, hsa_agent_t src, const hsa_signal_t* after,
                    hsa_signal_t done);
  Status copy_reachable(const Transfer& transfer, hsa_agent_t dst, hsa_agent_t src);
  Status copy_staged(const Transfer& transfer, const Side& dst, const Side& src);
  Status copy_locked(const Transfer& transfer, const Side& dst, const Side& src);
  Status copy_region(const Transfer& transfer);
  Status fill_region(const Transfer& transfer);

  const std::shared_ptr<const Cards> cards_;
  const hsa_agent_t gpu_;
  hsa_amd_memory_pool_t coarse_{}, fine_{};
  backend::DeviceProperties properties_;
  std::unique_ptr<HsaMemory> memory_; // null: the runtime has no virtual memory
  std::atomic<bool> lost_{false};
  mutable std::mutex mutex_; // guards what follows
  Status loss_;
  std::map<uint64_t, std::string> kernels_; // names by descriptor
  std::map<uint64_t, size_t> registered_;   // host memory: address and bytes
  std::map<void*, size_t> allocations_;     // of allocate(): as many bytes as were asked for
  std::vector<hsa_signal_t> copy_signals_;  // that no copy uses
  std::vector<void*> stages_;               // host memory for copies that no copy uses, kStageBytes each
  std::vector<Signal*> signals_;            // of create_signals()
};

} // namespace hip::aql::hsa
