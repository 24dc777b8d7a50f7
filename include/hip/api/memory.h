// hip/api/memory.h - allocating device and host memory, and asking what an address is.
//
// Allocations belong to the process and are visible to every stream of their device. Freeing waits for the work that
// may use the memory (hipFree) unless the free is itself stream-ordered (mempool.h).
#ifndef HIP_INCLUDE_HIP_API_MEMORY_H
#define HIP_INCLUDE_HIP_API_MEMORY_H

#include <hip/api/error.h>
#include <hip/api/handles.h>

// hipHostMalloc, hipHostAlloc.
#define hipHostAllocDefault 0x0
#define hipHostAllocPortable 0x1      // pinned for every device; all our host memory is
#define hipHostAllocMapped 0x2        // kernels can address it; all our host memory is
#define hipHostAllocWriteCombined 0x4 // fast for the host to write, slow to read
#define hipHostAllocUncached hipHostMallocUncached
#define hipHostMallocDefault 0x0
#define hipHostMallocPortable 0x1
#define hipHostMallocMapped 0x2
#define hipHostMallocWriteCombined 0x4
#define hipHostMallocUncached 0x10000000
#define hipHostMallocNumaUser 0x20000000    // placed by the caller's NUMA policy
#define hipHostMallocCoherent 0x40000000    // writes are visible while a kernel runs
#define hipHostMallocNonCoherent 0x80000000 // writes are visible after a synchronisation
// hipExtHostAlloc.
#define hipExtHostAllocNumaUser 0x20000000
#define hipExtHostAllocCoherent 0x40000000
#define hipExtHostAllocNonCoherent 0x80000000

// hipHostRegister.
#define hipHostRegisterDefault 0x0
#define hipHostRegisterPortable 0x1
#define hipHostRegisterMapped 0x2
#define hipHostRegisterIoMemory 0x4 // the range is device registers
#define hipHostRegisterReadOnly 0x08
#define hipExtHostRegisterCoarseGrained 0x8
#define hipExtHostRegisterUncached 0x80000000

// hipExtMallocWithFlags.
#define hipDeviceMallocDefault 0x0
#define hipDeviceMallocFinegrained 0x1
#define hipMallocSignalMemory 0x2 // 8 bytes for hipStreamWaitValue and hipStreamWriteValue
#define hipDeviceMallocUncached 0x3
#define hipDeviceMallocContiguous 0x4

HIP_C_BEGIN

// Allocates `size` bytes on the current device, aligned for every type (256 bytes at least). Size 0 gives a null
// pointer and hipSuccess. hipErrorOutOfMemory.
hipError_t hipMalloc(void** ptr, size_t size);

// As hipMalloc with a hipDeviceMalloc* or hipMallocSignalMemory flag.
hipError_t hipExtMallocWithFlags(void** ptr, size_t sizeBytes, unsigned int flags);

// Allocates `height` rows of `width` bytes; each row starts at a multiple of the device's pitch alignment, and
// `pitch` returns the bytes between rows.
hipError_t hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height);

// As hipMallocPitch. `elementSizeBytes` is 4, 8 or 16: the widest access kernels make.
hipError_t hipMemAllocPitch(hipDeviceptr_t* dptr, size_t* pitch, size_t widthInBytes, size_t height,
                            unsigned int elementSizeBytes);

// Allocates `extent` (bytes, rows, slices) with the rows aligned as hipMallocPitch does.
hipError_t hipMalloc3D(hipPitchedPtr* pitchedDevPtr, hipExtent extent);

// Waits for the device and frees memory from hipMalloc and its relatives. Null is allowed. hipErrorInvalidValue for
// an address that is not the start of an allocation.
hipError_t hipFree(void* ptr);

// Allocates `size` bytes of pinned host memory that devices can address. Flags: hipHostMalloc*. Free with
// hipHostFree.
hipError_t hipHostMalloc(void** ptr, size_t size, unsigned int flags);

// As hipHostMalloc; flags: hipHostAlloc*.
hipError_t hipHostAlloc(void** ptr, size_t size, unsigned int flags);

// As hipHostMalloc; flags: hipExtHostAlloc*.
hipError_t hipExtHostAlloc(void** ptr, size_t size, unsigned int flags);

// As hipHostMalloc without flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipMallocHost(void** ptr, size_t size);

// As hipHostMalloc without flags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipMemAllocHost(void** ptr, size_t size);

// Frees memory from hipHostMalloc. Null is allowed.
hipError_t hipHostFree(void* ptr);

// As hipHostFree.
hipError_t hipFreeHost(void* ptr);

// Pins `sizeBytes` of existing host memory for devices. hipErrorHostMemoryAlreadyRegistered when part of it is.
hipError_t hipHostRegister(void* hostPtr, size_t sizeBytes, unsigned int flags);

// Takes back hipHostRegister. hipErrorHostMemoryNotRegistered when the address is not the start of a registered
// range.
hipError_t hipHostUnregister(void* hostPtr);

// The address by which kernels reach pinned host memory. `flags` must be 0.
hipError_t hipHostGetDevicePointer(void** devPtr, void* hstPtr, unsigned int flags);

// The flags that pinned host memory was allocated with.
hipError_t hipHostGetFlags(unsigned int* flagsPtr, void* hostPtr);

// Free and total memory of the current device in bytes. Either pointer may be null.
hipError_t hipMemGetInfo(size_t* free, size_t* total);

// Size of the allocation that starts at `ptr`.
hipError_t hipMemPtrGetInfo(void* ptr, size_t* size);

// Start and size of the device allocation that contains `dptr`. Either output may be null.
hipError_t hipMemGetAddressRange(hipDeviceptr_t* pbase, size_t* psize, hipDeviceptr_t dptr);

// Describes the memory at `ptr`. For null, and for an address that HIP does not know, the type is
// hipMemoryTypeUnregistered and the device hipInvalidDeviceId.
hipError_t hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr);

// One fact about the memory at `ptr`; `data` points to the type that hipPointer_attribute names.
hipError_t hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t ptr);

// Several facts at once. What does not apply, or is not supported, is set to zero, a device's ordinal to
// hipInvalidDeviceId, and is no error; so is everything for an address that HIP does not know. Errors:
// hipErrorInvalidValue for nothing to ask, for null, and for a number that is no attribute.
hipError_t hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute* attributes, void** data,
                                      hipDeviceptr_t ptr);

// Sets HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS of the allocation at `ptr`.
hipError_t hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, hipDeviceptr_t ptr);

HIP_C_END

#endif
