#include "runtime/hsa/mappings.h"

#include <algorithm>
#include <sys/mman.h>

namespace hip::hsa {

namespace {

uint64_t address_of(const void* pointer) noexcept { return reinterpret_cast<uint64_t>(pointer); }
void* pointer_to(uint64_t address) noexcept { return reinterpret_cast<void*>(address); }

backend::PoolAccess pool_access(hsa_access_permission_t permission) noexcept {
  switch (permission) {
  case HSA_ACCESS_PERMISSION_RO:
    return backend::PoolAccess::Read;
  case HSA_ACCESS_PERMISSION_WO:
  case HSA_ACCESS_PERMISSION_RW:
    return backend::PoolAccess::ReadWrite;
  case HSA_ACCESS_PERMISSION_NONE:
    break;
  }
  return backend::PoolAccess::None;
}

bool is_whole(size_t bytes) noexcept { return bytes != 0 && bytes % Memory::kGranule == 0; }

bool can_be_reserved(uint64_t wish, uint64_t alignment) noexcept {
  return (alignment & (alignment - 1)) == 0 && wish % Memory::kGranule == 0;
}

size_t whole_pages(size_t bytes) noexcept {
  return (bytes + Memory::kGranule - 1) / Memory::kGranule * Memory::kGranule;
}

} // namespace

Mappings::~Mappings() {
  const auto report = [](const Status& status) {
    if (!status.ok()) log(LogLevel::Warning, "Giving virtual memory back: {}", status.message());
  };
  for (const auto& [address, mapping] : mappings_) {
    memory_.remove(pointer_to(address));
    report(virtual_.unmap(pointer_to(address), mapping.bytes));
  }
  for (const auto& [address, reservation] : reservations_)
    if (reservation.process_memory)
      ::munmap(pointer_to(address), whole_pages(reservation.bytes));
    else
      report(virtual_.release(pointer_to(address), reservation.bytes));
}

hsa_status_t Mappings::allocate_process_memory(size_t bytes, uint64_t wish, uint64_t alignment, void** out) {
  if (!out || bytes == 0 || !can_be_reserved(wish, alignment)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  alignment = std::max<uint64_t>(alignment, Memory::kGranule);
  const size_t beyond = alignment - Memory::kGranule; // so that an aligned address is there
  if (bytes > SIZE_MAX / 2 || beyond > SIZE_MAX / 2 - Memory::kGranule) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  const size_t pages = whole_pages(bytes), asked = pages + beyond;
  void* const mapped =
      ::mmap(pointer_to(wish), asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  const uint64_t begin = address_of(mapped), base = (begin + alignment - 1) & ~(alignment - 1);
  const uint64_t end = base + pages, mapped_end = begin + asked;
  if (base != begin) ::munmap(mapped, base - begin);
  if (end != mapped_end) ::munmap(pointer_to(end), mapped_end - end);
  std::lock_guard guard(mutex_);
  reservations_[base] = {bytes, true};
  *out = pointer_to(base);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::reserve(size_t bytes, uint64_t wish, uint64_t alignment, void** out) {
  if (!out || !is_whole(bytes) || !can_be_reserved(wish, alignment)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  Result<void*> base = virtual_.reserve(bytes, alignment, pointer_to(wish));
  if (!base.ok()) return to_hsa(base.status());
  std::lock_guard guard(mutex_);
  reservations_[address_of(*base)] = {bytes, false};
  *out = *base;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::release(void* base, size_t bytes) {
  std::lock_guard guard(mutex_);
  const auto found = reservations_.find(address_of(base));
  if (found == reservations_.end() || found->second.bytes != bytes) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  if (found->second.process_memory) {
    shared_.forget(base, whole_pages(bytes));
    ::munmap(base, whole_pages(bytes));
  } else if (Status status = virtual_.release(base, bytes); !status.ok()) {
    to_hsa(status);
    return amd_status(HSA_STATUS_ERROR_RESOURCE_FREE);
  }
  reservations_.erase(found);
  return HSA_STATUS_SUCCESS;
}

std::optional<Memory::Found> Mappings::reservation(const void* address) const {
  std::lock_guard guard(mutex_);
  auto it = reservations_.upper_bound(address_of(address));
  if (it == reservations_.begin()) return std::nullopt;
  --it;
  if (address_of(address) - it->first >= it->second.bytes) return std::nullopt;
  Memory::Block block;
  block.bytes = it->second.bytes;
  block.type = HSA_EXT_POINTER_TYPE_RESERVED_ADDR;
  return Memory::Found{it->first, std::move(block)};
}

uint64_t Mappings::add(Piece piece) {
  std::lock_guard guard(mutex_);
  pieces_[next_] = std::move(piece);
  return next_++;
}

Mappings::Piece* Mappings::find(uint64_t handle) {
  const auto found = pieces_.find(handle);
  return found == pieces_.end() || found->second.references == 0 ? nullptr : &found->second;
}

void Mappings::erase_if_unused(std::map<uint64_t, Piece>::iterator piece) {
  if (piece->second.references == 0 && piece->second.mappings == 0) pieces_.erase(piece);
}

hsa_status_t Mappings::create(const Pool& pool, size_t bytes, hsa_amd_memory_type_t type, uint64_t* handle) {
  if (!handle || !is_whole(bytes) || (type != MEMORY_TYPE_NONE && type != MEMORY_TYPE_PINNED))
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (!pool.allocates()) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  Result<Ref<backend::PhysicalMemory>> memory = virtual_.create(bytes, {.exportable = true});
  if (!memory.ok()) return to_hsa(memory.status());
  *handle = add({std::move(*memory), &pool, type});
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::import(int descriptor, uint64_t* handle) {
  if (!handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  Result<Ref<backend::PhysicalMemory>> memory = virtual_.import(descriptor);
  if (!memory.ok()) return to_hsa(memory.status());
  *handle = add({std::move(*memory), gpu_.pools()[0].get(), MEMORY_TYPE_PINNED});
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::export_to(uint64_t handle, int* descriptor) {
  std::lock_guard guard(mutex_);
  const Piece* const piece = find(handle);
  if (!piece) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  if (!descriptor) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  Result<int> file = piece->memory->export_descriptor();
  if (!file.ok()) return to_hsa(file.status());
  *descriptor = *file;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::drop(uint64_t handle) {
  std::lock_guard guard(mutex_);
  const auto found = pieces_.find(handle);
  if (found == pieces_.end() || found->second.references == 0) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  --found->second.references;
  erase_if_unused(found);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::map(void* base, size_t bytes, size_t offset, uint64_t handle) {
  std::lock_guard guard(mutex_);
  Piece* const piece = find(handle);
  if (!piece) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  if (!base || !is_whole(bytes)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (Status status = virtual_.map(base, bytes, offset, piece->memory); !status.ok()) return to_hsa(status);
  mappings_[address_of(base)] = {bytes, handle, {}};
  ++piece->mappings;
  Memory::Block block;
  block.bytes = bytes;
  block.pool = piece->pool;
  block.type = HSA_EXT_POINTER_TYPE_HSA_VMEM;
  memory_.add(base, std::move(block));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::unmap(void* base, size_t bytes) {
  std::lock_guard guard(mutex_);
  const auto found = mappings_.find(address_of(base));
  if (found == mappings_.end() || found->second.bytes != bytes) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  if (Status status = virtual_.unmap(base, bytes); !status.ok()) return to_hsa(status); // it stays mapped
  memory_.remove(base);
  const auto piece = pieces_.find(found->second.handle);
  mappings_.erase(found);
  --piece->second.mappings;
  erase_if_unused(piece);
  return HSA_STATUS_SUCCESS;
}

Mappings::Mapping* Mappings::holding(const void* address) {
  auto it = mappings_.upper_bound(address_of(address));
  if (it == mappings_.begin()) return nullptr;
  --it;
  return address_of(address) - it->first < it->second.bytes ? &it->second : nullptr;
}

hsa_status_t Mappings::set_access(void* base, size_t bytes, Agent& agent, hsa_access_permission_t permission) {
  std::lock_guard guard(mutex_);
  const uint64_t begin = address_of(base), end = begin + bytes;
  const auto first = mappings_.find(begin);
  if (first == mappings_.end()) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  // The back end keeps a permission for each GPU and none for the host. The first GPU's is for the host too, so it is
  // the wider one of theirs.
  Agent& gpu = agent.is_gpu() ? agent : gpu_;
  const auto is_for = [&](const Agent& each) { return &each == &gpu || (&gpu == &gpu_ && !each.is_gpu()); };
  for (auto it = first; it != mappings_.end() && it->first < end; ++it) {
    hsa_access_permission_t& own = it->second.access[&agent]; // before the back end hears of it
    backend::PoolAccess widest = pool_access(permission);
    for (const auto& [each, has] : it->second.access)
      if (each != &agent && is_for(*each)) widest = std::max(widest, pool_access(has));
    if (Status status = virtual_.set_access(pointer_to(it->first), it->second.bytes, gpu.device(), widest);
        !status.ok())
      return to_hsa(status);
    own = permission;
  }
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::access(const void* address, const Agent& agent, hsa_access_permission_t* permission) {
  std::lock_guard guard(mutex_);
  const Mapping* const mapping = holding(address);
  if (!mapping) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  if (!permission) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const auto found = mapping->access.find(&agent);
  *permission = found == mapping->access.end() ? HSA_ACCESS_PERMISSION_NONE : found->second;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::handle_at(const void* address, uint64_t* handle) {
  std::lock_guard guard(mutex_);
  const Mapping* const mapping = holding(address);
  if (!mapping) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  if (!handle) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  ++pieces_.find(mapping->handle)->second.references; // the piece stays while it is mapped
  *handle = mapping->handle;
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Mappings::properties(uint64_t handle, const Pool** pool, hsa_amd_memory_type_t* type) {
  std::lock_guard guard(mutex_);
  const Piece* const piece = find(handle);
  if (!piece) return HSA_STATUS_ERROR_INVALID_ALLOCATION;
  *pool = piece->pool;
  *type = piece->type;
  return HSA_STATUS_SUCCESS;
}

} // namespace hip::hsa
