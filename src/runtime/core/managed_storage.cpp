#include "runtime/core/managed_storage.h"

#include "runtime/base/log.h"
#include "runtime/core/memory.h"

#include <algorithm>
#include <cstdlib>

namespace hip::core {

Result<ManagedStorage> ManagedStorage::allocate(Device* device, size_t bytes, size_t alignment) {
  if (device) {
    RT_TRY_ASSIGN(void* const address, core::allocate(*device, {.bytes = std::max<size_t>(bytes, 1),
                                                                .memory = backend::MemoryKind::Managed,
                                                                .kind = PointerKind::Managed,
                                                                .of_program = true}));
    return ManagedStorage(address, bytes, Maker::Device);
  }
  alignment = std::max<size_t>(alignment, 64);
  void* const address =
      std::aligned_alloc(alignment, (std::max<size_t>(bytes, 1) + alignment - 1) / alignment * alignment);
  if (!address) return error(ErrorCode::OutOfMemory, "The host has no {} bytes for a managed variable.", bytes);
  return ManagedStorage(address, bytes, Maker::Host);
}

ManagedStorage::~ManagedStorage() {
  if (!address_) return;
  if (maker_ == Maker::Host)
    std::free(address_);
  else if (const Status status = free_memory(address_, FreeKind::Program); !status.ok()) // at exit
    log(LogLevel::Debug, "The storage of a managed variable is not freed: {}", status.message());
}

} // namespace hip::core
