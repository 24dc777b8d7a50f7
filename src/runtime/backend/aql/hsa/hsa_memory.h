// runtime/backend/aql/hsa/hsa_memory.h - virtual memory of a card, and memory that processes share, by HSA's functions
// of the same names. Runtimes before ROCm 6 have none of them. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/hsa/library.h"
#include "runtime/backend/virtual_memory.h"

#include <vector>

namespace hip::aql::hsa {

class HsaAgent;

class HsaMemory final : public backend::VirtualMemory {
public:
  // `pool` is what memory of the agent is made of. The agent outlives this object.
  HsaMemory(const HsaAgent& agent, hsa_amd_memory_pool_t pool) noexcept : agent_(agent), pool_(pool) {}
  // The runtime has the functions, and says that they work here.
  static bool supported(const Library& hsa);

  Result<size_t> granularity_bytes(backend::Granularity kind) override;
  Result<void*> reserve(size_t bytes, size_t alignment, void* wish) override;
  Status release(void* base, size_t bytes) override;
  Result<Ref<backend::PhysicalMemory>> create(size_t bytes, const backend::PhysicalOptions& options) override;
  Result<Ref<backend::PhysicalMemory>> import(int descriptor) override;
  Status map(void* address, size_t bytes, size_t offset, const Ref<backend::PhysicalMemory>& memory) override;
  Status unmap(void* address, size_t bytes) override;
  Status set_access(void* address, size_t bytes, backend::Device& device, backend::PoolAccess access) override;
  Result<backend::SharedMemoryHandle> share(void* base) override;
  Result<FilePart> export_part(const void* address, size_t bytes) override;
  bool is_own(const backend::SharedMemoryHandle& handle) const noexcept override;
  Result<void*> open(const backend::SharedMemoryHandle& handle, size_t& bytes) override;
  Status close(void* base) override;

private:
  const Library& hsa() const noexcept;
  const HsaAgent& agent_;
  const hsa_amd_memory_pool_t pool_;
};

} // namespace hip::aql::hsa
