// The driver's copies, whose structures name memory types.
#include "runtime/compat/compat.h"
#include "runtime/compat/older_types.h"

namespace hip::compat {
namespace {

// Calls the core's copy with the structure of HIP 7; the core refuses null.
template<class Older, class Newer, class Call> hipError_t with_copy(const Newer* given, const Call& call) noexcept {
  if (!given) return call(given);
  const Newer copy = from_hip5(*reinterpret_cast<const Older*>(given));
  return call(&copy);
}

} // namespace
} // namespace hip::compat

using hip::compat::Hip5Memcpy3D;
using hip::compat::with_copy;

RT_SHIM hipError_t hipMemcpyParam2D(const hip_Memcpy2D* pCopy) {
  return with_copy<hip_Memcpy2D>(pCopy, RT_CORE(hipMemcpyParam2D));
}

RT_SHIM hipError_t hipMemcpyParam2DAsync(const hip_Memcpy2D* pCopy, hipStream_t stream) {
  return with_copy<hip_Memcpy2D>(
      pCopy, [stream](const hip_Memcpy2D* copy) { return RT_CORE(hipMemcpyParam2DAsync)(copy, stream); });
}

RT_SHIM hipError_t hipDrvMemcpy2DUnaligned(const hip_Memcpy2D* pCopy) {
  return with_copy<hip_Memcpy2D>(pCopy, RT_CORE(hipDrvMemcpy2DUnaligned));
}

RT_SHIM hipError_t hipDrvMemcpy3D(const HIP_MEMCPY3D* pCopy) {
  return with_copy<Hip5Memcpy3D>(pCopy, RT_CORE(hipDrvMemcpy3D));
}

RT_SHIM hipError_t hipDrvMemcpy3DAsync(const HIP_MEMCPY3D* pCopy, hipStream_t stream) {
  return with_copy<Hip5Memcpy3D>(
      pCopy, [stream](const HIP_MEMCPY3D* copy) { return RT_CORE(hipDrvMemcpy3DAsync)(copy, stream); });
}
