// hsa/hsa_api_trace.h - the tables of functions that tools get from the runtime, as ROCr 7.2 lays them out. C++ only.
// At the first hsa_init the runtime opens the libraries that HSA_TOOLS_LIB names (separated by spaces) and those of the
// process that export `uint32_t HSA_AMD_TOOL_PRIORITY`, and calls their
//   extern "C" bool OnLoad(HsaApiTable* table, uint64_t runtime_version, uint64_t failed_tool_count,
//                          const char* const* failed_tool_names);
// A tool keeps the functions that it finds (copyTables) and puts its own in their places; every call of the library's
// exported functions goes through the tables. A tool that returns false is closed again. `void OnUnload()` is called at
// the last hsa_shut_down, after which the tables are as before.
#ifndef OMNIHIP_HSA_HSA_API_TRACE_H
#define OMNIHIP_HSA_HSA_API_TRACE_H

#include "hsa.h"
#include "hsa_amd_tool.h"
#include "hsa_api_trace_version.h"
#include "hsa_ext_amd.h"
#include "hsa_ext_finalize.h"
#include "hsa_ext_image.h"
#include "hsa_ven_amd_pc_sampling.h"

#include <stddef.h>
#include <string.h>

// Queues whose packets a tool sees before the agent does. The functions are in AMD's table alone.
const uint32_t AMD_AQL_FORMAT_INTERCEPT_MARKER = 0xFE;
struct amd_aql_intercept_marker_s;
typedef void (*amd_intercept_marker_handler)(const struct amd_aql_intercept_marker_s* packet, hsa_queue_t* queue,
                                             uint64_t packet_id);
typedef struct amd_aql_intercept_marker_s {
  uint16_t header;
  uint8_t format;
  uint8_t reserved[5];
  amd_intercept_marker_handler callback;
  uint64_t user_data[6];
} amd_aql_intercept_marker_t;
typedef void (*hsa_amd_queue_intercept_packet_writer)(const void* pkts, uint64_t pkt_count);
typedef void (*hsa_amd_queue_intercept_handler)(const void* pkts, uint64_t pkt_count, uint64_t user_pkt_index,
                                                void* data, hsa_amd_queue_intercept_packet_writer writer);
hsa_status_t hsa_amd_queue_intercept_register(hsa_queue_t* queue, hsa_amd_queue_intercept_handler callback,
                                              void* user_data);
hsa_status_t hsa_amd_queue_intercept_create(hsa_agent_t agent_handle, uint32_t size, hsa_queue_type32_t type,
                                            void (*callback)(hsa_status_t status, hsa_queue_t* source, void* data),
                                            void* data, uint32_t private_segment_size, uint32_t group_segment_size,
                                            hsa_queue_t** queue);
typedef void (*hsa_amd_runtime_queue_notifier)(const hsa_queue_t* queue, hsa_agent_t agent, void* data);
hsa_status_t hsa_amd_runtime_queue_create_register(hsa_amd_runtime_queue_notifier callback, void* user_data);

struct ApiTableVersion {
  uint32_t major_id;
  uint32_t minor_id; // bytes of the table
  uint32_t step_id;
  uint32_t reserved;
};

// Functions of a tool that the runtime calls.
struct ToolsApiTable {
  ApiTableVersion version;
  hsa_amd_tool_event hsa_amd_tool_scratch_event_alloc_start_fn;
  hsa_amd_tool_event hsa_amd_tool_scratch_event_alloc_end_fn;
  hsa_amd_tool_event hsa_amd_tool_scratch_event_free_start_fn;
  hsa_amd_tool_event hsa_amd_tool_scratch_event_free_end_fn;
  hsa_amd_tool_event hsa_amd_tool_scratch_event_async_reclaim_start_fn;
  hsa_amd_tool_event hsa_amd_tool_scratch_event_async_reclaim_end_fn;
};

#define OMNIHIP_HSA_MEMBER(name) decltype(name)* name##_fn;
struct CoreApiTable {
  ApiTableVersion version;
#define HSA_CORE(name) OMNIHIP_HSA_MEMBER(name)
#include "hsa_api_tables.def"
};
struct AmdExtTable {
  ApiTableVersion version;
#define HSA_AMD(name) OMNIHIP_HSA_MEMBER(name)
#define HSA_AMD_HIDDEN(name) OMNIHIP_HSA_MEMBER(name)
#include "hsa_api_tables.def"
};
struct FinalizerExtTable {
  ApiTableVersion version;
#define HSA_FINALIZER(name) OMNIHIP_HSA_MEMBER(name)
#include "hsa_api_tables.def"
};
struct ImageExtTable {
  ApiTableVersion version;
#define HSA_IMAGE(name) OMNIHIP_HSA_MEMBER(name)
#include "hsa_api_tables.def"
};
struct PcSamplingExtTable {
  ApiTableVersion version;
#define HSA_PC_SAMPLING(name) OMNIHIP_HSA_MEMBER(name)
#include "hsa_api_tables.def"
};
#undef OMNIHIP_HSA_MEMBER

struct HsaApiTable {
  ApiTableVersion version;
  CoreApiTable* core_;
  AmdExtTable* amd_ext_;
  FinalizerExtTable* finalizer_ext_;
  ImageExtTable* image_ext_;
  ToolsApiTable* tools_;
  PcSamplingExtTable* pc_sampling_ext_;
};

// A table with the tables that it points to.
struct HsaApiTableContainer {
  HsaApiTable root{{HSA_API_TABLE_MAJOR_VERSION, sizeof(HsaApiTable), HSA_API_TABLE_STEP_VERSION, 0},
                   &core,
                   &amd_ext,
                   &finalizer_ext,
                   &image_ext,
                   &tools,
                   &pc_sampling_ext};
  CoreApiTable core{};
  AmdExtTable amd_ext{};
  FinalizerExtTable finalizer_ext{};
  ImageExtTable image_ext{};
  ToolsApiTable tools{};
  PcSamplingExtTable pc_sampling_ext{};

  HsaApiTableContainer() {
    core.version = {HSA_CORE_API_TABLE_MAJOR_VERSION, sizeof core, HSA_CORE_API_TABLE_STEP_VERSION, 0};
    amd_ext.version = {HSA_AMD_EXT_API_TABLE_MAJOR_VERSION, sizeof amd_ext, HSA_AMD_EXT_API_TABLE_STEP_VERSION, 0};
    finalizer_ext.version = {HSA_FINALIZER_API_TABLE_MAJOR_VERSION, sizeof finalizer_ext,
                             HSA_FINALIZER_API_TABLE_STEP_VERSION, 0};
    image_ext.version = {HSA_IMAGE_API_TABLE_MAJOR_VERSION, sizeof image_ext, HSA_IMAGE_API_TABLE_STEP_VERSION, 0};
    tools.version = {HSA_TOOLS_API_TABLE_MAJOR_VERSION, sizeof tools, HSA_TOOLS_API_TABLE_STEP_VERSION, 0};
    pc_sampling_ext.version = {HSA_PC_SAMPLING_API_TABLE_MAJOR_VERSION, sizeof pc_sampling_ext,
                               HSA_PC_SAMPLING_API_TABLE_STEP_VERSION, 0};
  }
  HsaApiTableContainer(const HsaApiTableContainer&) = delete; // it points into itself
  HsaApiTableContainer& operator=(const HsaApiTableContainer&) = delete;
};

// Copies `bytes` of a table but for its version.
static inline void copyApi(void* dst, void* src, size_t bytes) {
  const size_t head = sizeof(ApiTableVersion);
  if (bytes > head) memcpy(static_cast<char*>(dst) + head, static_cast<char*>(src) + head, bytes - head);
}

// Copies what both tables have; a `dst` of another major version has version 0 afterwards.
static inline void copyElement(ApiTableVersion* dst, ApiTableVersion* src) {
  if (src->major_id == 0 || dst->major_id != src->major_id) {
    dst->major_id = dst->minor_id = dst->step_id = 0;
    return;
  }
  dst->step_id = src->step_id;
  if (src->minor_id < dst->minor_id) dst->minor_id = src->minor_id;
  copyApi(dst, src, dst->minor_id);
}

// The same for a table and those that it points to, which `dst` has.
static inline void copyTables(const HsaApiTable* src, HsaApiTable* dst) {
  if (dst->version.major_id != src->version.major_id) {
    dst->version.major_id = dst->version.minor_id = dst->version.step_id = 0;
    return;
  }
  dst->version.step_id = src->version.step_id;
  if (src->version.minor_id < dst->version.minor_id) dst->version.minor_id = src->version.minor_id;
#define OMNIHIP_HSA_COPY(member)                                                                                       \
  if (offsetof(HsaApiTable, member) < dst->version.minor_id) copyElement(&dst->member->version, &src->member->version)
  OMNIHIP_HSA_COPY(core_);
  OMNIHIP_HSA_COPY(amd_ext_);
  OMNIHIP_HSA_COPY(finalizer_ext_);
  OMNIHIP_HSA_COPY(image_ext_);
  OMNIHIP_HSA_COPY(tools_);
  OMNIHIP_HSA_COPY(pc_sampling_ext_);
#undef OMNIHIP_HSA_COPY
}

#endif
