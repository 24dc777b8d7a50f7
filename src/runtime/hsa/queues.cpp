#include "runtime/hsa/queues.h"

#include "runtime/hsa/status.h"

#include <atomic>
#include <condition_variable>
#include <new>
#include <thread>

namespace hip::hsa {

namespace {
std::atomic<uint64_t> next_id{0};
constexpr uint64_t kPatienceNs = 2'000'000'000; // that kernels have when their queue is ended, as at a program's end
constexpr size_t kRingOffset = 512;             // behind the block and its doorbell
static_assert(sizeof(aql::QueueBlock) + sizeof(aql::Signal) <= kRingOffset);
} // namespace

// Hands faults to the thread of callbacks. Lives until the last call is made, which may be after the queue.
class UserQueue::Faults final : public aql::FaultSink {
public:
  Faults(Agent& agent, hsa_queue_t* queue, const Options& options, Callbacks& callbacks, FaultHandler on_fault)
      : agent_(agent), queue_(queue), options_(options), callbacks_(callbacks), on_fault_(std::move(on_fault)) {}

  void failed(uint64_t packet, Status status) noexcept override {
    log(LogLevel::Fault, "Packet {} of queue {}: {} The queue takes no packets any more.", packet, queue_->id,
        status.message());
    const auto& slot = static_cast<const hsa_kernel_dispatch_packet_t*>(queue_->base_address)[packet % queue_->size];
    hsa_status_t number = fault_status(status);
    if (status.code() == ErrorCode::InvalidConfiguration && (slot.setup & 3) == 0)
      number = HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS; // what ROCr says of a grid without dimensions
    // The thread is there, so this succeeds: create() has started it.
    static_cast<void>(callbacks_.call([self = Ref<Faults>(this), status, number] {
      if (number == amd_status(HSA_STATUS_ERROR_MEMORY_FAULT) && self->on_fault_) self->on_fault_(self->agent_, status);
      if (self->options_.callback) self->call_user(number);
    }));
  }
  // The user hears nothing any more, and a call that is under way has ended: it may use the queue and its data. Only a
  // call that has come here itself has not.
  void queue_goes() noexcept {
    std::unique_lock lock(mutex_);
    alive_ = false;
    call_ends_.wait(lock, [this] { return caller_ == std::thread::id() || caller_ == std::this_thread::get_id(); });
  }

private:
  void call_user(hsa_status_t number) {
    {
      std::lock_guard guard(mutex_);
      if (!alive_) return;
      caller_ = std::this_thread::get_id();
    }
    options_.callback(number, queue_, options_.data); // may destroy the queue
    {
      std::lock_guard guard(mutex_);
      caller_ = std::thread::id();
    }
    call_ends_.notify_all();
  }

  Agent& agent_;
  hsa_queue_t* const queue_;
  const Options options_;
  Callbacks& callbacks_;
  const FaultHandler on_fault_;
  std::mutex mutex_; // guards what follows
  std::condition_variable call_ends_;
  bool alive_ = true;
  std::thread::id caller_; // the thread that is in the user's callback, which is always the same one; else none
};

Result<std::unique_ptr<UserQueue>> UserQueue::create(Agent& agent, const Options& options, const Signals& signals,
                                                     Callbacks& callbacks, FaultHandler on_fault) {
  RT_TRY(callbacks.start()); // for the faults, of which nobody could be told without it
  std::unique_ptr<UserQueue> queue(new UserQueue(agent, signals));
  const size_t ring_bytes = size_t(options.packets) * sizeof(aql::Packet);
  RT_TRY_ASSIGN(queue->memory_, agent.gpu().allocate(kRingOffset + ring_bytes, 4096, aql::AgentMemory::Control));
  auto* const bytes = static_cast<std::byte*>(queue->memory_);
  aql::QueueBlock& block = *(queue->block_ = new (bytes) aql::QueueBlock);
  queue->doorbell_ = new (bytes + sizeof(aql::QueueBlock)) aql::Signal;
  queue->doorbell_->kind = aql::Signal::kDoorbell;
  queue->doorbell_->queue_ptr = reinterpret_cast<uint64_t>(queue.get());
  auto* const ring = reinterpret_cast<aql::Packet*>(bytes + kRingOffset);
  for (uint32_t i = 0; i < options.packets; ++i) ring[i].raw.first_word = aql::kInvalidFirstWord;

  block.type = options.type;
  block.features = HSA_QUEUE_FEATURE_KERNEL_DISPATCH;
  block.base_address = reinterpret_cast<uint64_t>(ring);
  block.doorbell_signal = aql::to_handle(queue->doorbell_);
  block.size = options.packets;
  block.id = next_id.fetch_add(1);
  block.read_dispatch_id_field_base_byte_offset = offsetof(aql::QueueBlock, read_dispatch_id);
  block.queue_properties = aql::QueueBlock::kIsPtr64 | aql::QueueBlock::kEnableProfiling;
  queue->faults_ = Ref<Faults>::adopt(new Faults(agent, queue->handle(), options, callbacks, std::move(on_fault)));
  RT_TRY_ASSIGN(queue->hardware_, agent.gpu().create_queue(block, 0, queue->mask_, queue->faults_));
  return queue;
}

UserQueue::UserQueue(Agent& agent, const Signals& signals)
    : agent_(agent), signals_(signals), mask_(agent.unit_limit()) {}

void UserQueue::ring(uint64_t index) noexcept {
  {
    std::unique_lock guard(ring_mutex_, std::defer_lock);
    if (block_->type != HSA_QUEUE_TYPE_SINGLE) guard.lock();
    if (index >= rung_) { // else it may have been executed, and the slot filled again
      aql::Packet& packet = reinterpret_cast<aql::Packet*>(block_->base_address)[index & (block_->size - 1)];
      const auto header = static_cast<uint16_t>(packet.first_word().load(std::memory_order_acquire));
      const uint64_t completion =
          aql::packet_type(header) == aql::PacketType::Invalid ? 0 : packet.raw.completion_signal;
      if (completion != 0 && signals_.has_made(completion))
        aql::to_signal(completion)->queue_tag.store(hardware_->signal_tag(), std::memory_order_relaxed);
      rung_ = index + 1;
    }
  }
  hardware_->ring_doorbell(index);
}

UserQueue::~UserQueue() {
  if (faults_) faults_->queue_goes();
  if (hardware_) hardware_->abort(kPatienceNs);
  hardware_.reset();
  if (!memory_) return;
  if (Status status = agent_.gpu().free(memory_); !status.ok())
    log(LogLevel::Warning, "Destroying a queue: {}", status.message());
}

hsa_status_t UserQueue::set_priority(int priority) { return to_hsa(hardware_->set_priority(priority)); }

hsa_status_t UserQueue::set_mask(std::span<const uint32_t> mask) {
  bool reduced = false;
  UnitMask wanted = limited({mask.begin(), mask.end()}, agent_.unit_limit(), reduced);
  if (agent_.masks_pairs() && !takes_whole_pairs(wanted, agent_.properties().compute_units))
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT,
                  "The mask has one of the two compute units of a work-group processor of {} without the other.",
                  agent_.properties().name);
  std::lock_guard guard(mask_mutex_);
  if (Status status = hardware_->set_compute_unit_mask(wanted); !status.ok()) return to_hsa(status);
  mask_ = std::move(wanted);
  return reduced ? amd_status(HSA_STATUS_CU_MASK_REDUCED) : HSA_STATUS_SUCCESS;
}

UnitMask UserQueue::mask() const {
  std::lock_guard guard(mask_mutex_);
  return mask_;
}

void UserQueue::inactivate() noexcept {
  faults_->queue_goes(); // the user knows of what is ended
  hardware_->abort(kPatienceNs);
}

} // namespace hip::hsa
