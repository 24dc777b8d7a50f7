// Memory and semaphores that other interfaces made, with the shorter structures of HIP 5.
#include "runtime/compat/compat.h"
#include "runtime/compat/older_types.h"

#include <new>
#include <vector>

namespace hip::compat {
namespace {

// Calls the core's entry with the description of HIP 7; the core refuses null.
template<class Older, class Newer, class Call>
hipError_t with_description(const Newer* given, const Call& call) noexcept {
  if (!given) return call(given);
  const Newer desc = from_hip5(*reinterpret_cast<const Older*>(given));
  return call(&desc);
}

// The same for a list, whose elements have another size.
template<class Older, class Newer, class Call>
hipError_t with_list(const char* entry, const Newer* given, unsigned count, const Call& call) noexcept {
  if (!given) return call(given);
  try {
    std::vector<Newer> list;
    list.reserve(count);
    for (unsigned i = 0; i < count; ++i) list.push_back(from_hip5(reinterpret_cast<const Older*>(given)[i]));
    if (list.empty()) list.emplace_back(); // an address for the core, which reads none of it
    return call(list.data());
  } catch (...) {
    return __omnihipAnswer(entry, hipErrorOutOfMemory, "The host is out of memory.");
  }
}

} // namespace
} // namespace hip::compat

using namespace hip::compat;

RT_SHIM hipError_t hipImportExternalMemory(hipExternalMemory_t* extMem_out,
                                           const hipExternalMemoryHandleDesc* memHandleDesc) {
  return with_description<Hip5ExternalMemoryHandleDesc>(memHandleDesc, [&](const hipExternalMemoryHandleDesc* desc) {
    return RT_CORE(hipImportExternalMemory)(extMem_out, desc);
  });
}

RT_SHIM hipError_t hipExternalMemoryGetMappedBuffer(void** devPtr, hipExternalMemory_t extMem,
                                                    const hipExternalMemoryBufferDesc* bufferDesc) {
  return with_description<Hip5ExternalMemoryBufferDesc>(bufferDesc, [&](const hipExternalMemoryBufferDesc* desc) {
    return RT_CORE(hipExternalMemoryGetMappedBuffer)(devPtr, extMem, desc);
  });
}

RT_SHIM hipError_t hipImportExternalSemaphore(hipExternalSemaphore_t* extSem_out,
                                              const hipExternalSemaphoreHandleDesc* semHandleDesc) {
  return with_description<Hip5ExternalSemaphoreHandleDesc>(
      semHandleDesc, [&](const hipExternalSemaphoreHandleDesc* desc) {
        return RT_CORE(hipImportExternalSemaphore)(extSem_out, desc);
      });
}

RT_SHIM hipError_t hipSignalExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                                    const hipExternalSemaphoreSignalParams* paramsArray,
                                                    unsigned int numExtSems, hipStream_t stream) {
  return with_list<Hip5ExternalSemaphoreSignalParams>(
      "hipSignalExternalSemaphoresAsync", paramsArray, numExtSems, [&](const hipExternalSemaphoreSignalParams* list) {
        return RT_CORE(hipSignalExternalSemaphoresAsync)(extSemArray, list, numExtSems, stream);
      });
}

RT_SHIM hipError_t hipWaitExternalSemaphoresAsync(const hipExternalSemaphore_t* extSemArray,
                                                  const hipExternalSemaphoreWaitParams* paramsArray,
                                                  unsigned int numExtSems, hipStream_t stream) {
  return with_list<Hip5ExternalSemaphoreWaitParams>(
      "hipWaitExternalSemaphoresAsync", paramsArray, numExtSems, [&](const hipExternalSemaphoreWaitParams* list) {
        return RT_CORE(hipWaitExternalSemaphoresAsync)(extSemArray, list, numExtSems, stream);
      });
}
