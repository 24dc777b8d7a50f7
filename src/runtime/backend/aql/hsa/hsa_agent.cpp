#include "runtime/backend/aql/hsa/hsa_agent.h"

#include "runtime/backend/aql/hsa/hsa_ring.h"
#include "runtime/backend/aql/processor_properties.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace hip::aql::hsa {

namespace {

constexpr uint64_t kSliceNs = 10'000'000;        // how long a wait sleeps before it looks whether the device is lost
constexpr uint64_t kPatienceNs = 10'000'000'000; // for the copies of a lost device

uint64_t now_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

constexpr hsa_agent_info_t amd(hsa_amd_agent_info_t attribute) noexcept {
  return static_cast<hsa_agent_info_t>(attribute);
}

// What a card is not used without.
template<class T> Result<T> needed(const Library& hsa, hsa_agent_t agent, hsa_agent_info_t attribute) {
  T value{};
  RT_TRY(hsa.check(hsa.hsa_agent_get_info(agent, attribute, &value), "hsa_agent_get_info"));
  return value;
}

// What older runtimes may not tell.
template<class T> T info(const Library& hsa, hsa_agent_t agent, hsa_agent_info_t attribute) {
  T value{};
  return hsa.note(hsa.hsa_agent_get_info(agent, attribute, &value), "hsa_agent_get_info") ? value : T{};
}

template<size_t N> std::string text(const Library& hsa, hsa_agent_t agent, hsa_agent_info_t attribute) {
  char value[N + 1] = {};
  if (!hsa.note(hsa.hsa_agent_get_info(agent, attribute, value), "hsa_agent_get_info")) return {};
  return value;
}

std::string reasons_of(uint32_t mask) {
  constexpr std::pair<uint32_t, const char*> kReasons[] = {
      {HSA_AMD_MEMORY_FAULT_PAGE_NOT_PRESENT, "no memory is there"},
      {HSA_AMD_MEMORY_FAULT_READ_ONLY, "the memory is not to be written"},
      {HSA_AMD_MEMORY_FAULT_NX, "the memory is not to be executed"},
      {HSA_AMD_MEMORY_FAULT_HOST_ONLY, "the memory is the host's alone"},
      {HSA_AMD_MEMORY_FAULT_DRAMECC, "the card's memory has an error"},
      {HSA_AMD_MEMORY_FAULT_SRAMECC, "the card's registers or caches have an error"},
      {HSA_AMD_MEMORY_FAULT_IMPRECISE, "the address is not exact"},
      {HSA_AMD_MEMORY_FAULT_HANG, "the card does not go on"}};
  std::string text;
  for (const auto& [bit, words] : kReasons)
    if ((mask & bit) != 0) text += (text.empty() ? "" : ", ") + std::string(words);
  return text.empty() ? "for no reason that the driver tells" : text;
}

hsa_signal_t handle_of(const Signal& signal) noexcept { return {to_handle(&signal)}; }

// "gfx942:sramecc+:xnack-" of "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-".
Result<std::string> target_of(const Library& hsa, hsa_agent_t gpu) {
  RT_TRY_ASSIGN(const auto isa, needed<hsa_isa_t>(hsa, gpu, HSA_AGENT_INFO_ISA));
  uint32_t length = 0;
  RT_TRY(hsa.check(hsa.hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME_LENGTH, &length), "hsa_isa_get_info_alt"));
  std::string name(length, '\0');
  RT_TRY(hsa.check(hsa.hsa_isa_get_info_alt(isa, HSA_ISA_INFO_NAME, name.data()), "hsa_isa_get_info_alt"));
  name.resize(std::strlen(name.c_str()));
  const size_t begin = name.find("--");
  return begin == name.npos ? name : name.substr(begin + 2);
}

} // namespace

// ---- what the card is --------------------------------------------------------------------------------------------

Result<std::unique_ptr<Agent>> HsaAgent::create(std::shared_ptr<const Cards> cards, hsa_agent_t gpu) {
  std::unique_ptr<HsaAgent> agent(new HsaAgent(std::move(cards), gpu));
  RT_TRY(agent->initialize());
  return std::unique_ptr<Agent>(std::move(agent));
}

Status HsaAgent::find_pools() {
  RT_TRY_ASSIGN(coarse_, find_pool(hsa(), gpu_, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED));
  if (coarse_.handle == 0) return error(ErrorCode::NotSupported, "The GPU has no coarse-grained memory.");
  RT_TRY_ASSIGN(fine_, find_pool(hsa(), gpu_, HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED));
  RT_TRY_ASSIGN(host_reaches_, may_reach(cards_->host, coarse_));
  if (!host_reaches_)
    log(LogLevel::Info, "The host cannot reach all memory of a GPU, so copies go through buffers; \"Resizable BAR\" or "
                        "\"Large BAR\" in the machine's firmware makes some of them quicker.");
  if (fine_.handle == 0 || !host_reaches_) fine_ = cards_->host_memory; // the host reads and writes it
  for (const hsa_agent_t gpu : cards_->gpus) {
    bool reaches = gpu.handle == gpu_.handle;
    if (!reaches) {
      RT_TRY_ASSIGN(reaches, may_reach(gpu, coarse_));
    }
    if (reaches) reach_coarse_.push_back(gpu);
  }
  return Status();
}

Result<bool> HsaAgent::may_reach(hsa_agent_t agent, hsa_amd_memory_pool_t pool) const {
  hsa_amd_memory_pool_access_t access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  RT_TRY(
      hsa().check(hsa().hsa_amd_agent_memory_pool_get_info(agent, pool, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access),
                  "hsa_amd_agent_memory_pool_get_info"));
  return access != HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
}

// Queues, code and memory have gone with the device.
HsaAgent::~HsaAgent() {
  if (hsa().inherited()) return;
  forget_card(*this);
  settle();
  if (lost_.load(std::memory_order_acquire)) return; // copies and packets may hold what would be given back
  for (Signal* const signal : signals_) hsa().note(hsa().hsa_signal_destroy(handle_of(*signal)), "hsa_signal_destroy");
  for (const hsa_signal_t signal : copy_signals_) hsa().note(hsa().hsa_signal_destroy(signal), "hsa_signal_destroy");
  for (void* const stage : stages_) hsa().note(hsa().hsa_amd_memory_pool_free(stage), "hsa_amd_memory_pool_free");
}

Status HsaAgent::initialize() {
  RT_TRY_ASSIGN(const std::string target, target_of(hsa(), gpu_));
  const std::string processor_name = target.substr(0, target.find(':'));
  const codeobject::Processor* const processor = codeobject::find_processor(processor_name);
  if (!processor)
    return error(ErrorCode::NotSupported, "The GPU is \"{}\", a processor that this release does not know.", target);
  RT_TRY(find_pools());
  backend::DeviceProperties& p = properties_;
  describe_processor(*processor, p);
  p.name = text<64>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_PRODUCT_NAME));
  if (p.name.empty()) p.name = processor_name;
  p.target = target;
  const std::string uuid = text<21>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_UUID)); // "GPU-" and 16 digits
  if (uuid.size() > 4) std::memcpy(p.uuid.data(), uuid.data() + 4, std::min(p.uuid.size(), uuid.size() - 4));
  const auto bdf = info<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_BDFID));
  p.pci_domain = info<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_DOMAIN));
  p.pci_bus = bdf >> 8 & 0xff;
  p.pci_device = bdf >> 3 & 0x1f;
  size_t bytes = 0;
  RT_TRY(hsa().check(hsa().hsa_amd_memory_pool_get_info(coarse_, HSA_AMD_MEMORY_POOL_INFO_SIZE, &bytes),
                     "hsa_amd_memory_pool_get_info"));
  p.memory_bytes = bytes;
  RT_TRY_ASSIGN(p.compute_units, needed<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT)));
  if (const auto lanes = info<uint32_t>(hsa(), gpu_, HSA_AGENT_INFO_WAVEFRONT_SIZE)) p.wave_lanes = lanes;
  if (const auto waves = info<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU)))
    p.max_waves_per_cu = waves;
  p.core_clock_khz = info<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY)) * 1000;
  p.memory_clock_khz = info<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY)) * 1000;
  p.memory_bus_bits = info<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_MEMORY_WIDTH));
  if (const auto hz = info<uint64_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY)))
    p.wall_clock_khz = static_cast<uint32_t>(hz / 1000);
  p.l2_bytes = info<std::array<uint32_t, 4>>(hsa(), gpu_, HSA_AGENT_INFO_CACHE_SIZE)[1];
  p.async_copy_engines = std::max(1u, info<uint32_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_NUM_SDMA_ENG)));
  p.cooperative_launch = info<bool>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES));
  if (HsaMemory::supported(hsa())) memory_ = std::make_unique<HsaMemory>(*this, coarse_);
  p.virtual_memory = memory_ != nullptr;
  p.compute_unit_masks = true;
  // The two compute units of a work-group processor are masked together.
  if (processor->facts().group_domain == codeobject::GroupDomain::WorkGroupProcessor && p.compute_units % 2 == 0)
    p.compute_unit_alignment = 2;
  p.takes_short_arguments = true;
  p.ecc = target.find("sramecc+") != target.npos;
  p.large_bar = host_reaches_;
  p.concurrent_managed_access = cards_->shared != SharedMemory::None;
  p.pageable_memory_access = cards_->shared == SharedMemory::Everywhere;
  return watch_card(*this);
}

Result<backend::MemoryInfo> HsaAgent::memory_info() {
  RT_TRY(hsa().usable());
  const auto free = info<uint64_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_MEMORY_AVAIL));
  return backend::MemoryInfo{std::min<uint64_t>(free, properties_.memory_bytes), properties_.memory_bytes};
}

// ---- queues and signals ------------------------------------------------------------------------------------------

Result<std::unique_ptr<HardwareQueue>> HsaAgent::create_queue(QueueBlock&, int, std::span<const uint32_t>,
                                                              const Ref<FaultSink>&) {
  return error(ErrorCode::NotSupported, "{} has rings of its own.", properties_.name);
}

Result<std::unique_ptr<PacketRing>> HsaAgent::create_ring(const RingOptions& options) {
  RT_TRY(usable());
  return create_hsa_ring(*this, options);
}

Status HsaAgent::create_signals(std::span<Signal*> signals) {
  RT_TRY(hsa().usable());
  for (Signal*& signal : signals) {
    hsa_signal_t made{0};
    RT_TRY(hsa().check(hsa().hsa_signal_create(0, 0, nullptr, &made), "hsa_signal_create"));
    signal = to_signal(made.handle); // an amd_signal_t
    std::lock_guard guard(mutex_);
    signals_.push_back(signal);
  }
  return Status();
}

bool HsaAgent::wait_signal(Signal& signal, int64_t below, uint64_t timeout_ns) noexcept {
  if (hsa().inherited()) return signal.value.load(std::memory_order_acquire) < below;
  const uint64_t now = now_ns(), end = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns;
  for (;;) {
    if (signal.value.load(std::memory_order_acquire) < below) return true;
    const uint64_t time = now_ns();
    if (time >= end || lost_.load(std::memory_order_acquire)) return false;
    if (cards_->limit_ns != 0 && time - now >= cards_->limit_ns) {
      lose(error(ErrorCode::LaunchTimeOut,
                 "{} has not completed what was waited for within OMNIHIP_HSA_TIMEOUT_S ({} s).", properties_.name,
                 cards_->limit_ns / 1'000'000'000));
      return false;
    }
    if (time >= end_of_waits_ns()) {
      lose(error(ErrorCode::Deinitialized, "The process is ending, and {} has not completed what it was given.",
                 properties_.name));
      return false;
    }
    const uint64_t slice_ns = std::min(kSliceNs, end - time);
    hsa().hsa_signal_wait_scacquire(handle_of(signal), HSA_SIGNAL_CONDITION_LT, below,
                                    static_cast<uint64_t>(static_cast<double>(slice_ns) / cards_->ns_per_tick),
                                    HSA_WAIT_STATE_BLOCKED);
  }
}

void HsaAgent::subtract_signal(Signal& signal, int64_t amount) noexcept {
  if (hsa().inherited()) return; // the signal is the parent's
  hsa().hsa_signal_subtract_screlease(handle_of(signal), amount);
}

void HsaAgent::sleep_on_signal(Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept {
  if (hsa().inherited()) return;
  hsa().hsa_signal_wait_scacquire(handle_of(signal), HSA_SIGNAL_CONDITION_NE, seen,
                                  static_cast<uint64_t>(static_cast<double>(timeout_ns) / cards_->ns_per_tick),
                                  HSA_WAIT_STATE_BLOCKED);
}

uint64_t HsaAgent::ticks_to_ns(uint64_t ticks) const noexcept {
  if (hsa().inherited()) return 0;
  uint64_t of_system = 0;
  if (!hsa().note(hsa().hsa_amd_profiling_convert_tick_to_system_domain(gpu_, ticks, &of_system),
                  "hsa_amd_profiling_convert_tick_to_system_domain"))
    return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<double>(of_system) * cards_->ns_per_tick) +
                               cards_->clock_offset_ns);
}

Status HsaAgent::usable() const {
  if (!hsa().inherited() && !lost_.load(std::memory_order_acquire)) [[likely]]
    return Status(); // every launch asks
  RT_TRY(hsa().usable());
  const_cast<HsaAgent*>(this)->settle(); // whoever hears of the loss has the memory of its copies back
  return loss();
}

// ---- loss --------------------------------------------------------------------------------------------------------

Status HsaAgent::loss() const {
  RT_TRY(hsa().usable());
  if (!lost_.load(std::memory_order_acquire)) [[likely]]
    return Status();
  std::lock_guard guard(mutex_);
  return loss_;
}

void HsaAgent::add(const QueueBlock& ring, const Ref<FaultSink>& faults) {
  std::lock_guard guard(mutex_);
  rings_[&ring] = faults;
}

void HsaAgent::remove(const QueueBlock& ring) noexcept {
  std::lock_guard guard(mutex_);
  rings_.erase(&ring);
}

void HsaAgent::lose(Status why, FaultSink* faults) noexcept {
  {
    std::lock_guard guard(mutex_);
    if (lost_.load(std::memory_order_relaxed)) return;
    log(LogLevel::Fault, "{}", why.message());
    loss_ = why;
    deadline_ns_.store(now_ns() + (cards_->limit_ns != 0 ? cards_->limit_ns : kPatienceNs), std::memory_order_relaxed);
    lost_.store(true, std::memory_order_release);
  }
  if (faults) faults->failed(0, std::move(why));
  // No packet will complete any more: whoever waits for one is told so by the queue's faults, or by usable(). What
  // engines have begun does end, and they say when.
  std::lock_guard guard(mutex_);
  std::lock_guard copies(under_way_->mutex);
  for (Signal* const signal : signals_)
    if (signal->value.load(std::memory_order_relaxed) > 0 && !under_way_->ends.contains(signal))
      hsa().hsa_signal_store_screlease(handle_of(*signal), 0);
}

void HsaAgent::lose(const hsa_amd_event_t& event) noexcept {
  std::string kernel;
  Ref<FaultSink> faults;
  {
    std::lock_guard guard(mutex_);
    for (auto ring = rings_.begin(); ring != rings_.end() && kernel.empty(); ++ring)
      if (kernel = kernel_at_fault_locked(*ring->first); !kernel.empty()) faults = ring->second;
  }
  lose(report(event, kernel.empty() ? "" : ", probably in kernel " + kernel), faults.get());
}

Status HsaAgent::report(const hsa_amd_event_t& event, const std::string& where) const {
  switch (event.event_type) {
  case HSA_AMD_GPU_MEMORY_FAULT_EVENT: {
    const hsa_amd_gpu_memory_fault_info_t& fault = event.memory_fault;
    return error(ErrorCode::IllegalAddress, "{} has met a memory fault{}: {}, {}.", properties_.name, where,
                 reasons_of(fault.fault_reason_mask),
                 fault.virtual_address == 0 ? "at an address that the driver does not tell"
                                            : describe(fault.virtual_address));
  }
  case HSA_AMD_GPU_HW_EXCEPTION_EVENT:
    return error(ErrorCode::LaunchFailure, "{} was reset{}: {}.", properties_.name, where,
                 (event.hw_exception.reset_cause & HSA_AMD_HW_EXCEPTION_CAUSE_ECC) != 0
                     ? "its memory had an error that cannot be corrected"
                     : "it did not go on");
  case HSA_AMD_GPU_MEMORY_ERROR_EVENT:
    break;
  }
  return error(ErrorCode::LaunchFailure, "{} has met an error of its memory{}: {}.", properties_.name, where,
               describe(event.memory_error.virtual_address));
}

// Where the address is, as far as the agent's own allocations tell.
std::string HsaAgent::describe(uint64_t address) const {
  std::lock_guard guard(mutex_);
  auto behind = allocations_.upper_bound(reinterpret_cast<void*>(address));
  if (behind == allocations_.begin()) return fmt::format("at {:#x}, below every allocation", address);
  const auto& [base, bytes] = *--behind;
  const uint64_t offset = address - reinterpret_cast<uint64_t>(base);
  if (offset < bytes) return fmt::format("at {:#x}, byte {} of the {} bytes at {}", address, offset, bytes, base);
  return fmt::format("at {:#x}, {} bytes behind the end of the nearest allocation, {} bytes at {}", address,
                     offset - bytes, bytes, base);
}

void HsaAgent::settle() noexcept {
  if (!lost_.load(std::memory_order_acquire)) [[likely]]
    return;
  if (hsa().inherited()) return; // the copies are the parent's, and so may be the lock
  for (;;) {
    {
      std::lock_guard guard(under_way_->mutex);
      if (under_way_->count == 0) return;
      if (now_ns() >= deadline_ns_.load(std::memory_order_relaxed)) under_way_->given_up = true;
      if (under_way_->given_up && under_way_->telling == 0) return;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

} // namespace hip::aql::hsa
