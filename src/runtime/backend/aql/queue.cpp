#include "runtime/backend/aql/queue.h"

#include "runtime/backend/aql/command_list.h"
#include "runtime/backend/aql/transfer_forms.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>
#include <sys/mman.h>

namespace hip::aql {

namespace {

constexpr uint32_t kRingPackets = 1024;
constexpr size_t kKernargBytes = 256 * 1024;
constexpr size_t kPageBytes = 4096;
constexpr unsigned kRetirePerSubmit = 4;
constexpr unsigned kPatience = 100'000; // looks at transfers, every 20 us

uint64_t now_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// Nothing of another queue's point is to be waited for. A device that is lost reaches the points of before by itself,
// but none that a thread was just making then.
bool is_over(const Point& point) noexcept { return point.done() || point.agent().lost(); }

} // namespace

Result<std::unique_ptr<Queue>> Queue::create(Device& device, const backend::QueueOptions& options, RingKind kind) {
  std::unique_ptr<Queue> queue(new Queue(device, kind));
  RT_TRY(queue->initialize(options));
  return queue;
}

Status Queue::initialize(const backend::QueueOptions& options) {
  faults_ = make_ref<FaultLog>();
  RT_TRY_ASSIGN(packets_,
                agent_.create_ring({kind_, kRingPackets, options.priority, options.compute_unit_mask, faults_}));
  block_ = &packets_->block();
  hardware_ = &packets_->hardware();
  frees_by_read_index_ = hardware_->frees_by_read_index();
  ring_ = reinterpret_cast<Packet*>(block_->base_address);
  mask_ = block_->size - 1;
  slots_.resize(block_->size);
  RT_TRY_ASSIGN(kernarg_memory_, agent_.allocate(kKernargBytes, kPageBytes, AgentMemory::Control));
  kernargs_ = std::make_unique<KernargRing>(static_cast<std::byte*>(kernarg_memory_), kKernargBytes);
  return Status();
}

Queue::~Queue() {
  const bool usable = agent_.usable().ok();
  if (usable && packets_) {
    if (Status status = flush_waits(); !status.ok()) log(LogLevel::Warning, "Destroying a queue: {}", status.message());
    while (retired_ != write_) retire_oldest();
  }
  // Transfers that have ended, but were not told; a lost device has been waited for.
  for (unsigned i = 0; usable && i < kPatience && transfers_->load() != 0; ++i)
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  host_functions_.reset();
  packets_.reset();
  hostcalls_.reset();
  printf_.reset();
  if (!usable || !kernarg_memory_) return;
  if (Status status = agent_.free(kernarg_memory_); !status.ok())
    log(LogLevel::Warning, "Destroying a queue: {}", status.message());
}

// ---- slots -------------------------------------------------------------------------------------------------------

void Queue::retire_oldest() noexcept {
  Slot& oldest = slot(retired_);
  oldest.point->wait_done();
  points_.retire(std::move(oldest.point));
  for (; oldest.dependency_count > 0; --oldest.dependency_count)
    oldest.dependencies[oldest.dependency_count - 1] = Ref<Point>();
  // On a card that is lost every packet looks complete, and the kernel may still read its arguments.
  if (void* const block = std::exchange(oldest.block, nullptr); block && !agent_.lost()) {
    if (Status status = agent_.free(block); !status.ok())
      log(LogLevel::Warning, "Freeing kernel arguments: {}", status.message());
  }
  oldest.list = {};
  kernargs_->release_until(oldest.kernarg_end);
  retired_ += std::exchange(oldest.packets, 1u);
}

void Queue::retire_finished(unsigned at_most) noexcept {
  for (; at_most > 0 && retired_ != write_ && slot(retired_).point->done(); --at_most) retire_oldest();
}

Status Queue::make_room(uint64_t packets) {
  RT_TRY(agent_.usable());
  retire_finished(kRetirePerSubmit);
  while (write_ + packets - retired_ > mask_ + 1) retire_oldest();
  if (!frees_by_read_index_) return Status();
  // What is in the way is complete, so the agent is about to move its read index on. It is looked at once a round.
  while (write_ + packets - read_ > mask_ + 1) {
    read_ = block_->read_dispatch_id.load(std::memory_order_acquire);
    if (write_ + packets - read_ <= mask_ + 1) break;
    RT_TRY(agent_.usable());
    std::this_thread::yield();
  }
  return Status();
}

Status Queue::reserve() {
  RT_TRY(make_room(1));
  RT_TRY_ASSIGN(next_point_, points_.make_for_packet(*block_, hardware_->signal_tag(), faults_, write_));
  return Status();
}

void Queue::submit(PacketHead head, BarrierBit barrier) {
  Packet& p = packet(write_);
  p.raw.completion_signal = to_handle(next_point_->signal());
  Slot& s = slot(write_);
  s.kernarg_end = kernargs_->position();
  s.point = std::move(next_point_);
  last_ = write_++;
  block_->write_dispatch_id.store(write_, std::memory_order_release);
  p.first_word().store(make_header(head.type, barrier) | uint32_t(head.second_half) << 16, std::memory_order_release);
  hardware_->ring_doorbell(write_ - 1);
}

Status Queue::submit_batch(const std::vector<Packet>& packets, const Ref<backend::CommandList>& list) {
  const uint64_t count = packets.size();
  RT_TRY(make_room(count));
  RT_TRY_ASSIGN(Ref<Point> point,
                points_.make_for_packet(*block_, hardware_->signal_tag(), faults_, write_ + count - 1));
  // From the last to the first: the agent takes none before it sees the first one's header, which is stored last.
  for (uint64_t i = count; i-- > 0;) {
    Packet& p = packet(write_ + i);
    const Packet& prepared = packets[i];
    p.raw.word1 = prepared.raw.word1;
    std::memcpy(p.raw.body, prepared.raw.body, sizeof p.raw.body);
    p.raw.completion_signal = i + 1 == count ? to_handle(point->signal()) : 0;
    p.first_word().store(prepared.raw.first_word, std::memory_order_release); // an agent may look ahead
  }
  Slot& s = slot(write_);
  s.kernarg_end = kernargs_->position();
  s.point = std::move(point);
  s.list = list;
  s.packets = static_cast<uint32_t>(count);
  last_ = write_;
  write_ += count;
  block_->write_dispatch_id.store(write_, std::memory_order_release);
  hardware_->ring_doorbell(write_ - 1);
  return {};
}

Status Queue::submit_list(PacketList& packets, const Ref<backend::CommandList>& list) {
  RT_TRY(reserve());
  const PacketHead head = packets.encode(packet(write_));
  slot(write_).list = list;
  submit(head, BarrierBit::Set);
  return {};
}

Status Queue::run(const Ref<backend::CommandList>& list) {
  RT_TRY(flush_waits());
  for (const CommandList::Part& part : static_cast<const CommandList&>(*list).parts()) {
    if (part.single) {
      RT_TRY(part.single->submit(*this));
    } else {
      RT_TRY(part.list ? submit_list(*part.list, list) : submit_batch(part.packets, list));
    }
  }
  return {};
}

Result<Queue::Arguments> Queue::allocate_arguments(size_t bytes) {
  Arguments result;
  if (bytes == 0) return result;
  if (!kernargs_->fits(bytes)) {
    RT_TRY_ASSIGN(result.block, agent_.allocate(bytes, KernargRing::kAlignment, AgentMemory::Control));
    result.memory = static_cast<std::byte*>(result.block);
    return result;
  }
  while (!(result.memory = kernargs_->try_allocate(bytes))) {
    RT_CHECK(retired_ != write_, "a quarter of the ring is free when nothing is outstanding");
    retire_oldest();
  }
  return result;
}

// ---- copies and fills --------------------------------------------------------------------------------------------

Status Queue::copy(void* dst, const void* src, size_t bytes) {
  if (bytes == 0) return Status();
  Transfer t;
  t.dst = {dst, bytes, bytes};
  t.src = {const_cast<void*>(src), bytes, bytes};
  t.extent.width_bytes = bytes;
  return transfer(t);
}

Status Queue::copy_3d(const backend::Region& dst, const backend::Region& src, const backend::Extent3& extent) {
  return transfer(make_copy(dst, src, extent));
}

Status Queue::fill_3d(const backend::Region& dst, uint64_t pattern, uint32_t pattern_bytes,
                      const backend::Extent3& extent) {
  RT_TRY_ASSIGN(const Transfer t, make_fill(dst, pattern, pattern_bytes, extent));
  return transfer(t);
}

Status Queue::transfer(const Transfer& t) {
  if (t.extent.width_bytes == 0 || t.extent.height == 0 || t.extent.depth == 0) return Status();
  RT_TRY(agent_.usable());
  if (idle()) {
    RT_TRY_ASSIGN(const bool done, agent_.transfer_now(t));
    if (done) return Status();
  }
  if (!agent_.transfers_in_packets()) return transfer_outside(t);
  RT_TRY(flush_waits());
  RT_TRY(reserve());
  RT_TRY_ASSIGN(const Arguments arguments, allocate_arguments(kTransferArgumentBytes));
  Packet& p = packet(write_);
  RT_TRY_ASSIGN(const PacketHead head, agent_.encode_transfer(t, arguments.memory, p));
  submit(head, BarrierBit::Set);
  return Status();
}

Queue::Ended Queue::work_outside(const Ref<Point>& after, const Ref<Point>& gate) {
  transfers_->fetch_add(1);
  // The points stay until the end is told: their signals are the agent's as long.
  return [faults = faults_, index = last_, after = Ref<Point>(after), gate = Ref<Point>(gate),
          count = transfers_](const Status& status) mutable {
    if (!status.ok()) faults->failed(index, status);
    after = {};
    gate = {};
    count->fetch_sub(1);
  };
}

// Behind a barrier that waits for the transfer: by the agent's engines, else by a thread of the host.
Status Queue::transfer_outside(const Transfer& t) {
  RT_TRY(start_host_functions()); // nothing may be missing once the barrier is in the queue
  RT_TRY_ASSIGN(Ref<Point> after, last_point());
  RT_TRY_ASSIGN(const Ref<Point> gate, points_.make_for_host());
  RT_TRY(submit_barrier(std::span(&gate, 1)));
  Signal* const waits_for = after->done() ? nullptr : after->signal();
  Result<bool> begun = agent_.begin_transfer(t, waits_for, *gate->signal(), work_outside(after, gate));
  if (begun.ok() && *begun) return {};
  transfers_->fetch_sub(1);
  if (!begun.ok()) {
    agent_.subtract_signal(*gate->signal(), 1);
    return begun.status();
  }
  RT_TRY_ASSIGN(HostFunctions::Jobs job,
                host_functions_->prepare({std::move(after), faults_, gate, [this, t, index = last_](const Status&) {
                                            if (Status status = agent_.transfer(t); !status.ok())
                                              faults_->failed(index, std::move(status));
                                          }}));
  host_functions_->submit(std::move(job));
  return {};
}

// The software GPU's memory is pages of the host: those that lie in the range whole are given back, and read as zero
// when somebody touches them again.
Status Queue::discard(void* base, size_t bytes) {
  constexpr uintptr_t kPage = 4096;
  const uintptr_t begin = (reinterpret_cast<uintptr_t>(base) + kPage - 1) / kPage * kPage;
  const uintptr_t end = (reinterpret_cast<uintptr_t>(base) + bytes) / kPage * kPage;
  if (!device_.properties().is_software || begin >= end) return Status();
  struct Pages {
    void* begin;
    size_t bytes;
  };
  auto pages = std::make_unique<Pages>(Pages{reinterpret_cast<void*>(begin), end - begin});
  RT_TRY(host_function(
      [](void* data, const Status& status) {
        const std::unique_ptr<Pages> owned(static_cast<Pages*>(data));
        if (status.ok()) static_cast<void>(::madvise(owned->begin, owned->bytes, MADV_DONTNEED)); // they stay, at worst
      },
      pages.get()));
  static_cast<void>(pages.release()); // the host function owns it now
  return Status();
}

Status Queue::prefetch(const void* base, size_t bytes, backend::Device* where) {
  auto* const other = dynamic_cast<Device*>(where);
  if ((where && !other) || bytes == 0 || !agent_.moves_managed_memory()) return Status();
  RT_TRY_ASSIGN(const Ref<Point> after, last_point());
  RT_TRY_ASSIGN(const Ref<Point> gate, points_.make_for_host());
  RT_TRY(submit_barrier(std::span(&gate, 1)));
  Signal* const waits_for = after->done() ? nullptr : after->signal();
  Status begun = agent_.begin_prefetch(base, bytes, other ? &other->agent() : nullptr, waits_for, *gate->signal(),
                                       work_outside(after, gate));
  if (begun.ok()) return begun;
  transfers_->fetch_sub(1);
  agent_.subtract_signal(*gate->signal(), 1);
  return begun;
}

// ---- points ------------------------------------------------------------------------------------------------------

Result<Ref<Point>> Queue::last_point() {
  RT_TRY(flush_waits());
  if (Point* const point = last(); point && !point->done()) return Ref<Point>(point);
  return points_.make_reached(now_ns(), faults_, write_ == 0 ? 0 : write_ - 1);
}

Result<Ref<backend::Completion>> Queue::record(const backend::PointOptions&) {
  RT_TRY_ASSIGN(Ref<Point> point, last_point());
  return Ref<backend::Completion>(std::move(point));
}

Status Queue::wait(const Ref<backend::Completion>& completion) {
  if (completion->done()) return Status();
  auto* const point = dynamic_cast<Point*>(completion.get());
  if (!point)
    return error(ErrorCode::InvalidHandle, "A stream of {} cannot wait for a completion of another back end.",
                 device_.properties().name);
  if (point->signal()->queue_ptr == reinterpret_cast<uint64_t>(block_)) return Status(); // in order anyway
  waits_.emplace_back(point);
  return Status();
}

// A thread of the host looks at the word. It gives up on a lost device, where the write may be another queue's, which
// does not come to it any more, and in the destructor, which has waited for everything unless nothing is done any more.
Status Queue::wait_value(const backend::ValueWait& wait) {
  if (!agent_.host_reaches(wait.address))
    return error(ErrorCode::NotSupported,
                 "A stream of {} cannot wait for a value in memory of the card that the host does not reach; "
                 "hipExtMallocWithFlags with hipMallocSignalMemory gives memory for it.",
                 device_.properties().name);
  RT_TRY(start_host_functions());
  return call_on_host([&functions = *host_functions_, wait](const Status&) {
    wait.wait_on_host([&functions] { return functions.gives_up(); });
  });
}

Status Queue::flush_waits() {
  if (waits_.empty()) return Status();
  std::erase_if(waits_, [](const Ref<Point>& point) { return is_over(*point); });
  for (size_t begin = 0; begin < waits_.size(); begin += kBarrierDependencies) {
    const size_t count = std::min(kBarrierDependencies, waits_.size() - begin);
    RT_TRY(submit_barrier(std::span(waits_).subspan(begin, count)));
  }
  waits_.clear();
  return Status();
}

Status Queue::submit_barrier(std::span<const Ref<Point>> dependencies) {
  RT_TRY(reserve());
  BarrierPacket& p = packet(write_).barrier;
  p.reserved1 = 0;
  p.reserved2 = 0;
  Slot& s = slot(write_);
  s.dependency_count = static_cast<uint32_t>(dependencies.size());
  std::ranges::copy(dependencies, s.dependencies.begin());
  for (size_t i = 0; i < kBarrierDependencies; ++i)
    p.dep_signal[i] = i < dependencies.size() ? to_handle(dependencies[i]->signal()) : 0;
  submit({PacketType::BarrierAnd, 0}, BarrierBit::Set);
  return Status();
}

Status Queue::start_host_functions() {
  RT_TRY(agent_.usable()); // in a child process after fork the thread's lock may be held for ever
  if (!host_functions_) host_functions_ = std::make_unique<HostFunctions>(agent_);
  return host_functions_->start();
}

Status Queue::call_on_host(HostFunctions::Function function) {
  RT_TRY(start_host_functions());
  RT_TRY_ASSIGN(Ref<Point> after, last_point());
  RT_TRY_ASSIGN(const Ref<Point> gate, points_.make_for_host());
  RT_TRY_ASSIGN(HostFunctions::Jobs job,
                host_functions_->prepare({std::move(after), faults_, gate, std::move(function)}));
  RT_TRY(submit_barrier(std::span(&gate, 1))); // behind which the queue waits for the job
  host_functions_->submit(std::move(job));
  return Status();
}

Status Queue::host_function(backend::HostFunction fn, void* user_data) {
  return call_on_host([fn, user_data](const Status& status) { fn(user_data, status); });
}

// Packets know no semaphores of other interfaces: a thread of the host signals them and waits for them. It gives up as
// wait_value() does.
Status Queue::external(backend::ExternalAction action, std::span<const backend::ExternalStep> steps) {
  if (steps.empty()) return Status();
  RT_TRY(start_host_functions());
  return call_on_host(
      [&functions = *host_functions_, action, list = std::vector(steps.begin(), steps.end())](const Status&) mutable {
        const auto gives_up = [&functions] { return functions.gives_up(); };
        for (const backend::ExternalStep& step : list) {
          auto& semaphore = static_cast<HostSemaphore&>(*step.semaphore); // of this back end, as all that core gives
          if (action == backend::ExternalAction::Signal)
            semaphore.signal(step.value, gives_up);
          else
            semaphore.wait(step.value, gives_up);
        }
        list.clear(); // before the queue goes on: whoever waits for it may look whether the semaphores are gone
      });
}

bool Queue::idle() noexcept {
  if (Point* const point = last(); point && !point->done()) return false;
  return std::all_of(waits_.begin(), waits_.end(), [](const Ref<Point>& point) { return is_over(*point); });
}

Status Queue::synchronize() noexcept {
  RT_TRY(agent_.usable());
  RT_TRY(flush_waits());
  if (Point* const point = last()) point->wait_done();
  if (write_ != 0) {
    if (Status status = faults_->claim(write_ - 1); !status.ok()) {
      agent_.settle();
      return status;
    }
  }
  return agent_.usable(); // as Point::wait
}

} // namespace hip::aql
