// What launches need: the classic spelling (launch_macros.h), HIP_SYMBOL, the warp size in host code, and where a
// work-group's local memory lies. The <<<...>>> syntax is clang's; it calls __hipPushCallConfiguration of the runtime API.
#ifndef HIP_DETAIL_LAUNCH_H
#define HIP_DETAIL_LAUNCH_H

#include <hip/detail/builtin_vars.h>
#include <hip/detail/launch_macros.h>
#if !defined(__HIPCC_RTC__)
#include <hip/hip_runtime_api.h>
#endif

#ifndef HIP_SYMBOL
#define HIP_SYMBOL(x) x
#endif

#if !defined(__HIPCC_RTC__)
static inline int __hip_host_warp_size() {
  int device = 0;
  int size = 64;
  if (hipGetDevice(&device) == hipSuccess) {
    int value = 0;
    if (hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, device) == hipSuccess) size = value;
  }
  return size;
}
#endif

// Base of the work-group's local memory, and of its dynamic part, as generic pointers.
#if !defined(__NVPTX__)
__HIP_DEVICE_INLINE void* __local_to_generic(void* p) { return p; }
__HIP_DEVICE_INLINE void* __get_dynamicgroupbaseptr() {
  // From an integer: the literal 0 would be the local null pointer, which is not address 0.
  return (void*)(__attribute__((address_space(3))) char*)(__SIZE_TYPE__)__builtin_amdgcn_groupstaticsize();
}
__HIP_DEVICE_INLINE void* __amdgcn_get_dynamicgroupbaseptr() { return __get_dynamicgroupbaseptr(); }
#endif

#endif
