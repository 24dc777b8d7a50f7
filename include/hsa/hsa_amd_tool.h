// hsa/hsa_amd_tool.h - what tools are told of scratch memory, through the functions that they put into ToolsApiTable
// (hsa_api_trace.h). Layouts are ROCr 7.2's; OmniHIP's software GPU, whose scratch memory is its threads', tells
// nothing. C and C++.
#ifndef OMNIHIP_HSA_HSA_AMD_TOOL_H
#define OMNIHIP_HSA_HSA_AMD_TOOL_H

#include "hsa.h"

typedef enum {
  HSA_AMD_EVENT_SCRATCH_ALLOC_FLAG_NONE = 0,
  HSA_AMD_EVENT_SCRATCH_ALLOC_FLAG_USE_ONCE = (1 << 0), // for one dispatch only
  HSA_AMD_EVENT_SCRATCH_ALLOC_FLAG_ALT = (1 << 1)       // from the smaller, second memory
} hsa_amd_event_scratch_alloc_flag_t;

typedef enum {
  HSA_AMD_TOOL_EVENT_MIN = 0,
  HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_START = 1,
  HSA_AMD_TOOL_EVENT_SCRATCH_ALLOC_END = 2,
  HSA_AMD_TOOL_EVENT_SCRATCH_FREE_START = 3,
  HSA_AMD_TOOL_EVENT_SCRATCH_FREE_END = 4,
  HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_START = 5,
  HSA_AMD_TOOL_EVENT_SCRATCH_ASYNC_RECLAIM_END = 6,
  HSA_AMD_TOOL_EVENT_MAX = 7
} hsa_amd_tool_event_kind_t;

typedef struct {
  hsa_amd_tool_event_kind_t kind;
} hsa_amd_tool_event_none_t;
typedef struct {
  hsa_amd_tool_event_kind_t kind;
  const hsa_queue_t* queue;
  hsa_amd_event_scratch_alloc_flag_t flags;
  uint64_t dispatch_id; // of the packet that needs more
} hsa_amd_event_scratch_alloc_start_t;
typedef struct {
  hsa_amd_tool_event_kind_t kind;
  const hsa_queue_t* queue;
  hsa_amd_event_scratch_alloc_flag_t flags;
  uint64_t dispatch_id;
  size_t size;      // bytes that it got
  size_t num_slots; // waves at a time
} hsa_amd_event_scratch_alloc_end_t;
typedef struct {
  hsa_amd_tool_event_kind_t kind;
  const hsa_queue_t* queue;
  hsa_amd_event_scratch_alloc_flag_t flags;
} hsa_amd_event_scratch_free_start_t;
typedef hsa_amd_event_scratch_free_start_t hsa_amd_event_scratch_free_end_t;
typedef hsa_amd_event_scratch_free_start_t hsa_amd_event_scratch_async_reclaim_start_t;
typedef hsa_amd_event_scratch_free_start_t hsa_amd_event_scratch_async_reclaim_end_t;

typedef union {
  const hsa_amd_tool_event_none_t* none;
  const hsa_amd_event_scratch_alloc_start_t* scratch_alloc_start;
  const hsa_amd_event_scratch_alloc_end_t* scratch_alloc_end;
  const hsa_amd_event_scratch_free_start_t* scratch_free_start;
  const hsa_amd_event_scratch_free_end_t* scratch_free_end;
  const hsa_amd_event_scratch_async_reclaim_start_t* scratch_async_reclaim_start;
  const hsa_amd_event_scratch_async_reclaim_end_t* scratch_async_reclaim_end;
} hsa_amd_tool_event_t;

typedef hsa_status_t (*hsa_amd_tool_event)(hsa_amd_tool_event_t event);

#endif
