// runtime/compat/older_types.h - structures and numbers of HIP 5.7 (Hip5) and HIP 6.4 (Hip6) where HIP 7 has others,
// and what makes one of the other. Layouts are those of x86-64.
#pragma once

#include "runtime/api/public_headers.h"

#include <cstddef>
#include <cstdint>

namespace hip::compat {

// ---- memory types --------------------------------------------------------------------------------------------------

enum class Hip5MemoryType : uint32_t { Host = 0, Device = 1, Array = 2, Unified = 3, Managed = 4 };

// Unregistered has no number there: hipPointerGetAttributes turns it into an error before, and
// hipDrvPointerGetAttributes tells a zero.
constexpr Hip5MemoryType to_hip5(hipMemoryType type) noexcept {
  switch (type) {
  case hipMemoryTypeDevice:
    return Hip5MemoryType::Device;
  case hipMemoryTypeManaged:
    return Hip5MemoryType::Managed;
  case hipMemoryTypeArray:
    return Hip5MemoryType::Array;
  case hipMemoryTypeUnified:
    return Hip5MemoryType::Unified;
  case hipMemoryTypeHost:
  case hipMemoryTypeUnregistered:
    break;
  }
  return Hip5MemoryType::Host;
}

// Another number stays one that is no memory type.
constexpr hipMemoryType from_hip5(Hip5MemoryType type) noexcept {
  switch (type) {
  case Hip5MemoryType::Host:
    return hipMemoryTypeHost;
  case Hip5MemoryType::Device:
    return hipMemoryTypeDevice;
  case Hip5MemoryType::Array:
    return hipMemoryTypeArray;
  case Hip5MemoryType::Unified:
    return hipMemoryTypeUnified;
  case Hip5MemoryType::Managed:
    return hipMemoryTypeManaged;
  }
  return static_cast<hipMemoryType>(INT32_MAX);
}
// Two fields hold a type: a structure of the older numbers has the newer layout.
constexpr hipMemoryType from_hip5(hipMemoryType raw) noexcept {
  return from_hip5(static_cast<Hip5MemoryType>(static_cast<uint32_t>(raw)));
}

// ---- copies --------------------------------------------------------------------------------------------------------

struct Hip5Memcpy3D {
  uint32_t srcXInBytes, srcY, srcZ, srcLOD;
  Hip5MemoryType srcMemoryType;
  const void* srcHost;
  hipDeviceptr_t srcDevice;
  hipArray_t srcArray;
  uint32_t srcPitch, srcHeight;
  uint32_t dstXInBytes, dstY, dstZ, dstLOD;
  Hip5MemoryType dstMemoryType;
  void* dstHost;
  hipDeviceptr_t dstDevice;
  hipArray_t dstArray;
  uint32_t dstPitch, dstHeight;
  uint32_t WidthInBytes, Height, Depth;
};
static_assert(sizeof(Hip5Memcpy3D) == 128 && sizeof(HIP_MEMCPY3D) == 184);
static_assert(offsetof(Hip5Memcpy3D, srcMemoryType) == 16 && offsetof(Hip5Memcpy3D, srcHost) == 24);
static_assert(offsetof(Hip5Memcpy3D, srcArray) == 40 && offsetof(Hip5Memcpy3D, srcPitch) == 48);
static_assert(offsetof(Hip5Memcpy3D, dstXInBytes) == 56 && offsetof(Hip5Memcpy3D, dstMemoryType) == 72);
static_assert(offsetof(Hip5Memcpy3D, dstHost) == 80 && offsetof(Hip5Memcpy3D, dstArray) == 96);
static_assert(offsetof(Hip5Memcpy3D, dstPitch) == 104 && offsetof(Hip5Memcpy3D, WidthInBytes) == 112);
static_assert(offsetof(Hip5Memcpy3D, Depth) == 120);

HIP_MEMCPY3D from_hip5(const Hip5Memcpy3D& copy) noexcept;
hip_Memcpy2D from_hip5(const hip_Memcpy2D& copy) noexcept; // the layout is the same, the memory types are not

// ---- memory pools --------------------------------------------------------------------------------------------------

// hipMemPoolProps of HIP 5 ends in 64 reserved bytes; HIP 7 has maxSize in the first of them.
static_assert(sizeof(hipMemPoolProps) == 88 && offsetof(hipMemPoolProps, maxSize) == 24);
inline hipMemPoolProps from_hip5(hipMemPoolProps props) noexcept {
  props.maxSize = 0;
  return props;
}

// ---- nodes of graphs -----------------------------------------------------------------------------------------------

struct OlderLaunchAttributeValue {
  unsigned char bytes[32];
};
static_assert(sizeof(hipLaunchAttributeValue) == 64 && sizeof(hipAccessPolicyWindow) == 32);

struct Hip6MemsetNodeParams {
  hipDeviceptr_t dst;
  size_t pitch;
  unsigned value, elementSize;
  size_t width, height;
};
static_assert(sizeof(Hip6MemsetNodeParams) == 40 && sizeof(hipMemsetParams) == 48);
static_assert(offsetof(Hip6MemsetNodeParams, pitch) == 8 && offsetof(Hip6MemsetNodeParams, value) == 16);
static_assert(offsetof(Hip6MemsetNodeParams, elementSize) == 20 && offsetof(Hip6MemsetNodeParams, width) == 24);
static_assert(offsetof(Hip6MemsetNodeParams, height) == 32);

hipMemsetParams from_hip6(const Hip6MemsetNodeParams& params) noexcept;

// ---- external memory and semaphores --------------------------------------------------------------------------------

// A handle: a file descriptor, or two pointers.
union Hip5ExternalHandle {
  int fd;
  struct {
    void* handle;
    const void* name;
  } win32;
};

struct Hip5ExternalMemoryHandleDesc {
  hipExternalMemoryHandleType type;
  Hip5ExternalHandle handle;
  unsigned long long size;
  unsigned flags;
};
static_assert(sizeof(Hip5ExternalMemoryHandleDesc) == 40 && sizeof(hipExternalMemoryHandleDesc) == 104);
static_assert(offsetof(Hip5ExternalMemoryHandleDesc, size) == offsetof(hipExternalMemoryHandleDesc, size));
static_assert(offsetof(Hip5ExternalMemoryHandleDesc, flags) == offsetof(hipExternalMemoryHandleDesc, flags));

struct Hip5ExternalMemoryBufferDesc {
  unsigned long long offset, size;
  unsigned flags;
};
static_assert(sizeof(Hip5ExternalMemoryBufferDesc) == 24 && sizeof(hipExternalMemoryBufferDesc) == 88);

struct Hip5ExternalSemaphoreHandleDesc {
  hipExternalSemaphoreHandleType type;
  Hip5ExternalHandle handle;
  unsigned flags;
};
static_assert(sizeof(Hip5ExternalSemaphoreHandleDesc) == 32 && sizeof(hipExternalSemaphoreHandleDesc) == 96);
static_assert(offsetof(Hip5ExternalSemaphoreHandleDesc, flags) == offsetof(hipExternalSemaphoreHandleDesc, flags));

// Without the fence of NvSciSync, which HIP 7 has behind the value.
struct Hip5ExternalSemaphoreSignalParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    struct {
      unsigned long long key;
    } keyedMutex;
    unsigned reserved[12];
  } params;
  unsigned flags;
  unsigned reserved[16];
};
static_assert(sizeof(Hip5ExternalSemaphoreSignalParams) == 136 && sizeof(hipExternalSemaphoreSignalParams) == 144);
static_assert(offsetof(Hip5ExternalSemaphoreSignalParams, params.keyedMutex) == 8);
static_assert(offsetof(Hip5ExternalSemaphoreSignalParams, flags) == 64);

struct Hip5ExternalSemaphoreWaitParams {
  struct {
    struct {
      unsigned long long value;
    } fence;
    struct {
      unsigned long long key;
      unsigned timeoutMs;
    } keyedMutex;
    unsigned reserved[10];
  } params;
  unsigned flags;
  unsigned reserved[16];
};
static_assert(sizeof(Hip5ExternalSemaphoreWaitParams) == 136 && sizeof(hipExternalSemaphoreWaitParams) == 144);
static_assert(offsetof(Hip5ExternalSemaphoreWaitParams, params.keyedMutex) == 8);
static_assert(offsetof(Hip5ExternalSemaphoreWaitParams, flags) == 64);

hipExternalMemoryHandleDesc from_hip5(const Hip5ExternalMemoryHandleDesc& desc) noexcept;
hipExternalMemoryBufferDesc from_hip5(const Hip5ExternalMemoryBufferDesc& desc) noexcept;
hipExternalSemaphoreHandleDesc from_hip5(const Hip5ExternalSemaphoreHandleDesc& desc) noexcept;
hipExternalSemaphoreSignalParams from_hip5(const Hip5ExternalSemaphoreSignalParams& params) noexcept;
hipExternalSemaphoreWaitParams from_hip5(const Hip5ExternalSemaphoreWaitParams& params) noexcept;

} // namespace hip::compat
