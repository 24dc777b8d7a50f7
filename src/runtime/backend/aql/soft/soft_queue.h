// runtime/backend/aql/soft/soft_queue.h - the packet processor of one queue: takes packets in order, honours barrier
// bits and dependencies, starts their work and completes them. It has no thread: whoever claims the queue processes it,
// one thread at a time, until nothing can proceed; then a notification (doorbell, dependency, end of a shared job)
// brings it back. Thread safety: notify() and the HardwareQueue functions from any thread; process() by the thread that
// claimed. Memory ordering: a packet is taken with an acquire load of its first word; completion is a sequentially
// consistent decrement of its signal after the timestamps are written.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/soft/job.h"
#include "runtime/backend/aql/soft/parking.h"

#include <atomic>
#include <mutex>

namespace hip::aql::soft {

class Scheduler;
class System;

// Agent dispatch: arg[0] is the address of a Transfer.
inline constexpr uint16_t kTransferService = 0x8001;
// Kernel dispatch: the bit of `setup` that asks for all work-groups at once. Cards have a queue of its own for that.
inline constexpr uint16_t kCooperativeSetup = 0x8000;

class SoftQueue final : public HardwareQueue {
public:
  SoftQueue(System& system, QueueBlock& block, int priority);
  ~SoftQueue() override;

  void ring_doorbell(uint64_t write_index) noexcept override;
  Fault take_fault() noexcept override;

  // There may be something to do: makes the queue ready unless somebody is processing it, who will look again.
  void notify() noexcept;
  // A signal that a waiting thread wants to see below a value; processing stops once it is.
  struct Goal {
    const Signal* signal = nullptr;
    int64_t below = 1;
    bool reached() const noexcept { return signal && signal->value.load(std::memory_order_acquire) < below; }
  };
  struct Progress {
    bool any = false; // at least one packet was taken
    // The dependency that the next packet waits for, when that is why processing stopped, and the queue that will
    // complete it (address of its block; 0: none).
    const Signal* dependency = nullptr;
    uint64_t dependency_queue_ptr = 0;
  };
  // Processes packets and gives the claim back.
  Progress process(Executor& executor, const Goal& goal) noexcept;
  // A job of this queue has ended; called by the thread that left it last.
  void finish(Job& job) noexcept;

private:
  friend class Scheduler;
  enum State : uint32_t {
    kQueued = 1,   // in the scheduler's ready list
    kRunning = 2,  // claimed
    kNotified = 4, // something may have happened since the last look
  };
  enum class Step { Done, Blocked, Empty };

  bool try_claim() noexcept; // only when notified and not running
  void give_back(bool more_to_do) noexcept;
  Step step(Executor& executor, const Signal*& dependency) noexcept;
  void dispatch(const KernelDispatchPacket& packet, uint64_t index, Executor& executor) noexcept;
  void agent_dispatch(const AgentDispatchPacket& packet, uint64_t index, Executor& executor) noexcept;
  // The first signal that the barrier packet still waits for, having left a ticket with all of them; null: go on.
  const Signal* blocking_dependency(const BarrierPacket& packet, PacketType type) noexcept;
  // Offers the job to other threads and takes part in it.
  void execute(std::unique_ptr<Job> job, uint64_t index, uint64_t completion, uint64_t kernel_object, uint64_t start_ns,
               Executor& executor) noexcept;
  void complete(uint64_t completion, uint64_t start_ns) noexcept;
  void record_fault(uint64_t index, Status status) noexcept;

  System& system_;
  Scheduler& scheduler_;
  QueueBlock& block_;
  Packet* const ring_;
  const uint64_t mask_;
  const unsigned priority_; // 0 high, 1 normal, 2 low
  std::atomic<uint32_t> state_{0};
  uint64_t next_ = 0;                  // packet to take; of the claiming thread
  std::atomic<uint32_t> in_flight_{0}; // shared jobs under way
  std::array<Parking::Ticket, kBarrierDependencies> tickets_;
  SoftQueue* ready_previous_ = nullptr; // the ready list's, under the scheduler's lock
  SoftQueue* ready_next_ = nullptr;
  bool ready_linked_ = false;
  std::atomic<bool> has_fault_{false};
  std::mutex fault_mutex_;
  Fault fault_;
};

} // namespace hip::aql::soft
