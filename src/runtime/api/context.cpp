// Driver-style contexts in terms of devices: each device has one, its primary context, and making one current is
// hipSetDevice. The calling thread keeps a stack of them.
#include "runtime/api/api.h"

namespace hip::api {
namespace {

// A context handle is a checked number that says the device, as the handles of core/handle_table.h are.
constexpr uintptr_t kTag = uintptr_t{1} << 32 | static_cast<uintptr_t>(core::HandleKind::Context) << 1 | 1;

} // namespace

hipCtx_t context_of(const core::Device& device) noexcept {
  return reinterpret_cast<hipCtx_t>(kTag | static_cast<uintptr_t>(device.ordinal()) << 8);
}

Result<core::Device*> device_of(hipCtx_t ctx) {
  const uintptr_t value = reinterpret_cast<uintptr_t>(ctx);
  constexpr uintptr_t kOrdinalBits = 0xffffff00;
  if ((value & ~kOrdinalBits) != kTag || (value & kOrdinalBits) >> 8 >= core::devices().size())
    return error(ErrorCode::InvalidContext, "{} is not a context.", static_cast<void*>(ctx));
  return core::devices()[(value & kOrdinalBits) >> 8];
}

namespace {

void make_current(const core::Device& device) {
  core::this_thread().device = device.ordinal();
  core::this_thread().device_is_chosen = true;
}

// Makes the device of the context on top of the stack current; an empty stack changes nothing.
void follow_stack(const std::vector<core::Handle>& stack) {
  if (stack.empty()) return;
  auto device = device_of(as_handle<hipCtx_t>(stack.back()));
  if (device.ok()) make_current(*device.value());
}

} // namespace

Status hipCtxCreate(hipCtx_t* ctx, unsigned int flags, hipDevice_t device) {
  RT_TRY_ASSIGN(core::Device * found, core::find_device(device));
  RT_TRY(found->set_context_flags(flags));
  const hipCtx_t made = context_of(*found);
  core::this_thread_extras().context_stack.push_back(made);
  make_current(*found);
  *ctx = made;
  return {};
}

Status hipCtxDestroy(hipCtx_t ctx) {
  if (!ctx) return error(ErrorCode::InvalidValue, "The context is null.");
  RT_TRY(device_of(ctx).status());
  auto& stack = core::this_thread_extras().context_stack;
  if (!stack.empty() && stack.back() == ctx) {
    stack.pop_back();
    follow_stack(stack);
  }
  return {};
}

Status hipCtxPushCurrent(hipCtx_t ctx) {
  RT_TRY_ASSIGN(core::Device * device, device_of(ctx));
  core::this_thread_extras().context_stack.push_back(ctx);
  make_current(*device);
  return {};
}

Status hipCtxPopCurrent(hipCtx_t* ctx) {
  auto& stack = core::this_thread_extras().context_stack;
  if (stack.empty()) return error(ErrorCode::InvalidContext, "The calling thread has no context on its stack.");
  if (ctx) *ctx = as_handle<hipCtx_t>(stack.back());
  stack.pop_back();
  follow_stack(stack);
  return {};
}

Status hipCtxSetCurrent(hipCtx_t ctx) {
  auto& stack = core::this_thread_extras().context_stack;
  if (!ctx) {
    if (!stack.empty()) stack.pop_back();
    follow_stack(stack);
    return {};
  }
  RT_TRY_ASSIGN(core::Device * device, device_of(ctx));
  if (!stack.empty()) stack.pop_back();
  stack.push_back(ctx);
  make_current(*device);
  return {};
}

Status hipCtxGetCurrent(hipCtx_t* ctx) {
  RT_TRY_ASSIGN(core::Device * device, core::current_device());
  *ctx = context_of(*device);
  return {};
}

Status hipCtxGetDevice(hipDevice_t* device) {
  RT_TRY_ASSIGN(core::Device * current, core::current_device());
  *device = current->ordinal();
  return {};
}

Status hipCtxGetApiVersion(hipCtx_t ctx, unsigned int* apiVersion) {
  RT_TRY(device_of(ctx).status());
  *apiVersion = HIP_VERSION_MAJOR;
  return {};
}

Status hipCtxGetFlags(unsigned int* flags) { return api::hipGetDeviceFlags(flags); }
Status hipCtxSynchronize() { return api::hipDeviceSynchronize(); }
Status hipCtxGetCacheConfig(hipFuncCache_t* cacheConfig) { return api::hipDeviceGetCacheConfig(cacheConfig); }
Status hipCtxSetCacheConfig(hipFuncCache_t cacheConfig) { return api::hipDeviceSetCacheConfig(cacheConfig); }
Status hipCtxGetSharedMemConfig(hipSharedMemConfig* pConfig) { return api::hipDeviceGetSharedMemConfig(pConfig); }
Status hipCtxSetSharedMemConfig(hipSharedMemConfig config) { return api::hipDeviceSetSharedMemConfig(config); }

Status hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags) {
  RT_TRY_ASSIGN(core::Device * peer, device_of(peerCtx));
  return api::hipDeviceEnablePeerAccess(peer->ordinal(), flags);
}

Status hipCtxDisablePeerAccess(hipCtx_t peerCtx) {
  RT_TRY_ASSIGN(core::Device * peer, device_of(peerCtx));
  return api::hipDeviceDisablePeerAccess(peer->ordinal());
}

Status hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int* flags, int* active) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(dev));
  *flags = device->flags();
  *active = device->primary_context_users.load(std::memory_order_relaxed) > 0 ? 1 : 0;
  return {};
}

Status hipDevicePrimaryCtxRetain(hipCtx_t* pctx, hipDevice_t dev) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(dev));
  device->primary_context_users.fetch_add(1, std::memory_order_relaxed);
  *pctx = context_of(*device);
  return {};
}

Status hipDevicePrimaryCtxRelease(hipDevice_t dev) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(dev));
  int users = device->primary_context_users.load(std::memory_order_relaxed);
  // The context itself stays: it is also what the runtime-style calls use. Releasing more often than retaining is no
  // error.
  while (users > 0 &&
         !device->primary_context_users.compare_exchange_weak(users, users - 1, std::memory_order_relaxed)) {
  }
  return {};
}

Status hipDevicePrimaryCtxReset(hipDevice_t dev) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(dev));
  return device->reset();
}

Status hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags) {
  RT_TRY_ASSIGN(core::Device * device, core::find_device(dev));
  if (device->primary_context_users.load(std::memory_order_relaxed) > 0)
    return error(ErrorCode::ContextAlreadyInUse, "The primary context of device {} is in use; its flags are fixed.",
                 dev);
  return device->set_flags(flags);
}

} // namespace hip::api
