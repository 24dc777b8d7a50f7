// omnihip/driver_structures.h - structures of the driver's interface whose members CUDA has in another order than HIP
// or by other names, and their conversions. Included by driver_types.h, as runtime_structures.h by runtime_types.h.
#ifndef OMNIHIP_CUDA_DRIVER_STRUCTURES_H
#define OMNIHIP_CUDA_DRIVER_STRUCTURES_H

#include <omnihip/runtime_structures.h>

typedef struct CUaccessPolicyWindow_st {
  void* base_ptr;
  size_t num_bytes;
  float hitRatio;
  CUaccessProperty hitProp;
  CUaccessProperty missProp;
} CUaccessPolicyWindow;
OMNIHIP_CUDA_CONVERSIONS(CUaccessPolicyWindow, hipAccessPolicyWindow, OMNIHIP_CUDA_WINDOW_MEMBERS)

typedef cudaGraphEdgeData CUgraphEdgeData;
typedef CUgraphEdgeData CUgraphEdgeData_st;

typedef struct CUDA_GRAPH_INSTANTIATE_PARAMS_st {
  unsigned long long flags;
  CUstream hUploadStream;
  CUgraphNode hErrNode_out;
  CUgraphInstantiateResult result_out;
} CUDA_GRAPH_INSTANTIATE_PARAMS;
#define OMNIHIP_CUDA_DRIVER_INSTANTIATE_MEMBERS(each) \
  each(flags, flags) each(hUploadStream, uploadStream) each(hErrNode_out, errNode_out) each(result_out, result_out)
OMNIHIP_CUDA_CONVERSIONS(CUDA_GRAPH_INSTANTIATE_PARAMS, hipGraphInstantiateParams,
                         OMNIHIP_CUDA_DRIVER_INSTANTIATE_MEMBERS)

// A kernel of a library, `kern`, counts where `func` is null. Nodes are of the current context, whatever `ctx` says, as
// in HIP.
typedef struct CUDA_KERNEL_NODE_PARAMS_st {
  CUfunction func;
  unsigned int gridDimX;
  unsigned int gridDimY;
  unsigned int gridDimZ;
  unsigned int blockDimX;
  unsigned int blockDimY;
  unsigned int blockDimZ;
  unsigned int sharedMemBytes;
  void** kernelParams;
  void** extra;
  hipKernel_t kern;
  CUcontext ctx;
} CUDA_KERNEL_NODE_PARAMS;
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v1;
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v2;
typedef CUDA_KERNEL_NODE_PARAMS CUDA_KERNEL_NODE_PARAMS_v3;
#define OMNIHIP_CUDA_DRIVER_KERNEL_NODE_MEMBERS(each) \
  each(func, func) each(gridDimX, gridDim.x) each(gridDimY, gridDim.y) each(gridDimZ, gridDim.z) \
      each(blockDimX, blockDim.x) each(blockDimY, blockDim.y) each(blockDimZ, blockDim.z) \
          each(sharedMemBytes, sharedMemBytes) each(kernelParams, kernelParams) each(extra, extra)
static inline hipKernelNodeParams* __omnihip_to_hip_CUDA_KERNEL_NODE_PARAMS(const CUDA_KERNEL_NODE_PARAMS* from,
                                                                            hipKernelNodeParams* to) {
  if (!from) return NULL;
  OMNIHIP_CUDA_DRIVER_KERNEL_NODE_MEMBERS(OMNIHIP_CUDA_TO_HIP)
  if (!from->func) to->func = (void*)from->kern;
  return to;
}
static inline void __omnihip_to_cuda_CUDA_KERNEL_NODE_PARAMS(const hipKernelNodeParams* from,
                                                             CUDA_KERNEL_NODE_PARAMS* to) {
  OMNIHIP_CUDA_DRIVER_KERNEL_NODE_MEMBERS(OMNIHIP_CUDA_TO_CUDA)
  to->kern = NULL;
  to->ctx = NULL;
}

typedef struct CUDA_MEMSET_NODE_PARAMS_st {
  CUdeviceptr dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
} CUDA_MEMSET_NODE_PARAMS;
typedef CUDA_MEMSET_NODE_PARAMS CUDA_MEMSET_NODE_PARAMS_v1;
OMNIHIP_CUDA_CONVERSIONS(CUDA_MEMSET_NODE_PARAMS, hipMemsetParams, OMNIHIP_CUDA_MEMSET_MEMBERS)

// Of CUgraphNodeParams.
typedef struct CUDA_MEMSET_NODE_PARAMS_v2_st {
  CUdeviceptr dst;
  size_t pitch;
  unsigned int value;
  unsigned int elementSize;
  size_t width;
  size_t height;
  CUcontext ctx;
} CUDA_MEMSET_NODE_PARAMS_v2;
OMNIHIP_CUDA_CONVERSIONS(CUDA_MEMSET_NODE_PARAMS_v2, hipMemsetParams, OMNIHIP_CUDA_MEMSET_MEMBERS)

typedef struct CUDA_MEMCPY3D_st {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  CUmemorytype srcMemoryType;
  const void* srcHost;
  CUdeviceptr srcDevice;
  CUarray srcArray;
  void* reserved0;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  CUmemorytype dstMemoryType;
  void* dstHost;
  CUdeviceptr dstDevice;
  CUarray dstArray;
  void* reserved1;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
} CUDA_MEMCPY3D;
typedef CUDA_MEMCPY3D CUDA_MEMCPY3D_v1;
typedef CUDA_MEMCPY3D CUDA_MEMCPY3D_v1_st;
typedef CUDA_MEMCPY3D CUDA_MEMCPY3D_v2;
#define OMNIHIP_CUDA_MEMCPY3D_MEMBERS(each) \
  each(srcXInBytes, srcXInBytes) each(srcY, srcY) each(srcZ, srcZ) each(srcLOD, srcLOD) \
      each(srcMemoryType, srcMemoryType) each(srcHost, srcHost) each(srcDevice, srcDevice) each(srcArray, srcArray) \
          each(srcPitch, srcPitch) each(srcHeight, srcHeight) each(dstXInBytes, dstXInBytes) each(dstY, dstY) \
              each(dstZ, dstZ) each(dstLOD, dstLOD) each(dstMemoryType, dstMemoryType) each(dstHost, dstHost) \
                  each(dstDevice, dstDevice) each(dstArray, dstArray) each(dstPitch, dstPitch) \
                      each(dstHeight, dstHeight) each(WidthInBytes, WidthInBytes) each(Height, Height) \
                          each(Depth, Depth)
OMNIHIP_CUDA_CONVERSIONS(CUDA_MEMCPY3D, HIP_MEMCPY3D, OMNIHIP_CUDA_MEMCPY3D_MEMBERS)

#endif
