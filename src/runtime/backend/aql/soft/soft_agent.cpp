#include "runtime/backend/aql/soft/soft_agent.h"

#include "runtime/backend/aql/soft/shared_system.h"

#include "runtime/backend/aql/processor_properties.h"
#include "runtime/backend/aql/soft/transfer.h"
#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/codeobject/processor.h"
#include "runtime/engine/shader_clock.h"

#include <bit>
#include <cstring>
#include <new>

namespace hip::aql::soft {

namespace {

constexpr uint64_t kTransferNowBytes = 64 * 1024; // takes some microseconds, less than handing it over can cost
constexpr int64_t kMostDevices = 64;

// The processor of this name; an error when there is none, or when it is generic.
Result<const codeobject::Processor*> device_processor(std::string_view name) {
  const codeobject::Processor* const processor = codeobject::find_processor(name);
  if (processor && !processor->is_generic()) return processor;
  if (processor)
    return error(
        ErrorCode::InvalidValue,
        "There is no software GPU of processor \"{}\": code is compiled for generic processors, devices are not.",
        name);
  std::string known;
  for (const codeobject::Processor& p : codeobject::processors())
    if (!p.is_generic()) known += fmt::format("{}{}", known.empty() ? "" : ", ", p.name);
  return error(ErrorCode::InvalidValue, "There is no software GPU of processor \"{}\"; there are {}.", name, known);
}

// The i-th entry of a comma-separated list, or its last when there are fewer.
std::string_view list_entry(std::string_view list, unsigned i) noexcept {
  for (; i > 0 && list.find(',') != list.npos; --i) list.remove_prefix(list.find(',') + 1);
  return list.substr(0, list.find(','));
}

} // namespace

Result<std::unique_ptr<Agent>> SoftAgent::create(std::shared_ptr<System> system, std::string_view processor,
                                                 unsigned index) {
  RT_TRY_ASSIGN(const codeobject::Processor* const row, device_processor(processor));
  if (row->software != codeobject::SoftwareExecution::Executes)
    log(LogLevel::Warning,
        "The software GPU of processor {} has memory and properties, but does not execute its code yet.", row->name);
  std::unique_ptr<SoftAgent> agent(new SoftAgent(std::move(system)));
  backend::DeviceProperties& p = agent->properties_;
  describe_processor(*row, p);
  p.name = fmt::format("{} (software)", *row->product.name ? row->product.name : row->name);
  p.target = row->name;
  if (row->has_sramecc()) p.target += ":sramecc+";
  if (row->has_xnack()) p.target += ":xnack-";
  constexpr uint64_t kFirstUuid = 0x736f66742d303030; // "soft-000"
  const std::string uuid = fmt::format("{:016x}", kFirstUuid + index);
  std::memcpy(p.uuid.data(), uuid.data(), p.uuid.size());
  p.pci_domain = 0xffff; // no real bus has this domain
  p.pci_bus = index;
  p.is_software = true;
  p.virtual_memory = true;
  p.compute_unit_masks = true;
  p.multi_grid_barrier = true;
  p.memory_bytes = agent->system_->arena().capacity_bytes(Purse::Device);
  p.compute_units = agent->system_->scheduler().threads();
  if (const uint32_t counter_khz = host_counter_khz()) p.core_clock_khz = counter_khz >> engine::kShaderClockShift;
  p.concurrent_managed_access = p.memory_is_host_memory = true; // the memory of host and device is one
  p.takes_short_arguments = true;                               // ArgumentLayout::write
  p.host_native_atomics = p.direct_managed_access_from_host = true;
  return std::unique_ptr<Agent>(std::move(agent));
}

Result<backend::MemoryInfo> SoftAgent::memory_info() {
  const Arena& arena = system_->arena();
  const uint64_t total = arena.capacity_bytes(Purse::Device), used = arena.used_bytes(Purse::Device);
  return backend::MemoryInfo{used < total ? total - used : 0, total};
}

Result<void*> SoftAgent::allocate(size_t bytes, size_t alignment, AgentMemory kind) {
  const bool of_host = kind == AgentMemory::HostPinned || kind == AgentMemory::Control;
  return system_->arena().allocate(bytes, alignment, of_host ? Purse::Host : Purse::Device);
}

// While the process ends, kernels that nobody waits for any more may still execute: what they use stays.
Status SoftAgent::free(void* base) { return system_->ends() ? Status() : system_->arena().free(base); }

Status SoftAgent::register_host(void* base, size_t bytes) {
  RT_TRY(system_->space().host_ranges().add(base, bytes));
  if (system_->scheduler().quiet()) system_->space().host_ranges().drop_old_snapshots();
  return Status();
}

Status SoftAgent::unregister_host(void* base) { return system_->space().host_ranges().remove(base); }

Status SoftAgent::unregister_host_part(void* base, size_t bytes) {
  system_->space().host_ranges().remove_part(base, bytes);
  return Status();
}

Status SoftAgent::share_host(void* base, size_t bytes, SharedAccess access) {
  system_->space().host_ranges().share(base, bytes, access);
  if (system_->scheduler().quiet()) system_->space().host_ranges().drop_old_snapshots();
  return Status();
}

Status SoftAgent::map_code(const CodeSegment& segment, const std::string& target, std::span<const CodeSymbol> symbols,
                           std::shared_ptr<const codeobject::LineSections> lines) {
  RT_TRY_ASSIGN(engine::Engine* const engine, system_->engine());
  engine::CodeRange range;
  range.base = reinterpret_cast<uint64_t>(segment.base);
  range.bytes = segment.bytes;
  range.target = target;
  range.lines = std::move(lines);
  range.file_address = segment.file_address;
  for (const CodeSymbol& symbol : symbols)
    if (symbol.address - range.base < segment.bytes) {
      range.symbols.push_back(
          {symbol.address, symbol.bytes, symbol.name, symbol.hidden_group_size_offset, symbol.kernel_object});
      if (symbol.wave_lanes == 0) continue;
      if (range.wave_lanes != 0 && range.wave_lanes != symbol.wave_lanes)
        return error(ErrorCode::NotSupported,
                     "The code object has kernels for waves of {} lanes and for waves of {} lanes; compile all of it "
                     "for one size.",
                     range.wave_lanes, symbol.wave_lanes);
      range.wave_lanes = symbol.wave_lanes;
    }
  return engine->map_code(range);
}

Status SoftAgent::unmap_code(void* base) {
  if (system_->ends()) return Status(); // as free()
  if (engine::Engine* engine = system_->opened_engine()) engine->unmap_code(reinterpret_cast<uint64_t>(base));
  return Status();
}

Result<std::unique_ptr<HardwareQueue>> SoftAgent::create_queue(QueueBlock& block, int priority,
                                                               std::span<const uint32_t> compute_unit_mask,
                                                               const Ref<FaultSink>& faults) {
  RT_TRY(system_->usable());
  return SoftQueue::create(*system_, block, priority, compute_unit_mask, faults);
}

Result<PacketHead> SoftAgent::encode_transfer(const Transfer& transfer, void* arguments, Packet& packet) {
  static_assert(sizeof(Transfer) <= kTransferArgumentBytes && std::is_trivially_copyable_v<Transfer>);
  packet.agent.reserved0 = 0;
  packet.agent.return_address = 0;
  packet.agent.arg[0] = reinterpret_cast<uint64_t>(new (arguments) Transfer(transfer));
  packet.agent.arg[1] = packet.agent.arg[2] = packet.agent.arg[3] = 0;
  packet.agent.reserved2 = 0;
  return PacketHead{PacketType::AgentDispatch, kTransferService};
}

Result<bool> SoftAgent::transfer_now(const Transfer& transfer) {
  if (transfer_bytes(transfer) > kTransferNowBytes) return false;
  RT_TRY(check_transfer(transfer, system_->space()));
  TransferJob(transfer).run();
  return true;
}

bool SoftAgent::wait_signal(Signal& signal, int64_t below, uint64_t timeout_ns) noexcept {
  return system_->scheduler().help({&signal, below}, timeout_ns);
}

void SoftAgent::subtract_signal(Signal& signal, int64_t amount) noexcept {
  signal.value.fetch_sub(amount, std::memory_order_seq_cst);
  system_->parking().changed(signal);
}

std::optional<Agent::Allocation> SoftAgent::allocation_at(const void* address) const {
  const auto found = system_->arena().find(reinterpret_cast<uint64_t>(address));
  if (!found) return std::nullopt;
  return Allocation{reinterpret_cast<void*>(found->base), found->bytes,
                    found->purse == Purse::Device ? AgentMemory::Device : AgentMemory::HostPinned};
}

namespace {

Result<std::vector<std::unique_ptr<Agent>>> agents_over(const std::shared_ptr<System>& system) {
  RT_TRY_ASSIGN(const int64_t count, env_number(Env::OMNIHIP_SOFT_DEVICES, 0, kMostDevices));
  std::vector<std::unique_ptr<Agent>> agents;
  for (unsigned i = 0; i < count; ++i) {
    RT_TRY_ASSIGN(std::unique_ptr<Agent> agent,
                  SoftAgent::create(system, list_entry(env_text(Env::OMNIHIP_SOFT_TARGET), i), i));
    agents.push_back(std::move(agent));
  }
  return agents;
}

// The system that this library made last, while somebody has agents over it.
std::mutex latest_mutex;
std::weak_ptr<System>* latest = nullptr;

std::shared_ptr<System> latest_system() {
  std::lock_guard guard(latest_mutex);
  std::shared_ptr<System> system = latest ? latest->lock() : nullptr;
  return system && system->usable().ok() ? system : nullptr;
}

Result<std::optional<std::vector<std::unique_ptr<Agent>>>> offered_agents() {
  const std::shared_ptr<System> system = latest_system();
  if (!system) return std::optional<std::vector<std::unique_ptr<Agent>>>();
  RT_TRY_ASSIGN(auto agents, agents_over(system));
  return std::optional(std::move(agents));
}

#if !defined(__has_feature)
#define __has_feature(name) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr unsigned kSanitizer = 1;
#elif __has_feature(thread_sanitizer)
constexpr unsigned kSanitizer = 2;
#else
constexpr unsigned kSanitizer = 0;
#endif

// Of functions and members of the types that cross from one library to the other (Agent, HardwareQueue, Signal); raised
// when one of them changes and the sizes below do not.
constexpr uint64_t kAgentAbiVersion = 2;

// Those types, as far as their sizes tell builds apart.
constexpr auto kBuild = [] {
  struct {
    char text[64] = {};
  } build;
  size_t at = 0;
  const auto put = [&](uint64_t number) {
    do build.text[at++] = static_cast<char>('0' + number % 10);
    while ((number /= 10) != 0);
    build.text[at++] = ' ';
  };
  for (const uint64_t number :
       {uint64_t{engine::kEngineAbiVersion}, uint64_t{sizeof(System)}, uint64_t{sizeof(SoftAgent)},
        uint64_t{sizeof(RingOptions)}, uint64_t{sizeof(backend::DeviceProperties)}, uint64_t{sizeof(Status)},
        kAgentAbiVersion, uint64_t{kSanitizer}})
    put(number);
  return build;
}();

} // namespace

const Offer& own_offer() noexcept {
  static constexpr Offer kOffer{kBuild.text, offered_agents};
  return kOffer;
}

Result<std::vector<std::unique_ptr<Agent>>> create_agents(const SystemOptions& options) {
  RT_TRY_ASSIGN(const int64_t count, env_number(Env::OMNIHIP_SOFT_DEVICES, 0, kMostDevices));
  if (count == 0) return std::vector<std::unique_ptr<Agent>>();
  RT_TRY_ASSIGN(const std::shared_ptr<System> system, System::create(options));
  return agents_over(system);
}

Result<std::vector<std::unique_ptr<Agent>>> shared_agents(const SystemOptions& options) {
  std::shared_ptr<System> system = latest_system();
  if (system) return agents_over(system);
  RT_TRY_ASSIGN(auto others, agents_of_others());
  if (others) return std::move(*others);
  RT_TRY_ASSIGN(const int64_t count, env_number(Env::OMNIHIP_SOFT_DEVICES, 0, kMostDevices));
  if (count == 0) return std::vector<std::unique_ptr<Agent>>();
  RT_TRY_ASSIGN(system, System::create(options));
  {
    std::lock_guard guard(latest_mutex);
    if (!latest) latest = new std::weak_ptr<System>; // never destroyed: it is asked for at the end of the process, too
    *latest = system;
  }
  return agents_over(system);
}

} // namespace hip::aql::soft

namespace hip::aql {

Result<std::vector<std::unique_ptr<Agent>>> create_soft_agents() {
  constexpr int64_t kLongestTimeoutS = 1'000'000'000; // 30 years
  soft::SystemOptions options;
  RT_TRY_ASSIGN(const int64_t threads, env_number(Env::OMNIHIP_SOFT_THREADS, 0, 4096));
  RT_TRY_ASSIGN(const int64_t memory_mib, env_number(Env::OMNIHIP_SOFT_MEMORY_MB, 0, int64_t(1) << 40));
  RT_TRY_ASSIGN(const int64_t page_kib, env_number(Env::OMNIHIP_SOFT_PAGE_KB, 4, 1 << 20));
  if (!std::has_single_bit(static_cast<uint64_t>(page_kib)))
    return error(ErrorCode::InvalidValue, "OMNIHIP_SOFT_PAGE_KB is {}, which is no power of two.", page_kib);
  RT_TRY_ASSIGN(const int64_t strict_reads, env_number(Env::OMNIHIP_SOFT_STRICT_READS, 0, 1));
  RT_TRY_ASSIGN(const int64_t spin_us, env_number(Env::OMNIHIP_SOFT_SPIN_US, 0, 1000000));
  RT_TRY_ASSIGN(const int64_t timeout_s, env_number(Env::OMNIHIP_SOFT_TIMEOUT_S, 0, kLongestTimeoutS));
  options.launch_limit_ns = static_cast<uint64_t>(timeout_s) * 1'000'000'000;
  options.threads = static_cast<unsigned>(threads);
  options.memory_bytes = static_cast<uint64_t>(memory_mib) << 20;
  options.page_bytes = static_cast<uint64_t>(page_kib) << 10;
  options.strict_reads = strict_reads != 0;
  options.spin_ns = static_cast<uint64_t>(spin_us) * 1000;
  return soft::shared_agents(options);
}

} // namespace hip::aql
