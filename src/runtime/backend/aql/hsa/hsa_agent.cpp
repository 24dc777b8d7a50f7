#include "runtime/backend/aql/hsa/hsa_agent.h"

#include "runtime/backend/aql/hsa/hsa_ring.h"
#include "runtime/backend/aql/processor_properties.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <unistd.h>

namespace hip::aql::hsa {

namespace {

constexpr uint64_t kSliceNs = 10'000'000; // how long a wait sleeps before it looks whether the device is lost

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

hsa_signal_t handle_of(const Signal& signal) noexcept { return {to_handle(&signal)}; }

// The global pool of `agent` with all of these flags; 0 when there is none.
Result<hsa_amd_memory_pool_t> find_pool(const Library& hsa, hsa_agent_t agent, uint32_t flags) {
  struct Search {
    const Library& hsa;
    uint32_t flags;
    hsa_amd_memory_pool_t found{0};
  } search{hsa, flags};
  const hsa_status_t status = hsa.hsa_amd_agent_iterate_memory_pools(
      agent,
      [](hsa_amd_memory_pool_t pool, void* data) {
        auto& wanted = *static_cast<Search*>(data);
        hsa_amd_segment_t segment = HSA_AMD_SEGMENT_GROUP;
        uint32_t has = 0;
        constexpr const char* kCall = "hsa_amd_memory_pool_get_info";
        for (const hsa_status_t answer :
             {wanted.hsa.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_SEGMENT, &segment),
              wanted.hsa.hsa_amd_memory_pool_get_info(pool, HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS, &has)})
          if (!wanted.hsa.note(answer, kCall)) return HSA_STATUS_SUCCESS; // a pool of which nothing is known
        if (segment != HSA_AMD_SEGMENT_GLOBAL || (has & wanted.flags) != wanted.flags) return HSA_STATUS_SUCCESS;
        wanted.found = pool;
        return HSA_STATUS_INFO_BREAK;
      },
      &search);
  RT_TRY(hsa.check(status, "hsa_amd_agent_iterate_memory_pools"));
  return search.found;
}

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
  if (fine_.handle == 0) fine_ = cards_->host_memory;
  hsa_amd_memory_pool_access_t access = HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  RT_TRY(hsa().check(
      hsa().hsa_amd_agent_memory_pool_get_info(cards_->host, coarse_, HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS, &access),
      "hsa_amd_agent_memory_pool_get_info"));
  if (access == HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED)
    return error(ErrorCode::NotSupported, "The host cannot reach the GPU's memory; switch \"Resizable BAR\" or \"Large "
                                          "BAR\" on in the machine's firmware.");
  return Status();
}

// Queues, code and memory have gone with the device.
HsaAgent::~HsaAgent() {
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
  p.takes_short_arguments = true;
  p.ecc = target.find("sramecc+") != target.npos;
  return Status();
}

backend::MemoryInfo HsaAgent::memory_info() noexcept {
  const auto free = info<uint64_t>(hsa(), gpu_, amd(HSA_AMD_AGENT_INFO_MEMORY_AVAIL));
  return {std::min<uint64_t>(free, properties_.memory_bytes), properties_.memory_bytes};
}

// ---- memory ------------------------------------------------------------------------------------------------------

Result<void*> HsaAgent::allocate(size_t bytes, size_t, AgentMemory kind) {
  RT_TRY(usable());
  const bool device = kind == AgentMemory::Device || kind == AgentMemory::Code;
  const hsa_amd_memory_pool_t pool = device ? coarse_ : kind == AgentMemory::FineGrained ? fine_ : cards_->host_memory;
  const uint32_t flags =
      kind == AgentMemory::Code ? HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG : HSA_AMD_MEMORY_POOL_STANDARD_FLAG;
  void* base = nullptr;
  if (Status status = hsa().check(hsa().hsa_amd_memory_pool_allocate(pool, std::max<size_t>(bytes, 1), flags, &base),
                                  "hsa_amd_memory_pool_allocate");
      !status.ok())
    return error(status.code(), "Allocating {} bytes on {}: {}", bytes, properties_.name, status.message());
  std::vector<hsa_agent_t> agents = cards_->gpus;
  agents.push_back(cards_->host);
  if (Status status = hsa().check(
          hsa().hsa_amd_agents_allow_access(static_cast<uint32_t>(agents.size()), agents.data(), nullptr, base),
          "hsa_amd_agents_allow_access");
      !status.ok()) {
    hsa().hsa_amd_memory_pool_free(base);
    return status;
  }
  std::lock_guard guard(mutex_);
  allocations_[base] = bytes;
  return base;
}

Status HsaAgent::free(void* base) {
  {
    std::lock_guard guard(mutex_);
    if (allocations_.erase(base) == 0)
      return error(ErrorCode::InvalidValue, "{} is no allocation of {}.", base, properties_.name);
  }
  return hsa().check(hsa().hsa_amd_memory_pool_free(base), "hsa_amd_memory_pool_free");
}

size_t HsaAgent::bytes_of(void* base) const {
  std::lock_guard guard(mutex_);
  const auto found = allocations_.find(base);
  return found == allocations_.end() ? 0 : found->second;
}

Status HsaAgent::register_host(void* base, size_t bytes) {
  const auto begin = reinterpret_cast<uint64_t>(base);
  std::lock_guard guard(mutex_);
  const auto behind = registered_.lower_bound(begin + bytes);
  if (behind != registered_.begin() && std::prev(behind)->first + std::prev(behind)->second > begin)
    return error(ErrorCode::HostMemoryAlreadyRegistered, "{} bytes at {} are registered in part.", bytes, base);
  std::vector<hsa_agent_t> gpus = cards_->gpus;
  void* on_gpu = nullptr;
  RT_TRY(hsa().check(hsa().hsa_amd_memory_lock(base, bytes, gpus.data(), static_cast<int>(gpus.size()), &on_gpu),
                     "hsa_amd_memory_lock"));
  if (on_gpu != base) {
    hsa().hsa_amd_memory_unlock(base);
    return error(ErrorCode::NotSupported, "{} would see the memory at {} at another address, {}.", properties_.name,
                 base, on_gpu);
  }
  registered_[begin] = bytes;
  return Status();
}

Status HsaAgent::unregister_host(void* base) {
  std::lock_guard guard(mutex_);
  if (registered_.erase(reinterpret_cast<uint64_t>(base)) == 0)
    return error(ErrorCode::HostMemoryNotRegistered, "No registered memory begins at {}.", base);
  return hsa().check(hsa().hsa_amd_memory_unlock(base), "hsa_amd_memory_unlock");
}

// ---- code --------------------------------------------------------------------------------------------------------

Status HsaAgent::map_code(const CodeSegment&, const std::string&, std::span<const CodeSymbol>,
                          std::shared_ptr<const codeobject::LineSections>) {
  return error(ErrorCode::NotSupported, "Code for {} is loaded by HSA.", properties_.name);
}

Status HsaAgent::unmap_code(void*) {
  return error(ErrorCode::NotSupported, "Code for {} is unloaded by HSA.", properties_.name);
}

namespace {

// An executable with the one code object that it was made for, whose bytes it keeps.
struct LoadedExecutable {
  const Library& hsa;
  std::vector<std::byte> file;
  hsa_code_object_reader_t reader{0};
  hsa_executable_t executable{0};
  HsaAgent* agent = nullptr; // that knows `kernels` by their descriptors
  std::vector<uint64_t> kernels;
  ~LoadedExecutable() {
    if (agent) agent->forget_kernels(kernels);
    if (executable.handle) hsa.note(hsa.hsa_executable_destroy(executable), "hsa_executable_destroy");
    if (reader.handle) hsa.note(hsa.hsa_code_object_reader_destroy(reader), "hsa_code_object_reader_destroy");
  }
};

} // namespace

Result<std::optional<LoadedCode>> HsaAgent::load_code(const codeobject::CodeObject& code,
                                                      const codeobject::ResolveSymbol& resolve) {
  RT_TRY(usable());
  auto loaded = std::make_shared<LoadedExecutable>(hsa(), std::vector(code.file().begin(), code.file().end()));
  RT_TRY(hsa().check(hsa().hsa_executable_create_alt(HSA_PROFILE_FULL, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, nullptr,
                                                     &loaded->executable),
                     "hsa_executable_create_alt"));
  for (const codeobject::Symbol& symbol : code.symbols()) {
    if (symbol.defined || symbol.name.empty() || !resolve) continue;
    Result<uint64_t> address = resolve(symbol.name);
    if (!address.ok() && symbol.weak) continue;
    RT_TRY_ASSIGN(const uint64_t known, std::move(address));
    RT_TRY(hsa().check(hsa().hsa_executable_agent_global_variable_define(
                           loaded->executable, gpu_, std::string(symbol.name).c_str(), reinterpret_cast<void*>(known)),
                       "hsa_executable_agent_global_variable_define"));
  }
  RT_TRY(hsa().check(
      hsa().hsa_code_object_reader_create_from_memory(loaded->file.data(), loaded->file.size(), &loaded->reader),
      "hsa_code_object_reader_create_from_memory"));
  hsa_loaded_code_object_t object{0};
  RT_TRY(hsa().check(
      hsa().hsa_executable_load_agent_code_object(loaded->executable, gpu_, loaded->reader, nullptr, &object),
      "hsa_executable_load_agent_code_object"));
  RT_TRY(hsa().check(hsa().hsa_executable_freeze(loaded->executable, nullptr), "hsa_executable_freeze"));
  int64_t delta = 0;
  RT_TRY(hsa().check(hsa().loader.hsa_ven_amd_loader_loaded_code_object_get_info(
                         object, HSA_VEN_AMD_LOADER_LOADED_CODE_OBJECT_INFO_LOAD_DELTA, &delta),
                     "hsa_ven_amd_loader_loaded_code_object_get_info"));
  LoadedCode out;
  out.image.image_begin = code.image_begin();
  out.image.device_base = code.image_begin() + static_cast<uint64_t>(delta);
  out.image.size_bytes = code.image_end() - code.image_begin();
  loaded->agent = this;
  {
    std::lock_guard guard(mutex_);
    for (const codeobject::Kernel& kernel : code.kernels()) {
      loaded->kernels.push_back(out.image.kernel_object(kernel));
      kernels_[loaded->kernels.back()] = kernel.info.name;
    }
  }
  out.keeper = std::move(loaded);
  return std::optional<LoadedCode>(std::move(out));
}

void HsaAgent::forget_kernels(std::span<const uint64_t> kernel_objects) {
  std::lock_guard guard(mutex_);
  for (const uint64_t object : kernel_objects) kernels_.erase(object);
}

std::string HsaAgent::kernel_at(uint64_t kernel_object) const {
  std::lock_guard guard(mutex_);
  const auto found = kernels_.find(kernel_object);
  return found == kernels_.end() ? std::string() : found->second;
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
    const uint64_t slice_ns = std::min(kSliceNs, end - time);
    hsa().hsa_signal_wait_scacquire(handle_of(signal), HSA_SIGNAL_CONDITION_LT, below,
                                    static_cast<uint64_t>(static_cast<double>(slice_ns) / cards_->ns_per_tick),
                                    HSA_WAIT_STATE_BLOCKED);
  }
}

void HsaAgent::subtract_signal(Signal& signal, int64_t amount) noexcept {
  hsa().hsa_signal_subtract_screlease(handle_of(signal), amount);
}

void HsaAgent::sleep_on_signal(Signal& signal, int64_t seen, uint64_t timeout_ns) noexcept {
  hsa().hsa_signal_wait_scacquire(handle_of(signal), HSA_SIGNAL_CONDITION_NE, seen,
                                  static_cast<uint64_t>(static_cast<double>(timeout_ns) / cards_->ns_per_tick),
                                  HSA_WAIT_STATE_BLOCKED);
}

uint64_t HsaAgent::ticks_to_ns(uint64_t ticks) const noexcept {
  uint64_t of_system = 0;
  if (!hsa().note(hsa().hsa_amd_profiling_convert_tick_to_system_domain(gpu_, ticks, &of_system),
                  "hsa_amd_profiling_convert_tick_to_system_domain"))
    return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(static_cast<double>(of_system) * cards_->ns_per_tick) +
                               cards_->clock_offset_ns);
}

Status HsaAgent::usable() const {
  if (!lost_.load(std::memory_order_acquire)) [[likely]]
    return Status();
  std::lock_guard guard(mutex_);
  return loss_;
}

void HsaAgent::lose(Status why) noexcept {
  std::lock_guard guard(mutex_);
  if (lost_.load(std::memory_order_relaxed)) return;
  loss_ = std::move(why);
  lost_.store(true, std::memory_order_release);
  // No packet will complete any more: whoever waits for one is told so by the queue's faults, or by usable().
  for (Signal* const signal : signals_)
    if (signal->value.load(std::memory_order_relaxed) > 0) hsa().hsa_signal_store_screlease(handle_of(*signal), 0);
}

// ---- all cards ---------------------------------------------------------------------------------------------------

namespace {

Result<std::shared_ptr<const Cards>> find_cards() {
  RT_TRY_ASSIGN(const Library* const library, Library::load());
  const Library& hsa = *library;
  auto cards = std::make_shared<Cards>(hsa);
  RT_TRY(hsa.check(hsa.hsa_iterate_agents(
                       [](hsa_agent_t agent, void* data) {
                         auto& found = *static_cast<Cards*>(data);
                         hsa_device_type_t type{};
                         if (!found.hsa.note(found.hsa.hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type),
                                             "hsa_agent_get_info"))
                           return HSA_STATUS_SUCCESS; // it is left out
                         if (type == HSA_DEVICE_TYPE_GPU) found.gpus.push_back(agent);
                         if (type == HSA_DEVICE_TYPE_CPU && found.host.handle == 0) found.host = agent;
                         return HSA_STATUS_SUCCESS;
                       },
                       cards.get()),
                   "hsa_iterate_agents"));
  if (cards->host.handle == 0) return error(ErrorCode::NotSupported, "{} shows no agent that is the host.", hsa.file);
  constexpr uint32_t kKernarg =
      HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
  RT_TRY_ASSIGN(cards->host_memory, find_pool(hsa, cards->host, kKernarg));
  RT_TRY_ASSIGN(const int64_t limit_s, env_number(Env::OMNIHIP_HSA_TIMEOUT_S, 0, INT32_MAX));
  cards->limit_ns = static_cast<uint64_t>(limit_s) * 1'000'000'000;
  if (!cards->gpus.empty() && cards->host_memory.handle == 0)
    return error(ErrorCode::NotSupported, "{} offers no memory for kernel arguments.", hsa.file);
  uint64_t frequency = 0, ticks = 0;
  RT_TRY(hsa.check(hsa.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY, &frequency), "hsa_system_get_info"));
  RT_TRY(hsa.check(hsa.hsa_system_get_info(HSA_SYSTEM_INFO_TIMESTAMP, &ticks), "hsa_system_get_info"));
  if (frequency != 0) cards->ns_per_tick = 1e9 / static_cast<double>(frequency);
  cards->clock_offset_ns =
      static_cast<int64_t>(now_ns()) - static_cast<int64_t>(static_cast<double>(ticks) * cards->ns_per_tick);
  return std::shared_ptr<const Cards>(std::move(cards));
}

} // namespace

} // namespace hip::aql::hsa

namespace hip::aql {

Result<std::vector<std::unique_ptr<Agent>>> create_hsa_agents() {
  std::vector<std::unique_ptr<Agent>> agents;
  RT_TRY_ASSIGN(const std::shared_ptr<const hsa::Cards> cards, hsa::find_cards());
  for (const hsa_agent_t gpu : cards->gpus) {
    Result<std::unique_ptr<Agent>> agent = hsa::HsaAgent::create(cards, gpu);
    if (agent.ok())
      agents.push_back(std::move(*agent));
    else
      log(LogLevel::Error, "A GPU of AMD's runtime is left out: {}", agent.status().message());
  }
  return agents;
}

} // namespace hip::aql
