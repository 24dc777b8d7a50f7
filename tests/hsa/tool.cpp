// tests/hsa/tool.cpp - a tool as users write one (hsa/hsa_api_trace.h): it counts queues and allocations, turns every
// other queue into one of twice the packets, and remembers what it was loaded with.
#include <hsa/hsa_api_trace.h>

#include <atomic>
#include <string>

namespace {

HsaApiTableContainer before;
std::atomic<int> queues{0}, allocations{0}, loads{0}, unloads{0};
std::string failed_names;

hsa_status_t create_queue(hsa_agent_t agent, uint32_t packets, hsa_queue_type32_t type,
                          void (*callback)(hsa_status_t, hsa_queue_t*, void*), void* data, uint32_t private_bytes,
                          uint32_t group_bytes, hsa_queue_t** queue) {
  ++queues;
  return before.core.hsa_queue_create_fn(agent, packets * 2, type, callback, data, private_bytes, group_bytes, queue);
}

hsa_status_t allocate(hsa_amd_memory_pool_t pool, size_t bytes, uint32_t flags, void** out) {
  ++allocations;
  return before.amd_ext.hsa_amd_memory_pool_allocate_fn(pool, bytes, flags, out);
}

} // namespace

extern "C" {

bool OnLoad(HsaApiTable* table, uint64_t version, uint64_t failed, const char* const* names) {
  ++loads;
  for (uint64_t i = 0; i < failed; ++i) failed_names += std::string(names[i]) + ";";
  if (version != HSA_API_TABLE_MAJOR_VERSION) return false;
  copyTables(table, &before.root);
  if (before.core.version.minor_id != sizeof(CoreApiTable)) return false;
  hsa_agent_t any{};
  before.core.hsa_iterate_agents_fn( // a tool may call the runtime while it is loaded
      [](hsa_agent_t agent, void* data) {
        *static_cast<hsa_agent_t*>(data) = agent;
        return HSA_STATUS_SUCCESS;
      },
      &any);
  if (any.handle == 0) return false;
  table->core_->hsa_queue_create_fn = create_queue;
  table->amd_ext_->hsa_amd_memory_pool_allocate_fn = allocate;
  return true;
}

void OnUnload() { ++unloads; }

// For the test.
int tool_queues() { return queues; }
int tool_allocations() { return allocations; }
int tool_loads() { return loads; }
int tool_unloads() { return unloads; }
const char* tool_failed_names() { return failed_names.c_str(); }
}
