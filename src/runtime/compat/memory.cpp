// Memory and pools of memory.
#include "runtime/compat/compat.h"
#include "runtime/compat/older_types.h"

RT_SHIM hipError_t hipFree(void* ptr) {
  if (ptr) __omnihipFinishPoolMemory(ptr); // the core waits for the users of all other memory
  return RT_CORE(hipFree)(ptr);
}

RT_SHIM hipError_t hipMemPoolCreate(hipMemPool_t* mem_pool, const hipMemPoolProps* pool_props) {
  if (!pool_props) return RT_CORE(hipMemPoolCreate)(mem_pool, pool_props);
  const hipMemPoolProps props = hip::compat::from_hip5(*pool_props);
  return RT_CORE(hipMemPoolCreate)(mem_pool, &props);
}
