// Managed memory beyond its allocation. Devices that address host memory directly need not move it, so prefetching to
// them only checks the arguments, as attaching does on every device.
#include "runtime/api/api.h"
#include "runtime/core/address_map.h"
#include "runtime/core/memory.h"

namespace hip::api {
namespace {

Result<core::Allocation> find_managed(const void* ptr, size_t bytes) {
  const auto found = core::addresses().find(ptr);
  if (!ptr || !found || found->kind != core::PointerKind::Managed)
    return error(ErrorCode::InvalidValue, "{} is not managed memory.", const_cast<void*>(ptr));
  if (bytes > found->bytes_from(ptr))
    return error(ErrorCode::InvalidValue, "{} bytes from {} leave the allocation of {} bytes at {}.", bytes,
                 const_cast<void*>(ptr), found->bytes, found->base);
  return *found;
}

} // namespace

Status hipMemPrefetchAsync(const void* dev_ptr, size_t count, int device, hipStream_t stream) {
  if (count == 0) return error(ErrorCode::InvalidValue, "A prefetch of 0 bytes is asked for.");
  RT_TRY_ASSIGN(const core::Allocation memory, find_managed(dev_ptr, count));
  core::Device* destination = nullptr;
  if (device != hipCpuDeviceId) {
    RT_TRY_ASSIGN(destination, core::find_device(device));
  }
  RT_TRY_ASSIGN(auto target, core::find_stream(stream));
  return core::prefetch(*target, *memory.device, dev_ptr, count, destination);
}

Status hipStreamAttachMemAsync(hipStream_t stream, void* dev_ptr, size_t length, unsigned int flags) {
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of hipStreamAttachMemAsync are not known.", flags);
  RT_TRY(core::find_stream(stream).status());
  return find_managed(dev_ptr, length).status();
}

} // namespace hip::api
