#include "runtime/backend/aql/soft/soft_queue.h"

#include "runtime/backend/aql/soft/system.h"
#include "runtime/backend/aql/soft/transfer.h"

#include <algorithm>

namespace hip::aql::soft {

namespace {

class GridJob final : public Job {
public:
  GridJob(engine::Engine& engine, std::unique_ptr<engine::Grid> grid) noexcept
      : engine_(engine), grid_(std::move(grid)) {}
  void run(Executor& executor) noexcept override {
    if (!executor.worker) executor.worker = engine_.create_worker();
    grid_->run(*executor.worker);
  }
  bool exhausted() const noexcept override { return grid_->exhausted(); }
  uint64_t pieces() const noexcept override { return grid_->group_count(); }
  Status status() const override { return grid_->status(); }

private:
  engine::Engine& engine_;
  std::unique_ptr<engine::Grid> grid_;
};

} // namespace

SoftQueue::SoftQueue(System& system, QueueBlock& block, int priority)
    : system_(system), scheduler_(system.scheduler()), block_(block),
      ring_(reinterpret_cast<Packet*>(block.base_address)), mask_(block.size - 1),
      priority_(static_cast<unsigned>(std::clamp(priority + 1, 0, 2))) {
  for (Parking::Ticket& ticket : tickets_) ticket.queue = this;
  scheduler_.add(*this, reinterpret_cast<uint64_t>(&block_));
}

SoftQueue::~SoftQueue() {
  if (system_.usable().ok()) scheduler_.remove(*this, reinterpret_cast<uint64_t>(&block_));
}

void SoftQueue::ring_doorbell(uint64_t) noexcept { notify(); }

void SoftQueue::record_fault(uint64_t index, Status status) noexcept {
  std::lock_guard guard(fault_mutex_);
  if (!fault_.status.ok()) return;
  fault_ = {std::move(status), index};
  has_fault_.store(true, std::memory_order_release);
}

Fault SoftQueue::take_fault() noexcept {
  if (!has_fault_.load(std::memory_order_acquire)) return Fault();
  std::lock_guard guard(fault_mutex_);
  has_fault_.store(false, std::memory_order_relaxed);
  return std::exchange(fault_, Fault());
}

// ---- claiming ----------------------------------------------------------------------------------------------------

void SoftQueue::notify() noexcept {
  uint32_t state = state_.load(std::memory_order_relaxed), wanted;
  do {
    wanted = state | kNotified | (state & (kQueued | kRunning) ? 0u : uint32_t(kQueued));
  } while (!state_.compare_exchange_weak(state, wanted, std::memory_order_seq_cst));
  if (!(state & kQueued) && (wanted & kQueued)) scheduler_.make_ready(*this);
}

bool SoftQueue::try_claim() noexcept {
  uint32_t state = state_.load(std::memory_order_relaxed);
  do {
    if ((state & kRunning) || !(state & kNotified)) return false;
  } while (!state_.compare_exchange_weak(state, (state | kRunning) & ~kNotified, std::memory_order_seq_cst));
  return true;
}

void SoftQueue::give_back(bool more_to_do) noexcept {
  uint32_t state = state_.load(std::memory_order_relaxed), wanted;
  do {
    wanted = state & ~kRunning;
    if (more_to_do) wanted |= kNotified;
    if (wanted & kNotified) wanted |= kQueued;
  } while (!state_.compare_exchange_weak(state, wanted, std::memory_order_seq_cst));
  // Not touched after this unless it goes on the list: a queue that is not queued may be destroyed.
  if (!(state & kQueued) && (wanted & kQueued)) scheduler_.make_ready(*this);
}

SoftQueue::Progress SoftQueue::process(Executor& executor, const Goal& goal) noexcept {
  Progress progress;
  for (;;) {
    for (Parking::Ticket& ticket : tickets_) system_.parking().unpark(ticket);
    const Signal* dependency = nullptr;
    if (step(executor, dependency) == Step::Done) {
      progress.any = true;
      if (!goal.reached()) continue;
      give_back(true);
      return progress;
    }
    if (state_.fetch_and(~uint32_t(kNotified), std::memory_order_seq_cst) & kNotified) continue;
    progress.dependency = dependency;
    if (dependency) progress.dependency_queue_ptr = dependency->queue_ptr; // while the packet keeps it alive
    give_back(false); // a notification since then puts it on the ready list again
    return progress;
  }
}

// ---- packets -----------------------------------------------------------------------------------------------------

SoftQueue::Step SoftQueue::step(Executor& executor, const Signal*& dependency) noexcept {
  Packet& slot = ring_[next_ & mask_];
  const uint32_t first_word = slot.first_word().load(std::memory_order_acquire);
  const auto header = static_cast<uint16_t>(first_word);
  const PacketType type = packet_type(header);
  if (type == PacketType::Invalid) return Step::Empty;
  if (has_barrier_bit(header) && in_flight_.load(std::memory_order_acquire) != 0) return Step::Blocked;

  if (type == PacketType::BarrierAnd || type == PacketType::BarrierOr) {
    dependency = blocking_dependency(slot.barrier, type);
    if (dependency) return Step::Blocked;
  }
  // The slot belongs to the host again once the packet is complete; until then a kernel may read its packet there.
  slot.first_word().store(kInvalidFirstWord | (first_word & 0xffff0000u), std::memory_order_relaxed);
  const uint64_t index = next_++;
  switch (type) {
  case PacketType::BarrierAnd:
  case PacketType::BarrierOr:
    complete(slot.raw.completion_signal, now_ns());
    break;
  case PacketType::KernelDispatch:
    dispatch(slot.dispatch, index, executor);
    break;
  case PacketType::AgentDispatch:
    agent_dispatch(slot.agent, index, executor);
    break;
  default:
    record_fault(index,
                 error(ErrorCode::LaunchFailure, "Packet {} of queue {} has type {}, which this agent does not know.",
                       index, block_.id, static_cast<unsigned>(type)));
    complete(slot.raw.completion_signal, now_ns());
  }
  return Step::Done;
}

const Signal* SoftQueue::blocking_dependency(const BarrierPacket& packet, PacketType type) noexcept {
  const auto waiting_for = [&]() -> const Signal* {
    const Signal* unfinished = nullptr;
    bool any = false;
    for (const uint64_t handle : packet.dep_signal) {
      if (handle == 0) continue;
      const Signal* signal = to_signal(handle);
      const bool done = signal->value.load(std::memory_order_seq_cst) < 1;
      if (done && type == PacketType::BarrierOr) return nullptr;
      if (!done && !unfinished) unfinished = signal;
      any |= !done;
    }
    return any ? unfinished : nullptr;
  };
  if (!waiting_for()) return nullptr;
  for (size_t i = 0; i < kBarrierDependencies; ++i)
    if (packet.dep_signal[i] != 0) system_.parking().park(tickets_[i], *to_signal(packet.dep_signal[i]));
  const Signal* const signal = waiting_for();
  if (!signal)
    for (Parking::Ticket& ticket : tickets_) system_.parking().unpark(ticket);
  return signal;
}

void SoftQueue::dispatch(const KernelDispatchPacket& packet, uint64_t index, Executor& executor) noexcept {
  const uint64_t start_ns = now_ns();
  const auto fail = [&](Status status) {
    record_fault(index, std::move(status));
    complete(packet.completion_signal, start_ns);
  };
  Result<engine::Engine*> engine = system_.engine();
  if (!engine.ok()) return fail(engine.status());
  if (!executor.worker) executor.worker = (*engine)->create_worker();

  engine::Dispatch d;
  d.packet_address = reinterpret_cast<uint64_t>(&packet);
  d.queue_address = reinterpret_cast<uint64_t>(&block_);
  d.kernel_object = packet.kernel_object;
  d.kernarg_address = packet.kernarg_address;
  d.dispatch_id = index;
  d.grid_items = {packet.grid_size_x, packet.grid_size_y, packet.grid_size_z};
  d.group_items = {packet.workgroup_size_x, packet.workgroup_size_y, packet.workgroup_size_z};
  d.private_segment_bytes = packet.private_segment_size;
  d.group_segment_bytes = packet.group_segment_size;
  d.cooperative = (packet.setup & kCooperativeSetup) != 0;
  d.threads = scheduler_.threads();
  Result<std::unique_ptr<engine::Grid>> grid = (*engine)->prepare(d);
  if (!grid.ok()) return fail(grid.status());

  const uint64_t groups = (*grid)->group_count();
  if (groups <= 1 || scheduler_.threads() == 1 || scheduler_.is_short(packet.kernel_object, groups)) {
    (*grid)->run(*executor.worker);
    if (!(*grid)->status().ok()) record_fault(index, (*grid)->status());
    if (groups > 0) scheduler_.kernel_times().measured(packet.kernel_object, groups, now_ns() - start_ns);
    complete(packet.completion_signal, start_ns);
    return;
  }
  execute(std::make_unique<GridJob>(**engine, std::move(grid).value()), index, packet.completion_signal,
          packet.kernel_object, start_ns, executor);
}

void SoftQueue::agent_dispatch(const AgentDispatchPacket& packet, uint64_t index, Executor& executor) noexcept {
  const uint64_t start_ns = now_ns();
  if (packet.type != kTransferService) {
    record_fault(index, error(ErrorCode::LaunchFailure,
                              "Packet {} of queue {} asks for service {:#x}, which this agent does not offer.", index,
                              block_.id, packet.type));
    return complete(packet.completion_signal, start_ns);
  }
  const Transfer& transfer = *reinterpret_cast<const Transfer*>(packet.arg[0]);
  if (Status status = check_transfer(transfer, system_.space()); !status.ok()) {
    record_fault(index, std::move(status));
    return complete(packet.completion_signal, start_ns);
  }
  auto job = std::make_unique<TransferJob>(transfer);
  if (job->pieces() <= 1 || scheduler_.threads() == 1) {
    job->run(executor);
    return complete(packet.completion_signal, start_ns);
  }
  execute(std::move(job), index, packet.completion_signal, 0, start_ns, executor);
}

// ---- the ends of packets -----------------------------------------------------------------------------------------

void SoftQueue::execute(std::unique_ptr<Job> job, uint64_t index, uint64_t completion, uint64_t kernel_object,
                        uint64_t start_ns, Executor& executor) noexcept {
  job->queue_ = this;
  job->packet_ = index;
  job->kernel_object_ = kernel_object;
  job->completion_ = completion;
  job->start_ns_ = start_ns;
  in_flight_.fetch_add(1, std::memory_order_relaxed);
  scheduler_.share(std::move(job), executor);
}

// The signal comes last: once it is decremented the host may destroy the queue, unless this thread holds the claim.
void SoftQueue::finish(Job& job) noexcept {
  if (Status status = job.status(); !status.ok()) record_fault(job.packet_, std::move(status));
  if (job.kernel_object_ != 0)
    scheduler_.kernel_times().measured(job.kernel_object_, job.pieces(), (now_ns() - job.start_ns_) * job.helpers_);
  const uint64_t end_ns = now_ns();
  Parking& parking = system_.parking();
  if (Signal* signal = to_signal(job.completion_)) {
    signal->start_ts = job.start_ns_;
    signal->end_ts = end_ns;
  }
  in_flight_.fetch_sub(1, std::memory_order_acq_rel);
  notify();
  if (Signal* signal = to_signal(job.completion_)) {
    signal->value.fetch_sub(1, std::memory_order_seq_cst);
    parking.changed(*signal);
  }
}

void SoftQueue::complete(uint64_t completion, uint64_t start_ns) noexcept {
  if (in_flight_.load(std::memory_order_relaxed) == 0) block_.read_dispatch_id.store(next_, std::memory_order_release);
  Signal* const signal = to_signal(completion);
  if (!signal) return;
  signal->start_ts = start_ns;
  signal->end_ts = now_ns();
  signal->value.fetch_sub(1, std::memory_order_seq_cst);
  system_.parking().changed(*signal);
}

} // namespace hip::aql::soft
