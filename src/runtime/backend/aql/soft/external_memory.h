// runtime/backend/aql/soft/external_memory.h - memory of other interfaces for software GPUs: any file or dma-buf that
// the process can map for reading and writing. Kernels and the host reach it at the same addresses, in the arena.
// Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/soft/system.h"
#include "runtime/backend/external.h"
#include "runtime/base/shared_file.h"

namespace hip::aql::soft {

class ExternalMemory final : public backend::ExternalMemory {
public:
  // Errors: InvalidValue for a descriptor that is closed, cannot be mapped, or has fewer bytes.
  static Result<Ref<backend::ExternalMemory>> import(const std::shared_ptr<System>& system,
                                                     const backend::ExternalMemorySource& source);
  ExternalMemory(std::shared_ptr<System> system, SharedFile file, uint64_t bytes) noexcept
      : backend::ExternalMemory(bytes), system_(std::move(system)), file_(std::move(file)) {}
  Result<void*> map(uint64_t offset, uint64_t bytes) override;

private:
  const std::shared_ptr<System> system_;
  const SharedFile file_;
};

} // namespace hip::aql::soft
