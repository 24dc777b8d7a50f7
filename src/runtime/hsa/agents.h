// runtime/hsa/agents.h - HSA's agents: the host, which has memory and no queues, and one for each GPU of the back end's
// providers. Handles of agents, pools, regions and instruction sets are addresses of these objects, which live as long
// as the runtime is initialised. Thread safety: immutable once made.
#pragma once

#include "runtime/backend/aql/device.h"
#include "runtime/hsa/unit_masks.h"

#include <hsa/hsa_ext_amd.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace hip::hsa {

class Agent;

// What memory of a pool is. A GPU's LDS is a pool from which nothing can be allocated.
enum class PoolKind { HostFine, HostKernarg, HostCoarse, GpuCoarse, GpuFine, Group };

// hsa_amd_memory_pool_t and hsa_region_t.
struct Pool {
  Agent* agent = nullptr;
  PoolKind kind = PoolKind::HostFine;
  uint64_t bytes = 0;

  bool allocates() const noexcept { return kind != PoolKind::Group; }
  bool on_host() const noexcept { return kind <= PoolKind::HostCoarse; }
  uint32_t global_flags() const noexcept; // hsa_amd_memory_pool_global_flag_t
  aql::AgentMemory memory() const noexcept;
};

struct Cache { // hsa_cache_t
  std::string name;
  uint8_t level = 1;
  uint32_t bytes = 0;
};

// hsa_isa_t: a target id in full, "amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-". Its hsa_wavefront_t is the address of
// its lanes.
struct Isa {
  std::string name;
  uint32_t wave_lanes = 64;
};

class Agent { // hsa_agent_t
public:
  // The host. `gpu` gives memory that the host's pools are made of; null where there is no GPU, then it has none.
  static std::unique_ptr<Agent> host(aql::Agent* gpu);
  // `unit_limit`: the compute units that HSA_CU_MASK leaves to its queues.
  static std::unique_ptr<Agent> of_gpu(std::unique_ptr<aql::Agent> gpu, uint32_t node, UnitMask unit_limit);

  bool is_gpu() const noexcept { return gpu_ != nullptr; }
  aql::Device& device() const noexcept { return *gpu_; } // of a GPU, as the two below
  aql::Agent& gpu() const noexcept { return gpu_->agent(); }
  const backend::DeviceProperties& properties() const noexcept { return gpu_->properties(); }
  // Whose allocate() and free() serve the agent's pools; null: it has no memory.
  aql::Agent* memory() const noexcept { return memory_; }
  uint32_t node() const noexcept { return node_; }
  const std::vector<std::unique_ptr<Pool>>& pools() const noexcept { return pools_; }
  const std::vector<std::unique_ptr<Cache>>& caches() const noexcept { return caches_; }
  const Isa* isa() const noexcept { return isa_.get(); } // of a GPU
  const UnitMask& unit_limit() const noexcept { return unit_limit_; }
  // Its compute units are work-group processors' two by two, and masks take both or none of them.
  bool masks_pairs() const noexcept { return masks_pairs_; }
  const std::string& name() const noexcept { return name_; }
  const std::string& product() const noexcept { return product_; }

  hsa_agent_t handle() const noexcept { return {reinterpret_cast<uint64_t>(this)}; }

private:
  void add_pool(PoolKind kind, uint64_t bytes);

  std::unique_ptr<aql::Device> gpu_;
  aql::Agent* memory_ = nullptr;
  uint32_t node_ = 0;
  std::string name_, product_;
  std::vector<std::unique_ptr<Pool>> pools_;
  std::vector<std::unique_ptr<Cache>> caches_;
  std::unique_ptr<Isa> isa_;
  UnitMask unit_limit_;
  bool masks_pairs_ = false;
};

inline hsa_amd_memory_pool_t pool_handle(const Pool& pool) noexcept { return {reinterpret_cast<uint64_t>(&pool)}; }
inline hsa_region_t region_handle(const Pool& pool) noexcept { return {reinterpret_cast<uint64_t>(&pool)}; }

// Whether the GPU has work-group processors, of two compute units each.
bool has_unit_pairs(const backend::DeviceProperties& gpu) noexcept;

} // namespace hip::hsa
