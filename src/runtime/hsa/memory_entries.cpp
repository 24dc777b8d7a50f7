// runtime/hsa/memory_entries.cpp - memory pools and regions, host memory that agents use, and pointers.
#include "runtime/hsa/entry.h"

#include <vector>

using namespace hip::hsa;

namespace {

hsa_status_t pool_info(const Pool& pool, hsa_amd_memory_pool_info_t attribute, void* value) {
  switch (attribute) {
  case HSA_AMD_MEMORY_POOL_INFO_SEGMENT:
    return answer(value, pool.allocates() ? HSA_AMD_SEGMENT_GLOBAL : HSA_AMD_SEGMENT_GROUP);
  case HSA_AMD_MEMORY_POOL_INFO_GLOBAL_FLAGS:
    return answer<uint32_t>(value, pool.global_flags());
  case HSA_AMD_MEMORY_POOL_INFO_SIZE:
    return answer<size_t>(value, pool.bytes);
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED:
    return answer(value, pool.allocates());
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE:
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALIGNMENT:
  case HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE:
    return answer<size_t>(value, pool.allocates() ? Memory::kGranule : 0);
  case HSA_AMD_MEMORY_POOL_INFO_ACCESSIBLE_BY_ALL:
    return answer(value, pool.on_host());
  case HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE:
    return answer<size_t>(value, pool.allocates() ? pool.bytes : 0);
  case HSA_AMD_MEMORY_POOL_INFO_LOCATION:
    return answer(value, pool.on_host() ? HSA_AMD_MEMORY_POOL_LOCATION_CPU : HSA_AMD_MEMORY_POOL_LOCATION_GPU);
  }
  return HSA_STATUS_ERROR_INVALID_ARGUMENT;
}

hsa_status_t region_info(const Pool& pool, int attribute, void* value) {
  switch (attribute) {
  case HSA_REGION_INFO_SEGMENT:
    return answer(value, pool.allocates() ? HSA_REGION_SEGMENT_GLOBAL : HSA_REGION_SEGMENT_GROUP);
  case HSA_REGION_INFO_GLOBAL_FLAGS:
    return answer<uint32_t>(value, pool.global_flags());
  case HSA_REGION_INFO_SIZE:
    return answer<size_t>(value, pool.bytes);
  case HSA_REGION_INFO_ALLOC_MAX_SIZE:
    return answer<size_t>(value, pool.allocates() ? pool.bytes : 0);
  case HSA_REGION_INFO_ALLOC_MAX_PRIVATE_WORKGROUP_SIZE:
    return answer<uint32_t>(value, 0);
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALLOWED:
    return answer(value, pool.allocates());
  case HSA_REGION_INFO_RUNTIME_ALLOC_GRANULE:
  case HSA_REGION_INFO_RUNTIME_ALLOC_ALIGNMENT:
    return answer<size_t>(value, pool.allocates() ? Memory::kGranule : 0);
  case HSA_AMD_REGION_INFO_HOST_ACCESSIBLE:
    return answer(value, pool.allocates());
  case HSA_AMD_REGION_INFO_BASE:
    return answer<void*>(value, nullptr);
  case HSA_AMD_REGION_INFO_BUS_WIDTH:
    return answer<uint32_t>(value, pool.on_host() ? 0 : pool.agent->properties().memory_bus_bits);
  case HSA_AMD_REGION_INFO_MAX_CLOCK_FREQUENCY:
    return answer<uint32_t>(value, pool.on_host() ? 0 : pool.agent->properties().memory_clock_khz / 1000);
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t check_agents(const Runtime& runtime, uint32_t count, const hsa_agent_t* agents) {
  if (count > 0 && !agents) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  for (uint32_t i = 0; i < count; ++i)
    if (!runtime.find(agents[i])) return HSA_STATUS_ERROR_INVALID_AGENT;
  return HSA_STATUS_SUCCESS;
}

// Whether all agents of the process reach memory: they do, at the same addresses.
hsa_amd_memory_pool_access_t access_of(const Agent& agent, const Pool& pool) noexcept {
  if (!pool.allocates())
    return pool.agent == &agent ? HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT
                                : HSA_AMD_MEMORY_POOL_ACCESS_NEVER_ALLOWED;
  if (pool.agent == &agent || (pool.on_host() && agent.is_gpu())) return HSA_AMD_MEMORY_POOL_ACCESS_ALLOWED_BY_DEFAULT;
  return HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT; // until hsa_amd_agents_allow_access
}

// Mapped memory is for those whom hsa_amd_vmem_set_access has named, other memory for everybody.
bool can_access(Runtime& runtime, const Agent& agent, const void* pointer, const Memory::Block& block) {
  if (block.type == HSA_EXT_POINTER_TYPE_RESERVED_ADDR) return false;
  if (block.type != HSA_EXT_POINTER_TYPE_HSA_VMEM) return true;
  hsa_access_permission_t permission = HSA_ACCESS_PERMISSION_NONE;
  return runtime.mappings().access(pointer, agent, &permission) == HSA_STATUS_SUCCESS &&
         permission != HSA_ACCESS_PERMISSION_NONE;
}

hsa_status_t lock(Runtime& runtime, void* base, size_t bytes, const hsa_agent_t* agents, int count,
                  void** agent_pointer) {
  if (!base || bytes == 0 || !agent_pointer || (count != 0) != (agents != nullptr) || count < 0)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  HSA_TRY(check_agents(runtime, static_cast<uint32_t>(count), agents));
  if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  HSA_TRY(runtime.memory().lock(base, bytes));
  *agent_pointer = base;
  return HSA_STATUS_SUCCESS;
}

} // namespace

// ---- pools -------------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_agent_iterate_memory_pools(hsa_agent_t handle,
                                                hsa_status_t (*callback)(hsa_amd_memory_pool_t, void*), void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (const std::unique_ptr<Pool>& pool : agent->pools()) HSA_TRY(callback(pool_handle(*pool), data));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_memory_pool_get_info(hsa_amd_memory_pool_t handle, hsa_amd_memory_pool_info_t attribute,
                                          void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Pool* const pool = runtime.find_pool(handle.handle);
    if (!pool) return amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    return value ? pool_info(*pool, attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_agent_memory_pool_get_info(hsa_agent_t agent_handle, hsa_amd_memory_pool_t pool_handle,
                                                hsa_amd_agent_memory_pool_info_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(agent_handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    const Pool* const pool = runtime.find_pool(pool_handle.handle);
    if (!pool) return amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    if (!value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const bool own = pool->agent == agent;
    switch (attribute) {
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS:
      return answer(value, access_of(*agent, *pool));
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_NUM_LINK_HOPS:
      return answer<uint32_t>(value, own ? 0 : 1);
    case HSA_AMD_AGENT_MEMORY_POOL_INFO_LINK_INFO: {
      if (own) return HSA_STATUS_SUCCESS; // no link
      hsa_amd_memory_pool_link_info_t link{};
      link.atomic_support_32bit = link.atomic_support_64bit = link.coherent_support = true;
      link.link_type = HSA_AMD_LINK_INFO_TYPE_PCIE;
      link.numa_distance = 20;
      return answer(value, link);
    }
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_memory_pool_allocate(hsa_amd_memory_pool_t handle, size_t bytes, uint32_t flags, void** out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Pool* const pool = runtime.find_pool(handle.handle);
    if (!pool) return amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    if ((flags & ~uint32_t(HSA_AMD_MEMORY_POOL_PCIE_FLAG | HSA_AMD_MEMORY_POOL_CONTIGUOUS_FLAG |
                           HSA_AMD_MEMORY_POOL_EXECUTABLE_FLAG)) != 0)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return runtime.memory().allocate(*pool, bytes, out);
  });
}

hsa_status_t hsa_amd_memory_pool_free(void* base) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    runtime.shared_memory().forget(base);
    return runtime.memory().free(base);
  });
}

hsa_status_t hsa_amd_memory_pool_can_migrate(hsa_amd_memory_pool_t from, hsa_amd_memory_pool_t to, bool* result) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!runtime.find_pool(from.handle) || !runtime.find_pool(to.handle))
      return amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    return result ? answer(result, false) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_memory_migrate(const void* base, hsa_amd_memory_pool_t handle, uint32_t flags) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!base || flags != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!runtime.find_pool(handle.handle)) return amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    return refuse(kNotSupported, "Memory stays in the pool that it was allocated from.");
  });
}

hsa_status_t hsa_amd_agents_allow_access(uint32_t count, const hsa_agent_t* agents, const uint32_t* flags,
                                         const void* base) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (count == 0 || !agents || flags || !base) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    HSA_TRY(check_agents(runtime, count, agents));
    const auto found = runtime.memory().find(base);
    if (!found) return refuse(HSA_STATUS_ERROR, "{} is no memory that agents can be given access to.", base);
    return HSA_STATUS_SUCCESS; // agents share an address space
  });
}

// ---- regions -----------------------------------------------------------------------------------------------------

hsa_status_t hsa_agent_iterate_regions(hsa_agent_t handle, hsa_status_t (*callback)(hsa_region_t, void*), void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (agent->is_gpu()) // it reaches the host's memory, where its kernel arguments are
      for (const std::unique_ptr<Pool>& pool : runtime.host().pools()) HSA_TRY(callback(region_handle(*pool), data));
    for (const std::unique_ptr<Pool>& pool : agent->pools()) HSA_TRY(callback(region_handle(*pool), data));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_region_get_info(hsa_region_t handle, hsa_region_info_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Pool* const pool = runtime.find_pool(handle.handle);
    if (!pool) return HSA_STATUS_ERROR_INVALID_REGION;
    return value ? region_info(*pool, attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_memory_allocate(hsa_region_t handle, size_t bytes, void** out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Pool* const pool = runtime.find_pool(handle.handle);
    if (!pool) return HSA_STATUS_ERROR_INVALID_REGION;
    return runtime.memory().allocate(*pool, bytes, out);
  });
}

hsa_status_t hsa_memory_free(void* base) { return hsa_amd_memory_pool_free(base); }

hsa_status_t hsa_memory_assign_agent(void* base, hsa_agent_t handle, hsa_access_permission_t access) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!base || access < HSA_ACCESS_PERMISSION_RO || access > HSA_ACCESS_PERMISSION_RW)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return runtime.find(handle) ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_AGENT; // all memory is coherent
  });
}

// For agents of the full profile, of which there are none: nothing is to be done.
hsa_status_t hsa_memory_register(void* base, size_t bytes) {
  return entry([&](Runtime&) { return base || bytes == 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT; });
}

hsa_status_t hsa_memory_deregister(void*, size_t) {
  return entry([](Runtime&) { return HSA_STATUS_SUCCESS; });
}

// ---- host memory -------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_memory_lock(void* base, size_t bytes, hsa_agent_t* agents, int count, void** agent_pointer) {
  return entry([&](Runtime& runtime) { return lock(runtime, base, bytes, agents, count, agent_pointer); });
}

hsa_status_t hsa_amd_memory_lock_to_pool(void* base, size_t bytes, hsa_agent_t* agents, int count,
                                         hsa_amd_memory_pool_t handle, uint32_t flags, void** agent_pointer) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Pool* const pool = runtime.find_pool(handle.handle);
    if (!pool || !pool->on_host()) return amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    if (flags != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return lock(runtime, base, bytes, agents, count, agent_pointer);
  });
}

hsa_status_t hsa_amd_memory_unlock(void* base) {
  return entry([&](Runtime& runtime) {
    return runtime.has_memory() ? runtime.memory().unlock(base) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

// ---- pointers ----------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_pointer_info(const void* pointer, hsa_amd_pointer_info_t* info, void* (*alloc)(size_t),
                                  uint32_t* agent_count, hsa_agent_t** agents) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!pointer || !info || info->size == 0 || (agent_count != nullptr) != (alloc != nullptr && agents != nullptr))
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    hsa_amd_pointer_info_t out{};
    out.size = std::min<uint32_t>(info->size, sizeof out);
    auto found = runtime.has_memory() ? runtime.memory().find(pointer) : std::nullopt;
    if (!found && runtime.has_memory()) found = runtime.mappings().reservation(pointer);
    if (found) {
      const Memory::Block& block = found->block;
      out.type = block.type;
      out.agentBaseAddress = reinterpret_cast<void*>(found->base);
      out.hostBaseAddress = out.agentBaseAddress; // host and agents use the same addresses
      out.sizeInBytes = block.bytes;
      out.userData = block.user_data;
      const Agent& owner = block.pool ? *block.pool->agent : runtime.host();
      out.agentOwner = owner.handle();
      out.global_flags =
          block.pool ? block.pool->global_flags() : uint32_t(HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_FINE_GRAINED);
    }
    std::memcpy(info, &out, out.size);
    if (!agent_count) return HSA_STATUS_SUCCESS;
    *agent_count = 0;
    *agents = nullptr;
    if (!found) return HSA_STATUS_SUCCESS;
    std::vector<hsa_agent_t> accessible;
    for (const std::unique_ptr<Agent>& agent : runtime.agents())
      if (can_access(runtime, *agent, pointer, found->block)) accessible.push_back(agent->handle());
    if (accessible.empty()) return HSA_STATUS_SUCCESS;
    auto* const list = static_cast<hsa_agent_t*>(alloc(accessible.size() * sizeof(hsa_agent_t)));
    if (!list) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    std::copy(accessible.begin(), accessible.end(), list);
    *agent_count = static_cast<uint32_t>(accessible.size());
    *agents = list;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_pointer_info_set_userdata(const void* pointer, void* user_data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const bool done = runtime.has_memory() &&
                      runtime.memory().change(pointer, [&](Memory::Block& block) { block.user_data = user_data; });
    return done ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_register_deallocation_callback(void* base, hsa_amd_deallocation_callback_t callback, void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!base || !callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const bool done = runtime.has_memory() && runtime.memory().change(base, [&](Memory::Block& block) {
      block.farewells.push_back({base, callback, data});
    });
    return done ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ALLOCATION;
  });
}

hsa_status_t hsa_amd_deregister_deallocation_callback(void* base, hsa_amd_deallocation_callback_t callback) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    bool known = false;
    const bool found = runtime.has_memory() && runtime.memory().change(base, [&](Memory::Block& block) {
      const auto before = block.farewells.size();
      std::erase_if(block.farewells,
                    [&](const auto& each) { return each.pointer == base && each.callback == callback; });
      known = block.farewells.size() != before;
    });
    return found && known ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

// ---- coherence ---------------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_coherency_get_type(hsa_agent_t handle, hsa_amd_coherency_type_t* type) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    if (!agent || !agent->is_gpu()) return HSA_STATUS_ERROR_INVALID_AGENT;
    return type ? answer(type, HSA_AMD_COHERENCY_TYPE_COHERENT) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

// Memory is coherent whatever is asked for.
hsa_status_t hsa_amd_coherency_set_type(hsa_agent_t handle, hsa_amd_coherency_type_t type) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    if (!agent || !agent->is_gpu()) return HSA_STATUS_ERROR_INVALID_AGENT;
    const bool known = type == HSA_AMD_COHERENCY_TYPE_COHERENT || type == HSA_AMD_COHERENCY_TYPE_NONCOHERENT;
    return known ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

// ---- other processes ---------------------------------------------------------------------------------------------

hsa_status_t hsa_amd_ipc_memory_create(void* base, size_t bytes, hsa_amd_ipc_memory_t* handle) {
  return entry([&](Runtime& runtime) {
    return runtime.has_memory() ? runtime.shared_memory().create(base, bytes, handle)
                                : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_ipc_memory_attach(const hsa_amd_ipc_memory_t* handle, size_t bytes, uint32_t count,
                                       const hsa_agent_t* agents, void** out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!handle || !out) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    HSA_TRY(check_agents(runtime, count, agents));
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    return runtime.shared_memory().attach(*handle, bytes, out);
  });
}

hsa_status_t hsa_amd_ipc_memory_detach(void* base) {
  return entry([&](Runtime& runtime) {
    return runtime.has_memory() ? runtime.shared_memory().detach(base) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}
