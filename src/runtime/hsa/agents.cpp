#include "runtime/hsa/agents.h"

#include <fstream>
#include <unistd.h>

namespace hip::hsa {

namespace {

// "Intel(R) Xeon(R) Processor", or "x86-64" where the kernel does not tell.
std::string host_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();)
    if (line.starts_with("model name"))
      if (const size_t colon = line.find(": "); colon != line.npos) return line.substr(colon + 2);
  return "x86-64";
}

uint64_t host_bytes() {
  return static_cast<uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::unique_ptr<Cache> make_cache(std::string name, uint8_t level, long bytes) {
  auto cache = std::make_unique<Cache>();
  cache->name = std::move(name);
  cache->level = level;
  cache->bytes = bytes > 0 ? static_cast<uint32_t>(bytes) : 0;
  return cache;
}

constexpr uint32_t kGpuL1Bytes = 32 * 1024; // of a compute unit of MI300

} // namespace

uint32_t Pool::global_flags() const noexcept {
  switch (kind) {
  case PoolKind::HostFine:
    return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
  case PoolKind::HostKernarg:
    return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED | HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT;
  case PoolKind::HostCoarse:
  case PoolKind::GpuCoarse:
    return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED;
  case PoolKind::GpuFine:
    return HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED;
  case PoolKind::Group:
    break;
  }
  return 0;
}

aql::AgentMemory Pool::memory() const noexcept {
  switch (kind) {
  case PoolKind::HostFine:
  case PoolKind::HostCoarse:
    return aql::AgentMemory::HostPinned;
  case PoolKind::HostKernarg:
    return aql::AgentMemory::Control;
  case PoolKind::GpuFine:
    return aql::AgentMemory::FineGrained;
  case PoolKind::GpuCoarse:
  case PoolKind::Group:
    break;
  }
  return aql::AgentMemory::Device;
}

void Agent::add_pool(PoolKind kind, uint64_t bytes) {
  auto pool = std::make_unique<Pool>();
  pool->agent = this;
  pool->kind = kind;
  pool->bytes = bytes;
  pools_.push_back(std::move(pool));
}

std::unique_ptr<Agent> Agent::host(aql::Agent* gpu) {
  auto agent = std::make_unique<Agent>();
  agent->memory_ = gpu;
  agent->name_ = agent->product_ = host_name();
  if (gpu)
    for (const PoolKind kind : {PoolKind::HostFine, PoolKind::HostKernarg, PoolKind::HostCoarse})
      agent->add_pool(kind, host_bytes());
  agent->caches_.push_back(make_cache("L1", 1, ::sysconf(_SC_LEVEL1_DCACHE_SIZE)));
  agent->caches_.push_back(make_cache("L2", 2, ::sysconf(_SC_LEVEL2_CACHE_SIZE)));
  agent->caches_.push_back(make_cache("L3", 3, ::sysconf(_SC_LEVEL3_CACHE_SIZE)));
  return agent;
}

bool has_unit_pairs(const backend::DeviceProperties& gpu) noexcept {
  const codeobject::Processor* const processor = codeobject::find_processor(gpu.target.substr(0, gpu.target.find(':')));
  return processor && processor->facts().group_domain == codeobject::GroupDomain::WorkGroupProcessor;
}

std::unique_ptr<Agent> Agent::of_gpu(std::unique_ptr<aql::Agent> gpu, uint32_t node, UnitMask unit_limit) {
  auto agent = std::make_unique<Agent>();
  const backend::DeviceProperties& p = gpu->properties();
  agent->memory_ = gpu.get();
  agent->node_ = node;
  agent->name_ = p.target.substr(0, p.target.find(':'));
  agent->product_ = p.name;
  agent->masks_pairs_ = has_unit_pairs(p);
  agent->add_pool(PoolKind::GpuCoarse, p.memory_bytes);
  agent->add_pool(PoolKind::GpuFine, p.memory_bytes);
  agent->add_pool(PoolKind::Group, p.lds_bytes_per_group);
  agent->caches_.push_back(make_cache(agent->name_ + " L1", 1, kGpuL1Bytes));
  if (p.l2_bytes) agent->caches_.push_back(make_cache(agent->name_ + " L2", 2, static_cast<long>(p.l2_bytes)));
  agent->isa_ = std::make_unique<Isa>(Isa{"amdgcn-amd-amdhsa--" + p.target, p.wave_lanes});
  agent->gpu_ = std::make_unique<aql::Device>(std::move(gpu));
  agent->unit_limit_ = std::move(unit_limit);
  return agent;
}

} // namespace hip::hsa
