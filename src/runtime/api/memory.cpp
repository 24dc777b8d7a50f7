// Allocation of device, host and managed memory. Size 0 gives a null pointer and success, except for managed memory.
#include "runtime/core/memory.h"

#include "runtime/api/api.h"
#include "runtime/core/fat_binary.h"
#include "runtime/core/graph/capture.h"

namespace hip::api {
namespace {

using core::AllocationRequest;
using core::PointerKind;

Status allocate_here(void** ptr, const AllocationRequest& request) {
  RT_TRY(core::check_call_allowed());
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (request.bytes == 0) {
    *ptr = nullptr;
    return {};
  }
  core::load_registered_code(*device);
  RT_TRY_ASSIGN(*ptr, core::allocate(*device, request));
  return {};
}

Status allocate_host(void** ptr, size_t size, unsigned flags) {
  constexpr unsigned kKnown = hipHostMallocPortable | hipHostMallocMapped | hipHostMallocWriteCombined |
                              hipHostMallocUncached | hipHostMallocNumaUser | hipHostMallocCoherent |
                              hipHostMallocNonCoherent;
  *ptr = nullptr;
  if ((flags & ~kKnown) != 0)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of host memory are not known.", flags & ~kKnown);
  if ((flags & hipHostMallocCoherent) != 0 && (flags & hipHostMallocNonCoherent) != 0)
    return error(ErrorCode::InvalidValue, "Host memory cannot be both coherent and non-coherent (flags {:#x}).", flags);
  return allocate_here(
      ptr, {.bytes = size, .memory = backend::MemoryKind::HostPinned, .kind = PointerKind::Host, .flags = flags});
}

// Rows start at multiples of this (hipDeviceAttributeTexturePitchAlignment).
constexpr size_t kPitchAlignment = 256;

Status allocate_pitched(void** ptr, size_t* pitch, size_t width, size_t height, size_t depth) {
  *ptr = nullptr;
  size_t row, rows, bytes;
  if (width > SIZE_MAX - kPitchAlignment)
    return error(ErrorCode::InvalidValue, "A row of {} bytes is larger than the address space.", width);
  row = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  if (__builtin_mul_overflow(height, depth, &rows) || __builtin_mul_overflow(row, rows, &bytes))
    return error(ErrorCode::OutOfMemory, "{} x {} rows of {} bytes are larger than the address space.", depth, height,
                 row);
  *pitch = row;
  return allocate_here(ptr, {.bytes = bytes, .pitch_bytes = row});
}

} // namespace

Status hipMalloc(void** ptr, size_t size) { return allocate_here(ptr, {.bytes = size}); }

Status hipExtMallocWithFlags(void** ptr, size_t sizeBytes, unsigned int flags) {
  AllocationRequest request{.bytes = sizeBytes, .flags = flags};
  switch (flags) {
  case hipDeviceMallocDefault:
  case hipDeviceMallocContiguous:
    break;
  case hipDeviceMallocFinegrained:
  case hipDeviceMallocUncached:
    request.memory = backend::MemoryKind::FineGrained;
    break;
  case hipMallocSignalMemory:
    if (sizeBytes != 8)
      return error(ErrorCode::InvalidValue, "Signal memory has 8 bytes; {} are asked for.", sizeBytes);
    request.memory = backend::MemoryKind::Signal;
    break;
  default:
    return error(ErrorCode::InvalidValue, "The flags {:#x} of hipExtMallocWithFlags are not known.", flags);
  }
  return allocate_here(ptr, request);
}

Status hipMallocPitch(void** ptr, size_t* pitch, size_t width, size_t height) {
  return allocate_pitched(ptr, pitch, width, height, 1);
}

Status hipMemAllocPitch(hipDeviceptr_t* dptr, size_t* pitch, size_t widthInBytes, size_t height,
                        unsigned int elementSizeBytes) {
  if (elementSizeBytes != 4 && elementSizeBytes != 8 && elementSizeBytes != 16)
    return error(ErrorCode::InvalidValue, "The element has {} bytes; it takes 4, 8 or 16.", elementSizeBytes);
  if (widthInBytes == 0 || height == 0)
    return error(ErrorCode::InvalidValue, "{} rows of {} bytes are no memory.", height, widthInBytes);
  return allocate_pitched(dptr, pitch, widthInBytes, height, 1);
}

Status hipMalloc3D(hipPitchedPtr* pitchedDevPtr, hipExtent extent) {
  size_t pitch = 0;
  RT_TRY(allocate_pitched(&pitchedDevPtr->ptr, &pitch, extent.width, extent.height, extent.depth));
  pitchedDevPtr->pitch = pitch;
  pitchedDevPtr->xsize = extent.width;
  pitchedDevPtr->ysize = extent.height;
  return {};
}

Status hipFree(void* ptr) {
  RT_TRY(core::check_call_allowed());
  RT_TRY(core::current_device().status());
  return core::free_memory(ptr, core::FreeKind::Device);
}

Status hipHostMalloc(void** ptr, size_t size, unsigned int flags) { return allocate_host(ptr, size, flags); }
Status hipHostAlloc(void** ptr, size_t size, unsigned int flags) { return allocate_host(ptr, size, flags); }
Status hipExtHostAlloc(void** ptr, size_t size, unsigned int flags) { return allocate_host(ptr, size, flags); }
Status hipMallocHost(void** ptr, size_t size) { return allocate_host(ptr, size, hipHostMallocDefault); }
Status hipMemAllocHost(void** ptr, size_t size) { return allocate_host(ptr, size, hipHostMallocDefault); }

Status hipHostFree(void* ptr) {
  RT_TRY(core::check_call_allowed());
  RT_TRY(core::current_device().status());
  return core::free_memory(ptr, core::FreeKind::Host);
}
Status hipFreeHost(void* ptr) { return api::hipHostFree(ptr); }

Status hipHostRegister(void* hostPtr, size_t sizeBytes, unsigned int flags) {
  constexpr unsigned kKnown = hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory |
                              hipHostRegisterReadOnly | hipExtHostRegisterUncached;
  if ((flags & ~kKnown) != 0)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of hipHostRegister are not known.", flags & ~kKnown);
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  return core::register_host(*device, hostPtr, sizeBytes, flags);
}

Status hipHostUnregister(void* hostPtr) {
  RT_TRY(core::current_device().status());
  return core::unregister_host(hostPtr);
}

Status hipMallocManaged(void** dev_ptr, size_t size, unsigned int flags) {
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost)
    return error(ErrorCode::InvalidValue,
                 "The flags of managed memory are {:#x}; they take hipMemAttachGlobal or "
                 "hipMemAttachHost.",
                 flags);
  if (size == 0) return error(ErrorCode::InvalidValue, "Managed memory of 0 bytes is asked for.");
  return allocate_here(
      dev_ptr, {.bytes = size, .memory = backend::MemoryKind::Managed, .kind = PointerKind::Managed, .flags = flags});
}

Status hipMemGetInfo(size_t* free, size_t* total) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  if (!free && !total) return error(ErrorCode::InvalidValue, "Both outputs are null.");
  RT_TRY_ASSIGN(const backend::MemoryInfo info, device->hal().memory_info());
  if (free) *free = info.free_bytes;
  if (total) *total = info.total_bytes;
  return {};
}

} // namespace hip::api
