// runtime/hsa/queues.h - queues of users on GPUs: a ring of packets that the user fills, the block that describes it,
// and its doorbell. hsa_queue_t is the first part of the block. When a packet fails, the user's callback hears of it on
// the thread of callbacks, and the queue takes no packets any more. Thread safety: as HSA says: rings by any producer,
// creation and destruction of one queue by one thread; the rest by any thread.
#pragma once

#include "runtime/hsa/agents.h"
#include "runtime/hsa/callbacks.h"

namespace hip::hsa {

using QueueCallback = void (*)(hsa_status_t status, hsa_queue_t* source, void* data);
using FaultHandler = std::function<void(Agent&, const Status& fault)>; // of faults of memory

class UserQueue {
public:
  struct Options {
    uint32_t packets = 0; // a power of two
    hsa_queue_type32_t type = HSA_QUEUE_TYPE_MULTI;
    QueueCallback callback = nullptr;
    void* data = nullptr;
  };
  // `signals` and `callbacks` outlive the queue; `on_fault` is called on their thread before the user's callback.
  static Result<std::unique_ptr<UserQueue>> create(Agent& agent, const Options& options, const Signals& signals,
                                                   Callbacks& callbacks, FaultHandler on_fault);
  // As inactivate(). The error callback may be what destroys its queue.
  ~UserQueue();

  hsa_queue_t* handle() const noexcept { return reinterpret_cast<hsa_queue_t*>(block_); }
  Agent& agent() const noexcept { return agent_; }
  aql::QueueBlock& block() noexcept { return *block_; }
  // The packet of this index is there, and those before it are or will be. Who waits for its signal helps this queue.
  void ring(uint64_t index) noexcept;
  // Both take effect from the next packet on; packets may be under way, and others be submitted meanwhile.
  hsa_status_t set_priority(int priority);
  // Also HSA_STATUS_CU_MASK_REDUCED, where HSA_CU_MASK leaves fewer units to the agent's queues. Empty: all units.
  hsa_status_t set_mask(std::span<const uint32_t> mask);
  UnitMask mask() const;
  // Takes no packet any more, waits for kernels under way for two seconds, and ends those that execute then. The error
  // callback is not called any more; one that runs on another thread has ended when this returns.
  void inactivate() noexcept;

private:
  class Faults;

  UserQueue(Agent& agent, const Signals& signals);

  Agent& agent_;
  const Signals& signals_;
  std::mutex ring_mutex_;  // guards rung_, where there may be several producers
  uint64_t rung_ = 0;      // packets before this index were told of
  void* memory_ = nullptr; // block, doorbell, ring
  aql::QueueBlock* block_ = nullptr;
  aql::Signal* doorbell_ = nullptr;
  mutable std::mutex mask_mutex_;
  UnitMask mask_; // guarded by mask_mutex_
  Ref<Faults> faults_;
  std::unique_ptr<aql::HardwareQueue> hardware_;
};

} // namespace hip::hsa
