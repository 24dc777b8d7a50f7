// hip/api/external.h - memory and semaphores that other interfaces made (Vulkan, file descriptors), and graphics
// resources.
#ifndef HIP_INCLUDE_HIP_API_EXTERNAL_H
#define HIP_INCLUDE_HIP_API_EXTERNAL_H

#include <hip/api/array.h>
#include <hip/api/error.h>
#include <hip/api/handles.h>

// Flag of hipExternalMemoryHandleDesc: the memory is a whole resource.
#define hipExternalMemoryDedicated 0x1

typedef enum hipExternalMemoryHandleType_enum {
  hipExternalMemoryHandleTypeOpaqueFd = 1,
  hipExternalMemoryHandleTypeOpaqueWin32 = 2,
  hipExternalMemoryHandleTypeOpaqueWin32Kmt = 3,
  hipExternalMemoryHandleTypeD3D12Heap = 4,
  hipExternalMemoryHandleTypeD3D12Resource = 5,
  hipExternalMemoryHandleTypeD3D11Resource = 6,
  hipExternalMemoryHandleTypeD3D11ResourceKmt = 7,
  hipExternalMemoryHandleTypeNvSciBuf = 8
} hipExternalMemoryHandleType;

typedef struct hipExternalMemoryHandleDesc_st {
  hipExternalMemoryHandleType type;
  union {
    int fd; // taken over by a successful import
    struct {
      void* handle;
      const void* name;
    } win32;
    const void* nvSciBufObject;
  } handle;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalMemoryHandleDesc;

typedef struct hipExternalMemoryBufferDesc_st {
  unsigned long long offset;
  unsigned long long size;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalMemoryBufferDesc;

typedef struct hipExternalMemoryMipmappedArrayDesc_st {
  unsigned long long offset;
  hipChannelFormatDesc formatDesc;
  hipExtent extent;
  unsigned int flags;
  unsigned int numLevels;
} hipExternalMemoryMipmappedArrayDesc;

typedef enum hipExternalSemaphoreHandleType_enum {
  hipExternalSemaphoreHandleTypeOpaqueFd = 1,
  hipExternalSemaphoreHandleTypeOpaqueWin32 = 2,
  hipExternalSemaphoreHandleTypeOpaqueWin32Kmt = 3,
  hipExternalSemaphoreHandleTypeD3D12Fence = 4,
  hipExternalSemaphoreHandleTypeD3D11Fence = 5,
  hipExternalSemaphoreHandleTypeNvSciSync = 6,
  hipExternalSemaphoreHandleTypeKeyedMutex = 7,
  hipExternalSemaphoreHandleTypeKeyedMutexKmt = 8,
  hipExternalSemaphoreHandleTypeTimelineSemaphoreFd = 9,
  hipExternalSemaphoreHandleTypeTimelineSemaphoreWin32 = 10
} hipExternalSemaphoreHandleType;

typedef struct hipExternalSemaphoreHandleDesc_st {
  hipExternalSemaphoreHandleType type;
  union {
    int fd;
    struct {
      void* handle;
      const void* name;
    } win32;
    const void* NvSciSyncObj;
  } handle;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalSemaphoreHandleDesc;

typedef struct hipExternalSemaphoreSignalParams_st {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
    } keyedMutex;
    unsigned int reserved[12];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalSemaphoreSignalParams;

typedef struct hipExternalSemaphoreWaitParams_st {
  struct {
    struct {
      unsigned long long value;
    } fence;
    union {
      void* fence;
      unsigned long long reserved;
    } nvSciSync;
    struct {
      unsigned long long key;
      unsigned int timeoutMs;
    } keyedMutex;
    unsigned int reserved[10];
  } params;
  unsigned int flags;
  unsigned int reserved[16];
} hipExternalSemaphoreWaitParams;

typedef enum hipGraphicsRegisterFlags {
  hipGraphicsRegisterFlagsNone = 0,
  hipGraphicsRegisterFlagsReadOnly = 1,
  hipGraphicsRegisterFlagsWriteDiscard = 2,
  hipGraphicsRegisterFlagsSurfaceLoadStore = 4,
  hipGraphicsRegisterFlagsTextureGather = 8
} hipGraphicsRegisterFlags;

HIP_C_BEGIN

// Opens external memory. On Linux that is a file descriptor (hipExternalMemoryHandleTypeOpaqueFd), which belongs to the
// runtime once the call succeeds. An NVIDIA GPU takes what another interface of its driver exported; a software GPU
// takes every descriptor that can be mapped for reading and writing (memfd, shared memory, a file, a dma-buf), which
// must keep its size. hipErrorNotSupported: handle types of other systems. hipErrorInvalidValue: no handle type, flags,
// no bytes; a descriptor that is closed, of something else, or of fewer bytes.
hipError_t hipImportExternalMemory(hipExternalMemory_t* extMem_out, const hipExternalMemoryHandleDesc* memHandleDesc);

// Closes external memory. What was mapped from it stays until it is freed.
hipError_t hipDestroyExternalMemory(hipExternalMemory_t extMem);

// Maps a range of external memory, which kernels, copies and, of a software GPU, the host then reach; free the address
// with hipFree. hipErrorInvalidValue: a range that is empty or leaves the memory; flags.
hipError_t hipExternalMemoryGetMappedBuffer(void** devPtr, hipExternalMemory_t extMem,
                                            const hipExternalMemoryBufferDesc* bufferDesc);

// Maps external memory as an array; free it with hipFreeMipmappedArray. hipErrorNotSupported: the device has no images.
hipError_t hipExternalMemoryGetMappedMipmappedArray(hipMipmappedArray_t* mipmap, hipExternalMemory_t extMem,
                                                    const hipExternalMemoryMipmappedArrayDesc* mipmapDesc);

// Opens an external semaphore. On Linux that is a file descriptor, which belongs to the runtime once the call succeeds.
// An NVIDIA GPU takes what another interface of its driver exported. Software GPUs, which have no graphics driver, take
//   - as hipExternalSemaphoreHandleTypeOpaqueFd an eventfd: a signal adds one to its counter, a wait reads it;
//   - as hipExternalSemaphoreHandleTypeTimelineSemaphoreFd a file (memfd) of at least eight bytes, of which the first
//     eight are the value: a signal raises it, a wait ends when it is at least the value waited for.
// hipErrorNotSupported: handle types of other systems. hipErrorInvalidValue: no handle type, flags; a descriptor that
// is closed or of another kind.
hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t* extSem_out,
                                      const hipExternalSemaphoreHandleDesc* semHandleDesc);

// Closes an external semaphore. For an NVIDIA GPU the work that uses it must be done, and nodes of graphs must not run
// again.
hipError_t hipDestroyExternalSemaphore(hipExternalSemaphore_t extSem);

// Queues signals, one after the other; a stream that is captured records them. hipErrorInvalidValue: what is no
// semaphore, or of another vendor's device; flags, which concern NvSciSync alone; what is no stream.
hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                            const hipExternalSemaphoreSignalParams* paramsArray,
                                            unsigned int numExtSems, hipStream_t stream);

// Queues waits, likewise. Later work of the stream starts when they have ended.
hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                          const hipExternalSemaphoreWaitParams* paramsArray, unsigned int numExtSems,
                                          hipStream_t stream);

// Graphics resources. Nothing can be registered (hip_gl_interop.h says why), so that these check their arguments
// (hipErrorInvalidValue; hipErrorContextIsDestroyed for a stream) and answer hipErrorNotSupported.

// Makes registered resources usable by HIP until they are unmapped.
hipError_t hipGraphicsMapResources(int count, hipGraphicsResource_t* resources, hipStream_t stream __dparm(0));

// Takes back hipGraphicsMapResources.
hipError_t hipGraphicsUnmapResources(int count, hipGraphicsResource_t* resources, hipStream_t stream __dparm(0));

// Address and size of a mapped resource.
hipError_t hipGraphicsResourceGetMappedPointer(void** devPtr, size_t* size, hipGraphicsResource_t resource);

// One array of a mapped resource.
hipError_t hipGraphicsSubResourceGetMappedArray(hipArray_t* array, hipGraphicsResource_t resource,
                                                unsigned int arrayIndex, unsigned int mipLevel);

// Takes back the registration of a resource.
hipError_t hipGraphicsUnregisterResource(hipGraphicsResource_t resource);

HIP_C_END

#endif
