// runtime/hsa/agent_info.cpp - what agents, caches, instruction sets and waves are.
#include "runtime/hsa/entry.h"

#include <chrono>

using namespace hip::hsa;

namespace {

constexpr uint32_t kMinQueuePackets = 64, kMaxQueuePackets = 131072, kMaxQueues = 128;
constexpr uint32_t kCacheLineBytes = 128, kHostCacheLineBytes = 64;
constexpr uint32_t kFamilyAi = 141; // AMDGPU_FAMILY_AI of the Linux kernel: the gfx9 cards

uint32_t grid_items(uint32_t groups, uint32_t items) noexcept {
  return static_cast<uint32_t>(std::min<uint64_t>(uint64_t(groups) * items, UINT32_MAX));
}

// The largest cache of each of the four levels.
std::array<uint32_t, 4> cache_bytes(const Agent& agent) {
  std::array<uint32_t, 4> bytes{};
  for (const std::unique_ptr<Cache>& cache : agent.caches())
    if (cache->level >= 1 && cache->level <= 4) bytes[cache->level - 1] = cache->bytes;
  return bytes;
}

// "GPU-" and the UUID's 16 characters.
std::string uuid_text(const Agent& agent) {
  if (!agent.is_gpu()) return "CPU-XX";
  const auto& uuid = agent.properties().uuid;
  return "GPU-" + std::string(reinterpret_cast<const char*>(uuid.data()), uuid.size());
}

uint64_t now_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1));
}

// Attributes that every agent has, of the specification.
hsa_status_t common_info(const Agent& agent, int attribute, void* value) {
  const bool gpu = agent.is_gpu();
  switch (attribute) {
  case HSA_AGENT_INFO_NAME:
    return answer_text(value, agent.name(), 64);
  case HSA_AGENT_INFO_VENDOR_NAME:
    return answer_text(value, gpu ? "AMD" : "CPU", 64);
  case HSA_AGENT_INFO_FEATURE:
    return answer<uint32_t>(value, gpu ? HSA_AGENT_FEATURE_KERNEL_DISPATCH : 0);
  case HSA_AGENT_INFO_MACHINE_MODEL:
    return answer(value, HSA_MACHINE_MODEL_LARGE);
  case HSA_AGENT_INFO_PROFILE:
    return answer(value, gpu ? HSA_PROFILE_BASE : HSA_PROFILE_FULL);
  case HSA_AGENT_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
  case HSA_AGENT_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
    return answer(value, HSA_DEFAULT_FLOAT_ROUNDING_MODE_NEAR);
  case HSA_AGENT_INFO_QUEUES_MAX:
    return answer<uint32_t>(value, gpu ? kMaxQueues : 0);
  case HSA_AGENT_INFO_QUEUE_MIN_SIZE:
    return answer<uint32_t>(value, gpu ? kMinQueuePackets : 0);
  case HSA_AGENT_INFO_QUEUE_MAX_SIZE:
    return answer<uint32_t>(value, gpu ? kMaxQueuePackets : 0);
  case HSA_AGENT_INFO_QUEUE_TYPE:
    return answer(value, HSA_QUEUE_TYPE_MULTI);
  case HSA_AGENT_INFO_NODE:
    return answer<uint32_t>(value, agent.node());
  case HSA_AGENT_INFO_DEVICE:
    return answer(value, gpu ? HSA_DEVICE_TYPE_GPU : HSA_DEVICE_TYPE_CPU);
  case HSA_AGENT_INFO_CACHE_SIZE:
    return answer(value, cache_bytes(agent));
  case HSA_AGENT_INFO_EXTENSIONS: {
    uint8_t bits[128] = {};
    if (gpu) {
      // Images as ROCr tells them of a GPU without image hardware: the extension is there, and all limits are 0. AMD's
      // HIP takes the pitch of its allocations from nothing else.
      bits[HSA_EXTENSION_IMAGES / 8] |= 1u << HSA_EXTENSION_IMAGES % 8;
      bits[HSA_EXTENSION_AMD_PROFILER / 8] |= 1u << HSA_EXTENSION_AMD_PROFILER % 8;
    }
    return answer(value, bits);
  }
  case HSA_AGENT_INFO_VERSION_MAJOR:
  case HSA_AGENT_INFO_VERSION_MINOR:
    return answer<uint16_t>(value, 1);
  case HSA_AGENT_INFO_FBARRIER_MAX_SIZE:
    return answer<uint32_t>(value, gpu ? 32 : 0);
  case HSA_AGENT_INFO_FAST_F16_OPERATION:
    return answer(value, gpu);
  case HSA_AMD_AGENT_INFO_PRODUCT_NAME:
    return answer_text(value, agent.product(), 64);
  case HSA_AMD_AGENT_INFO_UUID:
    return answer_text(value, uuid_text(agent), 21);
  case HSA_AMD_AGENT_INFO_DRIVER_NODE_ID:
    return answer<uint32_t>(value, agent.node());
  case HSA_AMD_AGENT_INFO_CACHELINE_SIZE:
    return answer<uint32_t>(value, gpu ? kCacheLineBytes : kHostCacheLineBytes);
  case HSA_AMD_AGENT_INFO_IOMMU_SUPPORT:
    return answer(value, HSA_IOMMU_SUPPORT_NONE);
  case HSA_AMD_AGENT_INFO_MEMORY_PROPERTIES:
  case HSA_AMD_AGENT_INFO_AQL_EXTENSIONS:
    return answer(value, std::array<uint8_t, 8>{});
  case HSA_AMD_AGENT_INFO_CLOCK_COUNTERS: {
    const uint64_t now = now_ns();
    return answer(value, hsa_amd_clock_counters_t{now, now, now, 1'000'000'000});
  }
  default:
    return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "Agents have no attribute {:#x}.", attribute);
  }
}

// What the host has none of: everything that is about executing kernels.
hsa_status_t host_info(const Agent& agent, int attribute, void* value) {
  switch (attribute) {
  case HSA_AGENT_INFO_WAVEFRONT_SIZE:
  case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
  case HSA_AGENT_INFO_GRID_MAX_SIZE:
    return answer<uint32_t>(value, 0);
  case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
    return answer(value, std::array<uint16_t, 3>{});
  case HSA_AGENT_INFO_GRID_MAX_DIM:
    return answer(value, hsa_dim3_t{0, 0, 0});
  case HSA_AGENT_INFO_ISA:
    return answer(value, hsa_isa_t{0});
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
    return answer<uint32_t>(value, std::max(1u, std::thread::hardware_concurrency()));
  case HSA_AMD_AGENT_INFO_CHIP_ID:
  case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
  case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
  case HSA_AMD_AGENT_INFO_BDFID:
  case HSA_AMD_AGENT_INFO_DOMAIN:
  case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
  case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
  case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
  case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
  case HSA_AMD_AGENT_INFO_ASIC_REVISION:
  case HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID:
  case HSA_AMD_AGENT_INFO_NUM_XCC:
  case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
  case HSA_AMD_AGENT_INFO_UCODE_VERSION:
  case HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
  case HSA_AMD_AGENT_INFO_NUM_SDMA_ENG:
  case HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG:
  case HSA_AMD_AGENT_INFO_DRIVER_UID:
    return answer<uint32_t>(value, 0);
  case HSA_AMD_AGENT_INFO_HDP_FLUSH:
    return answer(value, hsa_amd_hdp_flush_t{nullptr, nullptr});
  case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
    return answer(value, false);
  case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
    return answer(value, true);
  case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
    return answer<uint64_t>(value, 1'000'000'000);
  case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX:
  case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT:
    return answer<uint64_t>(value, 0);
  case HSA_AMD_AGENT_INFO_NEAREST_CPU:
    return answer(value, agent.handle());
  default:
    return common_info(agent, attribute, value);
  }
}

hsa_status_t gpu_info(Runtime& runtime, const Agent& agent, int attribute, void* value) {
  const hip::backend::DeviceProperties& p = agent.properties();
  switch (attribute) {
  case HSA_AGENT_INFO_WAVEFRONT_SIZE:
    return answer<uint32_t>(value, p.wave_lanes);
  case HSA_AGENT_INFO_WORKGROUP_MAX_DIM:
    return answer(value,
                  std::array{static_cast<uint16_t>(p.max_group_dim[0]), static_cast<uint16_t>(p.max_group_dim[1]),
                             static_cast<uint16_t>(p.max_group_dim[2])});
  case HSA_AGENT_INFO_WORKGROUP_MAX_SIZE:
    return answer<uint32_t>(value, p.max_group_items);
  case HSA_AGENT_INFO_GRID_MAX_DIM:
    return answer(value, hsa_dim3_t{grid_items(p.max_grid_dim[0], p.max_group_dim[0]),
                                    grid_items(p.max_grid_dim[1], p.max_group_dim[1]),
                                    grid_items(p.max_grid_dim[2], p.max_group_dim[2])});
  case HSA_AGENT_INFO_GRID_MAX_SIZE:
    return answer<uint32_t>(value, UINT32_MAX);
  case HSA_AGENT_INFO_ISA:
    return answer(value, hsa_isa_t{reinterpret_cast<uint64_t>(agent.isa())});
  case HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT:
  case HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT:
    return answer<uint32_t>(value, p.compute_units);
  case HSA_AMD_AGENT_INFO_MAX_CLOCK_FREQUENCY:
    return answer<uint32_t>(value, p.core_clock_khz / 1000);
  case HSA_AMD_AGENT_INFO_BDFID:
    return answer<uint32_t>(value, p.pci_bus << 8 | p.pci_device << 3);
  case HSA_AMD_AGENT_INFO_DOMAIN:
    return answer<uint32_t>(value, p.pci_domain);
  case HSA_AMD_AGENT_INFO_MEMORY_WIDTH:
    return answer<uint32_t>(value, p.memory_bus_bits);
  case HSA_AMD_AGENT_INFO_MEMORY_MAX_FREQUENCY:
    return answer<uint32_t>(value, p.memory_clock_khz / 1000);
  case HSA_AMD_AGENT_INFO_MAX_WAVES_PER_CU:
    return answer<uint32_t>(value, p.max_waves_per_cu);
  case HSA_AMD_AGENT_INFO_NUM_SIMDS_PER_CU:
    return answer<uint32_t>(value, p.simds_per_cu);
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ENGINES:
  case HSA_AMD_AGENT_INFO_NUM_SHADER_ARRAYS_PER_SE:
  case HSA_AMD_AGENT_INFO_NUM_XCC:
    return answer<uint32_t>(value, 1);
  case HSA_AMD_AGENT_INFO_HDP_FLUSH:
    return answer(value, hsa_amd_hdp_flush_t{nullptr, nullptr}); // the host sees what kernels wrote
  case HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES:
    return answer(value, p.cooperative_launch);
  case HSA_AMD_AGENT_INFO_SVM_DIRECT_HOST_ACCESS:
    return answer(value, true);
  case HSA_AMD_AGENT_INFO_MEMORY_AVAIL:
    return answer<uint64_t>(value, agent.gpu().memory_info().value().free_bytes);
  case HSA_AMD_AGENT_INFO_TIMESTAMP_FREQUENCY:
    return answer<uint64_t>(value, uint64_t(p.wall_clock_khz) * 1000);
  case HSA_AMD_AGENT_INFO_ASIC_FAMILY_ID:
    return answer<uint32_t>(value, p.major == 9 ? kFamilyAi : 0);
  case HSA_AMD_AGENT_INFO_CHIP_ID: // not known: the numbers are those of cards
  case HSA_AMD_AGENT_INFO_MAX_ADDRESS_WATCH_POINTS:
  case HSA_AMD_AGENT_INFO_ASIC_REVISION:
  case HSA_AMD_AGENT_INFO_UCODE_VERSION:
  case HSA_AMD_AGENT_INFO_SDMA_UCODE_VERSION:
  case HSA_AMD_AGENT_INFO_NUM_SDMA_XGMI_ENG:
    return answer<uint32_t>(value, 0);
  case HSA_AMD_AGENT_INFO_NUM_SDMA_ENG:
    return answer<uint32_t>(value, Copies::kEngines);
  case HSA_AMD_AGENT_INFO_DRIVER_UID:
    return answer<uint32_t>(value, agent.node());
  case HSA_AMD_AGENT_INFO_NEAREST_CPU:
    return answer(value, runtime.host().handle());
  case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_MAX:
  case HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT:
    return answer<uint64_t>(value,
                            uint64_t(p.max_stack_bytes_per_item) * p.max_waves_per_cu * p.wave_lanes * p.compute_units);
  case HSA_EXT_AGENT_INFO_IMAGE_1D_MAX_ELEMENTS: // numbers of 32 bits, as ROCr answers, for each dimension
  case HSA_EXT_AGENT_INFO_IMAGE_1DA_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_1DB_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_ARRAY_MAX_LAYERS:
  case HSA_EXT_AGENT_INFO_MAX_IMAGE_RD_HANDLES:
  case HSA_EXT_AGENT_INFO_MAX_IMAGE_RORW_HANDLES:
  case HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS:
    return answer<uint32_t>(value, 0);
  case HSA_EXT_AGENT_INFO_IMAGE_2D_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_2DA_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_2DDEPTH_MAX_ELEMENTS:
  case HSA_EXT_AGENT_INFO_IMAGE_2DADEPTH_MAX_ELEMENTS:
    return answer(value, std::array<uint32_t, 2>{});
  case HSA_EXT_AGENT_INFO_IMAGE_3D_MAX_ELEMENTS:
    return answer(value, std::array<uint32_t, 3>{});
  case HSA_EXT_AGENT_INFO_IMAGE_LINEAR_ROW_PITCH_ALIGNMENT: // also of pitched memory that is no image
    return answer<uint32_t>(value, p.texture_pitch_alignment);
  default:
    return common_info(agent, attribute, value);
  }
}

hsa_status_t isa_info(const Isa& isa, hsa_isa_info_t attribute, void* value) {
  switch (attribute) {
  case HSA_ISA_INFO_NAME_LENGTH:
    return answer<uint32_t>(value, static_cast<uint32_t>(isa.name.size() + 1));
  case HSA_ISA_INFO_NAME:
    return answer_text(value, isa.name, isa.name.size() + 1);
  case HSA_ISA_INFO_CALL_CONVENTION_COUNT:
    return answer<uint32_t>(value, 1);
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE:
    return answer<uint32_t>(value, isa.wave_lanes);
  case HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT:
    return answer<uint32_t>(value, 40);
  case HSA_ISA_INFO_MACHINE_MODELS:
    return answer(value, std::array{false, true}); // by hsa_machine_model_t
  case HSA_ISA_INFO_PROFILES:
    return answer(value, std::array{true, false}); // by hsa_profile_t
  case HSA_ISA_INFO_DEFAULT_FLOAT_ROUNDING_MODES:
  case HSA_ISA_INFO_BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES:
    return answer(value, std::array{false, false, true}); // by hsa_default_float_rounding_mode_t
  case HSA_ISA_INFO_FAST_F16_OPERATION:
    return answer(value, true);
  case HSA_ISA_INFO_WORKGROUP_MAX_DIM:
    return answer(value, std::array<uint16_t, 3>{1024, 1024, 1024});
  case HSA_ISA_INFO_WORKGROUP_MAX_SIZE:
    return answer<uint32_t>(value, 1024);
  case HSA_ISA_INFO_GRID_MAX_DIM:
    return answer(value, hsa_dim3_t{UINT32_MAX, UINT32_MAX, UINT32_MAX});
  case HSA_ISA_INFO_GRID_MAX_SIZE:
    return answer<uint64_t>(value, UINT64_MAX);
  case HSA_ISA_INFO_FBARRIER_MAX_SIZE:
    return answer<uint32_t>(value, 32);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

const Cache* find_cache(const Runtime& runtime, hsa_cache_t handle) {
  for (const std::unique_ptr<Agent>& agent : runtime.agents())
    for (const std::unique_ptr<Cache>& cache : agent->caches())
      if (reinterpret_cast<uint64_t>(cache.get()) == handle.handle) return cache.get();
  return nullptr;
}

} // namespace

hsa_status_t hsa_iterate_agents(hsa_status_t (*callback)(hsa_agent_t, void*), void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (const std::unique_ptr<Agent>& agent : runtime.agents()) HSA_TRY(callback(agent->handle(), data));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_agent_get_info(hsa_agent_t handle, hsa_agent_info_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return agent->is_gpu() ? gpu_info(runtime, *agent, attribute, value) : host_info(*agent, attribute, value);
  });
}

hsa_status_t hsa_amd_image_get_info_max_dim(hsa_agent_t agent, hsa_agent_info_t attribute, void* value) {
  return hsa_agent_get_info(agent, attribute, value);
}

hsa_status_t hsa_agent_get_exception_policies(hsa_agent_t handle, hsa_profile_t profile, uint16_t* mask) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.find(handle)) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!mask || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *mask = 0;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_agent_iterate_caches(hsa_agent_t handle, hsa_status_t (*callback)(hsa_cache_t, void*), void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (const std::unique_ptr<Cache>& cache : agent->caches())
      HSA_TRY(callback({reinterpret_cast<uint64_t>(cache.get())}, data));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_cache_get_info(hsa_cache_t handle, hsa_cache_info_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Cache* const cache = find_cache(runtime, handle);
    if (!cache) return HSA_STATUS_ERROR_INVALID_CACHE;
    if (!value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_CACHE_INFO_NAME_LENGTH:
      return answer<uint32_t>(value, static_cast<uint32_t>(cache->name.size()));
    case HSA_CACHE_INFO_NAME:
      return answer_characters(value, cache->name);
    case HSA_CACHE_INFO_LEVEL:
      return answer<uint8_t>(value, cache->level);
    case HSA_CACHE_INFO_SIZE:
      return answer<uint32_t>(value, cache->bytes);
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

// ---- instruction sets --------------------------------------------------------------------------------------------

hsa_status_t hsa_agent_iterate_isas(hsa_agent_t handle, hsa_status_t (*callback)(hsa_isa_t, void*), void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return agent->isa() ? callback({reinterpret_cast<uint64_t>(agent->isa())}, data) : HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_isa_from_name(const char* name, hsa_isa_t* isa) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!name || !isa) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (const std::unique_ptr<Agent>& agent : runtime.agents())
      if (agent->isa() && agent->isa()->name == name) {
        isa->handle = reinterpret_cast<uint64_t>(agent->isa());
        return HSA_STATUS_SUCCESS;
      }
    return refuse(HSA_STATUS_ERROR_INVALID_ISA_NAME, "No agent has the instruction set \"{}\".", name);
  });
}

hsa_status_t hsa_isa_get_info_alt(hsa_isa_t handle, hsa_isa_info_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Isa* const isa = runtime.find(handle);
    if (!isa) return HSA_STATUS_ERROR_INVALID_ISA;
    return value ? isa_info(*isa, attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_isa_get_info(hsa_isa_t handle, hsa_isa_info_t attribute, uint32_t index, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Isa* const isa = runtime.find(handle);
    if (!isa) return HSA_STATUS_ERROR_INVALID_ISA;
    if (index != 0) return HSA_STATUS_ERROR_INVALID_INDEX;
    return value ? isa_info(*isa, attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_isa_get_exception_policies(hsa_isa_t handle, hsa_profile_t profile, uint16_t* mask) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.find(handle)) return HSA_STATUS_ERROR_INVALID_ISA;
    if (!mask || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *mask = 0;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_isa_get_round_method(hsa_isa_t handle, hsa_fp_type_t, hsa_flush_mode_t, hsa_round_method_t* method) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.find(handle)) return HSA_STATUS_ERROR_INVALID_ISA;
    return method ? answer(method, HSA_ROUND_METHOD_SINGLE) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_isa_iterate_wavefronts(hsa_isa_t handle, hsa_status_t (*callback)(hsa_wavefront_t, void*),
                                        void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Isa* const isa = runtime.find(handle);
    if (!isa) return HSA_STATUS_ERROR_INVALID_ISA;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return callback({reinterpret_cast<uint64_t>(&isa->wave_lanes)}, data);
  });
}

hsa_status_t hsa_wavefront_get_info(hsa_wavefront_t handle, hsa_wavefront_info_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    for (const std::unique_ptr<Agent>& agent : runtime.agents())
      if (agent->isa() && reinterpret_cast<uint64_t>(&agent->isa()->wave_lanes) == handle.handle) {
        if (!value || attribute != HSA_WAVEFRONT_INFO_SIZE) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
        return answer<uint32_t>(value, agent->isa()->wave_lanes);
      }
    return HSA_STATUS_ERROR_INVALID_WAVEFRONT;
  });
}

hsa_status_t hsa_isa_compatible(hsa_isa_t code, hsa_isa_t agent, bool* result) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Isa* const of_code = runtime.find(code);
    const Isa* const of_agent = runtime.find(agent);
    if (!of_code || !of_agent) return HSA_STATUS_ERROR_INVALID_ISA;
    if (!result) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *result = of_code->name == of_agent->name;
    return HSA_STATUS_SUCCESS;
  });
}
