// runtime/hsa/mapping_entries.cpp - virtual memory of the interface.
#include "runtime/hsa/entry.h"

using namespace hip::hsa;

namespace {

template<class Body> hsa_status_t with_mappings(const Body& body) noexcept {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    return runtime.has_memory() ? body(runtime, runtime.mappings()) : HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  });
}

} // namespace

hsa_status_t hsa_amd_vmem_address_reserve_align(void** out, size_t bytes, uint64_t wish, uint64_t alignment,
                                                uint64_t flags) {
  return with_mappings([&](Runtime&, Mappings& mappings) -> hsa_status_t {
    if ((flags & ~uint64_t(HSA_AMD_VMEM_ADDRESS_NO_REGISTER)) != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    return (flags & HSA_AMD_VMEM_ADDRESS_NO_REGISTER) != 0
               ? mappings.allocate_process_memory(bytes, wish, alignment, out)
               : mappings.reserve(bytes, wish, alignment, out);
  });
}

hsa_status_t hsa_amd_vmem_address_reserve(void** out, size_t bytes, uint64_t wish, uint64_t flags) {
  return hsa_amd_vmem_address_reserve_align(out, bytes, wish, 0, flags);
}

hsa_status_t hsa_amd_vmem_address_free(void* base, size_t bytes) {
  return with_mappings([&](Runtime&, Mappings& mappings) { return mappings.release(base, bytes); });
}

hsa_status_t hsa_amd_vmem_handle_create(hsa_amd_memory_pool_t handle, size_t bytes, hsa_amd_memory_type_t type,
                                        uint64_t, hsa_amd_vmem_alloc_handle_t* out) {
  return with_mappings([&](Runtime& runtime, Mappings& mappings) -> hsa_status_t {
    const Pool* const pool = runtime.find_pool(handle.handle);
    if (!pool) return amd_status(HSA_STATUS_ERROR_INVALID_MEMORY_POOL);
    return mappings.create(*pool, bytes, type, out ? &out->handle : nullptr);
  });
}

hsa_status_t hsa_amd_vmem_handle_release(hsa_amd_vmem_alloc_handle_t handle) {
  return with_mappings([&](Runtime&, Mappings& mappings) { return mappings.drop(handle.handle); });
}

hsa_status_t hsa_amd_vmem_map(void* base, size_t bytes, size_t offset, hsa_amd_vmem_alloc_handle_t handle,
                              uint64_t flags) {
  return with_mappings([&](Runtime&, Mappings& mappings) -> hsa_status_t {
    return flags == 0 ? mappings.map(base, bytes, offset, handle.handle) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_vmem_unmap(void* base, size_t bytes) {
  return with_mappings([&](Runtime&, Mappings& mappings) { return mappings.unmap(base, bytes); });
}

hsa_status_t hsa_amd_vmem_set_access(void* base, size_t bytes, const hsa_amd_memory_access_desc_t* descriptors,
                                     size_t count) {
  return with_mappings([&](Runtime& runtime, Mappings& mappings) -> hsa_status_t {
    if (!base || !descriptors || count == 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (size_t i = 0; i < count; ++i)
      if (!runtime.find(descriptors[i].agent_handle)) return HSA_STATUS_ERROR_INVALID_AGENT;
    for (size_t i = 0; i < count; ++i)
      HSA_TRY(mappings.set_access(base, bytes, *runtime.find(descriptors[i].agent_handle), descriptors[i].permissions));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_vmem_get_access(void* address, hsa_access_permission_t* permission, hsa_agent_t handle) {
  return with_mappings([&](Runtime& runtime, Mappings& mappings) -> hsa_status_t {
    const Agent* const agent = runtime.find(handle);
    return agent ? mappings.access(address, *agent, permission) : HSA_STATUS_ERROR_INVALID_AGENT;
  });
}

hsa_status_t hsa_amd_vmem_export_shareable_handle(int* descriptor, hsa_amd_vmem_alloc_handle_t handle, uint64_t flags) {
  return with_mappings([&](Runtime&, Mappings& mappings) -> hsa_status_t {
    return flags == 0 ? mappings.export_to(handle.handle, descriptor) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_amd_vmem_import_shareable_handle(int descriptor, hsa_amd_vmem_alloc_handle_t* handle) {
  return with_mappings(
      [&](Runtime&, Mappings& mappings) { return mappings.import(descriptor, handle ? &handle->handle : nullptr); });
}

hsa_status_t hsa_amd_vmem_retain_alloc_handle(hsa_amd_vmem_alloc_handle_t* handle, void* address) {
  return with_mappings(
      [&](Runtime&, Mappings& mappings) { return mappings.handle_at(address, handle ? &handle->handle : nullptr); });
}

hsa_status_t hsa_amd_vmem_get_alloc_properties_from_handle(hsa_amd_vmem_alloc_handle_t handle,
                                                           hsa_amd_memory_pool_t* pool, hsa_amd_memory_type_t* type) {
  return with_mappings([&](Runtime&, Mappings& mappings) -> hsa_status_t {
    if (!pool || !type) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Pool* found = nullptr;
    HSA_TRY(mappings.properties(handle.handle, &found, type));
    *pool = pool_handle(*found);
    return HSA_STATUS_SUCCESS;
  });
}
