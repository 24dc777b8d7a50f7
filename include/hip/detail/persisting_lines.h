// hip/detail/persisting_lines.h - an addition of this SDK, for programs that come from CUDA.
#ifndef HIP_DETAIL_PERSISTING_LINES_H
#define HIP_DETAIL_PERSISTING_LINES_H

#include <hip/api/device.h>

// This SDK's library has it; another one that a program finds when it runs may not.
#ifdef __cplusplus
extern "C"
#endif
    hipError_t __omnihipResetPersistingLines(void) __attribute__((weak));

// Makes lines of the second level's cache that persist (hipLaunchAttributeAccessPolicyWindow) normal ones. A device
// without room for such lines has none: AMD's GPUs and the software GPU.
static inline hipError_t hipCtxResetPersistingL2Cache(void) {
  int device = 0, bytes = 0;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess) error = hipDeviceGetAttribute(&bytes, hipDeviceAttributePersistingL2CacheMaxSize, device);
  if (error != hipSuccess || bytes == 0) return error;
  return __omnihipResetPersistingLines ? __omnihipResetPersistingLines() : hipErrorNotSupported;
}

#endif
