// runtime/backend/aql/soft/soft_queue.h - the packet processor of one queue: takes packets in order, honours barrier
// bits and dependencies, starts their work and completes them. It has no thread: whoever claims the queue processes it,
// one thread at a time, until nothing can proceed; then a notification (doorbell, dependency, end of a shared job)
// brings it back. In the steady state nothing here takes a lock or allocates; a queue that waits for another queue's
// signal takes the lock of a bucket (parking.h).
// Thread safety: notify() and the HardwareQueue functions from any thread; process() by the thread that claimed. That
// thread also puts a new mask of compute units in the place of the old one, between two packets.
// Memory ordering: a packet is taken with an acquire load of its first word; completion is a sequentially consistent
// decrement of its signal after the timestamps are written.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/backend/aql/soft/barrier_wait.h"
#include "runtime/backend/aql/soft/compute_unit_masks.h"
#include "runtime/backend/aql/soft/job.h"
#include "runtime/backend/aql/soft/packet_list.h"
#include "runtime/backend/aql/soft/queue_table.h"

#include <array>
#include <atomic>
#include <mutex>
#include <span>
#include <vector>

namespace hip::aql::soft {

class Scheduler;
class System;

// Agent dispatch: arg[0] is the address of a Transfer.
inline constexpr uint16_t kTransferService = 0x8001;
// Kernel dispatch: the bit of `setup` that asks for all work-groups at once. Cards have a separate queue for such
// kernels.
inline constexpr uint16_t kCooperativeSetup = 0x8000;

class SoftQueue final : public HardwareQueue {
public:
  // A mask of compute units says how many threads execute a kernel of the queue at most: one per unit in it, at least
  // one. Error: OutOfMemory when there are too many queues.
  static Result<std::unique_ptr<HardwareQueue>> create(System& system, QueueBlock& block, int priority,
                                                       std::span<const uint32_t> compute_unit_mask,
                                                       const Ref<FaultSink>& faults);
  ~SoftQueue() override;

  void ring_doorbell(uint64_t packet) noexcept override;
  void stop() noexcept override { abort(UINT64_MAX); }
  void abort(uint64_t patience_ns) noexcept override;
  uint32_t signal_tag() const noexcept override { return QueueTable::tag_of(*entry_); }
  Status set_priority(int priority) override;
  Status set_compute_unit_mask(std::span<const uint32_t> mask) override;

  // Says that there may be something to do: makes the queue ready, unless a thread is processing it, which will look
  // again.
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
    // complete it (its tag; 0: none).
    const Signal* dependency = nullptr;
    uint32_t dependency_tag = 0;
  };
  // Processes packets and gives the claim back.
  Progress process(Executor& executor, const Goal& goal) noexcept;
  // A job of this queue has ended; called by the thread that left it last.
  void finish(Job& job) noexcept;

private:
  enum class Step { Done, Blocked, Empty };

  // A look at the clock takes a tenth of a small kernel's time: without a signal, only some of the short ones are
  // timed.
  static constexpr uint64_t kTimedOneOf = 16;

  SoftQueue(System& system, QueueBlock& block, std::span<const uint32_t> unit_mask, const Ref<FaultSink>& faults);
  // Takes no packet any more: who waits for the signals of those that are left has nothing to execute here.
  void take_no_more() noexcept;
  void give_back(QueueTable::Rest rest) noexcept;
  Step step(Executor& executor, const Signal*& dependency) noexcept;
  // A packet that was taken: its number in the ring, or that of the list it is from; the packet whose completion signal
  // is its own, null when it has none; and whether the time that it takes is wanted in any case.
  struct Taken {
    uint64_t index;
    const Packet* completes;
    bool measured;
    bool has_barrier = true; // its barrier bit
    // A failure that is reported may change it (FaultSink::failed), so it is read afterwards.
    uint64_t completion() const noexcept { return completes ? completes->raw.completion_signal : 0; }
  };
  // Takes the packet of a list that is next, or several when their kernels are short. `slot` holds the list's own
  // packet.
  Step list_step(Packet& slot, Executor& executor) noexcept;
  Step run_short(Packet& slot, PacketList& list, Executor& executor) noexcept;
  // The packets of the list before list_position_ were taken. Returns whether these were all: then the list is.
  bool advance_list(Packet& slot) noexcept;
  void dispatch(const KernelDispatchPacket& packet, const Taken& taken, Executor& executor) noexcept;
  void agent_dispatch(const AgentDispatchPacket& packet, const Taken& taken, Executor& executor) noexcept;
  // Reports that a packet has failed; true: it completes nevertheless.
  bool failed(uint64_t index, Status status) noexcept;
  // Tells the host how far the queue is, once nothing is under way.
  void publish_progress() noexcept;
  // No thread processes queues any more, and none can be waited for.
  bool abandoned() const noexcept;
  // Writes what is known of the packet into the job, whose work is filled in; it is under way from then on.
  void begin(Job& job, uint64_t index, uint64_t completion, uint64_t kernel_object, uint64_t start_ns) noexcept;
  // The first word of the next packet; of none while it is not there, or while no doorbell has told of a user's: until
  // then its slot is the producer's.
  uint32_t next_word() const noexcept;
  // The next packet is there and may start while those before it run.
  bool next_may_start() const noexcept;
  // A user's kernel that may take long leaves the queue to other threads: packets without the barrier bit, behind it or
  // yet to come, start while it runs, as on a card, and it may be waiting for one of them.
  bool leaves_queue(const Taken& taken) const noexcept;
  // Gives the claim back and executes the kernel that leaves the queue.
  void run_leaving(Executor& executor) noexcept;
  // Opens the job to other threads and goes on with the next packet; this thread takes part in it later (run_held).
  void hold(Job& job) noexcept;
  void run_held(Executor& executor) noexcept;
  // The kernel of a user's packet executes, or does not any more: abort() may have to end it.
  void kernel_begins(engine::Grid& grid);
  void kernel_ends(engine::Grid& grid) noexcept;
  // There is room to hold one more job, perhaps after leaving those that others have taken all work of.
  bool can_hold() noexcept;
  void complete(uint64_t completion, uint64_t start_ns, uint64_t end_ns) noexcept;
  // A packet's end at its signal: the times, and one less. The signal names this queue no more: a user may give it to
  // another packet, or wait for a change of his own.
  void decrement(Signal& signal, uint64_t start_ns, uint64_t end_ns) noexcept;

  System& system_;
  Scheduler& scheduler_;
  QueueBlock& block_;
  Packet* const ring_;
  const uint64_t mask_;
  const Ref<FaultSink> faults_;
  ComputeUnitMasks unit_masks_;
  bool has_all_threads() const noexcept { return unit_masks_.most_threads() == Job::kAnyNumber; }
  const bool of_user_; // packets are written by who is not to be trusted
  QueueTable::Entry* entry_ = nullptr;
  uint64_t next_;                    // the next packet to take; only the claiming thread uses it, and the next two
  size_t list_position_ = 0;         // when that packet is a list: the next one in it
  bool has_list_ = false;            // the list is this queue's (PacketList::begin)
  std::atomic<uint64_t> rung_;       // a user's packets before this index were told of
  std::atomic<bool> stopped_{false}; // by its owner, or by a packet of a user that failed
  // Shared jobs under way, and threads that have ended one and are not out of the queue yet, in units of kFinishing.
  static constexpr uint32_t kFinishing = 1 << 16;
  std::atomic<uint32_t> in_flight_{0};
  bool any_in_flight(std::memory_order order) const noexcept { return in_flight_.load(order) % kFinishing != 0; }
  // Jobs of packets that may run at the same time. Only the claiming thread uses them, and none is left when it gives
  // the claim back.
  static constexpr size_t kMostHeld = 32;
  std::array<Job*, kMostHeld> held_{};
  size_t held_count_ = 0;
  Job* leaving_ = nullptr; // of the packet that was taken last; only the claiming thread uses it
  BarrierWait barrier_wait_; // only the claiming thread uses it
  std::mutex executing_mutex_;
  std::vector<engine::Grid*> executing_; // of a user's queue; guarded by executing_mutex_
};

inline uint32_t SoftQueue::next_word() const noexcept {
  if (of_user_ && next_ >= rung_.load(std::memory_order_acquire)) return kInvalidFirstWord;
  return ring_[next_ & mask_].first_word().load(std::memory_order_acquire);
}

inline bool SoftQueue::next_may_start() const noexcept {
  Packet& slot = ring_[next_ & mask_];
  auto header = static_cast<uint16_t>(next_word());
  if (list_position_ != 0)
    header = static_cast<uint16_t>(PacketList::of(slot).packets()[list_position_].raw.first_word);
  const PacketType type = packet_type(header);
  return (type == PacketType::KernelDispatch || type == PacketType::AgentDispatch) && !has_barrier_bit(header) &&
         has_all_threads();
}

} // namespace hip::aql::soft
