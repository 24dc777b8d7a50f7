// runtime/hsa/descriptor_entries.cpp - memory of pools as file descriptors, and memory of others by theirs. Where AMD's
// driver gives dma-bufs, these are files in memory: they can be mapped, sent to other processes, and imported again.
#include "runtime/hsa/entry.h"

#include "runtime/backend/external.h"
#include "runtime/base/descriptor.h"

#include <fcntl.h>
#include <unistd.h>

using namespace hip::hsa;

hsa_status_t hsa_amd_portable_export_dmabuf_v2(const void* address, size_t bytes, int* descriptor, uint64_t* offset,
                                               uint64_t flags) {
  constexpr uint64_t kOverPcie = 1; // the kind of mapping that an importer makes: no matter here
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!address || bytes == 0 || !descriptor || !offset || (flags & ~kOverPcie) != 0)
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    const auto found = runtime.memory().find(address);
    if (!found || !found->block.from_pool)
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is in no memory of a pool.", address);
    const uint64_t from = reinterpret_cast<uint64_t>(address) - found->base;
    if (bytes > found->block.bytes - from)
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} bytes at {} leave their allocation.", bytes, address);
    auto part = runtime.first_gpu()->gpu().virtual_memory()->export_part(address, bytes);
    if (!part.ok()) return to_hsa(part.status());
    *descriptor = part->descriptor;
    *offset = part->offset;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_portable_export_dmabuf(const void* address, size_t bytes, int* descriptor, uint64_t* offset) {
  return hsa_amd_portable_export_dmabuf_v2(address, bytes, descriptor, offset, 0);
}

hsa_status_t hsa_amd_portable_close_dmabuf(int descriptor) {
  return entry([&](Runtime&) -> hsa_status_t {
    if (!hip::size_of_descriptor(descriptor).ok())
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is no descriptor of memory.", descriptor);
    return ::close(descriptor) == 0 ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR;
  });
}

hsa_status_t hsa_amd_interop_map_buffer(uint32_t count, hsa_agent_t* agents, int descriptor, uint32_t flags,
                                        size_t* bytes, void** out, size_t* metadata_bytes, const void** metadata) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!agents || count == 0 || !bytes || !out || flags != 0) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < count; ++i)
      if (!runtime.find(agents[i])) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    auto size = hip::size_of_descriptor(descriptor);
    if (!size.ok() || *size == 0)
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{} is no descriptor of memory.", descriptor);
    const int own = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
    if (own < 0) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    hip::aql::Agent& gpu = runtime.first_gpu()->gpu();
    auto memory = gpu.import_memory({.descriptor = own, .bytes = *size});
    if (!memory.ok()) {
      ::close(own);
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "{}", memory.status().message());
    }
    auto base = (*memory)->map(0, *size);
    if (!base.ok()) return to_hsa(base.status());
    Memory::Block block;
    block.bytes = *size;
    block.type = HSA_EXT_POINTER_TYPE_GRAPHICS;
    block.pool = runtime.first_gpu()->pools()[0].get();
    runtime.memory().add(*base, std::move(block));
    *bytes = *size;
    *out = *base;
    if (metadata_bytes) *metadata_bytes = 0; // which drivers keep beside a buffer
    if (metadata) *metadata = nullptr;
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_amd_interop_unmap_buffer(void* base) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!base) return HSA_STATUS_SUCCESS;
    if (!runtime.has_memory()) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const auto found = runtime.memory().find(base);
    if (!found || found->base != reinterpret_cast<uint64_t>(base) || found->block.type != HSA_EXT_POINTER_TYPE_GRAPHICS)
      return refuse(HSA_STATUS_ERROR_INVALID_ARGUMENT, "hsa_amd_interop_map_buffer has not given {}.", base);
    runtime.memory().remove(base);
    return to_hsa(runtime.first_gpu()->gpu().unmap_external(base));
  });
}
