// runtime/hsa/shared_virtual_memory_entries.cpp - shared virtual memory of the interface.
#include "runtime/hsa/entry.h"

using namespace hip::hsa;

namespace {

template<class Body> hsa_status_t with_shared(const Body& body) noexcept {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    return runtime.has_memory() ? body(runtime, runtime.shared_virtual_memory()) : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  });
}

} // namespace

hsa_status_t hsa_amd_svm_attributes_set(void* base, size_t bytes, hsa_amd_svm_attribute_pair_t* pairs, size_t count) {
  return with_shared([&](Runtime&, SharedVirtualMemory& shared) -> hsa_status_t {
    if (!pairs && count != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return shared.set(base, bytes, {pairs, count});
  });
}

hsa_status_t hsa_amd_svm_attributes_get(void* base, size_t bytes, hsa_amd_svm_attribute_pair_t* pairs, size_t count) {
  return with_shared([&](Runtime&, SharedVirtualMemory& shared) -> hsa_status_t {
    if (!pairs && count != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return shared.get(base, bytes, {pairs, count});
  });
}

hsa_status_t hsa_amd_svm_prefetch_async(void* base, size_t bytes, hsa_agent_t handle, uint32_t count,
                                        const hsa_signal_t* dependencies, hsa_signal_t completion) {
  return with_shared([&](Runtime& runtime, SharedVirtualMemory& shared) -> hsa_status_t {
    const Agent* const where = runtime.find(handle);
    if (!where) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!dependencies && count != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < count; ++i)
      if (!runtime.signals().owns(dependencies[i].handle)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    if (completion.handle != 0 && !runtime.signals().owns(completion.handle)) return HSA_STATUS_ERROR_INVALID_SIGNAL;
    return shared.prefetch(base, bytes, *where, {dependencies, count},
                           completion.handle == 0 ? nullptr : to_signal(completion));
  });
}
