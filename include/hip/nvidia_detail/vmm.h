// hip/nvidia_detail/vmm.h - virtual memory management, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_VMM_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_VMM_H

#include <hip/nvidia_detail/types.h>

// The driver's structure with the enumerations of the runtime, which memory pools share.
typedef struct hipMemAllocationProp {
  hipMemAllocationType type;
  union {
    hipMemAllocationHandleType requestedHandleType;
    hipMemAllocationHandleType requestedHandleTypes;
  };
  hipMemLocation location;
  void* win32HandleMetaData;
  struct {
    unsigned char compressionType;
    unsigned char gpuDirectRDMACapable;
    unsigned short usage;
    unsigned char reserved[4];
  } allocFlags;
} hipMemAllocationProp;

HIP_TO_CU(hipMemAddressFree, cuMemAddressFree, (void* devPtr, size_t size), ((CUdeviceptr)devPtr, size))
HIP_TO_CU(hipMemAddressReserve, cuMemAddressReserve,
    (void** ptr, size_t size, size_t alignment, void* addr, unsigned long long flags),
    ((CUdeviceptr*)ptr, size, alignment, (CUdeviceptr)addr, flags))
HIP_TO_CU(hipMemCreate, cuMemCreate,
    (hipMemGenericAllocationHandle_t* handle, size_t size, const hipMemAllocationProp* prop, unsigned long long flags),
    (handle, size, (const CUmemAllocationProp*)prop, flags))
HIP_TO_CU(hipMemExportToShareableHandle, cuMemExportToShareableHandle,
    (void* shareableHandle, hipMemGenericAllocationHandle_t handle, hipMemAllocationHandleType handleType,
     unsigned long long flags), (shareableHandle, handle, (CUmemAllocationHandleType)handleType, flags))
HIP_TO_CU(hipMemGetAccess, cuMemGetAccess,
    (unsigned long long* flags, const hipMemLocation* location, void* ptr),
    (flags, (const CUmemLocation*)location, (CUdeviceptr)ptr))
HIP_TO_CU(hipMemGetAllocationGranularity, cuMemGetAllocationGranularity,
    (size_t* granularity, const hipMemAllocationProp* prop, hipMemAllocationGranularity_flags option),
    (granularity, (const CUmemAllocationProp*)prop, (CUmemAllocationGranularity_flags)option))
HIP_TO_CU(hipMemGetAllocationPropertiesFromHandle, cuMemGetAllocationPropertiesFromHandle,
    (hipMemAllocationProp* prop, hipMemGenericAllocationHandle_t handle), ((CUmemAllocationProp*)prop, handle))
HIP_TO_CU(hipMemImportFromShareableHandle, cuMemImportFromShareableHandle,
    (hipMemGenericAllocationHandle_t* handle, void* osHandle, hipMemAllocationHandleType shHandleType),
    (handle, osHandle, (CUmemAllocationHandleType)shHandleType))
HIP_TO_CU(hipMemMap, cuMemMap,
    (void* ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle, unsigned long long flags),
    ((CUdeviceptr)ptr, size, offset, handle, flags))
HIP_TO_CU(hipMemMapArrayAsync, cuMemMapArrayAsync,
    (hipArrayMapInfo* mapInfoList, unsigned int count, hipStream_t stream), (mapInfoList, count, stream))
HIP_TO_CU(hipMemRelease, cuMemRelease, (hipMemGenericAllocationHandle_t handle), (handle))
HIP_TO_CU(hipMemRetainAllocationHandle, cuMemRetainAllocationHandle,
    (hipMemGenericAllocationHandle_t* handle, void* addr), (handle, addr))
HIP_TO_CU(hipMemSetAccess, cuMemSetAccess,
    (void* ptr, size_t size, const hipMemAccessDesc* desc, size_t count),
    ((CUdeviceptr)ptr, size, (const CUmemAccessDesc*)desc, count))
HIP_TO_CU(hipMemUnmap, cuMemUnmap, (void* ptr, size_t size), ((CUdeviceptr)ptr, size))
HIP_TO_CU(hipMemGetHandleForAddressRange, cuMemGetHandleForAddressRange,
    (void* handle, hipDeviceptr_t dptr, size_t size, hipMemRangeHandleType handleType, unsigned long long flags),
    (handle, dptr, size, (CUmemRangeHandleType)handleType, flags))

#if defined(__cplusplus)
static_assert(sizeof(hipMemAllocationProp) == sizeof(CUmemAllocationProp), "hipMemAllocationProp is passed as CUDA's.");
static_assert(sizeof(hipMemAccessDesc) == sizeof(CUmemAccessDesc), "hipMemAccessDesc is passed as CUDA's.");
static_assert(sizeof(hipMemLocation) == sizeof(CUmemLocation), "hipMemLocation is passed as CUDA's.");
#endif

#endif
