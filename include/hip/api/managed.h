// hip/api/managed.h - managed memory: one address for the host and all devices, with advice on where to keep it.
#ifndef HIP_INCLUDE_HIP_API_MANAGED_H
#define HIP_INCLUDE_HIP_API_MANAGED_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

// hipMallocManaged and hipStreamAttachMemAsync: who may access the memory.
#define hipMemAttachGlobal 0x01
#define hipMemAttachHost 0x02
#define hipMemAttachSingle 0x04

typedef enum hipMemoryAdvise {
  hipMemAdviseSetReadMostly = 1,
  hipMemAdviseUnsetReadMostly = 2,
  hipMemAdviseSetPreferredLocation = 3,
  hipMemAdviseUnsetPreferredLocation = 4,
  hipMemAdviseSetAccessedBy = 5,
  hipMemAdviseUnsetAccessedBy = 6,
  hipMemAdviseSetCoarseGrain = 100, // visible to others only at kernel boundaries
  hipMemAdviseUnsetCoarseGrain = 101
} hipMemoryAdvise;

typedef enum hipMemRangeCoherencyMode {
  hipMemRangeCoherencyModeFineGrain = 0,
  hipMemRangeCoherencyModeCoarseGrain = 1,
  hipMemRangeCoherencyModeIndeterminate = 2
} hipMemRangeCoherencyMode;

typedef enum hipMemRangeAttribute {
  hipMemRangeAttributeReadMostly = 1,           // int
  hipMemRangeAttributePreferredLocation = 2,    // int: a device ordinal or hipCpuDeviceId
  hipMemRangeAttributeAccessedBy = 3,           // int[]: device ordinals
  hipMemRangeAttributeLastPrefetchLocation = 4, // int
  hipMemRangeAttributeCoherencyMode = 100       // hipMemRangeCoherencyMode
} hipMemRangeAttribute;

HIP_C_BEGIN

// Allocates `size` bytes that the host and all devices reach by the same address. `flags`: hipMemAttachGlobal or
// hipMemAttachHost. Free with hipFree.
hipError_t hipMallocManaged(void** dev_ptr, size_t size, unsigned int flags __dparm(hipMemAttachGlobal));

// Tells how a managed range is going to be used. `device` is an ordinal or hipCpuDeviceId.
hipError_t hipMemAdvise(const void* dev_ptr, size_t count, hipMemoryAdvise advice, int device);

// As hipMemAdvise with a location.
hipError_t hipMemAdvise_v2(const void* dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location);

// Queues the move of a managed range to `device`.
hipError_t hipMemPrefetchAsync(const void* dev_ptr, size_t count, int device, hipStream_t stream __dparm(0));

// As hipMemPrefetchAsync with a location. `flags` must be 0.
hipError_t hipMemPrefetchAsync_v2(const void* dev_ptr, size_t count, hipMemLocation location, unsigned int flags,
                                  hipStream_t stream __dparm(0));

// Queues the move of `count` ranges. Ranges from prefetch_loc_idxs[i] on go to prefetch_locs[i]; `flags` must be 0.
hipError_t hipMemPrefetchBatchAsync(void** dev_ptrs, size_t* sizes, size_t count, hipMemLocation* prefetch_locs,
                                    size_t* prefetch_loc_idxs, size_t num_prefetch_locs, unsigned long long flags,
                                    hipStream_t stream __dparm(0));

// Says that the contents of `count` managed ranges are no longer needed once the stream has come here; what they hold
// then is not known before they are written or prefetched. `flags` must be 0, and `stream` one that was created.
hipError_t hipMemDiscardBatchAsync(void** dev_ptrs, size_t* sizes, size_t count, unsigned long long flags,
                                   hipStream_t stream);

// The driver-style form of hipMemDiscardBatchAsync.
hipError_t hipDrvMemDiscardBatchAsync(hipDeviceptr_t* dptrs, size_t* sizes, size_t count, unsigned long long flags,
                                      hipStream_t stream);

// hipMemDiscardBatchAsync, and hipMemPrefetchBatchAsync without moving what the ranges held. Nothing is done when one
// of the two cannot be.
hipError_t hipMemDiscardAndPrefetchBatchAsync(void** dptrs, size_t* sizes, size_t count, hipMemLocation* prefetchLocs,
                                              size_t* prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                              hipStream_t stream);

// The driver-style form of hipMemDiscardAndPrefetchBatchAsync.
hipError_t hipDrvMemDiscardAndPrefetchBatchAsync(hipDeviceptr_t* dptrs, size_t* sizes, size_t count,
                                                 hipMemLocation* prefetchLocs, size_t* prefetchLocIdxs,
                                                 size_t numPrefetchLocs, unsigned long long flags, hipStream_t stream);

// One attribute of a managed range.
hipError_t hipMemRangeGetAttribute(void* data, size_t data_size, hipMemRangeAttribute attribute, const void* dev_ptr,
                                   size_t count);

// Several attributes of a managed range.
hipError_t hipMemRangeGetAttributes(void** data, size_t* data_sizes, hipMemRangeAttribute* attributes,
                                    size_t num_attributes, const void* dev_ptr, size_t count);

// Says that only `stream` uses a managed range. `length` 0 means the whole allocation.
hipError_t hipStreamAttachMemAsync(hipStream_t stream, void* dev_ptr, size_t length __dparm(0),
                                   unsigned int flags __dparm(hipMemAttachSingle));

HIP_C_END

#endif
