#include "runtime/compat/older_types.h"

#include <cstring>

namespace hip::compat {

hip_Memcpy2D from_hip5(const hip_Memcpy2D& copy) noexcept {
  hip_Memcpy2D out = copy;
  out.srcMemoryType = from_hip5(copy.srcMemoryType);
  out.dstMemoryType = from_hip5(copy.dstMemoryType);
  return out;
}

HIP_MEMCPY3D from_hip5(const Hip5Memcpy3D& copy) noexcept {
  HIP_MEMCPY3D out{};
  out.srcXInBytes = copy.srcXInBytes;
  out.srcY = copy.srcY;
  out.srcZ = copy.srcZ;
  out.srcLOD = copy.srcLOD;
  out.srcMemoryType = from_hip5(copy.srcMemoryType);
  out.srcHost = copy.srcHost;
  out.srcDevice = copy.srcDevice;
  out.srcArray = copy.srcArray;
  out.srcPitch = copy.srcPitch;
  out.srcHeight = copy.srcHeight;
  out.dstXInBytes = copy.dstXInBytes;
  out.dstY = copy.dstY;
  out.dstZ = copy.dstZ;
  out.dstLOD = copy.dstLOD;
  out.dstMemoryType = from_hip5(copy.dstMemoryType);
  out.dstHost = copy.dstHost;
  out.dstDevice = copy.dstDevice;
  out.dstArray = copy.dstArray;
  out.dstPitch = copy.dstPitch;
  out.dstHeight = copy.dstHeight;
  out.WidthInBytes = copy.WidthInBytes;
  out.Height = copy.Height;
  out.Depth = copy.Depth;
  return out;
}

hipMemsetParams from_hip6(const Hip6MemsetNodeParams& params) noexcept {
  hipMemsetParams out{};
  out.dst = params.dst;
  out.pitch = params.pitch;
  out.value = params.value;
  out.elementSize = params.elementSize;
  out.width = params.width;
  out.height = params.height;
  return out;
}

hipExternalMemoryHandleDesc from_hip5(const Hip5ExternalMemoryHandleDesc& desc) noexcept {
  hipExternalMemoryHandleDesc out{};
  out.type = desc.type;
  static_assert(sizeof out.handle == sizeof desc.handle);
  std::memcpy(&out.handle, &desc.handle, sizeof out.handle);
  out.size = desc.size;
  out.flags = desc.flags;
  return out;
}

hipExternalMemoryBufferDesc from_hip5(const Hip5ExternalMemoryBufferDesc& desc) noexcept {
  hipExternalMemoryBufferDesc out{};
  out.offset = desc.offset;
  out.size = desc.size;
  out.flags = desc.flags;
  return out;
}

hipExternalSemaphoreHandleDesc from_hip5(const Hip5ExternalSemaphoreHandleDesc& desc) noexcept {
  hipExternalSemaphoreHandleDesc out{};
  out.type = desc.type;
  static_assert(sizeof out.handle == sizeof desc.handle);
  std::memcpy(&out.handle, &desc.handle, sizeof out.handle);
  out.flags = desc.flags;
  return out;
}

hipExternalSemaphoreSignalParams from_hip5(const Hip5ExternalSemaphoreSignalParams& params) noexcept {
  hipExternalSemaphoreSignalParams out{};
  out.params.fence.value = params.params.fence.value;
  out.params.keyedMutex.key = params.params.keyedMutex.key;
  out.flags = params.flags;
  return out;
}

hipExternalSemaphoreWaitParams from_hip5(const Hip5ExternalSemaphoreWaitParams& params) noexcept {
  hipExternalSemaphoreWaitParams out{};
  out.params.fence.value = params.params.fence.value;
  out.params.keyedMutex.key = params.params.keyedMutex.key;
  out.params.keyedMutex.timeoutMs = params.params.keyedMutex.timeoutMs;
  out.flags = params.flags;
  return out;
}

} // namespace hip::compat
