// hip/api/handles.h - the opaque handles and callback types that the interface passes around. A handle belongs to the
// function that made it and is void after the matching Destroy, Unload, Free or Release.
#ifndef HIP_INCLUDE_HIP_API_HANDLES_H
#define HIP_INCLUDE_HIP_API_HANDLES_H

#include <stddef.h>
#include <stdint.h>

#include <hip/driver_types.h>

typedef int hipDevice_t; // a device ordinal, 0 to hipGetDeviceCount - 1
typedef struct ihipCtx_t* hipCtx_t;
typedef struct ihipStream_t* hipStream_t;
typedef struct ihipEvent_t* hipEvent_t;
typedef struct ihipModule_t* hipModule_t;
typedef struct ihipModuleSymbol_t* hipFunction_t;
typedef struct ihipLinkState_t* hipLinkState_t;
typedef struct ihipLibrary_t* hipLibrary_t;
typedef struct ihipKernel_t* hipKernel_t;
typedef struct ihipMemPoolHandle_t* hipMemPool_t;
typedef struct ihipMemGenericAllocationHandle* hipMemGenericAllocationHandle_t;
typedef struct ihipGraph* hipGraph_t;
typedef struct hipGraphNode* hipGraphNode_t;
typedef struct hipGraphExec* hipGraphExec_t;
typedef struct hipUserObject* hipUserObject_t;
typedef void* hipExternalMemory_t;
typedef void* hipExternalSemaphore_t;
typedef struct _hipGraphicsResource hipGraphicsResource;
typedef hipGraphicsResource* hipGraphicsResource_t;

// Two streams that exist without being created. The default stream is the legacy one unless the program is compiled
// with HIP_API_PER_THREAD_DEFAULT_STREAM.
#define hipStreamLegacy ((hipStream_t)1)
#define hipStreamPerThread ((hipStream_t)2)

// A function that runs on the host in stream order. It must not call HIP.
typedef void (*hipHostFn_t)(void* userData);

// A memory location: where an allocation lives or who accesses it.
typedef enum hipMemLocationType {
  hipMemLocationTypeInvalid = 0,
  hipMemLocationTypeNone = 0,
  hipMemLocationTypeDevice = 1,         // id is a device ordinal
  hipMemLocationTypeHost = 2,           // id is ignored
  hipMemLocationTypeHostNuma = 3,       // id is a NUMA node
  hipMemLocationTypeHostNumaCurrent = 4 // the NUMA node of the calling thread
} hipMemLocationType;

typedef struct hipMemLocation {
  hipMemLocationType type;
  int id;
} hipMemLocation;

#endif
