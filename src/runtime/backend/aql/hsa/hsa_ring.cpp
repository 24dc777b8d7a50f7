#include "runtime/backend/aql/hsa/hsa_ring.h"

#include "runtime/base/log.h"

namespace hip::aql::hsa {

namespace {

class HsaQueue final : public HardwareQueue {
public:
  HsaQueue(HsaAgent& agent, const Ref<FaultSink>& faults) noexcept : agent_(agent), faults_(faults) {}
  ~HsaQueue() override {
    if (!queue_ || agent_.hsa().inherited()) return;
    agent_.remove(*block());
    agent_.hsa().note(agent_.hsa().hsa_queue_destroy(queue_), "hsa_queue_destroy");
  }

  Status initialize(const RingOptions& options) {
    const Library& hsa = agent_.hsa();
    const auto failed = [](hsa_status_t status, hsa_queue_t*, void* self) {
      static_cast<HsaQueue*>(self)->lost(status);
    };
    const bool cooperative = options.kind == RingKind::Cooperative;
    RT_TRY(hsa.check(hsa.hsa_queue_create(agent_.gpu(), options.packets,
                                          cooperative ? HSA_QUEUE_TYPE_COOPERATIVE : HSA_QUEUE_TYPE_SINGLE, failed,
                                          this, UINT32_MAX, UINT32_MAX, &queue_),
                     "hsa_queue_create"));
    agent_.add(*block(), faults_);
    RT_TRY(hsa.check(hsa.hsa_amd_profiling_set_profiler_enabled(queue_, 1), "hsa_amd_profiling_set_profiler_enabled"));
    if (options.priority != 0) {
      const auto priority = options.priority < 0 ? HSA_AMD_QUEUE_PRIORITY_HIGH : HSA_AMD_QUEUE_PRIORITY_LOW;
      RT_TRY(hsa.check(hsa.hsa_amd_queue_set_priority(queue_, priority), "hsa_amd_queue_set_priority"));
    }
    if (options.compute_unit_mask.empty()) return Status();
    const auto bits = static_cast<uint32_t>(options.compute_unit_mask.size() * 32);
    const hsa_status_t status = hsa.hsa_amd_queue_cu_set_mask(queue_, bits, options.compute_unit_mask.data());
    if (static_cast<int>(status) == HSA_STATUS_CU_MASK_REDUCED) { // by HSA_CU_MASK, and is in force
      log(LogLevel::Info, "AMD's runtime: {}", hsa.describe(status, "hsa_amd_queue_cu_set_mask"));
      return Status();
    }
    return hsa.check(status, "hsa_amd_queue_cu_set_mask");
  }

  QueueBlock* block() const noexcept { return reinterpret_cast<QueueBlock*>(queue_); }
  void ring_doorbell(uint64_t index) noexcept override {
    agent_.hsa().hsa_signal_store_screlease(queue_->doorbell_signal, static_cast<hsa_signal_value_t>(index));
  }
  void stop() noexcept override {} // hsa_queue_destroy does it
  uint32_t signal_tag() const noexcept override { return 0; }
  bool frees_by_read_index() const noexcept override { return true; }

private:
  // Called by HSA's thread.
  void lost(hsa_status_t status) noexcept {
    const std::string kernel = agent_.kernel_at_fault(*block());
    const Status why = agent_.hsa().queue_error(status);
    agent_.lose(Status(why.code(), fmt::format("{} has lost a queue{}{}: {}", agent_.properties().name,
                                               kernel.empty() ? "" : ", probably in kernel ", kernel, why.message())),
                faults_.get());
  }

  HsaAgent& agent_;
  const Ref<FaultSink> faults_;
  hsa_queue_t* queue_ = nullptr;
};

class HsaRing final : public PacketRing {
public:
  explicit HsaRing(std::unique_ptr<HsaQueue> queue) noexcept {
    block_ = queue->block();
    hardware_ = std::move(queue);
  }
};

} // namespace

Result<std::unique_ptr<PacketRing>> create_hsa_ring(HsaAgent& agent, const RingOptions& options) {
  auto queue = std::make_unique<HsaQueue>(agent, options.faults);
  RT_TRY(queue->initialize(options));
  return std::unique_ptr<PacketRing>(std::make_unique<HsaRing>(std::move(queue)));
}

} // namespace hip::aql::hsa
