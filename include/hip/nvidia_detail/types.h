// hip/nvidia_detail/types.h - the types of HIP's host interface on NVIDIA GPUs. A handle or structure is CUDA's of the
// same meaning, so that it can be given to CUDA's libraries as it is. HIP's own on every platform: hipError_t,
// hipDeviceProp_t, hipDeviceAttribute_t, hipMemoryType, hipPointerAttribute_t and the driver-style copies.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_TYPES_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_TYPES_H

#include <stddef.h>
#include <stdint.h>

#include <hip/nvidia_detail/constants.h>
#include <hip/nvidia_detail/driver_constants.h>
#include <hip/nvidia_detail/forward.h>

// ---- Handles. hipDeviceptr_t is an integer here, and a pointer on AMD: cast it to use it as one.
typedef CUdeviceptr hipDeviceptr_t;
typedef CUdevice hipDevice_t;
typedef CUcontext hipCtx_t;
typedef cudaStream_t hipStream_t;
typedef cudaEvent_t hipEvent_t;
typedef CUmodule hipModule_t;
typedef CUfunction hipFunction_t;
typedef CUlinkState hipLinkState_t;
typedef CUlibrary hipLibrary_t;
typedef CUkernel hipKernel_t;
typedef cudaArray_t hipArray_t;
typedef cudaArray_const_t hipArray_const_t;
typedef cudaMipmappedArray_t hipMipmappedArray_t;
typedef cudaMipmappedArray_const_t hipMipmappedArray_const_t;
typedef cudaMemPool_t hipMemPool_t;
typedef CUmemGenericAllocationHandle hipMemGenericAllocationHandle_t;
typedef cudaGraph_t hipGraph_t;
typedef cudaGraphNode_t hipGraphNode_t;
typedef cudaGraphExec_t hipGraphExec_t;
typedef cudaUserObject_t hipUserObject_t;
typedef cudaExternalMemory_t hipExternalMemory_t;
typedef cudaExternalSemaphore_t hipExternalSemaphore_t;
typedef struct cudaGraphicsResource hipGraphicsResource;
typedef cudaGraphicsResource_t hipGraphicsResource_t;
typedef cudaTextureObject_t hipTextureObject_t;
typedef cudaSurfaceObject_t hipSurfaceObject_t;

typedef cudaHostFn_t hipHostFn_t;
typedef void (*hipStreamCallback_t)(hipStream_t stream, hipError_t status, void* userData);

// ---- Enumerations; constants.h has the enumerators.
typedef enum cudaComputeMode hipComputeMode;
typedef enum cudaMemcpyKind hipMemcpyKind;
typedef enum cudaChannelFormatKind hipChannelFormatKind;
typedef enum cudaResourceType hipResourceType;
typedef enum cudaResourceViewFormat hipResourceViewFormat;
typedef enum cudaTextureAddressMode hipTextureAddressMode;
typedef enum cudaTextureFilterMode hipTextureFilterMode;
typedef enum cudaTextureReadMode hipTextureReadMode;
typedef enum cudaSurfaceBoundaryMode hipSurfaceBoundaryMode;
typedef enum cudaDeviceP2PAttr hipDeviceP2PAttr;
typedef enum cudaLimit hipLimit_t;
typedef enum cudaFlushGPUDirectRDMAWritesTarget hipFlushGPUDirectRDMAWritesTarget;
typedef enum cudaFlushGPUDirectRDMAWritesScope hipFlushGPUDirectRDMAWritesScope;
typedef enum cudaFuncCache hipFuncCache_t;
typedef enum cudaFuncAttribute hipFuncAttribute;
typedef enum cudaSharedMemConfig hipSharedMemConfig;
typedef enum cudaMemoryAdvise hipMemoryAdvise;
typedef enum cudaMemRangeAttribute hipMemRangeAttribute;
typedef enum cudaMemPoolAttr hipMemPoolAttr;
typedef enum cudaMemLocationType hipMemLocationType;
typedef enum cudaMemAccessFlags hipMemAccessFlags;
typedef enum cudaMemAllocationType hipMemAllocationType;
typedef enum cudaMemAllocationHandleType hipMemAllocationHandleType;
typedef enum cudaExternalMemoryHandleType hipExternalMemoryHandleType;
typedef enum cudaExternalSemaphoreHandleType hipExternalSemaphoreHandleType;
typedef enum cudaGraphicsRegisterFlags hipGraphicsRegisterFlags;
typedef enum cudaGraphNodeType hipGraphNodeType;
typedef enum cudaGraphExecUpdateResult hipGraphExecUpdateResult;
typedef enum cudaGraphInstantiateFlags hipGraphInstantiateFlags;
typedef cudaGraphInstantiateResult hipGraphInstantiateResult;
typedef enum cudaGraphDebugDotFlags hipGraphDebugDotFlags;
typedef enum cudaGraphMemAttributeType hipGraphMemAttributeType;
typedef enum cudaStreamCaptureMode hipStreamCaptureMode;
typedef enum cudaStreamCaptureStatus hipStreamCaptureStatus;
typedef enum cudaStreamUpdateCaptureDependenciesFlags hipStreamUpdateCaptureDependenciesFlags;
typedef enum cudaUserObjectFlags hipUserObjectFlags;
typedef enum cudaUserObjectRetainFlags hipUserObjectRetainFlags;
typedef enum cudaAccessProperty hipAccessProperty;
typedef enum cudaSynchronizationPolicy hipSynchronizationPolicy;
typedef cudaLaunchAttributeID hipLaunchAttributeID;
typedef cudaLaunchMemSyncDomain hipLaunchMemSyncDomain;
typedef CUarray_format hipArray_Format;
typedef CUresourcetype HIPresourcetype;
typedef CUresourcetype hipResourcetype;
typedef CUaddress_mode HIPaddress_mode;
typedef CUfilter_mode HIPfilter_mode;
typedef CUresourceViewFormat HIPresourceViewFormat;
typedef CUfunction_attribute hipFunction_attribute;
typedef CUmoduleLoadingMode hipModuleLoadingMode_t;
typedef CUpointer_attribute hipPointer_attribute;
typedef CUjit_option hipJitOption;
typedef CUjitInputType hipJitInputType;
typedef CUlibraryOption hipLibraryOption;
typedef CUstreamBatchMemOpType hipStreamBatchMemOpType;
typedef CUmemAllocationGranularity_flags hipMemAllocationGranularity_flags;
typedef CUmemRangeHandleType hipMemRangeHandleType;

// ---- Structures: memory and arrays
typedef struct cudaChannelFormatDesc hipChannelFormatDesc;
typedef struct cudaExtent hipExtent;
typedef struct cudaPos hipPos;
typedef struct cudaPitchedPtr hipPitchedPtr;
typedef struct cudaMemcpy3DParms hipMemcpy3DParms;
typedef struct cudaMemcpy3DPeerParms hipMemcpy3DPeerParms;
typedef struct cudaMemLocation hipMemLocation;
typedef struct cudaMemAccessDesc hipMemAccessDesc;
typedef struct cudaMemPoolProps hipMemPoolProps;
typedef struct cudaMemPoolPtrExportData hipMemPoolPtrExportData;
typedef cudaIpcMemHandle_t hipIpcMemHandle_t;
typedef cudaIpcEventHandle_t hipIpcEventHandle_t;
typedef CUDA_ARRAY_DESCRIPTOR HIP_ARRAY_DESCRIPTOR;
typedef CUDA_ARRAY3D_DESCRIPTOR HIP_ARRAY3D_DESCRIPTOR;
typedef CUarrayMapInfo hipArrayMapInfo;

// ---- Structures: textures, external memory
typedef struct cudaResourceDesc hipResourceDesc;
typedef struct cudaTextureDesc hipTextureDesc;
typedef struct cudaResourceViewDesc hipResourceViewDesc;
typedef CUDA_RESOURCE_DESC HIP_RESOURCE_DESC;
typedef CUDA_TEXTURE_DESC HIP_TEXTURE_DESC;
typedef CUDA_RESOURCE_VIEW_DESC HIP_RESOURCE_VIEW_DESC;
typedef struct cudaExternalMemoryHandleDesc hipExternalMemoryHandleDesc;
typedef struct cudaExternalMemoryBufferDesc hipExternalMemoryBufferDesc;
typedef struct cudaExternalMemoryMipmappedArrayDesc hipExternalMemoryMipmappedArrayDesc;
typedef struct cudaExternalSemaphoreHandleDesc hipExternalSemaphoreHandleDesc;
typedef struct cudaExternalSemaphoreSignalParams hipExternalSemaphoreSignalParams;
typedef struct cudaExternalSemaphoreWaitParams hipExternalSemaphoreWaitParams;

// ---- Structures: launches and graphs
typedef struct cudaFuncAttributes hipFuncAttributes;
typedef struct cudaAccessPolicyWindow hipAccessPolicyWindow;
typedef cudaLaunchAttributeValue hipLaunchAttributeValue;
typedef cudaLaunchAttribute hipLaunchAttribute;
typedef cudaLaunchMemSyncDomainMap hipLaunchMemSyncDomainMap;
typedef cudaLaunchConfig_t hipLaunchConfig_t;
typedef CUDA_LAUNCH_PARAMS hipFunctionLaunchParams;
typedef CUstreamBatchMemOpParams hipStreamBatchMemOpParams;
typedef struct cudaHostNodeParams hipHostNodeParams;
typedef struct cudaKernelNodeParams hipKernelNodeParams;
typedef struct cudaMemsetParams hipMemsetParams;
typedef struct cudaMemAllocNodeParams hipMemAllocNodeParams;
typedef struct cudaExternalSemaphoreSignalNodeParams hipExternalSemaphoreSignalNodeParams;
typedef struct cudaExternalSemaphoreWaitNodeParams hipExternalSemaphoreWaitNodeParams;
typedef CUDA_BATCH_MEM_OP_NODE_PARAMS hipBatchMemOpNodeParams;
typedef cudaGraphInstantiateParams hipGraphInstantiateParams;
#if CUDART_VERSION >= 12020
typedef struct cudaGraphNodeParams hipGraphNodeParams;
#endif
#if CUDART_VERSION >= 12030
typedef cudaGraphEdgeData hipGraphEdgeData;
#endif

#include <hip/api/copy_types.h>
#include <hip/api/device_attributes.h>
#include <hip/api/device_properties.h>

static inline hipPitchedPtr make_hipPitchedPtr(void* d, size_t p, size_t xsz, size_t ysz) {
  HIP_NV_ZEROED(hipPitchedPtr, result);
  result.ptr = d;
  result.pitch = p;
  result.xsize = xsz;
  result.ysize = ysz;
  return result;
}

static inline hipPos make_hipPos(size_t x, size_t y, size_t z) {
  HIP_NV_ZEROED(hipPos, result);
  result.x = x;
  result.y = y;
  result.z = z;
  return result;
}

static inline hipExtent make_hipExtent(size_t w, size_t h, size_t d) {
  HIP_NV_ZEROED(hipExtent, result);
  result.width = w;
  result.height = h;
  result.depth = d;
  return result;
}

#endif
