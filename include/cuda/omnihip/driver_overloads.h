// omnihip/driver_overloads.h - signatures of other CUDA versions, for C++ programs of the driver's interface.
#ifndef OMNIHIP_CUDA_DRIVER_OVERLOADS_H
#define OMNIHIP_CUDA_DRIVER_OVERLOADS_H

#include <omnihip/driver_special.h>

// CUDA 13's.
static inline CUresult cuCtxCreate(CUcontext* context, CUctxCreateParams* params, unsigned int flags, CUdevice device) {
  return cuCtxCreate_v4(context, params, flags, device);
}
static inline CUresult cuMemAdvise(CUdeviceptr ptr, size_t count, CUmem_advise advice, CUmemLocation location) {
  return cuMemAdvise(ptr, count, advice, location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU);
}
static inline CUresult cuMemPrefetchAsync(CUdeviceptr ptr, size_t count, CUmemLocation location, unsigned int flags,
                                          CUstream stream) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return cuMemPrefetchAsync(ptr, count, location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU,
                            stream);
}

#endif
