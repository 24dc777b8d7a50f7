// hip/nvidia_detail/context.h - driver-style contexts. CUDA has more of them than HIP: hipCtxCreate makes a real one, forwarded to CUDA. Rows: see forward.h.
#ifndef HIP_INCLUDE_HIP_NVIDIA_DETAIL_CONTEXT_H
#define HIP_INCLUDE_HIP_NVIDIA_DETAIL_CONTEXT_H

#include <hip/nvidia_detail/types.h>

HIP_TO_CU(hipCtxDestroy, cuCtxDestroy, (hipCtx_t ctx), (ctx))
HIP_TO_CU(hipCtxDisablePeerAccess, cuCtxDisablePeerAccess, (hipCtx_t peerCtx), (peerCtx))
HIP_TO_CU(hipCtxEnablePeerAccess, cuCtxEnablePeerAccess, (hipCtx_t peerCtx, unsigned int flags), (peerCtx, flags))
HIP_TO_CU(hipCtxGetApiVersion, cuCtxGetApiVersion, (hipCtx_t ctx, unsigned int* apiVersion), (ctx, apiVersion))
HIP_TO_CU(hipCtxGetCacheConfig, cuCtxGetCacheConfig, (hipFuncCache_t* cacheConfig), ((CUfunc_cache*)cacheConfig))
HIP_TO_CU(hipCtxGetCurrent, cuCtxGetCurrent, (hipCtx_t* ctx), (ctx))
HIP_TO_CU(hipCtxGetDevice, cuCtxGetDevice, (hipDevice_t* device), (device))
HIP_TO_CU(hipCtxGetFlags, cuCtxGetFlags, (unsigned int* flags), (flags))
HIP_TO_CU(hipCtxGetSharedMemConfig, cuCtxGetSharedMemConfig, (hipSharedMemConfig* pConfig), ((CUsharedconfig*)pConfig))
HIP_TO_CU(hipCtxPopCurrent, cuCtxPopCurrent, (hipCtx_t* ctx), (ctx))
HIP_TO_CU(hipCtxPushCurrent, cuCtxPushCurrent, (hipCtx_t ctx), (ctx))
HIP_TO_CU(hipCtxSetCacheConfig, cuCtxSetCacheConfig, (hipFuncCache_t cacheConfig), ((CUfunc_cache)cacheConfig))
HIP_TO_CU(hipCtxSetCurrent, cuCtxSetCurrent, (hipCtx_t ctx), (ctx))
HIP_TO_CU(hipCtxSetSharedMemConfig, cuCtxSetSharedMemConfig, (hipSharedMemConfig config), ((CUsharedconfig)config))
HIP_TO_CU(hipCtxSynchronize, cuCtxSynchronize, (void), ())
HIP_TO_CU(hipDevicePrimaryCtxGetState, cuDevicePrimaryCtxGetState,
    (hipDevice_t dev, unsigned int* flags, int* active), (dev, flags, active))
HIP_TO_CU(hipDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, (hipDevice_t dev), (dev))
HIP_TO_CU(hipDevicePrimaryCtxReset, cuDevicePrimaryCtxReset, (hipDevice_t dev), (dev))
HIP_TO_CU(hipDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, (hipCtx_t* pctx, hipDevice_t dev), (pctx, dev))
HIP_TO_CU(hipDevicePrimaryCtxSetFlags, cuDevicePrimaryCtxSetFlags, (hipDevice_t dev, unsigned int flags), (dev, flags))

static inline hipError_t hipCtxCreate(hipCtx_t* ctx, unsigned int flags, hipDevice_t device) {
#if CUDA_VERSION >= 13000
  return hipCUResultTohipError(cuCtxCreate(ctx, NULL, flags, device));
#else
  return hipCUResultTohipError(cuCtxCreate(ctx, flags, device));
#endif
}

#endif
