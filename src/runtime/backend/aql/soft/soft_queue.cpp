#include "runtime/backend/aql/soft/soft_queue.h"

#include "runtime/backend/aql/soft/system.h"
#include "runtime/backend/aql/soft/transfer.h"
#include "runtime/codeobject/kernel_descriptor.h"

#include <algorithm>
#include <chrono>
#include <sched.h>
#include <thread>

namespace hip::aql::soft {

namespace {

// A look at the clock takes a tenth of a small kernel's time: without a signal, only some of the short ones are timed.
constexpr uint64_t kTimedOneOf = 16;

// HSA's users write its packets, not this runtime.
bool of_user(const QueueBlock& block) noexcept { return (block.features & QueueBlock::kAgentDispatch) == 0; }

unsigned ready_list(int priority) noexcept { return static_cast<unsigned>(std::clamp(priority + 1, 0, 2)); }
} // namespace

SoftQueue::SoftQueue(System& system, QueueBlock& block, std::span<const uint32_t> unit_mask,
                     const Ref<FaultSink>& faults)
    : system_(system), scheduler_(system.scheduler()), block_(block),
      ring_(reinterpret_cast<Packet*>(block.base_address)), mask_(block.size - 1),
      faults_(faults), unit_masks_{UnitMask(unit_mask.begin(), unit_mask.end())}, of_user_(of_user(block)),
      next_(block.read_dispatch_id.load(std::memory_order_relaxed)), rung_(next_) {
  for (Parking::Ticket& ticket : tickets_) ticket.queue = this;
  most_threads_ = threads_on(unit_masks_.front());
}

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

unsigned SoftQueue::threads_on(const UnitMask& mask) const noexcept {
  const unsigned units = scheduler_.threads(); // a thread is a compute unit
  unsigned in_mask = 0;
  for (unsigned unit = 0; unit < units && unit / 32 < mask.size(); ++unit) in_mask += mask[unit / 32] >> unit % 32 & 1;
  return mask.empty() || in_mask == units ? Job::kAnyNumber : std::max(in_mask, 1u);
}

Status SoftQueue::set_priority(int priority) {
  if (scheduler_.queues().set_priority(*entry_, ready_list(priority))) scheduler_.became_ready();
  return Status();
}

Status SoftQueue::set_compute_unit_mask(std::span<const uint32_t> mask) {
  std::list<UnitMask> next{UnitMask(mask.begin(), mask.end())};
  {
    std::lock_guard guard(next_mask_mutex_);
    next_mask_.swap(next);
    has_next_mask_.store(true, std::memory_order_release);
  }
  notify(); // a packet that waits because the queue has a part of the units may start now
  return Status();
}

// Allocates nothing.
void SoftQueue::take_next_mask() noexcept {
  std::lock_guard guard(next_mask_mutex_);
  if (!any_in_flight(std::memory_order_acquire)) unit_masks_.clear();
  unit_masks_.splice(unit_masks_.begin(), next_mask_);
  most_threads_ = threads_on(unit_masks_.front());
  has_next_mask_.store(false, std::memory_order_relaxed);
}

void SoftQueue::take_no_more() noexcept {
  stopped_.store(true, std::memory_order_seq_cst);
  if (of_user_) QueueTable::retire_tag(*entry_);
}

void SoftQueue::abort(uint64_t patience_ns) noexcept {
  take_no_more();
  notify(); // who looks at the queue now takes it off the signals that it waits for
  const uint64_t begin = now_ns();
  while (scheduler_.queues().busy(*entry_) || in_flight_.load(std::memory_order_acquire) != 0) {
    if (abandoned()) return;
    if (patience_ns == UINT64_MAX || now_ns() - begin < patience_ns) {
      ::sched_yield();
      continue;
    }
    const std::string limit =
        fmt::format("the {} s that kernels have when their queue is ended", static_cast<double>(patience_ns) / 1e9);
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
    for (Parking::Ticket& ticket : tickets_) system_.parking().unpark(ticket);
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

uint32_t SoftQueue::next_word() const noexcept {
  if (of_user_ && next_ >= rung_.load(std::memory_order_acquire)) return kInvalidFirstWord;
  return ring_[next_ & mask_].first_word().load(std::memory_order_acquire);
}

bool SoftQueue::next_may_start() const noexcept {
  Packet& slot = ring_[next_ & mask_];
  auto header = static_cast<uint16_t>(next_word());
  if (list_position_ != 0)
    header = static_cast<uint16_t>(PacketList::of(slot).packets()[list_position_].raw.first_word);
  const PacketType type = packet_type(header);
  return (type == PacketType::KernelDispatch || type == PacketType::AgentDispatch) && !has_barrier_bit(header) &&
         has_all_threads();
}

bool SoftQueue::leaves_queue(const Taken& taken) const noexcept {
  if (!of_user_) return false;
  if (next_may_start()) return true;
  // Who wrote this packet without the barrier bit may write the next one so.
  return !taken.has_barrier && has_all_threads() &&
         packet_type(static_cast<uint16_t>(next_word())) == PacketType::Invalid;
}

void SoftQueue::run_leaving(Executor& executor) noexcept {
  Job& job = *std::exchange(leaving_, nullptr);
  JobTable& jobs = scheduler_.jobs(); // the queue may go when the job has ended
  const bool more = next_may_start(); // a producer that publishes a packet after this look notifies the queue
  give_back(more ? QueueTable::Rest::More : QueueTable::Rest::None);
  job.run(executor);
  jobs.leave(job);
}

SoftQueue::Step SoftQueue::step(Executor& executor, const Signal*& dependency) noexcept {
  if (held_count_ != 0 && !next_may_start()) run_held(executor);
  Packet& slot = ring_[next_ & mask_];
  const uint32_t first_word = next_word();
  const auto header = static_cast<uint16_t>(first_word);
  const PacketType type = packet_type(header);
  if (type == PacketType::Invalid) return Step::Empty;
  if (has_next_mask_.load(std::memory_order_relaxed)) [[unlikely]]
    take_next_mask();
  if (stopped_.load(std::memory_order_relaxed)) {
    run_held(executor); // what has begun is ended, and whoever stopped the queue waits for that
    return Step::Empty;
  }
  if (type == PacketType::Vendor && !of_user_ && PacketList::is_in(slot)) return list_step(slot, executor);
  // A queue on a part of the compute units runs one kernel at a time, which its limit is for.
  if ((has_barrier_bit(header) || !has_all_threads()) && any_in_flight(std::memory_order_acquire)) return Step::Blocked;

  if (of_user_) [[unlikely]]
    if (Status status = check(slot, type); !status.ok()) {
      slot.first_word().store(kInvalidFirstWord | (first_word & 0xffff0000u), std::memory_order_relaxed);
      failed(next_++, std::move(status));
      return Step::Done;
    }
  if (type == PacketType::BarrierAnd || type == PacketType::BarrierOr) {
    const Signal* const blocking = blocking_dependency(slot.barrier, type);
    // Any signal of an OR may end the wait, so who waits for its packet waits for none of them, and executes nothing.
    if (type == PacketType::BarrierAnd) dependency = blocking;
    if (blocking) return Step::Blocked;
  }
  const bool waits_for_value = type == PacketType::Vendor && slot.barrier_value.format == BarrierValuePacket::kFormat;
  if (waits_for_value) {
    dependency = blocking_value(slot.barrier_value);
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

Status SoftQueue::check(const Packet& slot, PacketType type) const {
  const auto check_signal = [&](uint64_t handle) -> Status {
    if (handle == 0) return Status();
    if (handle % alignof(Signal) == 0 && system_.arena().contains(handle, sizeof(Signal))) return Status();
    return error(ErrorCode::InvalidValue, "A packet of queue {} names {:#x}, which is no signal.", block_.id, handle);
  };
  RT_TRY(check_signal(slot.raw.completion_signal));
  if (type == PacketType::BarrierAnd || type == PacketType::BarrierOr)
    for (const uint64_t handle : slot.barrier.dep_signal) RT_TRY(check_signal(handle));
  if (type == PacketType::Vendor && slot.barrier_value.format == BarrierValuePacket::kFormat)
    RT_TRY(check_signal(slot.barrier_value.signal));
  if (type != PacketType::KernelDispatch) return Status();

  const KernelDispatchPacket& packet = slot.dispatch;
  if ((packet.setup & 3) == 0)
    return error(ErrorCode::InvalidConfiguration, "A dispatch of queue {} has no dimensions (setup {:#x}).", block_.id,
                 packet.setup);
  if (!system_.arena().contains(packet.kernel_object, sizeof(codeobject::KernelDescriptor)))
    return error(ErrorCode::InvalidDeviceFunction, "A dispatch of queue {} names {:#x}, which is no kernel descriptor.",
                 block_.id, packet.kernel_object);
  if (packet.kernarg_address != 0 && !system_.space().usable_by_host(packet.kernarg_address, 1, HostAccess::Read))
    return error(ErrorCode::IllegalAddress, "A dispatch of queue {} has its arguments at {:#x}, which is no memory.",
                 block_.id, packet.kernarg_address);
  return Status();
}

bool SoftQueue::failed(uint64_t index, Status status) noexcept {
  if (of_user_) take_no_more(); // before anybody is told
  faults_->failed(index, std::move(status));
  return !of_user_;
}

const Signal* SoftQueue::blocking_dependency(const BarrierPacket& packet, PacketType type) noexcept {
  bool all_told = true;
  const auto waiting_for = [&]() -> const Signal* {
    const Signal* unfinished = nullptr;
    for (const uint64_t handle : packet.dep_signal) {
      if (handle == 0) continue;
      const Signal* signal = to_signal(handle);
      // A negative value is a failure (of a copy, HSA's hsa_amd_memory_async_copy) that somebody has to look at first:
      // packet processors wait for 0.
      const bool done = signal->value.load(std::memory_order_seq_cst) == 0;
      if (done && type == PacketType::BarrierOr) return nullptr;
      if (done) continue;
      if (!unfinished) unfinished = signal;
      all_told &= signal->changes_are_told != 0;
    }
    return unfinished;
  };
  if (!waiting_for()) return nullptr;
  for (size_t i = 0; i < kBarrierDependencies; ++i)
    if (packet.dep_signal[i] != 0) system_.parking().park(tickets_[i], *to_signal(packet.dep_signal[i]));
  const Signal* const signal = waiting_for();
  if (!signal)
    for (Parking::Ticket& ticket : tickets_) system_.parking().unpark(ticket);
  else if (!all_told) // also where a packet will complete the signal: somebody else may change it before
    system_.signal_poll().watch();
  return signal;
}

const Signal* SoftQueue::blocking_value(const BarrierValuePacket& packet) noexcept {
  const Signal* const signal = to_signal(packet.signal);
  const auto holds = [&] { return !signal || packet.holds(signal->value.load(std::memory_order_seq_cst)); };
  if (holds()) return nullptr;
  system_.parking().park(tickets_[0], *signal);
  if (holds()) {
    system_.parking().unpark(tickets_[0]);
    return nullptr;
  }
  system_.signal_poll().watch();
  return signal;
}

void SoftQueue::publish_progress() noexcept {
  if (block_.read_dispatch_id.load(std::memory_order_relaxed) != next_ && !any_in_flight(std::memory_order_acquire))
    block_.read_dispatch_id.store(next_, std::memory_order_release);
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
  d.threads = std::min(scheduler_.threads(), most_threads_);
  d.compute_units = scheduler_.threads();
  d.unit_mask = unit_masks_.front();
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
  job->most.store(most_threads_, std::memory_order_relaxed);
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

void SoftQueue::run_held(Executor& executor) noexcept {
  for (size_t i = 0; i < held_count_; ++i) {
    held_[i]->run(executor);
    scheduler_.jobs().leave(*held_[i]);
  }
  held_count_ = 0;
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
