#include "runtime/backend/aql/soft/external_memory.h"

#include "runtime/base/descriptor.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace hip::aql::soft {

Result<Ref<backend::ExternalMemory>> ExternalMemory::import(const std::shared_ptr<System>& system,
                                                            const backend::ExternalMemorySource& source) {
  RT_TRY_ASSIGN(const uint64_t bytes, size_of_descriptor(source.descriptor));
  // Beyond the end of a file there is nothing, and an access ends the process.
  if (source.bytes > bytes)
    return error(ErrorCode::InvalidValue, "File descriptor {} has {} bytes; {} are to be imported.", source.descriptor,
                 bytes, source.bytes);
  void* const probe = ::mmap(nullptr, Arena::kPageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, source.descriptor, 0);
  if (probe == MAP_FAILED)
    return error(ErrorCode::InvalidValue, "File descriptor {} cannot be mapped for reading and writing: {}.",
                 source.descriptor, std::strerror(errno));
  ::munmap(probe, Arena::kPageBytes);
  return Ref<backend::ExternalMemory>(make_ref<ExternalMemory>(system, SharedFile(source.descriptor), source.bytes));
}

Result<void*> ExternalMemory::map(uint64_t offset, uint64_t bytes) {
  RT_TRY(system_->usable());
  return system_->virtual_memory().map_view(file_, offset, bytes);
}

} // namespace hip::aql::soft
