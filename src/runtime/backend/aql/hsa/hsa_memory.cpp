#include "runtime/backend/aql/hsa/hsa_memory.h"

#include "runtime/backend/aql/device.h"
#include "runtime/backend/aql/hsa/hsa_agent.h"
#include "runtime/base/own.h"

#include <cstring>
#include <unistd.h>

namespace hip::aql::hsa {

namespace {

class Physical final : public backend::PhysicalMemory {
public:
  Physical(const Library& hsa, hsa_amd_vmem_alloc_handle_t handle, size_t bytes) noexcept
      : PhysicalMemory(bytes), hsa_(hsa), handle_(handle) {}
  ~Physical() override {
    if (!hsa_.inherited()) hsa_.note(hsa_.hsa_amd_vmem_handle_release(handle_), "hsa_amd_vmem_handle_release");
  }
  hsa_amd_vmem_alloc_handle_t handle() const noexcept { return handle_; }
  Result<int> export_descriptor() override {
    RT_TRY(hsa_.usable());
    int descriptor = -1;
    RT_TRY(hsa_.check(hsa_.hsa_amd_vmem_export_shareable_handle(&descriptor, handle_, 0),
                      "hsa_amd_vmem_export_shareable_handle"));
    return descriptor;
  }

private:
  const Library& hsa_;
  const hsa_amd_vmem_alloc_handle_t handle_;
};

// What a handle of shared memory holds.
struct Shared {
  hsa_amd_ipc_memory_t handle;
  uint64_t whole_bytes; // HSA's, a multiple of its granule
  uint64_t bytes;
  int64_t process; // whose memory it is
};
static_assert(sizeof(Shared) <= sizeof(backend::SharedMemoryHandle));

Ref<backend::PhysicalMemory> owned(const Library& hsa, hsa_amd_vmem_alloc_handle_t handle, size_t bytes) {
  return own([&] { return Ref<backend::PhysicalMemory>(make_ref<Physical>(hsa, handle, bytes)); },
             [&] { hsa.note(hsa.hsa_amd_vmem_handle_release(handle), "hsa_amd_vmem_handle_release"); });
}

// A card that is lost keeps what it has, for its kernels may still use it. When the process ends that is no error.
Status kept(Status loss) { return loss.code() == ErrorCode::Deinitialized ? Status() : loss; }

} // namespace

const Library& HsaMemory::hsa() const noexcept { return agent_.hsa(); }

bool HsaMemory::supported(const Library& hsa) {
#define HSA_OPTIONAL(name)                                                                                             \
  if (!hsa.name) return false;
#include "runtime/backend/aql/hsa/functions.def"
  bool works = false;
  constexpr auto kAttribute = static_cast<hsa_system_info_t>(HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED);
  return hsa.note(hsa.hsa_system_get_info(kAttribute, &works), "hsa_system_get_info") && works;
}

Result<size_t> HsaMemory::granularity_bytes(backend::Granularity kind) {
  RT_TRY(agent_.usable());
  size_t bytes = 0;
  RT_TRY(hsa().check(hsa().hsa_amd_memory_pool_get_info(pool_,
                                                        kind == backend::Granularity::Minimum
                                                            ? HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_GRANULE
                                                            : HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_REC_GRANULE,
                                                        &bytes),
                     "hsa_amd_memory_pool_get_info"));
  return bytes;
}

Result<void*> HsaMemory::reserve(size_t bytes, size_t alignment, void* wish) {
  RT_TRY(agent_.usable());
  void* base = nullptr;
  RT_TRY(hsa().check(
      hsa().hsa_amd_vmem_address_reserve_align(&base, bytes, reinterpret_cast<uint64_t>(wish), alignment, 0),
      "hsa_amd_vmem_address_reserve_align"));
  return base;
}

Status HsaMemory::release(void* base, size_t bytes) {
  if (Status usable = agent_.usable(); !usable.ok()) return kept(std::move(usable));
  return hsa().check(hsa().hsa_amd_vmem_address_free(base, bytes), "hsa_amd_vmem_address_free");
}

Result<Ref<backend::PhysicalMemory>> HsaMemory::create(size_t bytes, const backend::PhysicalOptions&) {
  RT_TRY(agent_.usable());
  hsa_amd_vmem_alloc_handle_t handle{0};
  RT_TRY(hsa().check(hsa().hsa_amd_vmem_handle_create(pool_, bytes, MEMORY_TYPE_PINNED, 0, &handle),
                     "hsa_amd_vmem_handle_create"));
  return owned(hsa(), handle, bytes);
}

Result<Ref<backend::PhysicalMemory>> HsaMemory::import(int descriptor) {
  RT_TRY(agent_.usable());
  hsa_amd_vmem_alloc_handle_t handle{0};
  RT_TRY(hsa().check(hsa().hsa_amd_vmem_import_shareable_handle(descriptor, &handle),
                     "hsa_amd_vmem_import_shareable_handle"));
  return owned(hsa(), handle, 0); // HSA does not tell its size
}

// HSA's mapping keeps the memory as long as it is.
Status HsaMemory::map(void* address, size_t bytes, size_t offset, const Ref<backend::PhysicalMemory>& memory) {
  RT_TRY(agent_.usable());
  return hsa().check(hsa().hsa_amd_vmem_map(address, bytes, offset, static_cast<const Physical&>(*memory).handle(), 0),
                     "hsa_amd_vmem_map");
}

Status HsaMemory::unmap(void* address, size_t bytes) {
  if (Status usable = agent_.usable(); !usable.ok()) return kept(std::move(usable));
  return hsa().check(hsa().hsa_amd_vmem_unmap(address, bytes), "hsa_amd_vmem_unmap");
}

Status HsaMemory::set_access(void* address, size_t bytes, backend::Device& device, backend::PoolAccess access) {
  RT_TRY(agent_.usable());
  auto* const of_back_end = dynamic_cast<Device*>(&device);
  auto* const agent = of_back_end ? dynamic_cast<HsaAgent*>(&of_back_end->agent()) : nullptr;
  if (!agent)
    return error(ErrorCode::InvalidDevice, "{} cannot be given access to memory of a card.", device.properties().name);
  static_assert(static_cast<int>(backend::PoolAccess::Read) == HSA_ACCESS_PERMISSION_RO &&
                static_cast<int>(backend::PoolAccess::ReadWrite) == HSA_ACCESS_PERMISSION_RW);
  const auto permission = static_cast<hsa_access_permission_t>(access);
  const hsa_amd_memory_access_desc_t both[] = {{permission, agent->gpu()}, {permission, agent_.cards().host}};
  return hsa().check(hsa().hsa_amd_vmem_set_access(address, bytes, both, std::size(both)), "hsa_amd_vmem_set_access");
}

// ---- other processes ---------------------------------------------------------------------------------------------

Result<backend::SharedMemoryHandle> HsaMemory::share(void* base) {
  RT_TRY(agent_.usable());
  hsa_amd_pointer_info_t info{};
  info.size = sizeof info;
  RT_TRY(hsa().check(hsa().hsa_amd_pointer_info(base, &info, nullptr, nullptr, nullptr), "hsa_amd_pointer_info"));
  Shared shared{{}, info.sizeInBytes, agent_.bytes_of(base), ::getpid()};
  if (shared.bytes == 0) return error(ErrorCode::InvalidValue, "{} is no allocation that can be shared.", base);
  RT_TRY(hsa().check(hsa().hsa_amd_ipc_memory_create(base, info.sizeInBytes, &shared.handle),
                     "hsa_amd_ipc_memory_create"));
  backend::SharedMemoryHandle handle{};
  std::memcpy(handle.data(), &shared, sizeof shared);
  return handle;
}

Result<backend::VirtualMemory::FilePart> HsaMemory::export_part(const void* address, size_t bytes) {
  RT_TRY(agent_.usable());
  FilePart part{-1, 0};
  RT_TRY(hsa().check(hsa().hsa_amd_portable_export_dmabuf(address, bytes, &part.descriptor, &part.offset),
                     "hsa_amd_portable_export_dmabuf"));
  return part;
}

bool HsaMemory::is_own(const backend::SharedMemoryHandle& handle) const noexcept {
  Shared shared{};
  std::memcpy(&shared, handle.data(), sizeof shared);
  return shared.process == ::getpid();
}

Result<void*> HsaMemory::open(const backend::SharedMemoryHandle& handle, size_t& bytes) {
  RT_TRY(agent_.usable());
  Shared shared{};
  std::memcpy(&shared, handle.data(), sizeof shared);
  void* base = nullptr;
  RT_TRY(hsa().check(hsa().hsa_amd_ipc_memory_attach(&shared.handle, shared.whole_bytes,
                                                     static_cast<uint32_t>(agent_.cards().gpus.size()),
                                                     agent_.cards().gpus.data(), &base),
                     "hsa_amd_ipc_memory_attach"));
  bytes = shared.bytes;
  return base;
}

Status HsaMemory::close(void* base) {
  if (Status usable = agent_.usable(); !usable.ok()) return kept(std::move(usable));
  return hsa().check(hsa().hsa_amd_ipc_memory_detach(base), "hsa_amd_ipc_memory_detach");
}

} // namespace hip::aql::hsa
