// Memory and events that other processes open.
#include "runtime/api/api.h"
#include "runtime/core/event.h"
#include "runtime/core/shared_event.h"
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
  auto opened = core::open_allocation(*device, shared);
  // A handle that was filled in by nobody is a wrong argument; another one names memory that is not there.
  if (opened.status().code() == ErrorCode::InvalidValue && shared != backend::SharedMemoryHandle{})
    return Status(ErrorCode::InvalidDevicePointer, opened.status().message());
  RT_TRY_ASSIGN(*devPtr, std::move(opened));
  return {};
}

Status hipIpcGetEventHandle(hipIpcEventHandle_t* handle, hipEvent_t event) {
  RT_TRY_ASSIGN(const auto pin, core::find_event(event));
  if (!pin->shared()) return error(ErrorCode::InvalidConfiguration, "The event was made without hipEventInterprocess.");
  const core::SharedEventHandle shared = pin->shared()->handle();
  static_assert(sizeof *handle == sizeof shared);
  std::memcpy(handle, shared.data(), sizeof shared);
  return {};
}

Status hipIpcOpenEventHandle(hipEvent_t* event, hipIpcEventHandle_t handle) {
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  core::SharedEventHandle shared;
  std::memcpy(shared.data(), &handle, sizeof shared);
  RT_TRY_ASSIGN(auto opened, core::SharedEvent::open(*device, shared));
  *event = as_handle<hipEvent_t>(core::events().insert(std::make_unique<core::Event>(*device, std::move(opened))));
  return {};
}

Status hipIpcCloseMemHandle(void* devPtr) { return core::close_allocation(devPtr); }

} // namespace hip::api
