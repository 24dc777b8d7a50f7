// hip/api/context.h - driver-style contexts. HIP has one context per device, the primary one; these calls exist for
// programs ported from driver APIs. New code uses hipSetDevice.
#ifndef HIP_INCLUDE_HIP_API_CONTEXT_H
#define HIP_INCLUDE_HIP_API_CONTEXT_H

#include <hip/api/device.h>

HIP_C_BEGIN

// Makes the primary context of `device` current. `flags` as for hipSetDeviceFlags.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int flags, hipDevice_t device);

// Takes back hipCtxCreate.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxDestroy(hipCtx_t ctx);

// Puts `ctx` on the calling thread's stack and makes it current.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxPushCurrent(hipCtx_t ctx);

// Removes the current context from the stack and returns it through `ctx`.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxPopCurrent(hipCtx_t* ctx);

// Replaces the top of the calling thread's stack.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxSetCurrent(hipCtx_t ctx);

// The current context, or null when the thread has none.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxGetCurrent(hipCtx_t* ctx);

// Device of the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxGetDevice(hipDevice_t* device);

// Interface version that the context was made for.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxGetApiVersion(hipCtx_t ctx, unsigned int* apiVersion);

// Flags of the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxGetFlags(unsigned int* flags);

// Waits for all work of the current context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxSynchronize(void);

// As hipDeviceGetCacheConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxGetCacheConfig(hipFuncCache_t* cacheConfig);

// As hipDeviceSetCacheConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxSetCacheConfig(hipFuncCache_t cacheConfig);

// As hipDeviceGetSharedMemConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxGetSharedMemConfig(hipSharedMemConfig* pConfig);

// As hipDeviceSetSharedMemConfig.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxSetSharedMemConfig(hipSharedMemConfig config);

// Lets the current context access memory of `peerCtx`. `flags` must be 0.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxEnablePeerAccess(hipCtx_t peerCtx, unsigned int flags);

// Takes back hipCtxEnablePeerAccess.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipCtxDisablePeerAccess(hipCtx_t peerCtx);

// Flags of the device's primary context, and whether it is active.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipDevicePrimaryCtxGetState(hipDevice_t dev, unsigned int* flags, int* active);

// The device's primary context, kept alive until the matching release.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipDevicePrimaryCtxRetain(hipCtx_t* pctx, hipDevice_t dev);

// Takes back one hipDevicePrimaryCtxRetain.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipDevicePrimaryCtxRelease(hipDevice_t dev);

// Frees everything in the device's primary context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipDevicePrimaryCtxReset(hipDevice_t dev);

// Sets the flags of the device's primary context.
HIP_DEPRECATED(HIP_DEPRECATED_MSG) hipError_t hipDevicePrimaryCtxSetFlags(hipDevice_t dev, unsigned int flags);

HIP_C_END

#endif
