// Managed memory beyond its allocation. On devices that address host memory directly it need not move, so prefetching and
// attaching only check what they are told.
#include "runtime/api/api.h"
#include "runtime/core/address_map.h"

namespace hip::api {
namespace {

Status check_managed(const void* ptr, size_t bytes) {
  const auto found = core::addresses().find(ptr);
  if (!ptr || !found || found->kind != core::PointerKind::Managed)
    return error(ErrorCode::InvalidValue, "{} is not managed memory.", const_cast<void*>(ptr));
  if (bytes > found->bytes_from(ptr))
    return error(ErrorCode::InvalidValue, "{} bytes from {} leave the allocation of {} bytes at {}.", bytes,
                 const_cast<void*>(ptr), found->bytes, found->base);
  return {};
}

} // namespace

Status hipMemPrefetchAsync(const void* dev_ptr, size_t count, int device, hipStream_t stream) {
  if (count == 0) return error(ErrorCode::InvalidValue, "A prefetch of 0 bytes is asked for.");
  RT_TRY(check_managed(dev_ptr, count));
  if (device != hipCpuDeviceId) RT_TRY(core::find_device(device).status());
  return core::find_stream(stream).status();
}

Status hipStreamAttachMemAsync(hipStream_t stream, void* dev_ptr, size_t length, unsigned int flags) {
  if (flags != hipMemAttachGlobal && flags != hipMemAttachHost && flags != hipMemAttachSingle)
    return error(ErrorCode::InvalidValue, "The flags {:#x} of hipStreamAttachMemAsync are not known.", flags);
  RT_TRY(core::find_stream(stream).status());
  return check_managed(dev_ptr, length);
}

} // namespace hip::api
