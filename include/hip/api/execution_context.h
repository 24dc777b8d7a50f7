// hip/api/execution_context.h - contexts on a part of a device's compute units ("green contexts"). A program asks for
// the units (hipDeviceGetDevResource), divides them, makes a descriptor of some parts (hipDevResourceGenerateDesc) and
// of that a context; kernels in a context's streams use its units alone.
//
// Resources are plain structures that the functions here fill. A descriptor belongs to the first context that is made
// of it, and ends with that one.
#ifndef HIP_INCLUDE_HIP_API_EXECUTION_CONTEXT_H
#define HIP_INCLUDE_HIP_API_EXECUTION_CONTEXT_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

typedef struct ihipExecutionCtx_t* hipExecutionCtx_t;
typedef struct ihipDevResourceDesc_t* hipDevResourceDesc_t;

typedef enum hipDevResourceType {
  hipDevResourceTypeInvalid = 0,
  hipDevResourceTypeSm = 1,                 // compute units
  hipDevResourceTypeWorkqueueConfig = 1000, // how many queues a context wants, which a program writes itself
  hipDevResourceTypeWorkqueue = 10000
} hipDevResourceType;

// hipDevSmResourceGroupParams.flags, hipDevSmResource.flags.
typedef enum hipDevSmResourceGroup_flags {
  hipDevSmResourceGroupDefault = 0,
  hipDevSmResourceGroupBackfill = 1 // the group need not be a multiple of coscheduledSmCount
} hipDevSmResourceGroup_flags;

// Flags of hipDevSmResourceSplitByCount.
typedef enum hipDevSmResourceSplitByCount_flags {
  hipDevSmResourceSplitIgnoreSmCoscheduling = 1,
  hipDevSmResourceSplitMaxPotentialClusterSize = 2
} hipDevSmResourceSplitByCount_flags;

typedef enum hipDevWorkqueueConfigScope {
  hipDevWorkqueueConfigScopeDeviceCtx = 0,
  hipDevWorkqueueConfigScopeGreenCtxBalanced = 1
} hipDevWorkqueueConfigScope;

typedef struct hipDevSmResource {
  unsigned int smCount;                // compute units
  unsigned int minSmPartitionSize;     // the least that a part can have
  unsigned int smCoscheduledAlignment; // a part has a multiple of this many
  unsigned int flags;                  // hipDevSmResourceGroup_flags
} hipDevSmResource;

typedef struct hipDevWorkqueueConfigResource {
  int device;
  unsigned int wqConcurrencyLimit; // how many streams are expected to have work at once
  hipDevWorkqueueConfigScope sharingScope;
} hipDevWorkqueueConfigResource;

#define HIP_RESOURCE_ABI_BYTES 40

typedef struct hipDevWorkqueueResource {
  unsigned char reserved[HIP_RESOURCE_ABI_BYTES];
} hipDevWorkqueueResource;

typedef struct hipDevResource_st {
  hipDevResourceType type;
  unsigned char _internal_padding[92]; // which units, and of which device
  union {
    hipDevSmResource sm;
    hipDevWorkqueueConfigResource wqConfig;
    hipDevWorkqueueResource wq;
    unsigned char _oversize[HIP_RESOURCE_ABI_BYTES];
  };
  struct hipDevResource_st* nextResource;
} hipDevResource;

// What hipDevSmResourceSplit is to make a group of. The counts that are 0 are written with what was chosen.
typedef struct hipDevSmResourceGroupParams_st {
  unsigned int smCount;                     // 0: as many as are left
  unsigned int coscheduledSmCount;          // 0: the device's
  unsigned int preferredCoscheduledSmCount; // 0: as coscheduledSmCount
  unsigned int flags;                       // hipDevSmResourceGroup_flags
  unsigned int reserved[12];
} hipDevSmResourceGroupParams;

HIP_C_BEGIN

// All compute units of a device. hipErrorInvalidResourceType for another type.
hipError_t hipDeviceGetDevResource(hipDevice_t device, hipDevResource* resource, hipDevResourceType type);

// Divides `input` into groups of the same size, at least `minCount` units and *nbGroups of them at most, and writes
// their number there. A null `result` only asks for the number of groups that there could be. `remainder`, which may be
// null, gets what is left, or hipDevResourceTypeInvalid. Of the flags hipDevSmResourceSplitIgnoreSmCoscheduling is
// hipErrorNotSupported.
hipError_t hipDevSmResourceSplitByCount(hipDevResource* result, unsigned int* nbGroups, const hipDevResource* input,
                                        hipDevResource* remainder, unsigned int flags, unsigned int minCount);

// Divides `input` into `nbGroups` groups, as their parameters say. A null `result` only writes the parameters and the
// remainder. hipErrorInvalidResourceConfiguration when the groups cannot be had.
hipError_t hipDevSmResourceSplit(hipDevResource* result, unsigned int nbGroups, const hipDevResource* input,
                                 hipDevResource* remainder, unsigned int flags,
                                 hipDevSmResourceGroupParams* groupParams);

// Describes a context of these resources: compute units of one device that came of one division, and one configuration
// of work queues at most. hipErrorInvalidResourceConfiguration.
hipError_t hipDevResourceGenerateDesc(hipDevResourceDesc_t* phDesc, hipDevResource* resources,
                                      unsigned int nbResources);

// Makes a context. `flags` must be 0. hipErrorInvalidDevice when the resources are another device's;
// hipErrorNotSupported where the device cannot keep kernels to a part of its units.
hipError_t hipGreenCtxCreate(hipExecutionCtx_t* ctx, hipDevResourceDesc_t desc, int device, unsigned int flags);

// Ends a context, after the work in its streams. Streams that are left can only be destroyed: anything else gives
// hipErrorStreamDetached. A device's own context cannot be destroyed.
hipError_t hipExecutionCtxDestroy(hipExecutionCtx_t ctx);

// A stream of a context. It never waits for the default stream, whatever the flags are.
hipError_t hipExecutionCtxStreamCreate(hipStream_t* stream, hipExecutionCtx_t greenctx, unsigned int flags,
                                       int priority);

// The context of a whole device, which holds all its streams.
hipError_t hipDeviceGetExecutionCtx(hipExecutionCtx_t* ctx, int device);

// The compute units of a context, all in one resource, or the configuration of work queues that it was made with.
// hipErrorInvalidResourceType when it has none of that type.
hipError_t hipExecutionCtxGetDevResource(hipExecutionCtx_t ctx, hipDevResource* resource, hipDevResourceType type);

// The device of a context.
hipError_t hipExecutionCtxGetDevice(int* device, hipExecutionCtx_t ctx);

// A number that no other context of the process has.
hipError_t hipExecutionCtxGetId(hipExecutionCtx_t ctx, unsigned long long* ctxId);

// The compute units that a stream's kernels use. hipErrorInvalidResourceType for another type.
hipError_t hipStreamGetDevResource(hipStream_t hStream, hipDevResource* resource, hipDevResourceType type);

// Records an event that comes after all work that the context's streams were given so far.
hipError_t hipExecutionCtxRecordEvent(hipExecutionCtx_t ctx, hipEvent_t event);

// Waits until the work in the context's streams has ended.
hipError_t hipExecutionCtxSynchronize(hipExecutionCtx_t ctx);

// All later work of the context's streams, those made later too, waits for the event.
hipError_t hipExecutionCtxWaitEvent(hipExecutionCtx_t ctx, hipEvent_t event);

HIP_C_END

#endif
