// driver_types.h - types of CUDA's runtime interface. Most are made at build time, with HIP's layout and values.
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__

#include <omnihip/config.h>

#include <hip/hip_runtime_api.h>

#include <omnihip/errors.h>
#include <vector_types.h>

// A stream is HIP's, as launches want one. Other handles are types of their own, which go to HIP as HIP's.
#define CUstream_st ihipStream_t
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef struct CUfunc_st* cudaFunction_t;
typedef struct cudaArray* cudaArray_t;
typedef const struct cudaArray* cudaArray_const_t;
typedef struct cudaMipmappedArray* cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray* cudaMipmappedArray_const_t;
typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphDeviceUpdatableNode_st* cudaGraphDeviceNode_t;
typedef cudaGraphDeviceNode_t CUgraphDeviceNode;

typedef struct CUuuid_st {
  char bytes[16];
} CUuuid;
typedef CUuuid cudaUUID_t;

typedef unsigned long long CUdeviceptr; // also in structures of the runtime's
typedef CUdeviceptr CUdeviceptr_v2;

#include <omnihip/runtime_types.h>

typedef cudaLaunchAttributeID cudaStreamAttrID;

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)

// A pointer that HIP knows nothing of is one of the host's, not registered.
struct cudaPointerAttributes {
  enum cudaMemoryType type;
  int device;
  void* devicePointer;
  void* hostPointer;
};

typedef struct cudaGraphExecUpdateResultInfo_st {
  enum cudaGraphExecUpdateResult result;
  cudaGraphNode_t errorNode;
  cudaGraphNode_t errorFromNode;
} cudaGraphExecUpdateResultInfo;

#endif
