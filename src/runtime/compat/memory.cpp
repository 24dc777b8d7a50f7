// Memory, pools of memory, and memory of other processes.
#include "runtime/compat/compat.h"
#include "runtime/compat/older_types.h"

RT_SHIM hipError_t hipFree(void* ptr) {
  if (ptr) __omnihipFinishPoolMemory(ptr); // the core waits for the users of all other memory
  return RT_CORE(hipFree)(ptr);
}

RT_SHIM hipError_t hipFreeAsync(void* dev_ptr, hipStream_t stream) {
  if (dev_ptr) return RT_CORE(hipFreeAsync)(dev_ptr, stream);
  return __omnihipAnswer("hipFreeAsync", hipErrorInvalidValue, "The address is null.");
}

RT_SHIM hipError_t hipMemPoolCreate(hipMemPool_t* mem_pool, const hipMemPoolProps* pool_props) {
  if (!pool_props) return RT_CORE(hipMemPoolCreate)(mem_pool, pool_props);
  const hipMemPoolProps props = hip::compat::from_hip5(*pool_props);
  return RT_CORE(hipMemPoolCreate)(mem_pool, &props);
}

// hipIpcMemLazyEnablePeerAccess, the one flag that is taken, is 0 in HIP 5.
RT_SHIM hipError_t hipIpcOpenMemHandle(void** devPtr, hipIpcMemHandle_t handle, unsigned int flags) {
  if (flags == 0) return RT_CORE(hipIpcOpenMemHandle)(devPtr, handle, hipIpcMemLazyEnablePeerAccess);
  return __omnihipAnswer("hipIpcOpenMemHandle", hipErrorInvalidValue,
                         "The flags must be hipIpcMemLazyEnablePeerAccess, which is 0 in HIP 5.");
}
