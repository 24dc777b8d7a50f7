// hip/api/mempool.h - memory pools and allocation in stream order: memory exists for a stream's work from the
// allocation to the free. Neither call waits; only an allocation for which the device has no memory left waits for work
// that may still use what was freed.
#ifndef HIP_INCLUDE_HIP_API_MEMPOOL_H
#define HIP_INCLUDE_HIP_API_MEMPOOL_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

// hipMemPoolGetAttribute, hipMemPoolSetAttribute: int for the reuse switches, uint64_t with bytes for the rest.
typedef enum hipMemPoolAttr {
  hipMemPoolReuseFollowEventDependencies = 0x1,
  hipMemPoolReuseAllowOpportunistic = 0x2,
  hipMemPoolReuseAllowInternalDependencies = 0x3,
  hipMemPoolAttrReleaseThreshold = 0x4, // unused memory above this goes back to the system at a synchronisation
  hipMemPoolAttrReservedMemCurrent = 0x5,
  hipMemPoolAttrReservedMemHigh = 0x6, // 0 resets it
  hipMemPoolAttrUsedMemCurrent = 0x7,
  hipMemPoolAttrUsedMemHigh = 0x8 // 0 resets it
} hipMemPoolAttr;

typedef enum hipMemAccessFlags {
  hipMemAccessFlagsProtNone = 0,
  hipMemAccessFlagsProtRead = 1,
  hipMemAccessFlagsProtReadWrite = 3
} hipMemAccessFlags;

typedef struct hipMemAccessDesc {
  hipMemLocation location;
  hipMemAccessFlags flags;
} hipMemAccessDesc;

typedef enum hipMemAllocationType {
  hipMemAllocationTypeInvalid = 0x0,
  hipMemAllocationTypePinned = 0x1,
  hipMemAllocationTypeManaged = 0x2,
  hipMemAllocationTypeUncached = 0x40000000,
  hipMemAllocationTypeMax = 0x7FFFFFFF
} hipMemAllocationType;

// How an allocation can be given to another process; values may be or-ed.
typedef enum hipMemAllocationHandleType {
  hipMemHandleTypeNone = 0x0,
  hipMemHandleTypePosixFileDescriptor = 0x1,
  hipMemHandleTypeWin32 = 0x2,
  hipMemHandleTypeWin32Kmt = 0x4
} hipMemAllocationHandleType;

typedef struct hipMemPoolProps {
  hipMemAllocationType allocType;
  hipMemAllocationHandleType handleTypes;
  hipMemLocation location;
  void* win32SecurityAttributes;
  size_t maxSize; // 0: no limit
  unsigned char reserved[56];
} hipMemPoolProps;

typedef struct hipMemPoolPtrExportData {
  unsigned char reserved[64];
} hipMemPoolPtrExportData;

HIP_C_BEGIN

// Allocates from the current device's pool, for work that follows in `stream`. A stream that has ended, here and in the
// next two, gives hipErrorInvalidHandle.
hipError_t hipMallocAsync(void** dev_ptr, size_t size, hipStream_t stream);

// Allocates from `mem_pool`.
hipError_t hipMallocFromPoolAsync(void** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream);

// Frees when the work queued so far in `stream` has ended. Null is allowed.
hipError_t hipFreeAsync(void* dev_ptr, hipStream_t stream);

// The pool that a device starts with.
hipError_t hipDeviceGetDefaultMemPool(hipMemPool_t* mem_pool, int device);

// The pool that hipMallocAsync uses on `device`.
hipError_t hipDeviceGetMemPool(hipMemPool_t* mem_pool, int device);

// Makes hipMallocAsync use `mem_pool` on `device`.
hipError_t hipDeviceSetMemPool(int device, hipMemPool_t mem_pool);

// The pool in use at a location for allocations of that type.
hipError_t hipMemGetMemPool(hipMemPool_t* pool, hipMemLocation* location, hipMemAllocationType type);

// The pool that a location starts with for allocations of that type.
hipError_t hipMemGetDefaultMemPool(hipMemPool_t* memPool, hipMemLocation* location, hipMemAllocationType type);

// Sets the pool to use at a location for allocations of that type.
hipError_t hipMemSetMemPool(hipMemLocation* location, hipMemAllocationType type, hipMemPool_t pool);

// Makes a pool.
hipError_t hipMemPoolCreate(hipMemPool_t* mem_pool, const hipMemPoolProps* pool_props);

// Destroys a pool; its memory is freed when the last allocation is. The default pool cannot be destroyed.
hipError_t hipMemPoolDestroy(hipMemPool_t mem_pool);

// Gives unused memory back to the system until `min_bytes_to_hold` are left.
hipError_t hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold);

// Reads an attribute.
hipError_t hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value);

// Sets an attribute.
hipError_t hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value);

// How the location may access memory of the pool.
hipError_t hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t mem_pool, hipMemLocation* location);

// Sets access to memory of the pool for `count` locations.
hipError_t hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc* desc_list, size_t count);

// A handle by which another process opens the pool.
hipError_t hipMemPoolExportToShareableHandle(void* shared_handle, hipMemPool_t mem_pool,
                                             hipMemAllocationHandleType handle_type, unsigned int flags);

// Opens a pool of another process.
hipError_t hipMemPoolImportFromShareableHandle(hipMemPool_t* mem_pool, void* shared_handle,
                                               hipMemAllocationHandleType handle_type, unsigned int flags);

// Data by which another process finds one allocation of a shared pool.
hipError_t hipMemPoolExportPointer(hipMemPoolPtrExportData* export_data, void* dev_ptr);

// The address of another process's allocation in an imported pool.
hipError_t hipMemPoolImportPointer(void** dev_ptr, hipMemPool_t mem_pool, hipMemPoolPtrExportData* export_data);

HIP_C_END

#endif
