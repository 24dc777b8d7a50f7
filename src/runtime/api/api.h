// runtime/api/api.h - what every file of this folder starts from: the public headers, and one declaration per row of
// hip/api/api.def. The function that implements hipMalloc is hip::api::hipMalloc; it returns a Status and is called by
// the exported symbol of entry.cpp, which initialises, traces and checks before.
#pragma once

#include "runtime/core/runtime.h"
#include "runtime/core/thread_state.h"

#include "runtime/api/found_devices.h"
#include "runtime/api/older.h"
#include "runtime/api/public_headers.h"

namespace hip::api {

// The functions that programs call between kernels. They and the [[gnu::hot]] functions that they call are linked into
// a section of their own: after a launch the driver or the kernel has used the caches, and code on fewer pages is found
// again sooner.
#define RT_HOT_FUNCTIONS                                                                                               \
  RT_HOT(hipLaunchKernel)                                                                                              \
  RT_HOT(hipModuleLaunchKernel)                                                                                        \
  RT_HOT(hipMalloc)                                                                                                    \
  RT_HOT(hipFree)                                                                                                      \
  RT_HOT(hipMemcpy)                                                                                                    \
  RT_HOT(hipMemcpyAsync)                                                                                               \
  RT_HOT(hipEventRecord)                                                                                               \
  RT_HOT(hipStreamSynchronize)                                                                                         \
  RT_HOT(hipDeviceSynchronize)                                                                                         \
  RT_HOT(hipGetLastError)                                                                                              \
  RT_HOT(__hipPushCallConfiguration)                                                                                   \
  RT_HOT(__hipPopCallConfiguration)

// One number per row, in the order of the rows from 1 on: what traces use.
enum class ApiId : uint32_t {
  None,
#define HIP_API(name, node, area, params, args, ...) name,
#define HIP_API_BARE(name, node, area, params, args) name,
#define HIP_API_TODO(name, node, area, params, args) name,
#define HIP_API_RET(type, name, node, area, params, args) name,
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) name,
#define HIP_COMPILER_API(type, name, node, params, args) name,
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value) name,
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
  Count
};

#define HIP_API(name, node, area, params, args, ...) Status name params;
#define HIP_API_BARE(name, node, area, params, args) hipError_t name params;
#define HIP_API_TODO(name, node, area, params, args)
#define HIP_API_RET(type, name, node, area, params, args) type name params;
#define HIP_API_RET_TODO(type, name, node, area, params, args, value)
#define HIP_COMPILER_API(type, name, node, params, args) type name params;
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value)
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#include "runtime/api/undefine_rows.h"

#define RT_HOT(name) [[gnu::hot]] decltype(name) name;
RT_HOT_FUNCTIONS
#undef RT_HOT

// "hipMalloc"; null for no id and for None.
const char* api_name(uint32_t id) noexcept;

// Ends a call of this entry: sets the thread's last error as the status says, and logs it unless it is a success.
[[gnu::cold, gnu::noinline]] hipError_t answer(const char* entry, const Status& status) noexcept;

// A handle as the opaque pointer type that users hold.
template<class H>
  requires std::is_pointer_v<H> && (!std::is_void_v<std::remove_pointer_t<H>>)
H as_handle(core::Handle handle) noexcept {
  return reinterpret_cast<H>(const_cast<void*>(handle));
}

// context.cpp: the context of a device, and the device of a context. Error: InvalidContext.
hipCtx_t context_of(const core::Device& device) noexcept;
Result<core::Device*> device_of(hipCtx_t ctx);

inline hipError_t to_hip(ErrorCode code) noexcept { return static_cast<hipError_t>(static_cast<int>(code)); }
inline core::Dim3 to_core(const dim3& d) noexcept { return {d.x, d.y, d.z}; }

} // namespace hip::api
