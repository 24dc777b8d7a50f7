// hip/hip_ext.h - launches that HIP has beyond the common interface: with events around the kernel, and with grids
// counted in work-items. The C functions are in hip/api/launch.h.
#ifndef HIP_INCLUDE_HIP_HIP_EXT_H
#define HIP_INCLUDE_HIP_HIP_EXT_H

#include <hip/hip_runtime.h>

#ifdef __cplusplus

namespace __hip_internal {
// Keeps a parameter out of template argument deduction.
template<class T> struct not_deduced {
  typedef T type;
};

template<class... Formals>
static inline hipError_t ext_launch(void (*kernel)(Formals...), const dim3& grid, const dim3& block,
                                    uint32_t shared_bytes, hipStream_t stream, hipEvent_t start, hipEvent_t stop,
                                    uint32_t flags, typename not_deduced<Formals>::type... arguments) {
  void* addresses[] = {const_cast<void*>(static_cast<const volatile void*>(&arguments))..., nullptr};
  return hipExtLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, addresses, shared_bytes, stream, start,
                            stop, static_cast<int>(flags));
}
} // namespace __hip_internal

// Launches `kernel` and records `startEvent` before and `stopEvent` after it, each if not null. `flags` is 0 or
// hipExtAnyOrderLaunch. The arguments are converted to the kernel's parameter types. Errors are left to
// hipGetLastError.
template<typename... Args, typename F = void (*)(Args...)>
static inline void hipExtLaunchKernelGGL(F kernel, const dim3& numBlocks, const dim3& dimBlocks,
                                         uint32_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                         hipEvent_t stopEvent, uint32_t flags, Args... args) {
  (void)__hip_internal::ext_launch(kernel, numBlocks, dimBlocks, sharedMemBytes, stream, startEvent, stopEvent, flags,
                                   args...);
}

#endif

#endif
