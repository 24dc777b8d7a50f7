#include "runtime/backend/aql/soft/soft_queue.h"

#include "runtime/backend/aql/soft/packet_check.h"
#include "runtime/backend/aql/soft/system.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <sched.h>
#include <string>
#include <string_view>
#include <thread>

namespace hip::aql::soft {

namespace {

// HSA's users write its packets, not this runtime.
bool of_user(const QueueBlock& block) noexcept { return (block.features & QueueBlock::kAgentDispatch) == 0; }

unsigned ready_list(int priority) noexcept { return static_cast<unsigned>(std::clamp(priority + 1, 0, 2)); }

} // namespace

SoftQueue::SoftQueue(System& system, QueueBlock& block, std::span<const uint32_t> unit_mask,
                     const Ref<FaultSink>& faults)
    : system_(system), scheduler_(system.scheduler()), block_(block),
      ring_(reinterpret_cast<Packet*>(block.base_address)), mask_(block.size - 1), faults_(faults),
      unit_masks_(system.scheduler().threads(), unit_mask), of_user_(of_user(block)),
      next_(block.read_dispatch_id.load(std::memory_order_relaxed)), rung_(next_), barrier_wait_(*this, system) {}

Result<std::unique_ptr<HardwareQueue>> SoftQueue::create(System& system, QueueBlock& block, int priority,
                                                         std::span<const uint32_t> compute_unit_mask,
                                                         const Ref<FaultSink>& faults) {
  // What a queue's packets need has its threads before there is a queue: later nobody could be told that there are
  // none. HSA's users look at their signals, or wait for a limited time, and stand in for no missing worker, so each
  // queue beside them has one for a kernel that waits for another queue's, and there is one more, for a packet that
  // starts beside the one before it.
  RT_TRY(system.watchdog().start());
  if (of_user(block)) {
    RT_TRY(system.signal_poll().start());
    system.note_user_queue();
  }
  RT_TRY(system.scheduler().start(system.has_user_queues() ? system.scheduler().queues().count() + 2 : 1));
  std::unique_ptr<SoftQueue> queue(new SoftQueue(system, block, compute_unit_mask, faults));
  RT_TRY_ASSIGN(queue->entry_, system.scheduler().queues().add(*queue, ready_list(priority)));
  return std::unique_ptr<HardwareQueue>(std::move(queue));
}

SoftQueue::~SoftQueue() {
  if (!entry_ || abandoned()) return;
  // The thread that ended a packet's work may not be out of finish() yet when another one has completed what follows.
  while (in_flight_.load(std::memory_order_acquire) != 0) ::sched_yield();
  scheduler_.queues().remove(*entry_);
}

bool SoftQueue::abandoned() const noexcept { return system_.inherited() || scheduler_.stopped(); }

// Producers ring in any order.
void SoftQueue::ring_doorbell(uint64_t packet) noexcept {
  if (of_user_) {
    uint64_t before = rung_.load(std::memory_order_relaxed);
    while (before <= packet && !rung_.compare_exchange_weak(before, packet + 1, std::memory_order_acq_rel)) {
    }
  }
  notify();
}

Status SoftQueue::set_priority(int priority) {
  if (scheduler_.queues().set_priority(*entry_, ready_list(priority))) scheduler_.became_ready();
  return Status();
}

Status SoftQueue::set_compute_unit_mask(std::span<const uint32_t> mask) {
  unit_masks_.set_next(mask);
  notify(); // a packet that waits because the queue has a part of the units may start now
  return Status();
}

void SoftQueue::take_no_more() noexcept {
  stopped_.store(true, std::memory_order_seq_cst);
  if (of_user_) QueueTable::retire_tag(*entry_);
}

void SoftQueue::abort(uint64_t patience_ns) noexcept {
  take_no_more();
  notify(); // who looks at the queue now takes it off the signals that it waits for
  const uint64_t begin = now_ns();
  std::string text;
  std::string_view limit; // part of the kernels' reports
  while (scheduler_.queues().busy(*entry_) || in_flight_.load(std::memory_order_acquire) != 0) {
    if (abandoned()) return;
    if (patience_ns == UINT64_MAX || now_ns() - begin < patience_ns) {
      ::sched_yield();
      continue;
    }
    if (limit.empty()) {
      try {
        text =
            fmt::format("the {} s that kernels have when their queue is ended", static_cast<double>(patience_ns) / 1e9);
        limit = text;
      } catch (const std::bad_alloc&) { // a queue is ended also when there is no memory
        limit = "the time that kernels have when their queue is ended";
      }
    }
    {
      std::lock_guard guard(executing_mutex_); // the grids stay meanwhile
      for (engine::Grid* const grid : executing_) grid->time_out(limit);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void SoftQueue::kernel_begins(engine::Grid& grid) {
  std::lock_guard guard(executing_mutex_);
  executing_.push_back(&grid);
}

void SoftQueue::kernel_ends(engine::Grid& grid) noexcept {
  std::lock_guard guard(executing_mutex_);
  std::erase(executing_, &grid);
}

// ---- claiming ----------------------------------------------------------------------------------------------------

void SoftQueue::notify() noexcept {
  if (scheduler_.queues().notify(*entry_)) scheduler_.became_ready();
}

void SoftQueue::give_back(QueueTable::Rest rest) noexcept {
  Scheduler& scheduler = scheduler_; // a queue that give_back() does not make ready may be destroyed
  if (scheduler.queues().give_back(*entry_, rest)) scheduler.became_ready();
}

SoftQueue::Progress SoftQueue::process(Executor& executor, const Goal& goal) noexcept {
  Progress progress;
  for (;;) {
    barrier_wait_.unpark();
    const Signal* dependency = nullptr;
    if (step(executor, dependency) == Step::Done) {
      progress.any = true;
      if (leaving_) {
        run_leaving(executor);
        return progress;
      }
      if (!goal.reached()) continue;
      run_held(executor);
      // A producer that publishes a packet after this look notifies the queue.
      const bool more = packet_type(static_cast<uint16_t>(next_word())) != PacketType::Invalid;
      give_back(more ? QueueTable::Rest::More : QueueTable::Rest::None);
      return progress;
    }
    publish_progress();
    if (scheduler_.queues().take_notification(*entry_)) continue;
    progress.dependency = dependency;
    // Read before the claim is given back: until then the packet keeps the signal alive.
    if (dependency) progress.dependency_tag = dependency->queue_tag.load(std::memory_order_relaxed);
    give_back(QueueTable::Rest::None); // a notification that came meanwhile makes the queue ready again
    return progress;
  }
}

// ---- packets -----------------------------------------------------------------------------------------------------

void SoftQueue::run_leaving(Executor& executor) noexcept {
  Job& job = *std::exchange(leaving_, nullptr);
  JobTable& jobs = scheduler_.jobs(); // the queue may go when the job has ended
  const bool more = next_may_start(); // a producer that publishes a packet after this look notifies the queue
  give_back(more ? QueueTable::Rest::More : QueueTable::Rest::None);
  job.run(executor);
  jobs.leave(job);
}

void SoftQueue::run_held(Executor& executor) noexcept {
  for (size_t i = 0; i < held_count_; ++i) {
    held_[i]->run(executor);
    scheduler_.jobs().leave(*held_[i]);
  }
  held_count_ = 0;
}

SoftQueue::Step SoftQueue::step(Executor& executor, const Signal*& dependency) noexcept {
  if (held_count_ != 0 && !next_may_start()) run_held(executor);
  Packet& slot = ring_[next_ & mask_];
  const uint32_t first_word = next_word();
  const auto header = static_cast<uint16_t>(first_word);
  const PacketType type = packet_type(header);
  if (type == PacketType::Invalid) return Step::Empty;
  if (unit_masks_.has_next()) [[unlikely]]
    unit_masks_.take_next(any_in_flight(std::memory_order_acquire) ? ComputeUnitMasks::Kernels::MayBeUnderWay
                                                                   : ComputeUnitMasks::Kernels::NoneUnderWay);
  if (stopped_.load(std::memory_order_relaxed)) {
    run_held(executor); // what has begun is ended, and whoever stopped the queue waits for that
    return Step::Empty;
  }
  if (type == PacketType::Vendor && !of_user_ && PacketList::is_in(slot)) return list_step(slot, executor);
  // A queue on a part of the compute units runs one kernel at a time, which its limit is for.
  if ((has_barrier_bit(header) || !has_all_threads()) && any_in_flight(std::memory_order_acquire)) return Step::Blocked;

  if (of_user_) [[unlikely]]
    if (Status status = check_user_packet(slot, type, block_, system_); !status.ok()) {
      slot.first_word().store(kInvalidFirstWord | (first_word & 0xffff0000u), std::memory_order_relaxed);
      failed(next_++, std::move(status));
      return Step::Done;
    }
  if (type == PacketType::BarrierAnd || type == PacketType::BarrierOr) {
    const Signal* const blocking = barrier_wait_.blocking_dependency(slot.barrier, type);
    // Any signal of an OR may end the wait, so who waits for its packet waits for none of them, and executes nothing.
    if (type == PacketType::BarrierAnd) dependency = blocking;
    if (blocking) return Step::Blocked;
  }
  const bool waits_for_value = type == PacketType::Vendor && slot.barrier_value.format == BarrierValuePacket::kFormat;
  if (waits_for_value) {
    dependency = barrier_wait_.blocking_value(slot.barrier_value);
    if (dependency) return Step::Blocked;
  }
  // The slot belongs to the host again once the packet is complete; until then a kernel may read its packet there.
  slot.first_word().store(kInvalidFirstWord | (first_word & 0xffff0000u), std::memory_order_relaxed);
  const uint64_t index = next_++;
  switch (type) {
  case PacketType::BarrierAnd:
  case PacketType::BarrierOr: {
    const uint64_t now = now_ns();
    complete(slot.raw.completion_signal, now, now);
    break;
  }
  case PacketType::KernelDispatch:
    dispatch(slot.dispatch, {index, &slot, index % kTimedOneOf == 0, has_barrier_bit(header)}, executor);
    break;
  case PacketType::AgentDispatch:
    agent_dispatch(slot.agent, {index, &slot, false}, executor);
    break;
  default:
    if (waits_for_value) {
      const uint64_t now = now_ns();
      complete(slot.raw.completion_signal, now, now);
      break;
    }
    const bool completes = failed(index, error(ErrorCode::InvalidValue,
                                               "Packet {} of queue {} has type {}, which this agent does not know.",
                                               index, block_.id, static_cast<unsigned>(type)));
    const uint64_t now = now_ns();
    complete(completes ? slot.raw.completion_signal : 0, now, now);
  }
  return Step::Done;
}

void SoftQueue::publish_progress() noexcept {
  if (block_.read_dispatch_id.load(std::memory_order_relaxed) != next_ && !any_in_flight(std::memory_order_acquire))
    block_.read_dispatch_id.store(next_, std::memory_order_release);
}

} // namespace hip::aql::soft
