// runtime/backend/aql/agent.h - the second seam: what the AQL back end needs of an agent, be it a real card behind
// AMD's runtime (hsa/) or the software GPU (soft/). The agent consumes AQL packets from rings in memory, exactly as the
// HSA runtime specification lays them out; it reads nothing but packets, kernel descriptors and memory.
// Thread safety: all functions may be called from any thread. Ring indices and signals are the atomics of packets.h.
#pragma once

#include "runtime/backend/aql/packets.h"
#include "runtime/backend/backend.h"
#include "runtime/backend/external.h"
#include "runtime/base/status.h"
#include "runtime/codeobject/loader.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace hip::codeobject {
struct LineSections; // codeobject/line_table.h
}

namespace hip::aql {

// What kernels may do with memory of the process that is neither allocated by an agent nor registered.
enum class SharedAccess { None, Read, ReadWrite };

enum class AgentMemory { Device, FineGrained, HostPinned, Managed, Control /* kernarg, signals, rings */, Code };

// Where an agent reports that a packet of a queue failed. On agents that can go on (soft/) the packet still completes:
// its signal is decremented after the report, and the packets behind it are executed. Where they cannot (hsa/), the
// agent is lost with its queue: usable() says so from then on, and nobody waits for its signals any more. Not so in a
// queue whose packets a user of HSA writes (one without QueueBlock::kAgentDispatch), which is lost as on a card: the
// packet's signal stays, and no packet is taken any more. Called from any thread.
class FaultSink : public RefCounted {
public:
  // packet: its index in the queue. Its completion signal is read after this call, which may take it out of the ring.
  virtual void failed(uint64_t packet, Status status) noexcept = 0;
};

// The agent's side of one hardware queue.
class HardwareQueue {
public:
  virtual ~HardwareQueue() = default; // only when the queue is idle or stopped
  // Tells the agent that the packet of this index is there, and those before it are or will be. Costs one store where
  // the agent polls.
  virtual void ring_doorbell(uint64_t packet) noexcept = 0;
  // Takes no packet any more, and returns when those under way are complete. Packets that wait for signals stay in the
  // ring.
  virtual void stop() noexcept = 0;
  // As stop(), but kernels that have not ended within this time are ended, where the agent can: they fail.
  virtual void abort(uint64_t /*patience_ns*/) noexcept { stop(); }
  // What the agent wants to find in Signal::queue_tag of signals that this queue's packets complete. 0: they complete
  // none any more.
  virtual uint32_t signal_tag() const noexcept = 0;
  // A place of the ring is free once the queue's read index has passed its packet, as the specification has it (section
  // 2.8): the agent may still write into it when the packet is complete. False: it is free with the completion.
  virtual bool frees_by_read_index() const noexcept { return false; }
  // Change what create_queue() was given, from the next packet on, whatever is under way; where the agent can.
  virtual Status set_priority(int /*priority*/) { return error(ErrorCode::NotSupported, "The priority is fixed."); }
  virtual Status set_compute_unit_mask(std::span<const uint32_t> /*mask*/) {
    return error(ErrorCode::NotSupported, "The compute units are fixed.");
  }
};

// A ring of packets with its block, and the agent's side of it.
class PacketRing {
public:
  virtual ~PacketRing() = default; // only when the queue is idle or stopped
  QueueBlock& block() noexcept { return *block_; }
  HardwareQueue& hardware() noexcept { return *hardware_; }

protected:
  QueueBlock* block_ = nullptr;
  std::unique_ptr<HardwareQueue> hardware_;
};

enum class RingKind { Ordinary, Cooperative /* its kernels' work-groups are all resident at once */ };

struct RingOptions {
  RingKind kind = RingKind::Ordinary;
  uint32_t packets = 1024;                     // a power of two
  int priority = 0;                            // lower is sooner
  std::span<const uint32_t> compute_unit_mask; // a bit for each compute unit that kernels may use; empty: all
  Ref<FaultSink> faults;
};

// A code object that the agent has placed by its own means.
struct LoadedCode {
  codeobject::LoadedImage image;
  std::shared_ptr<void> keeper; // it lives as long as this
};

struct CodeSymbol {
  uint64_t address, bytes;
  std::string name;
  int32_t hidden_group_size_offset = -1; // of a kernel's entry: its kernarg's hidden_group_size_x; -1: it has none
  uint32_t wave_lanes = 0;               // of a kernel's entry: lanes of its waves; 0: no kernel, or not known
  uint64_t kernel_object = 0; // of a kernel's entry: its descriptor; kernels without instructions begin where others do
};

// Where executable code of a code object lies.
struct CodeSegment {
  void* base = nullptr; // in Code memory
  size_t bytes = 0;
  uint64_t file_address = 0; // in the code object
};

// One copy or fill of a pitched region. Fills have pattern_bytes != 0 and no source.
struct Transfer {
  backend::Region dst, src;
  backend::Extent3 extent;
  uint64_t pattern = 0; // repeated by the caller up to 8 bytes
  uint32_t pattern_bytes = 0;
};

inline constexpr size_t kTransferArgumentBytes = 256;

// The first 32 bits of a packet, without barrier bit and fences.
struct PacketHead {
  PacketType type = PacketType::Invalid;
  uint16_t second_half = 0; // setup of a dispatch, type of an agent dispatch
};

// Packets that an agent takes as one, as often as they are submitted.
class PacketList {
public:
  virtual ~PacketList() = default; // when no packet that encode() has written is in a ring
  // Writes all of `packet` but its first 32 bits, which it returns, and the completion signal, which becomes that of
  // the last packet of the list.
  virtual PacketHead encode(Packet& packet) noexcept = 0;
  // Puts another packet in the place of one, or the same one when it takes its arguments from other places than the
  // memory that it names, while no packet that encode() has written is in a ring. The barrier bit stays what it was.
  virtual void replace(size_t number, const Packet& packet) noexcept = 0;
};

class Agent {
public:
  virtual ~Agent() = default;
  virtual const backend::DeviceProperties& properties() const noexcept = 0;
  virtual Result<backend::MemoryInfo> memory_info() = 0;
  virtual Result<void*> allocate(size_t bytes, size_t alignment, AgentMemory kind) = 0;
  virtual Status free(void* base) = 0;
  virtual Status register_host(void* base, size_t bytes) = 0;
  virtual Status unregister_host(void* base) = 0;
  // Unregisters a range, whichever calls of register_host() registered it or parts of it. The rest of what they
  // registered stays registered throughout, also for kernels that execute meanwhile.
  virtual Status unregister_host_part(void* /*base*/, size_t /*bytes*/) {
    return error(ErrorCode::NotSupported, "{} unregisters memory as it was registered.", properties().name);
  }
  // What kernels of all agents that share memory with this one may do with the memory of the process in whole pages of
  // 4 KiB, from now on. It stays so when the process unmaps the memory.
  virtual Status share_host(void* /*base*/, size_t /*bytes*/, SharedAccess) {
    return error(ErrorCode::NotSupported, "{} reaches no memory that is not registered.", properties().name);
  }
  // Makes Code memory executable for target `target`; symbols and source lines (null: there are none) serve reports.
  virtual Status map_code(const CodeSegment& segment, const std::string& target, std::span<const CodeSymbol> symbols,
                          std::shared_ptr<const codeobject::LineSections> lines) = 0;
  virtual Status unmap_code(void* base) = 0;
  // `compute_unit_mask` has a bit for each compute unit that kernels of the queue may use; empty: all. Each kernel has
  // the private memory that its packet asks for: the agent's store of it grows, and where the processor cannot have so
  // much the packet fails with OutOfMemory.
  virtual Result<std::unique_ptr<HardwareQueue>> create_queue(QueueBlock& block, int priority,
                                                              std::span<const uint32_t> compute_unit_mask,
                                                              const Ref<FaultSink>& faults) = 0;
  // A ring in Control memory with a queue of create_queue(), where the agent has no rings of its own.
  virtual Result<std::unique_ptr<PacketRing>> create_ring(const RingOptions& options);
  // Signals of kind kUser for packets' completion, `signals.size()` of them; they live as long as the agent.
  virtual Status create_signals(std::span<Signal*> signals);
  // Places a code object by the agent's own means; nothing: it has none, and is written into Code memory
  // (placed_code.h).
  virtual Result<std::optional<LoadedCode>> load_code(const codeobject::CodeObject&, const codeobject::ResolveSymbol&) {
    return std::optional<LoadedCode>();
  }
  // Bits for a dispatch packet's `setup` that make all work-groups of the grid resident at once; 0 where such kernels
  // go into a ring of RingKind::Cooperative.
  virtual uint16_t cooperative_setup() const noexcept = 0;

  // Copies and fills. Writes all of `packet` but its first 32 bits, which it returns, and the completion signal, so
  // that it does the transfer: a card gives a dispatch of its copy kernel, the software agent an agent dispatch.
  // `arguments` is Control memory of kTransferArgumentBytes that lives until the packet is complete.
  virtual Result<PacketHead> encode_transfer(const Transfer& transfer, void* arguments, Packet& packet) = 0;
  // Makes a list of complete packets that have no completion signals, the last of which has the barrier bit; null: this
  // agent's packets have to be written into rings each time.
  virtual Result<std::unique_ptr<PacketList>> make_packet_list(std::span<const Packet>) {
    return std::unique_ptr<PacketList>();
  }
  // False: encode_transfer() cannot be called, and transfer() does the work on a thread of the host while the queue
  // waits.
  virtual bool transfers_in_packets() const noexcept { return true; }
  // Begins the transfer once the signal `after` (null: none) has fallen to 0, and lets `done` fall from 1 to 0 at its
  // end. `ended` is called on any thread after that, where the transfer has failed before it. False: the agent does not
  // do this one; then nothing has happened.
  virtual Result<bool> begin_transfer(const Transfer&, Signal* /*after*/, Signal& /*done*/,
                                      std::function<void(const Status&)> /*ended*/) {
    return false;
  }
  // Does the transfer and waits for its end.
  virtual Status transfer(const Transfer&) {
    return error(ErrorCode::NotSupported, "{} copies by packets.", properties().name);
  }
  // Does the transfer on the calling thread when that is quicker than a packet; false: it did nothing. The caller has
  // checked that nothing is outstanding that the transfer must wait for.
  virtual Result<bool> transfer_now(const Transfer& transfer) = 0;

  // Whether the host may read and write the memory at the address in place.
  virtual bool host_reaches(const void* /*address*/) const noexcept { return true; }
  // Makes the memory all zeros, before anybody else uses it.
  virtual Status clear(void* base, size_t bytes);
  // What kernels of this agent can do with memory of the other one, which is mapped to all agents that can reach it
  // when it is allocated.
  virtual backend::PeerLink peer_link(Agent& peer) = 0;
  // What a program says of managed memory; `where` is an agent of any provider, null for the host. Memory that does not
  // move needs no advice.
  virtual Status advise(const void*, size_t, backend::Advice, Agent* /*where*/) { return {}; }
  virtual bool moves_managed_memory() const noexcept { return false; }
  // Begins to move managed memory there once the signal `after` (null: none) has fallen to 0, and lets `done` fall from
  // 1 to 0 at its end; `ended` as for begin_transfer(), when this succeeds. Only where managed memory moves.
  virtual Status begin_prefetch(const void*, size_t, Agent* /*where*/, Signal* /*after*/, Signal& /*done*/,
                                std::function<void(const Status&)> /*ended*/) {
    return error(ErrorCode::NotSupported, "Managed memory of {} does not move.", properties().name);
  }

  // Blocks until the signal's value is below `below`, or timeout_ns passed (false). The calling thread may execute
  // device work that the signal depends on meanwhile (software agent), and spins before it sleeps.
  virtual bool wait_signal(Signal& signal, int64_t below, uint64_t timeout_ns) noexcept = 0;
  // Host-side change of a signal that a packet or a waiter may wait for: subtract plus wake-up.
  virtual void subtract_signal(Signal& signal, int64_t amount) noexcept = 0;
  // The wake-up alone: the caller has changed the value, by a sequentially consistent operation.
  virtual void signal_changed(Signal& signal) noexcept = 0;
  // Sleeps until the signal's value is not `seen`, somebody who changes it tells the agent, or the time is over. May
  // return early. The calling thread executes nothing meanwhile.
  virtual void sleep_on_signal(Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept = 0;
  // The same for whichever of several signals, one at least, changes first. Agents that cannot sleep so look at the
  // first signal alone.
  struct SeenSignal {
    Signal* signal;
    int64_t seen;
  };
  virtual void sleep_on_any_signal(std::span<const SeenSignal> signals, uint64_t timeout_ns) noexcept {
    sleep_on_signal(*signals[0].signal, signals[0].seen, timeout_ns);
  }
  // Ticks of the clock in signal timestamps → ns of steady_clock.
  virtual uint64_t ticks_to_ns(uint64_t ticks) const noexcept = 0;
  // Addresses and memory apart from each other (backend/virtual_memory.h); null: the agent has no such memory.
  virtual backend::VirtualMemory* virtual_memory() noexcept { return nullptr; }
  // Memory of other interfaces (backend/external.h), and giving back what it mapped.
  virtual Result<Ref<backend::ExternalMemory>> import_memory(const backend::ExternalMemorySource&) {
    return error(ErrorCode::NotSupported, "{} cannot use memory of other interfaces.", properties().name);
  }
  virtual Status unmap_external(void* base) {
    return error(ErrorCode::InvalidValue, "{} is no memory of another interface.", base);
  }
  // The live allocation of any agent that shares memory with this one, in which the address lies.
  struct Allocation {
    void* base;
    size_t bytes;     // that were asked for
    AgentMemory kind; // Device or HostPinned
  };
  virtual std::optional<Allocation> allocation_at(const void* /*address*/) const { return std::nullopt; }
  // Success while the agent can be used; an error in a child process after fork, and once the agent is lost.
  virtual Status usable() const = 0;
  // The agent was lost: it does nothing any more, though the process goes on.
  virtual bool lost() const noexcept { return false; }
  // Of an agent that is lost: returns when what it still does to memory has ended, or nobody waits for that any longer.
  // Before a program hears of a fault.
  virtual void settle() noexcept {}
};

inline constexpr uint64_t kNoTimeout = UINT64_MAX;

// Providers: an absent driver gives an empty list.
Result<std::vector<std::unique_ptr<Agent>>> create_soft_agents();
Result<std::vector<std::unique_ptr<Agent>>> create_hsa_agents();

// Makes the back end over these agents; create_aql_backend gives it the agents of all providers.
std::unique_ptr<backend::Backend> make_backend(std::vector<std::unique_ptr<Agent>> agents);

} // namespace hip::aql
