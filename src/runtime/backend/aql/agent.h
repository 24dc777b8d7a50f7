// runtime/backend/aql/agent.h - the second seam: what the AQL back end needs of an agent, be it a real card behind the
// kernel driver (kfd/) or the software GPU (soft/). The agent consumes AQL packets from rings in memory, exactly as the
// HSA runtime specification lays them out; it reads nothing but packets, kernel descriptors and memory.
// Thread safety: all functions may be called from any thread. Ring indices and signals are the atomics of packets.h.
#pragma once

#include "runtime/backend/backend.h"
#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hip::aql {

struct Signal;   // 64-byte amd_signal_t, packets.h
struct QueueBlock; // amd_queue_t with read and write index, packets.h

enum class AgentMemory { Device, FineGrained, HostPinned, Managed, Control /* kernarg, signals, rings */, Code };

// The agent's side of one hardware queue.
class HardwareQueue {
public:
  virtual ~HardwareQueue() = default; // the queue is idle
  // Tells the agent that the write index moved; the cheap path (a store) when the agent polls.
  virtual void ring_doorbell(uint64_t write_index) noexcept = 0;
  // The first fault of this queue since the last call, and clears it; success when there was none.
  virtual Status take_fault() noexcept = 0;
};

struct CodeSymbol {
  uint64_t address, bytes;
  std::string name;
};

class Agent {
public:
  virtual ~Agent() = default;
  virtual const backend::DeviceProperties& properties() const noexcept = 0;
  virtual backend::MemoryInfo memory_info() noexcept = 0;
  virtual Result<void*> allocate(size_t bytes, size_t alignment, AgentMemory kind) = 0;
  virtual Status free(void* base) = 0;
  virtual Status register_host(void* base, size_t bytes) = 0;
  virtual Status unregister_host(void* base) = 0;
  // Makes [base, base + bytes) of Code memory executable for target `target`; symbols serve reports.
  virtual Status map_code(void* base, size_t bytes, const std::string& target, std::span<const CodeSymbol> symbols) = 0;
  virtual Status unmap_code(void* base) = 0;
  virtual Result<std::unique_ptr<HardwareQueue>> create_queue(QueueBlock& block, int priority) = 0;
  // Blocks until signal->value < 1 … as `until` says, or timeout_ns passed (false). The calling thread may execute device
  // work meanwhile (software agent), and spins before it sleeps.
  virtual bool wait_signal(Signal& signal, int64_t below, uint64_t timeout_ns) noexcept = 0;
  // Host-side change of a signal that a packet or a waiter may wait for: store/subtract plus wake-up.
  virtual void subtract_signal(Signal& signal, int64_t amount) noexcept = 0;
  // Ticks of the clock in signal timestamps → ns of steady_clock.
  virtual uint64_t ticks_to_ns(uint64_t ticks) const noexcept = 0;
};

// Providers: an absent driver gives an empty list.
Result<std::vector<std::unique_ptr<Agent>>> create_soft_agents();
Result<std::vector<std::unique_ptr<Agent>>> create_kfd_agents();

} // namespace hip::aql
