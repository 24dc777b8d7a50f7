// hip/detail/persisting_lines.h - an addition of this SDK, for programs that come from CUDA.
#ifndef HIP_DETAIL_PERSISTING_LINES_H
#define HIP_DETAIL_PERSISTING_LINES_H

#include <hip/api/device.h>

// Makes lines of the second level's cache that persist (hipLaunchAttributeAccessPolicyWindow) normal ones. A device
// without room for such lines has none: AMD's GPUs and the software GPU. Error: NotSupported on others.
static inline hipError_t hipCtxResetPersistingL2Cache(void) {
  int device = 0, bytes = 0;
  hipError_t error = hipGetDevice(&device);
  if (error == hipSuccess) error = hipDeviceGetAttribute(&bytes, hipDeviceAttributePersistingL2CacheMaxSize, device);
  return error == hipSuccess && bytes != 0 ? hipErrorNotSupported : error;
}

#endif
