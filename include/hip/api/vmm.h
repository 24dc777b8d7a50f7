// hip/api/vmm.h - virtual memory management: reserve addresses, create physical memory, map one to the other, set
// access. Sizes, addresses and offsets are multiples of the granularity.
#ifndef HIP_INCLUDE_HIP_API_VMM_H
#define HIP_INCLUDE_HIP_API_VMM_H

#include <hip/api/error.h>
#include <hip/api/handles.h>
#include <hip/api/mempool.h>

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
  } allocFlags;
} hipMemAllocationProp;

typedef enum hipMemAllocationGranularity_flags {
  hipMemAllocationGranularityMinimum = 0x0,
  hipMemAllocationGranularityRecommended = 0x1
} hipMemAllocationGranularity_flags;

typedef enum hipMemHandleType { hipMemHandleTypeGeneric = 0x0 } hipMemHandleType;

typedef enum hipMemOperationType { hipMemOperationTypeMap = 0x1, hipMemOperationTypeUnmap = 0x2 } hipMemOperationType;

typedef enum hipArraySparseSubresourceType {
  hipArraySparseSubresourceTypeSparseLevel = 0x0,
  hipArraySparseSubresourceTypeMiptail = 0x1
} hipArraySparseSubresourceType;

// hipMemGetHandleForAddressRange.
typedef enum hipMemRangeHandleType {
  hipMemRangeHandleTypeDmaBufFd = 0x1, // int: a dma-buf file descriptor
  hipMemRangeHandleTypeMax = 0x7fffffff
} hipMemRangeHandleType;

typedef enum hipMemRangeFlags {
  hipMemRangeFlagDmaBufMappingTypePcie = 0x1,
  hipMemRangeFlagsMax = 0x7fffffff
} hipMemRangeFlags;

// One mapping of a sparse array.
typedef struct hipArrayMapInfo {
  hipResourceType resourceType;
  union {
    hipMipmappedArray mipmap;
    hipArray_t array;
  } resource;
  hipArraySparseSubresourceType subresourceType;
  union {
    struct {
      unsigned int level;
      unsigned int layer;
      unsigned int offsetX;
      unsigned int offsetY;
      unsigned int offsetZ;
      unsigned int extentWidth;
      unsigned int extentHeight;
      unsigned int extentDepth;
    } sparseLevel;
    struct {
      unsigned int layer;
      unsigned long long offset;
      unsigned long long size;
    } miptail;
  } subresource;
  hipMemOperationType memOperationType;
  hipMemHandleType memHandleType;
  union {
    hipMemGenericAllocationHandle_t memHandle;
  } memHandle;
  unsigned long long offset;
  unsigned int deviceBitMask;
  unsigned int flags;
  unsigned int reserved[2];
} hipArrayMapInfo;

HIP_C_BEGIN

// Reserves `size` bytes of addresses, at `addr` when that is possible. `alignment` is 0 or a power of two; `flags`
// must be 0.
hipError_t hipMemAddressReserve(void** ptr, size_t size, size_t alignment, void* addr, unsigned long long flags);

// Gives back a whole reservation.
hipError_t hipMemAddressFree(void* devPtr, size_t size);

// Creates physical memory.
hipError_t hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t size, const hipMemAllocationProp* prop,
                        unsigned long long flags);

// Releases the handle; the memory goes when it is mapped nowhere.
hipError_t hipMemRelease(hipMemGenericAllocationHandle_t handle);

// Maps `size` bytes of `handle` to reserved addresses. `offset` and `flags` must be 0.
hipError_t hipMemMap(void* ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                     unsigned long long flags);

// Takes back whole mappings that follow each other. Waits for the work of the devices that may access them.
hipError_t hipMemUnmap(void* ptr, size_t size);

// Lets `count` locations access a mapped range. Nobody may before. Where access is taken away, waits as hipMemUnmap
// does.
hipError_t hipMemSetAccess(void* ptr, size_t size, const hipMemAccessDesc* desc, size_t count);

// How a location may access a mapped address (hipMemAccessFlags).
hipError_t hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location, void* ptr);

// The unit of sizes and addresses for such an allocation.
hipError_t hipMemGetAllocationGranularity(size_t* granularity, const hipMemAllocationProp* prop,
                                          hipMemAllocationGranularity_flags option);

// What hipMemCreate was given.
hipError_t hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* prop, hipMemGenericAllocationHandle_t handle);

// The handle behind a mapped address, with one more reference.
hipError_t hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* addr);

// A handle by which another process opens the memory.
hipError_t hipMemExportToShareableHandle(void* shareableHandle, hipMemGenericAllocationHandle_t handle,
                                         hipMemAllocationHandleType handleType, unsigned long long flags);

// Opens memory of another process. `osHandle` is the number of the file descriptor, or points to it.
hipError_t hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* osHandle,
                                           hipMemAllocationHandleType shHandleType);

// A handle for a range of device memory, to give to other drivers.
hipError_t hipMemGetHandleForAddressRange(void* handle, hipDeviceptr_t dptr, size_t size,
                                          hipMemRangeHandleType handleType, unsigned long long flags);

// Queues mappings of sparse arrays.
hipError_t hipMemMapArrayAsync(hipArrayMapInfo* mapInfoList, unsigned int count, hipStream_t stream);

HIP_C_END

#endif
