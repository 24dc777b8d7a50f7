#include "runtime/core/external.h"

#include "runtime/base/no_destroy.h"
#include "runtime/core/address_map.h"
#include "runtime/core/array.h"
#include "runtime/core/graph/capture.h"

namespace hip::core {
namespace {

// What a hipExternalMemory_t or a hipExternalSemaphore_t names.
template<class T> struct Imported {
  Imported(Device& device, Ref<T> object) noexcept : device(device), object(std::move(object)) {}
  void set_handle(Handle) noexcept {}
  Device& device;
  const Ref<T> object;
};
using ImportedMemory = Imported<backend::ExternalMemory>;
using ImportedSemaphore = Imported<backend::ExternalSemaphore>;

RT_NO_DESTROY constinit HandleTable<ImportedMemory, HandleKind::ExternalMemory> memories;
RT_NO_DESTROY constinit HandleTable<ImportedSemaphore, HandleKind::ExternalSemaphore> semaphores;

Status no_such(const char* what, Handle handle) {
  return error(ErrorCode::InvalidValue, "{} is no external {}, or it was destroyed.", const_cast<void*>(handle), what);
}

Result<backend::ExternalObjects*> external_objects_of(Device& device) {
  if (backend::ExternalObjects* const objects = device.hal().external_objects()) return objects;
  return error(ErrorCode::NotSupported, "Device {} ({}) imports no memory and no semaphores of other interfaces.",
               device.ordinal(), device.properties().name);
}

Result<Pin<ImportedMemory>> find_memory(Handle handle) {
  if (Pin<ImportedMemory> pin = memories.pin(handle)) return pin;
  return no_such("memory", handle);
}

} // namespace

// ---- memory --------------------------------------------------------------------------------------------------------

Result<Handle> import_external_memory(Device& device, const backend::ExternalMemorySource& source) {
  RT_TRY_ASSIGN(backend::ExternalObjects* const objects, external_objects_of(device));
  RT_TRY_ASSIGN(Ref<backend::ExternalMemory> memory, objects->import_memory(source));
  return memories.insert(std::make_unique<ImportedMemory>(device, std::move(memory)));
}

Status destroy_external_memory(Handle handle) { return memories.remove(handle) ? Status() : no_such("memory", handle); }

Result<void*> map_external_buffer(Handle handle, uint64_t offset, uint64_t bytes) {
  RT_TRY_ASSIGN(const Pin<ImportedMemory> pin, find_memory(handle));
  const uint64_t all = pin->object->bytes();
  if (bytes == 0 || offset > all || bytes > all - offset)
    return error(ErrorCode::InvalidValue, "{} bytes from byte {} of external memory that has {}.", bytes, offset, all);
  RT_TRY_ASSIGN(void* const base, pin->object->map(offset, bytes));
  constexpr auto kMemory = backend::MemoryKind::External;
  if (addresses().insert({.base = base, .bytes = bytes, .memory = kMemory, .device = &pin->device})) return base;
  RT_TRY(pin->device.hal().free(base, kMemory));
  return error(ErrorCode::InvalidValue, "The {} bytes at {} overlap memory that HIP knows.", bytes, base);
}

Result<Handle> map_external_array(Handle handle, uint64_t offset, const backend::ImageShape& shape) {
  RT_TRY_ASSIGN(const Pin<ImportedMemory> pin, find_memory(handle));
  if (offset >= pin->object->bytes())
    return error(ErrorCode::InvalidValue, "An array begins at byte {} of external memory that has {}.", offset,
                 pin->object->bytes());
  return create_external_array(pin->device, *pin->object, offset, shape);
}

// ---- semaphores ----------------------------------------------------------------------------------------------------

Result<Handle> import_external_semaphore(Device& device, const backend::ExternalSemaphoreSource& source) {
  RT_TRY_ASSIGN(backend::ExternalObjects* const objects, external_objects_of(device));
  RT_TRY_ASSIGN(Ref<backend::ExternalSemaphore> semaphore, objects->import_semaphore(source));
  return semaphores.insert(std::make_unique<ImportedSemaphore>(device, std::move(semaphore)));
}

Status destroy_external_semaphore(Handle handle) {
  return semaphores.remove(handle) ? Status() : no_such("semaphore", handle);
}

Status add_external_step(ExternalSteps& steps, Handle handle, uint64_t value) {
  const Pin<ImportedSemaphore> pin = semaphores.pin(handle);
  if (!pin) return no_such("semaphore", handle);
  if (!steps.device) steps.device = &pin->device;
  RT_TRY(check_external(pin->device, steps));
  steps.list.push_back({pin->object, value});
  return {};
}

Status check_external(const Device& device, const ExternalSteps& steps) {
  if (!steps.device || steps.device->same_backend(device)) return {};
  return error(ErrorCode::InvalidValue,
               "An external semaphore was imported for device {} ({}), and is used with device {}, of another vendor.",
               steps.device->ordinal(), steps.device->properties().name, device.ordinal());
}

namespace {

template<class O> Status submit(Stream& stream, O operation) {
  RT_TRY(check_external(stream.device(), operation.steps));
  if (operation.steps.list.empty()) return {};
  if (stream.captures()) [[unlikely]] {
    if (stream.kind() == Stream::Kind::Null) return stream.refuse_work();
    return capture_operation(stream, std::move(operation));
  }
  return stream.submit([&](backend::Queue& queue) { return queue.external(O::kAction, operation.steps.list); });
}

} // namespace

Status submit_external(Stream& stream, ExternalSignalOperation operation) {
  return submit(stream, std::move(operation));
}
Status submit_external(Stream& stream, ExternalWaitOperation operation) { return submit(stream, std::move(operation)); }

} // namespace hip::core
