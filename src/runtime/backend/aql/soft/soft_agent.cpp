#include "runtime/backend/aql/soft/soft_agent.h"

#include "runtime/backend/aql/soft/transfer.h"
#include "runtime/base/env.h"

#include <cstring>
#include <new>

namespace hip::aql::soft {

namespace {

constexpr uint64_t kTransferNowBytes = 64 * 1024; // some microseconds: less than what handing it over costs at worst
constexpr int64_t kMostDevices = 64;

struct TargetRow {
  const char* processor;
  const char* features;
  const char* name;
  uint32_t lds_bytes, vgprs_per_simd, waves_per_simd;
  uint64_t l2_bytes;
  uint32_t core_clock_khz, memory_clock_khz, memory_bus_bits;
};
constexpr TargetRow kTargets[] = {
#define SOFT_TARGET(processor, features, name, lds, vgprs, waves, l2, core_khz, memory_khz, bus)                       \
  {processor, features, name, lds, vgprs, waves, l2, core_khz, memory_khz, bus},
#include "runtime/backend/aql/soft/targets.def"
#undef SOFT_TARGET
};

const TargetRow* find_target(std::string_view processor) noexcept {
  for (const TargetRow& row : kTargets)
    if (processor == row.processor) return &row;
  return nullptr;
}

// The i-th entry of a comma-separated list, or its last when there are fewer.
std::string_view list_entry(std::string_view list, unsigned i) noexcept {
  for (; i > 0 && list.find(',') != list.npos; --i) list.remove_prefix(list.find(',') + 1);
  return list.substr(0, list.find(','));
}

} // namespace

Result<std::unique_ptr<Agent>> SoftAgent::create(std::shared_ptr<System> system, std::string_view processor,
                                                 unsigned index) {
  const TargetRow* const row = find_target(processor);
  if (!row) {
    std::string known;
    for (const TargetRow& t : kTargets) known += fmt::format("{}{}", known.empty() ? "" : ", ", t.processor);
    return error(ErrorCode::InvalidValue, "There is no software GPU of processor \"{}\"; there are {}.", processor,
                 known);
  }
  std::unique_ptr<SoftAgent> agent(new SoftAgent(std::move(system)));
  backend::DeviceProperties& p = agent->properties_;
  p.name = fmt::format("{} (software)", row->name);
  p.target = fmt::format("{}{}", row->processor, row->features);
  const std::string uuid = fmt::format("OmniHIP-soft-{:03}", index);
  std::memcpy(p.uuid.data(), uuid.data(), p.uuid.size());
  p.pci_domain = 0xffff; // no bus has it
  p.pci_bus = index;
  p.is_software = true;
  p.memory_bytes = agent->system_->arena().capacity_bytes(Purse::Device);
  p.compute_units = agent->system_->scheduler().threads();
  p.simds_per_cu = 4;
  p.max_waves_per_cu = row->waves_per_simd * p.simds_per_cu;
  p.lds_bytes_per_group = p.lds_bytes_per_cu = row->lds_bytes;
  p.vgprs_per_simd = p.vgprs_per_item = row->vgprs_per_simd;
  p.l2_bytes = row->l2_bytes;
  const uint32_t counter_khz = host_counter_khz();
  p.core_clock_khz = counter_khz ? counter_khz : row->core_clock_khz;
  p.memory_clock_khz = row->memory_clock_khz;
  p.memory_bus_bits = row->memory_bus_bits;
  p.major = 9;
  p.minor = processor == "gfx90a" ? 0 : processor == "gfx950" ? 5 : 4;
  p.concurrent_managed_access = p.memory_is_host_memory = true; // one memory
  p.host_native_atomics = p.direct_managed_access_from_host = true;
  return std::unique_ptr<Agent>(std::move(agent));
}

backend::MemoryInfo SoftAgent::memory_info() noexcept {
  const Arena& arena = system_->arena();
  const uint64_t total = arena.capacity_bytes(Purse::Device), used = arena.used_bytes(Purse::Device);
  return {used < total ? total - used : 0, total};
}

Result<void*> SoftAgent::allocate(size_t bytes, size_t alignment, AgentMemory kind) {
  const bool of_host = kind == AgentMemory::HostPinned || kind == AgentMemory::Control;
  return system_->arena().allocate(bytes, alignment, of_host ? Purse::Host : Purse::Device);
}

Status SoftAgent::free(void* base) { return system_->arena().free(base); }

Status SoftAgent::register_host(void* base, size_t bytes) {
  RT_TRY(system_->space().host_ranges().add(base, bytes));
  if (system_->scheduler().quiet()) system_->space().host_ranges().drop_old_snapshots();
  return Status();
}

Status SoftAgent::unregister_host(void* base) { return system_->space().host_ranges().remove(base); }

Status SoftAgent::map_code(void* base, size_t bytes, const std::string& target, std::span<const CodeSymbol> symbols) {
  RT_TRY_ASSIGN(engine::Engine* const engine, system_->engine());
  engine::CodeRange range;
  range.base = reinterpret_cast<uint64_t>(base);
  range.bytes = bytes;
  range.target = target;
  for (const CodeSymbol& symbol : symbols)
    if (symbol.address - range.base < bytes)
      range.symbols.push_back({symbol.address, symbol.bytes, symbol.name, symbol.hidden_group_size_offset});
  return engine->map_code(range);
}

Status SoftAgent::unmap_code(void* base) {
  if (engine::Engine* engine = system_->opened_engine()) engine->unmap_code(reinterpret_cast<uint64_t>(base));
  return Status();
}

Result<std::unique_ptr<HardwareQueue>> SoftAgent::create_queue(QueueBlock& block, int priority,
                                                               const Ref<FaultSink>& faults) {
  RT_TRY(system_->usable());
  return SoftQueue::create(*system_, block, priority, faults);
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

Result<std::vector<std::unique_ptr<Agent>>> create_agents(const SystemOptions& options) {
  RT_TRY_ASSIGN(const int64_t count, env_number(Env::OMNIHIP_SOFT_DEVICES, 0, kMostDevices));
  std::vector<std::unique_ptr<Agent>> agents;
  if (count == 0) return agents;
  RT_TRY_ASSIGN(const std::shared_ptr<System> system, System::create(options));
  for (unsigned i = 0; i < count; ++i) {
    RT_TRY_ASSIGN(std::unique_ptr<Agent> agent,
                  SoftAgent::create(system, list_entry(env_text(Env::OMNIHIP_SOFT_TARGET), i), i));
    agents.push_back(std::move(agent));
  }
  return agents;
}

} // namespace hip::aql::soft

namespace hip::aql {

Result<std::vector<std::unique_ptr<Agent>>> create_soft_agents() {
  soft::SystemOptions options;
  RT_TRY_ASSIGN(const int64_t threads, env_number(Env::OMNIHIP_SOFT_THREADS, 0, 4096));
  RT_TRY_ASSIGN(const int64_t memory_mib, env_number(Env::OMNIHIP_SOFT_MEMORY_MB, 0, int64_t(1) << 40));
  RT_TRY_ASSIGN(const int64_t spin_us, env_number(Env::OMNIHIP_SOFT_SPIN_US, 0, 1000000));
  options.threads = static_cast<unsigned>(threads);
  options.memory_bytes = static_cast<uint64_t>(memory_mib) << 20;
  options.spin_ns = static_cast<uint64_t>(spin_us) * 1000;
  return soft::create_agents(options);
}

} // namespace hip::aql
