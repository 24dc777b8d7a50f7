// runtime/backend/external.h - memory and semaphores that another interface made and gave out as file descriptors
// (Device::external_objects, hipImportExternalMemory and hipImportExternalSemaphore). An import that succeeds owns the
// descriptor; one that fails leaves it to the caller.
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/backend/images.h"

namespace hip::backend {

struct ExternalMemorySource {
  int descriptor = -1;
  uint64_t bytes = 0;
  bool dedicated = false; // the memory is a whole resource of its maker
};

// Goes with its last reference; what was mapped stays mapped.
class ExternalMemory : public RefCounted {
public:
  explicit ExternalMemory(uint64_t bytes) noexcept : bytes_(bytes) {}
  uint64_t bytes() const noexcept { return bytes_; }
  // Makes [offset, offset + bytes), which lies inside, accessible to kernels. Device::free takes the address back, with
  // MemoryKind::External.
  virtual Result<void*> map(uint64_t offset, uint64_t bytes) = 0;
  // The memory from `offset` on as a mipmapped image. Only memory of devices with images has it.
  virtual Result<Ref<Image>> map_image(uint64_t /*offset*/, const ImageShape& /*shape*/) {
    return error(ErrorCode::NotSupported, "This memory's device has no images.");
  }

private:
  const uint64_t bytes_;
};

enum class SemaphoreKind : uint8_t {
  Opaque,   // is signalled or not; a wait takes the signal
  Timeline, // has a value that signals raise; a wait ends when it is reached
};

struct ExternalSemaphoreSource {
  int descriptor = -1;
  SemaphoreKind kind = SemaphoreKind::Opaque;
};

// Goes with its last reference.
class ExternalSemaphore : public RefCounted {};

enum class ExternalAction : uint8_t { Signal, Wait };

// One signal, or one wait, of Queue::external.
struct ExternalStep {
  Ref<ExternalSemaphore> semaphore; // of the queue's back end
  uint64_t value = 0;               // of a timeline
};

class ExternalObjects {
public:
  virtual ~ExternalObjects() = default;
  // Errors of both: InvalidValue for a descriptor that is closed, or refers to something else.
  virtual Result<Ref<ExternalMemory>> import_memory(const ExternalMemorySource& source) = 0;
  virtual Result<Ref<ExternalSemaphore>> import_semaphore(const ExternalSemaphoreSource& source) = 0;
};

} // namespace hip::backend
