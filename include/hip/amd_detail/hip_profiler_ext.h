// hip/amd_detail/hip_profiler_ext.h - HIP's own profiler: records of a program's calls, and of what the device did for
// them, without a tool. Layouts and values are those of the extension's version 0.1. Records stay until they are reset
// or delivered; times are nanoseconds of the Unix epoch.
#ifndef HIP_PROFILER_EXT_H
#define HIP_PROFILER_EXT_H

#include <stddef.h>
#include <stdint.h>

#include <hip/hip_runtime_api.h>

#define HIP_PROFILER_EXT_VERSION_MAJOR 0
#define HIP_PROFILER_EXT_VERSION_MINOR 1
#define HIP_PROFILER_EXT_VERSION_PATCH 0

typedef enum HipGpuOpExt { HIP_OP_DISPATCH_EXT = 0, HIP_OP_COPY_EXT = 1, HIP_OP_BARRIER_EXT = 2 } HipGpuOpExt;

// hipGpuActivityExt.copy_kind of a HIP_OP_COPY_EXT: H host, D device; RECT a region with a pitch; FILL a memset.
typedef enum HipCopyKindExt {
  HIP_COPY_KIND_UNKNOWN_EXT = 0,
  HIP_COPY_KIND_H2D_EXT = 1,
  HIP_COPY_KIND_H2D_RECT_EXT = 2,
  HIP_COPY_KIND_H2D_IMAGE_EXT = 3,
  HIP_COPY_KIND_D2H_EXT = 4,
  HIP_COPY_KIND_D2H_RECT_EXT = 5,
  HIP_COPY_KIND_D2H_IMAGE_EXT = 6,
  HIP_COPY_KIND_D2D_EXT = 7,
  HIP_COPY_KIND_D2D_RECT_EXT = 8,
  HIP_COPY_KIND_D2D_IMAGE_EXT = 9,
  HIP_COPY_KIND_BUFFER_TO_IMAGE_EXT = 10,
  HIP_COPY_KIND_IMAGE_TO_BUFFER_EXT = 11,
  HIP_COPY_KIND_FILL_EXT = 12
} HipCopyKindExt;

// Whether a copy goes between the host and a device.
static inline int hipCopyKindIsSDMAExt(HipCopyKindExt kind) {
  return kind >= HIP_COPY_KIND_H2D_EXT && kind <= HIP_COPY_KIND_D2H_IMAGE_EXT;
}

// What a device did for one call, or one of several things.
typedef struct hipGpuActivityExt {
  union {
    uint64_t _flags_u64;
    struct {
      uint64_t op : 3; // HipGpuOpExt
      uint64_t is_graph : 1;
      uint64_t copy_kind : 4;
      uint64_t : 8;
      uint64_t device_id : 16;
      uint64_t queue_id : 16;
      uint64_t : 16;
    };
  };
  uint64_t begin_ns, end_ns;
  union {
    uint64_t bytes;          // of a copy
    const char* kernel_name; // of a dispatch; may be null
  };
  uint32_t gpu_op_count; // how many there are of the call, this one and those behind it
  uint32_t _reserved_u32;
  const struct hipGpuActivityExt* next;
  union {
    struct { // a dispatch, but for those of graphs
      uint32_t grid_x, grid_y, grid_z, block_x, block_y, block_z;
      const uint8_t* kernel_args; // null: they are not kept
      uint32_t kernel_args_size;
      uint32_t _reserved_dispatch;
    };
    struct { // a copy
      const void* src;
      const void* dst;
      uint8_t _reserved_copy[24];
    };
  };
  uint8_t _pad1[40];
} hipGpuActivityExt;

// One call.
typedef struct hipApiRecordExt {
  const char* api_name;
  union {
    uint64_t _flags_u64;
    struct {
      uint64_t has_gpu_activity : 1;
      uint64_t : 63;
    };
  };
  uint64_t thread_id;
  uint64_t start_ns, end_ns;
  hipStream_t stream; // that the call names; null where it names none
  const struct hipGpuActivityExt* _spill_tail;
  void* memory1;     // what was allocated, filled or copied to, or the executable graph
  void* memory2;     // what was copied from
  uint64_t size;     // bytes of it
  uint32_t chunk_id; // how many records there were before
  uint8_t _pad1[44];
  hipGpuActivityExt gpu; // with has_gpu_activity
} hipApiRecordExt;

typedef hipGpuActivityExt HipGpuActivityExt;
typedef hipApiRecordExt HipApiRecordExt;

// Gets records in the order of the calls, which end with the callback; `chunk_id` is the first one's. Those of calls
// that had not ended when profiling did have an `end_ns` of 0.
typedef void (*hipProfilerChunkCallback)(const hipApiRecordExt* records, uint32_t count, uint32_t chunk_id,
                                         void* user_data);

HIP_C_BEGIN

// Begins to record calls, of all threads. Profiling ends with as many calls of hipProfilerDisableExt.
// `start_record_id`, which may be null, gets the number of records so far; bits of `state` mean nothing yet.
hipError_t hipProfilerEnableExt(uint64_t* start_record_id __dparm(0), uint64_t state __dparm(0));

// The last one waits for the devices' work, and ends recording. `end_record_id`, which may be null, gets the number of
// records so far.
hipError_t hipProfilerDisableExt(uint64_t* end_record_id __dparm(0));

// The records, *chunk_size in each chunk but the last: those of calls that have ended and whose work the device has
// done, up to the first of which that is not so. They stay as and where they are until hipProfilerResetExt, or until a
// callback gets them.
hipError_t hipProfilerGetRecordsExt(const hipApiRecordExt* const** chunks, size_t* chunk_count, size_t* chunk_size,
                                    size_t* total_count);

// From the next hipProfilerEnableExt on, records go to `callback` when a chunk of them is full, and the rest with the
// last hipProfilerDisableExt, and are not kept. What `callback` calls is not recorded. Null: they are kept.
hipError_t hipProfilerRegisterChunkCallbackExt(hipProfilerChunkCallback callback, void* user_data);

// Forgets all records. hipErrorIllegalState while calls are recorded.
hipError_t hipProfilerResetExt(void);

// Writes the records of calls that have ended as a trace of Chrome's format; null means "hip_clr_trace.json".
// hipErrorFileNotFound when the file cannot be written.
hipError_t hipProfilerWriteJsonExt(const char* filepath);

HIP_C_END

#endif
