// What starts the work of a packet that SoftQueue::step() has taken (kernels, copies, the packets of a command list),
// and what the end of that work does. What runs for each kernel is together here or inline in soft_queue.h, so that the
// compiler can inline complete(), leaves_queue() and their like where they are used.
#include "runtime/backend/aql/soft/soft_queue.h"

#include "runtime/backend/aql/soft/system.h"
#include "runtime/backend/aql/soft/transfer.h"

#include <algorithm>

namespace hip::aql::soft {

// ---- command lists -----------------------------------------------------------------------------------------------

SoftQueue::Step SoftQueue::list_step(Packet& slot, Executor& executor) noexcept {
  PacketList& list = PacketList::of(slot);
  const Packet& packet = list.packets()[list_position_];
  const auto header = static_cast<uint16_t>(packet.raw.first_word);
  const bool waits = list_position_ == 0 || has_barrier_bit(header) || !has_all_threads();
  if (waits && any_in_flight(std::memory_order_acquire)) return Step::Blocked;
  if (list_position_ == 0) has_list_ = system_.usable().ok() && list.begin();
  const bool alone = !any_in_flight(std::memory_order_acquire) && !system_.watchdog().watches();
  if (has_list_ && alone && block_.type != QueueBlock::kCooperative && system_.usable().ok())
    if (run_short(slot, list, executor) == Step::Done) return Step::Done;
  const bool measured = (has_list_ && list.measures()) || (next_ + list_position_) % kTimedOneOf == 0;
  const uint64_t index = next_;
  ++list_position_;
  const bool last = advance_list(slot);
  const Taken taken{index, last ? &slot : nullptr, measured};
  switch (packet_type(header)) {
  case PacketType::KernelDispatch:
    dispatch(packet.dispatch, taken, executor);
    break;
  case PacketType::AgentDispatch:
    agent_dispatch(packet.agent, taken, executor);
    break;
  default: { // a barrier at the end of a step
    const uint64_t now = now_ns();
    complete(taken.completion(), now, now);
  }
  }
  return Step::Done;
}

// Step::Empty: nothing was executed.
SoftQueue::Step SoftQueue::run_short(Packet& slot, PacketList& list, Executor& executor) noexcept {
  if (!executor.worker) return Step::Empty; // the first packet that goes the general way makes it
  const uint64_t index = next_;
  const uint64_t start_ns = now_ns();
  Status status;
  const size_t position = list.run_short(*executor.worker, list_position_, status);
  if (position == list_position_) return Step::Empty;
  list_position_ = position;
  if (!status.ok()) failed(index, std::move(status));
  if (advance_list(slot)) complete(slot.raw.completion_signal, start_ns, now_ns());
  return Step::Done;
}

bool SoftQueue::advance_list(Packet& slot) noexcept {
  PacketList& list = PacketList::of(slot);
  if (list_position_ != list.packets().size()) return false;
  if (has_list_) list.end();
  has_list_ = false;
  list_position_ = 0;
  slot.first_word().store(kInvalidFirstWord | (slot.raw.first_word & 0xffff0000u), std::memory_order_relaxed);
  ++next_;
  return true;
}

// ---- kernels and copies ------------------------------------------------------------------------------------------

bool SoftQueue::leaves_queue(const Taken& taken) const noexcept {
  if (!of_user_) return false;
  if (next_may_start()) return true;
  // Who wrote this packet without the barrier bit may write the next one so.
  return !taken.has_barrier && has_all_threads() &&
         packet_type(static_cast<uint16_t>(next_word())) == PacketType::Invalid;
}

void SoftQueue::dispatch(const KernelDispatchPacket& packet, const Taken& taken, Executor& executor) noexcept {
  const bool has_signal = taken.completion() != 0;
  uint64_t start_ns = has_signal ? now_ns() : 0;
  const auto fail = [&](Status status) {
    const bool completes = failed(taken.index, std::move(status));
    complete(completes ? taken.completion() : 0, start_ns, now_ns());
  };
  if (Status usable = system_.usable(); !usable.ok())
    return fail(std::move(usable)); // the engine's objects may be gone
  Result<engine::Engine*> engine = system_.engine();
  if (!engine.ok()) return fail(engine.status());
  engine::Dispatch d = dispatch_of(packet);
  d.queue_address = reinterpret_cast<uint64_t>(&block_);
  d.dispatch_id = taken.index;
  d.cooperative |= block_.type == QueueBlock::kCooperative;
  d.threads = std::min(scheduler_.threads(), unit_masks_.most_threads());
  d.compute_units = scheduler_.threads();
  d.unit_mask = unit_masks_.current();
  Watchdog& watchdog = system_.watchdog();
  const bool watched = watchdog.watches();
  d.timed = watched || of_user_;
  try {
    if (!executor.worker) executor.worker = (*engine)->create_worker();
    if (Status status = (*engine)->prepare(d, executor.grid); !status.ok()) return fail(std::move(status));
    if (of_user_) kernel_begins(*executor.grid);
  } catch (const std::bad_alloc&) {
    return fail(Status::no_memory());
  }

  engine::Grid& grid = *executor.grid;
  const uint64_t groups = grid.group_count();
  const bool is_short = scheduler_.is_short(packet.kernel_object, groups);
  const bool wants_times = has_signal || groups > 1 || !is_short || taken.measured;
  if (wants_times && !has_signal) start_ns = now_ns();
  if (watched) watchdog.begin(grid);
  // A packet with a signal is not held: a host thread that processes it must not begin with what comes after it. Nor is
  // one that is watched, because it would wait for a thread.
  const bool leaves = groups != 0 && !is_short && leaves_queue(taken);
  const bool holds = !has_signal && !watched && !of_user_ && next_may_start() && can_hold();
  const bool alone = !leaves && ((groups <= 1 && !holds) || groups == 0 || d.threads == 1 || is_short);
  Job* const job = alone ? nullptr : scheduler_.jobs().take();
  if (!job) {
    grid.run(*executor.worker);
    if (watched) watchdog.end(grid);
    if (of_user_) kernel_ends(grid);
    const bool completes = grid.status().ok() || failed(taken.index, grid.status());
    const uint64_t end_ns = wants_times ? now_ns() : 0;
    if (wants_times && groups > 0) scheduler_.kernel_times().measured(packet.kernel_object, groups, end_ns - start_ns);
    return complete(completes ? taken.completion() : 0, start_ns, end_ns);
  }
  job->engine = *engine;
  std::swap(job->grid, executor.grid);
  job->most.store(unit_masks_.most_threads(), std::memory_order_relaxed);
  begin(*job, taken.index, taken.completion(), packet.kernel_object, start_ns);
  if (leaves) {
    leaving_ = job;
    if (groups > 1 && d.threads > 1)
      scheduler_.offer(*job);
    else
      scheduler_.jobs().keep(*job);
  } else if (holds) {
    hold(*job);
  } else {
    scheduler_.share(*job, executor);
  }
}

void SoftQueue::agent_dispatch(const AgentDispatchPacket& packet, const Taken& taken, Executor& executor) noexcept {
  const uint64_t start_ns = now_ns();
  const auto fail = [&](Status status) {
    const bool completes = failed(taken.index, std::move(status));
    complete(completes ? taken.completion() : 0, start_ns, now_ns());
  };
  if (packet.type != kTransferService || of_user_)
    return fail(error(ErrorCode::InvalidValue,
                      "Packet {} of queue {} asks for service {:#x}, which this agent does not offer.", taken.index,
                      block_.id, packet.type));
  const Transfer& transfer = *reinterpret_cast<const Transfer*>(packet.arg[0]);
  if (Status status = check_transfer(transfer, system_.space()); !status.ok()) return fail(std::move(status));
  Job* const job =
      scheduler_.threads() == 1 || TransferJob(transfer).pieces() <= 1 ? nullptr : scheduler_.jobs().take();
  if (!job) {
    TransferJob(transfer).run();
    return complete(taken.completion(), start_ns, now_ns());
  }
  job->transfer.emplace(transfer);
  job->most.store(Job::kAnyNumber, std::memory_order_relaxed);
  begin(*job, taken.index, taken.completion(), 0, start_ns);
  scheduler_.share(*job, executor);
}

// ---- the ends of packets -----------------------------------------------------------------------------------------

// Packets that run side by side may have one completion signal; the times that stay are those of one of them. The tag
// goes before the decrement, after which the signal may be anything; another queue's tag, or that of a packet which is
// to come, may be in its place. (Where that packet is of this queue, its tag is lost, and who waits does not help.)
void SoftQueue::decrement(Signal& signal, uint64_t start_ns, uint64_t end_ns) noexcept {
  std::atomic_ref(signal.start_ts).store(start_ns, std::memory_order_relaxed);
  std::atomic_ref(signal.end_ts).store(end_ns, std::memory_order_relaxed);
  if (of_user_)
    if (uint32_t own = signal_tag(); own != 0 && signal.queue_tag.load(std::memory_order_relaxed) == own)
      signal.queue_tag.compare_exchange_strong(own, 0, std::memory_order_relaxed);
  signal.value.fetch_sub(1, std::memory_order_seq_cst);
}

bool SoftQueue::failed(uint64_t index, Status status) noexcept {
  if (of_user_) take_no_more(); // before anybody is told
  faults_->failed(index, std::move(status));
  return !of_user_;
}

void SoftQueue::hold(Job& job) noexcept {
  held_[held_count_++] = &job;
  scheduler_.offer(job);
}

bool SoftQueue::can_hold() noexcept {
  const size_t most = std::min<size_t>(kMostHeld, scheduler_.threads());
  if (held_count_ < most) return true;
  const size_t before = std::exchange(held_count_, 0);
  for (size_t i = 0; i < before; ++i) {
    if (held_[i]->exhausted())
      scheduler_.jobs().leave(*held_[i]);
    else
      held_[held_count_++] = held_[i];
  }
  return held_count_ < most;
}

void SoftQueue::begin(Job& job, uint64_t index, uint64_t completion, uint64_t kernel_object,
                      uint64_t start_ns) noexcept {
  job.queue = this;
  job.queue_tag.store(signal_tag(), std::memory_order_relaxed);
  job.packet = index;
  job.kernel_object = kernel_object;
  job.completion = completion;
  job.start_ns = start_ns;
  in_flight_.fetch_add(1, std::memory_order_relaxed);
}

// The signal comes first: what waits for this packet in the queue must not be complete before the packet itself is, as
// who waited for the former asks for the latter. Once the job is not under way another thread may complete what follows
// it, and the host may then destroy the queue: its destructor waits until this thread has said that it is out.
void SoftQueue::finish(Job& job) noexcept {
  if (system_.watchdog().watches() && job.kernel_object != 0) system_.watchdog().end(*job.grid);
  if (of_user_ && job.kernel_object != 0) kernel_ends(*job.grid);
  Status status = job.status();
  const bool completes = status.ok() || failed(job.packet, std::move(status));
  const uint64_t end_ns = now_ns();
  if (job.kernel_object != 0)
    scheduler_.kernel_times().measured(job.kernel_object, job.pieces(),
                                       (end_ns - job.start_ns) * job.helpers.load(std::memory_order_relaxed));
  Parking& parking = system_.parking();
  Signal* const signal = to_signal(completes ? job.completion : 0);
  if (signal) decrement(*signal, job.start_ns, end_ns);
  in_flight_.fetch_add(kFinishing - 1, std::memory_order_acq_rel);
  notify();
  in_flight_.fetch_sub(kFinishing, std::memory_order_release);
  if (signal) parking.changed(*signal);
}

void SoftQueue::complete(uint64_t completion, uint64_t start_ns, uint64_t end_ns) noexcept {
  if (!any_in_flight(std::memory_order_relaxed)) block_.read_dispatch_id.store(next_, std::memory_order_release);
  Signal* const signal = to_signal(completion);
  if (!signal) return;
  decrement(*signal, start_ns, end_ns);
  system_.parking().changed(*signal);
}

} // namespace hip::aql::soft
