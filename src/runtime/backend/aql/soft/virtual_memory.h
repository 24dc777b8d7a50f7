// runtime/backend/aql/soft/virtual_memory.h - VirtualMemory of the software GPUs: reservations are ranges of the arena,
// physical memory is an anonymous file, and access is the host's page protection, which is one for all software GPUs
// and the host. Allocations are shared by making their pages those of such a file. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/soft/arena.h"
#include "runtime/backend/virtual_memory.h"

#include <map>
#include <mutex>

namespace hip::aql::soft {

class VirtualMemory final : public backend::VirtualMemory {
public:
  explicit VirtualMemory(Arena& arena) noexcept : arena_(arena) {}

  Result<size_t> granularity_bytes(backend::Granularity kind) override;
  Result<void*> reserve(size_t bytes, size_t alignment, void* wish) override;
  Status release(void* base, size_t bytes) override;
  Result<Ref<backend::PhysicalMemory>> create(size_t bytes, const backend::PhysicalOptions& options) override;
  Result<Ref<backend::PhysicalMemory>> import(int descriptor) override;
  Status map(void* address, size_t bytes, size_t offset, const Ref<backend::PhysicalMemory>& memory) override;
  Status unmap(void* address, size_t bytes) override;
  Status set_access(void* address, size_t bytes, backend::Device& device, backend::PoolAccess access) override;
  Result<backend::SharedMemoryHandle> share(void* address) override;
  Result<FilePart> export_part(const void* address, size_t bytes) override;
  bool is_own(const backend::SharedMemoryHandle& handle) const noexcept override;
  Result<void*> open(const backend::SharedMemoryHandle& handle, size_t& bytes) override;
  Status close(void* address) override { return unmap_view(address); }

  // Maps [offset, offset + bytes) of a file, for the host too, and gives the address of its first byte.
  Result<void*> map_view(const SharedFile& file, uint64_t offset, size_t bytes);
  // Error: InvalidValue for what map_view() did not give.
  Status unmap_view(void* address);

private:
  struct Mapping {
    size_t bytes = 0, offset = 0; // in the memory
    Ref<backend::PhysicalMemory> memory{};
    std::map<const backend::Device*, backend::PoolAccess> access{};
  };
  struct View {
    uint64_t base;
    size_t bytes; // whole pages
  };

  Arena& arena_;
  std::mutex mutex_;
  std::map<uint64_t, Mapping> mappings_;
  std::map<uint64_t, View> views_;
};

} // namespace hip::aql::soft
