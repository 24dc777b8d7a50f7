// Memory that other processes open.
#include "runtime/api/api.h"
#include "runtime/core/virtual_memory.h"

#include <cstring>

namespace hip::api {

Status hipIpcGetMemHandle(hipIpcMemHandle_t* handle, void* devPtr) {
  RT_TRY_ASSIGN(const backend::SharedMemoryHandle shared, core::share_allocation(devPtr));
  static_assert(sizeof *handle == sizeof shared);
  std::memcpy(handle, shared.data(), sizeof shared);
  return {};
}

Status hipIpcOpenMemHandle(void** devPtr, hipIpcMemHandle_t handle, unsigned int flags) {
  if (flags != hipIpcMemLazyEnablePeerAccess)
    return error(ErrorCode::InvalidValue, "The flags are {:#x}; they must be hipIpcMemLazyEnablePeerAccess.", flags);
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  backend::SharedMemoryHandle shared;
  std::memcpy(shared.data(), &handle, sizeof shared);
  RT_TRY_ASSIGN(*devPtr, core::open_allocation(*device, shared));
  return {};
}

Status hipIpcCloseMemHandle(void* devPtr) { return core::close_allocation(devPtr); }

} // namespace hip::api
