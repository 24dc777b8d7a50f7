#include "runtime/backend/aql/soft/virtual_memory.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace hip::aql::soft {

namespace {

using backend::PoolAccess;

constexpr size_t kPage = Arena::kPageBytes;
constexpr size_t kRecommended = 2 << 20;

class Physical final : public backend::PhysicalMemory {
public:
  // Of this process's own memory, which `arena` has been charged for, or of another's.
  Physical(SharedFile file, size_t bytes, Arena* arena) noexcept
      : PhysicalMemory(bytes), file_(std::move(file)), arena_(arena) {}
  ~Physical() override {
    if (arena_) arena_->refund(bytes(), Purse::Device);
  }
  Result<int> export_descriptor() override { return file_.duplicate(); }
  const SharedFile& file() const noexcept { return file_; }
  void was_charged(Arena& arena) noexcept { arena_ = &arena; }
  void take(SharedFile file) noexcept { file_ = std::move(file); }

private:
  SharedFile file_;
  Arena* arena_;
};

uint64_t address_of(const void* pointer) noexcept { return reinterpret_cast<uint64_t>(pointer); }

// What a handle of an allocation holds.
struct HandleData {
  uint64_t magic;
  int32_t process, descriptor;
  uint64_t inode, offset, bytes, serial;
};
static_assert(sizeof(HandleData) <= sizeof(backend::SharedMemoryHandle));
constexpr uint64_t kMagic = 0x6d656d746f66736f; // "osoftmem" in memory

} // namespace

Result<size_t> VirtualMemory::granularity_bytes(backend::Granularity kind) {
  return kind == backend::Granularity::Recommended ? kRecommended : kPage;
}

Result<void*> VirtualMemory::reserve(size_t bytes, size_t alignment, void* wish) {
  RT_TRY_ASSIGN(const uint64_t base, arena_.reserve(bytes, std::max(alignment, kPage), address_of(wish)));
  return reinterpret_cast<void*>(base);
}

Status VirtualMemory::release(void* base, size_t bytes) { return arena_.release(address_of(base), bytes); }

Result<Ref<backend::PhysicalMemory>> VirtualMemory::create(size_t bytes,
                                                           const backend::PhysicalOptions& /*always exportable*/) {
  auto memory = make_ref<Physical>(SharedFile(), bytes, nullptr);
  RT_TRY(arena_.charge(bytes, Purse::Device));
  memory->was_charged(arena_);
  RT_TRY_ASSIGN(SharedFile file, SharedFile::create(bytes));
  memory->take(std::move(file));
  return Ref<backend::PhysicalMemory>(std::move(memory));
}

Result<Ref<backend::PhysicalMemory>> VirtualMemory::import(int descriptor) {
  size_t bytes = 0;
  RT_TRY_ASSIGN(SharedFile file, SharedFile::adopt(descriptor, bytes));
  return Ref<backend::PhysicalMemory>(make_ref<Physical>(std::move(file), bytes, nullptr));
}

Status VirtualMemory::map(void* address, size_t bytes, size_t offset, const Ref<backend::PhysicalMemory>& memory) {
  const auto& physical = static_cast<const Physical&>(*memory); // of this back end, as all that core gives
  std::lock_guard guard(mutex_);
  decltype(mappings_) made; // before anything is mapped
  made.emplace(address_of(address), Mapping{bytes, offset, memory, {}});
  RT_TRY(arena_.map_file(address_of(address), bytes, physical.file(), offset));
  mappings_.merge(made);
  return Status();
}

Status VirtualMemory::unmap(void* address, size_t bytes) {
  Ref<backend::PhysicalMemory> last; // released after the lock
  std::lock_guard guard(mutex_);
  const auto found = mappings_.find(address_of(address));
  if (found == mappings_.end() || found->second.bytes != bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {} are not one mapping.", bytes, address);
  RT_TRY(arena_.unmap_file(address_of(address), bytes));
  last = std::move(found->second.memory);
  mappings_.erase(found);
  return Status();
}

Status VirtualMemory::set_access(void* address, size_t bytes, backend::Device& device, PoolAccess access) {
  const uint64_t begin = address_of(address), end = begin + bytes;
  std::lock_guard guard(mutex_);
  for (auto it = mappings_.lower_bound(begin); it != mappings_.end() && it->first < end; ++it) {
    it->second.access[&device] = access;
    PoolAccess widest = PoolAccess::None; // pages have one protection for all devices
    for (const auto& [each, has] : it->second.access) widest = std::max(widest, has);
    RT_TRY(arena_.protect(it->first, it->second.bytes, widest));
  }
  return Status();
}

// ---- other processes -----------------------------------------------------------------------------------------------

Result<backend::SharedMemoryHandle> VirtualMemory::share(void* address) {
  RT_TRY_ASSIGN(const Arena::Shared shared, arena_.share(address_of(address)));
  const HandleData data{kMagic,        ::getpid(),   shared.descriptor, shared.inode,
                        shared.offset, shared.bytes, shared.serial};
  backend::SharedMemoryHandle handle{};
  std::memcpy(handle.data(), &data, sizeof data);
  return handle;
}

Result<backend::VirtualMemory::FilePart> VirtualMemory::export_part(const void* address, size_t bytes) {
  {
    std::lock_guard guard(mutex_);
    auto mapping = mappings_.upper_bound(address_of(address));
    if (mapping != mappings_.begin() && address_of(address) - (--mapping)->first < mapping->second.bytes) {
      const uint64_t from = address_of(address) - mapping->first;
      if (bytes > mapping->second.bytes - from)
        return error(ErrorCode::InvalidValue, "{} bytes at {} are not of one mapping.", bytes, address);
      const auto& physical = static_cast<const Physical&>(*mapping->second.memory);
      RT_TRY_ASSIGN(const int descriptor, physical.file().duplicate());
      return FilePart{descriptor, mapping->second.offset + from};
    }
  }
  RT_TRY_ASSIGN(const Arena::Shared shared, arena_.share(address_of(address)));
  if (bytes > shared.bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {} leave their allocation by {}.", bytes, address,
                 bytes - shared.bytes);
  const int descriptor = ::fcntl(shared.descriptor, F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0)
    return error(ErrorCode::OutOfMemory, "No descriptor for memory at {}: {}.", address, std::strerror(errno));
  return FilePart{descriptor, shared.offset};
}

bool VirtualMemory::is_own(const backend::SharedMemoryHandle& handle) const noexcept {
  HandleData data;
  std::memcpy(&data, handle.data(), sizeof data);
  return data.magic == kMagic && data.process == ::getpid();
}

Result<void*> VirtualMemory::open(const backend::SharedMemoryHandle& handle, size_t& bytes) {
  HandleData data;
  std::memcpy(&data, handle.data(), sizeof data);
  if (data.magic != kMagic || data.bytes == 0)
    return error(ErrorCode::InvalidValue, "The handle is none of a software GPU's memory.");
  size_t file_bytes = 0;
  RT_TRY_ASSIGN(const SharedFile file, SharedFile::open(data.process, data.descriptor, data.inode, file_bytes));
  if (data.offset > file_bytes || data.bytes > file_bytes - data.offset)
    return error(ErrorCode::InvalidValue, "The handle names {} bytes from byte {} of memory that has {}.", data.bytes,
                 data.offset, file_bytes);
  bytes = data.bytes;
  return map_view(file, data.offset, data.bytes);
}

// ---- parts of files ------------------------------------------------------------------------------------------------

Result<void*> VirtualMemory::map_view(const SharedFile& file, uint64_t offset, size_t bytes) {
  const uint64_t first = offset / kPage * kPage;
  const size_t mapped = (offset + bytes - first + kPage - 1) / kPage * kPage;
  std::lock_guard guard(mutex_);
  RT_TRY_ASSIGN(const uint64_t base, arena_.reserve(mapped, kPage, 0));
  Status status = arena_.map_file(base, mapped, file, first);
  if (status.ok()) status = arena_.protect(base, mapped, PoolAccess::ReadWrite);
  if (!status.ok()) {
    static_cast<void>(arena_.unmap_file(base, mapped)); // may not have been mapped
    static_cast<void>(arena_.release(base, mapped));
    return status;
  }
  const uint64_t address = base + (offset - first);
  views_[address] = {base, mapped};
  return reinterpret_cast<void*>(address);
}

Status VirtualMemory::unmap_view(void* address) {
  std::lock_guard guard(mutex_);
  const auto found = views_.find(address_of(address));
  if (found == views_.end()) return error(ErrorCode::InvalidValue, "{} is no mapped part of a file.", address);
  const View view = found->second;
  RT_TRY(arena_.unmap_file(view.base, view.bytes));
  views_.erase(found);
  return arena_.release(view.base, view.bytes);
}

} // namespace hip::aql::soft
