// runtime/backend/cuda/memory_pool.h - a CUmemoryPool as a MemoryPool.
// Thread safety: any thread, as the driver.
#pragma once

#include "runtime/backend/cuda/device.h"
#include "runtime/backend/memory_pool.h"

namespace hip::cuda {

class MemoryPool final : public backend::MemoryPool {
public:
  enum class Owned { No, Yes };
  // The device's default pool is not owned.
  MemoryPool(Device& device, CUmemoryPool pool, Owned owned) noexcept : device_(device), pool_(pool), owned_(owned) {}
  ~MemoryPool() override;

  Result<void*> allocate(backend::Queue& queue, size_t bytes) override;
  Status trim(uint64_t min_bytes_to_hold) override;
  Result<uint64_t> attribute(backend::PoolAttribute attribute) override;
  Status set_attribute(backend::PoolAttribute attribute, uint64_t value) override;
  Result<backend::PoolAccess> access(backend::Device& device) override;
  Status set_access(backend::Device& device, backend::PoolAccess access) override;
  Result<int> export_descriptor() override;
  Result<backend::PoolPointerData> export_pointer(const void* address) override;
  Result<void*> import_pointer(const backend::PoolPointerData& data, size_t& bytes) override;

private:
  Device& device_;
  CUmemoryPool pool_;
  Owned owned_;
};

} // namespace hip::cuda
