// runtime/backend/aql/hsa/hsa_agent.h - an AMD card through AMD's runtime. Memory is that of HSA's pools, at the same
// addresses for the host where it reaches it (large BAR); code is loaded by HSA's executables; copies are HSA's, which
// engines do behind signals where they reach both ends, and else a thread of the host waits for (hsa_copy.cpp). A
// kernel that faults ends the device for the process: HSA's queue is lost with it, and every later call gives the
// report, once the copies that were under way have ended. Not seen on a card yet: tested over libhsa-runtime64 of the
// SDK. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/hsa/hsa_memory.h"
#include "runtime/backend/aql/hsa/library.h"

#include <map>
#include <mutex>
#include <set>

namespace hip::aql::hsa {

// Managed memory that moves between host and cards (HMM).
enum class SharedMemory {
  None,
  WhereAsked /* ranges that were made accessible */,
  Everywhere /* all of the process's */
};

// Host memory that the program has registered with a card: all cards reach it where it is, until the program ends that.
// Thread safety: any thread.
class RegisteredMemory {
public:
  // Calls `lock` with nobody else registering or unregistering anything, and keeps the range if it succeeds. Error:
  // HostMemoryAlreadyRegistered, also for a part of the range.
  Status add(const void* base, size_t bytes, const std::function<Status()>& lock);
  // The same with `unlock`. Error: HostMemoryNotRegistered.
  Status remove(const void* base, const std::function<Status()>& unlock);
  // From the address to the end of the range in which it lies; 0: it lies in none.
  size_t bytes_from(const void* address) const;

private:
  mutable std::mutex mutex_;
  std::map<uint64_t, size_t> ranges_; // address and bytes
};

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
  SharedMemory shared = SharedMemory::None;
  const std::unique_ptr<RegisteredMemory> registered = std::make_unique<RegisteredMemory>();
};

// Copies that engines have begun. Those that tell of their end outlive the agent.
struct CopiesUnderWay {
  std::mutex mutex;
  unsigned count = 0;           // of copies and of transfers by threads of the host
  unsigned telling = 0;         // of copies whose end is being told
  std::set<const Signal*> ends; // that engines will change
  bool given_up = false;        // nobody is told of an end any more
};

class HsaAgent final : public Agent {
public:
  // Error: NotSupported for a GPU that the back end cannot use, with the reason.
  static Result<std::unique_ptr<Agent>> create(std::shared_ptr<const Cards> cards, hsa_agent_t gpu);
  ~HsaAgent() override;

  const backend::DeviceProperties& properties() const noexcept override { return properties_; }
  Result<backend::MemoryInfo> memory_info() override;
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
  bool host_reaches(const void* address) const noexcept override;
  backend::PeerLink peer_link(Agent& peer) override;
  Status advise(const void* base, size_t bytes, backend::Advice advice, Agent* where) override;
  bool moves_managed_memory() const noexcept override { return cards_->shared != SharedMemory::None; }
  Status begin_prefetch(const void* base, size_t bytes, Agent* where, Signal* after, Signal& done,
                        std::function<void(const Status&)> ended) override;
  bool wait_signal(Signal& signal, int64_t below, uint64_t timeout_ns) noexcept override;
  void subtract_signal(Signal& signal, int64_t amount) noexcept override;
  void signal_changed(Signal& signal) noexcept override { subtract_signal(signal, 0); }
  void sleep_on_signal(Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept override;
  uint64_t ticks_to_ns(uint64_t ticks) const noexcept override;
  Status usable() const override;
  bool lost() const noexcept override { return lost_.load(std::memory_order_acquire); }
  backend::VirtualMemory* virtual_memory() noexcept override { return memory_.get(); }
  Result<Ref<backend::ExternalMemory>> import_memory(const backend::ExternalMemorySource& source) override;
  Status unmap_external(void* base) override;

  // A kernel, a packet or the card has failed: the device is lost. Where it is one queue's packet, its faults are told.
  void lose(Status why, FaultSink* faults = nullptr) noexcept;
  void lose(const hsa_amd_event_t& event) noexcept;
  // Waits, once the device is lost, for the copies that are under way, until a deadline that all waits share: their
  // memory is the program's again after it.
  void settle() noexcept override;
  // The kernel of the first packet that is not complete; HSA does not tell which one failed. Empty: it is not known.
  std::string kernel_at_fault(const QueueBlock& ring) const;
  void forget_kernels(std::span<const uint64_t> kernel_objects);
  // Rings in which a kernel may fail.
  void add(const QueueBlock& ring, const Ref<FaultSink>& faults);
  void remove(const QueueBlock& ring) noexcept;

  // Of an allocation of allocate(), as many bytes as were asked for; 0: it is none.
  size_t bytes_of(void* base) const;

  const Cards& cards() const noexcept { return *cards_; }
  const Library& hsa() const noexcept { return cards_->hsa; }
  hsa_agent_t gpu() const noexcept { return gpu_; }

  // Keeps memory of another interface while something of it is in use at `address`.
  void keep_external(void* address, std::shared_ptr<void> memory);

private:
  // What agents see of one end of a copy.
  struct Side {
    bool reachable = false; // memory of HSA, or registered, as a whole
    bool of_host = true;    // the host reaches it
    hsa_agent_t agent{};    // whose it is
    size_t known_bytes = 0; // of it from the address on; 0: HSA does not know it
  };
  // A transfer that settle() waits for.
  class Transferring;

  HsaAgent(std::shared_ptr<const Cards> cards, hsa_agent_t gpu) noexcept : cards_(std::move(cards)), gpu_(gpu) {}
  Status initialize();
  Status find_pools();
  Result<bool> may_reach(hsa_agent_t agent, hsa_amd_memory_pool_t pool) const;
  Status loss() const; // as usable(), without waiting for copies
  Status report(const hsa_amd_event_t& event, const std::string& where) const;
  std::string describe(uint64_t address) const;
  std::string kernel_at_fault_locked(const QueueBlock& ring) const;

  // hsa_pools.cpp
  Result<void*> allocate_shared(size_t bytes);

  // hsa_copy.cpp
  Side side_of(const void* base, size_t bytes) const;
  Result<hsa_signal_t> take_copy_signal();
  void give_copy_signal(hsa_signal_t signal);
  Result<void*> take_stage();
  // A copy or a prefetch, `what` in messages, that lets `done` fall; `ended` as begin_transfer() has it.
  Status begin_work(const std::string& what, Signal& done, std::function<void(const Status&)> ended,
                    const std::function<Status()>& begin);
  bool wait_for_work(Signal& done, const std::string& what) noexcept;
  Status begin_copy(const Transfer& transfer, hsa_agent_t dst, hsa_agent_t src, hsa_signal_t done);
  Status end_copy(const Transfer& transfer, hsa_signal_t done);
  Status copy_reachable(const Transfer& transfer, hsa_agent_t dst, hsa_agent_t src);
  Status copy_rows(const Transfer& transfer, hsa_agent_t dst, hsa_agent_t src);
  Status copy_staged(const Transfer& transfer, const Side& dst, const Side& src);
  Status copy_locked(const Transfer& transfer, const Side& dst, const Side& src);
  Status copy_parts(const Transfer& transfer, const Side& dst, const Side& src);
  Status copy_region(const Transfer& transfer);
  Status fill_region(const Transfer& transfer);
  Status fill_staged(std::byte* row, const Transfer& transfer, hsa_agent_t agent);

  const std::shared_ptr<const Cards> cards_;
  const hsa_agent_t gpu_;
  hsa_amd_memory_pool_t coarse_{}, fine_{};
  bool host_reaches_ = true;              // the memory of coarse_
  std::vector<hsa_agent_t> reach_coarse_; // agents that may reach the memory of coarse_, this one among them
  backend::DeviceProperties properties_;
  std::unique_ptr<HsaMemory> memory_; // null: the runtime has no virtual memory
  const std::shared_ptr<CopiesUnderWay> under_way_ = std::make_shared<CopiesUnderWay>();
  std::atomic<bool> lost_{false};
  std::atomic<uint64_t> deadline_ns_{0}; // of settle(), once the device is lost
  mutable std::mutex mutex_;             // guards what follows
  Status loss_;
  std::map<uint64_t, std::string> kernels_;         // names by descriptor
  std::map<void*, size_t> allocations_;             // of allocate(): as many bytes as were asked for
  std::map<void*, std::shared_ptr<void>> external_; // memory of other interfaces, by the addresses in use
  std::set<void*> shared_;                          // those of them that are the process's own memory
  std::map<const QueueBlock*, Ref<FaultSink>> rings_;
  std::vector<hsa_signal_t> copy_signals_; // that no copy uses
  std::vector<void*> stages_;              // host memory for copies that no copy uses, kStageBytes each
  std::vector<Signal*> signals_;           // of create_signals()
};

// hsa_cards.cpp. Until when the host waits for cards, in ns of steady_clock: for any time until the process begins to
// end, as a kernel may never end; UINT64_MAX before that.
uint64_t end_of_waits_ns() noexcept;
// Agents between the two calls are told of what AMD's runtime says of their cards.
Status watch_card(HsaAgent& agent);
void forget_card(HsaAgent& agent) noexcept;

// The global pool of `agent` with all of these flags; 0 when there is none.
Result<hsa_amd_memory_pool_t> find_pool(const Library& hsa, hsa_agent_t agent, uint32_t flags);

} // namespace hip::aql::hsa
