// hip/api/copy_types.h - structures that name a kind of memory: the driver-style copies and what an address is. They are
// HIP's own on every platform; the header that defines the handles in them includes this file in turn.
#ifndef HIP_INCLUDE_HIP_API_COPY_TYPES_H
#define HIP_INCLUDE_HIP_API_COPY_TYPES_H

#if !defined(__HIPCC_RTC__)
#include <stddef.h>
#endif

#include <hip/hip_common.h>

#if defined(__HIP_PLATFORM_NVIDIA__)
#include <hip/nvidia_detail/types.h>
#else
#include <hip/driver_types.h>
#endif

// Where memory lives.
typedef enum hipMemoryType {
  hipMemoryTypeUnregistered = 0, // ordinary host memory that HIP knows nothing about
  hipMemoryTypeHost = 1,         // pinned or registered host memory
  hipMemoryTypeDevice = 2,
  hipMemoryTypeManaged = 3,
  hipMemoryTypeArray = 10, // an array in the device's own layout
  hipMemoryTypeUnified = 11
} hipMemoryType;

// hipMemcpyParam2D: the memory type of each side says which of Host, Device and Array is read.
typedef struct hip_Memcpy2D {
  size_t srcXInBytes;
  size_t srcY;
  hipMemoryType srcMemoryType;
  const void* srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;
  size_t dstXInBytes;
  size_t dstY;
  hipMemoryType dstMemoryType;
  void* dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t WidthInBytes;
  size_t Height;
} hip_Memcpy2D;

// hipDrvMemcpy3D: hip_Memcpy2D with a third dimension. srcLOD and dstLOD must be 0.
typedef struct HIP_MEMCPY3D {
  size_t srcXInBytes;
  size_t srcY;
  size_t srcZ;
  size_t srcLOD;
  hipMemoryType srcMemoryType;
  const void* srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  size_t srcPitch;
  size_t srcHeight;
  size_t dstXInBytes;
  size_t dstY;
  size_t dstZ;
  size_t dstLOD;
  hipMemoryType dstMemoryType;
  void* dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  size_t dstPitch;
  size_t dstHeight;
  size_t WidthInBytes;
  size_t Height;
  size_t Depth;
} HIP_MEMCPY3D;

// hipPointerGetAttributes.
typedef struct hipPointerAttribute_t {
  enum hipMemoryType type;
  int device;
  void* devicePointer; // null when the device cannot reach the memory
  void* hostPointer;   // null when the host cannot
  int isManaged;
  unsigned int allocationFlags;
} hipPointerAttribute_t;

#endif
