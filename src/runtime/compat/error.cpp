// Before HIP 7 the last error was the result of the last call, also when that was a success. An error that was asked
// for here is gone for callers of HIP 7, too: it was seen.
#include "runtime/compat/compat.h"

RT_SHIM hipError_t hipGetLastError() {
  const hipError_t result = RT_CORE(hipExtGetLastError)();
  static_cast<void>(RT_CORE(hipGetLastError)());
  return result;
}

RT_SHIM hipError_t hipPeekAtLastError() { return __omnihipLastResult(); }
