// runtime/core/external.h - memory and semaphores that another interface made (hipImportExternalMemory,
// hipImportExternalSemaphore and their kin), under checked handles. An import that succeeds owns the descriptor.
// Thread safety: all functions may be called from any thread.
#pragma once

#include "runtime/backend/external.h"
#include "runtime/core/device.h"

#include <vector>

namespace hip::core {

class Stream;

// Errors of all that take a handle: InvalidValue for what is none, or was destroyed.

// ---- memory --------------------------------------------------------------------------------------------------------

// Errors: NotSupported where the device cannot; InvalidValue for a descriptor that is closed, or of something else.
Result<Handle> import_external_memory(Device& device, const backend::ExternalMemorySource& source);
// What was mapped stays mapped.
Status destroy_external_memory(Handle handle);
// The address is freed as what hipMalloc gave. Error: InvalidValue for a part that is empty or leaves the memory.
Result<void*> map_external_buffer(Handle handle, uint64_t offset, uint64_t bytes);
// A mipmapped array of it. Errors also: NotSupported for a device without images, and as create_array.
Result<Handle> map_external_array(Handle handle, uint64_t offset, const backend::ImageShape& shape);

// ---- semaphores ----------------------------------------------------------------------------------------------------

Result<Handle> import_external_semaphore(Device& device, const backend::ExternalSemaphoreSource& source);
// Work that was given before may still use it.
Status destroy_external_semaphore(Handle handle);

// Signals of semaphores, or waits for them, one after the other. Keeps the semaphores.
struct ExternalSteps {
  std::vector<backend::ExternalStep> list;
  Device* device = nullptr; // of the semaphores, which are of one back end; null: there are none
};
// Appends one. Error: InvalidValue also for a semaphore of another back end than those before.
Status add_external_step(ExternalSteps& steps, Handle semaphore, uint64_t value);
// Error: InvalidValue for semaphores of another back end than the device.
Status check_external(const Device& device, const ExternalSteps& steps);

struct ExternalSignalOperation; // graph/operation.h
struct ExternalWaitOperation;
// In the order of the stream; one that is captured records it.
Status submit_external(Stream& stream, ExternalSignalOperation operation);
Status submit_external(Stream& stream, ExternalWaitOperation operation);

} // namespace hip::core
