#include "runtime/core/virtual_memory.h"

#include "runtime/core/address_map.h"
#include "runtime/core/memory.h"
#include "runtime/core/runtime.h"

#include <algorithm>
#include <map>
#include <new>
#include <unistd.h>

namespace hip::core {
namespace {

using backend::PhysicalMemory;

class Physical : public RefCounted {
public:
  Physical(Ref<PhysicalMemory> memory, const PhysicalProperties& properties)
      : memory_(std::move(memory)), properties_(properties) {}
  const Ref<PhysicalMemory>& memory() const noexcept { return memory_; }
  const PhysicalProperties& properties() const noexcept { return properties_; }
  Handle handle = nullptr; // null: none now; with the space's lock
  unsigned references = 0; // of the handle; likewise

private:
  const Ref<PhysicalMemory> memory_;
  const PhysicalProperties properties_;
};

// What a hipMemGenericAllocationHandle_t names.
class PhysicalHandle {
public:
  explicit PhysicalHandle(Ref<Physical> physical) noexcept : physical_(std::move(physical)) {}
  const Ref<Physical>& physical() const noexcept { return physical_; }
  void set_handle(Handle) noexcept {}

private:
  const Ref<Physical> physical_;
};

using PhysicalTable = HandleTable<PhysicalHandle, HandleKind::PhysicalMemory>;
RT_NO_DESTROY constinit PhysicalTable physical_handles;

struct Reservation {
  size_t bytes;
  Device* device;
};
struct Mapping {
  size_t bytes;
  Ref<Physical> physical;
  std::vector<PoolAccess> access; // by ordinal
};
struct Opened {
  backend::SharedMemoryHandle handle;
  Device* device;
  unsigned references;
};

// Everything that is reserved, mapped or opened. Its lock is taken before those of the address map and the back end.
struct Space {
  std::mutex mutex;
  std::map<uintptr_t, Reservation> reservations;
  std::map<uintptr_t, Mapping> mappings;
  std::map<uintptr_t, Opened> opened;

  static Space& get() {
    static Space* const space = new Space; // never destroyed
    return *space;
  }
};

uintptr_t number(const void* address) noexcept { return reinterpret_cast<uintptr_t>(address); }
void* pointer(uintptr_t address) noexcept { return reinterpret_cast<void*>(address); }

bool has_virtual_memory(const Device& device) { return device.properties().virtual_memory; }

// Where no device has virtual memory, that is what is wrong with any handle, and with any address of a mapping.
Status check_any_virtual_memory() {
  if (std::any_of(devices().begin(), devices().end(), [](const Device* device) { return has_virtual_memory(*device); }))
    return {};
  return error(ErrorCode::NotSupported, "No device of this process has virtual memory management.");
}

Result<Pin<PhysicalHandle>> find_physical(Handle handle) {
  if (Pin<PhysicalHandle> pin = physical_handles.pin(handle)) return pin;
  RT_TRY(check_any_virtual_memory());
  return error(ErrorCode::InvalidValue, "{} is no handle of memory, or it was released.", const_cast<void*>(handle));
}

Status check_multiple(const char* what, size_t value, size_t granularity) {
  if (value % granularity == 0) return {};
  return error(ErrorCode::InvalidValue, "The {} {} is no multiple of the granularity of {} bytes.", what, value,
               granularity);
}

// With the space's lock: the whole mappings that [address, address + bytes) consists of.
using MappingRange = std::vector<std::map<uintptr_t, Mapping>::iterator>;
Result<MappingRange> find_mappings(Space& space, const void* address, size_t bytes) {
  MappingRange found;
  uintptr_t at = number(address);
  const uintptr_t end = at + bytes;
  for (auto it = space.mappings.find(at); at < end && it != space.mappings.end() && it->first == at; ++it) {
    found.push_back(it);
    at += it->second.bytes;
  }
  if (bytes == 0 || end < number(address) || at != end)
    return error(ErrorCode::InvalidValue, "The {} bytes at {} are not one or more whole mappings.", bytes,
                 const_cast<void*>(address));
  return found;
}

Result<const Mapping*> mapping_at(Space& space, const void* address) {
  auto it = space.mappings.upper_bound(number(address));
  if (it != space.mappings.begin() && (--it, number(address) - it->first < it->second.bytes)) return &it->second;
  RT_TRY(check_any_virtual_memory());
  return error(ErrorCode::InvalidValue, "No memory is mapped at {} by hipMemMap.", const_cast<void*>(address));
}

PoolAccess widest_access(const Mapping& mapping) {
  return mapping.access.empty() ? PoolAccess::None : *std::max_element(mapping.access.begin(), mapping.access.end());
}

PoolAccess access_of(const Mapping& mapping, const Device& device) {
  const size_t ordinal = static_cast<size_t>(device.ordinal());
  return ordinal < mapping.access.size() ? mapping.access[ordinal] : PoolAccess::None;
}

// With the space's lock: the devices whose work may use the mappings. Where anyone may, these are all devices of the
// memory's back end, since pages may have one protection for all of them.
std::vector<Device*> users_of(const MappingRange& range) {
  std::vector<Device*> users;
  for (Device* device : devices())
    if (std::any_of(range.begin(), range.end(), [&](const auto& it) {
          return widest_access(it->second) != PoolAccess::None &&
                 device->same_backend(*it->second.physical->properties().device);
        }))
      users.push_back(device);
  return users;
}

// Without the space's lock. A fault of earlier work is its stream's to report.
void wait_for(const std::vector<Device*>& users) {
  for (Device* device : users) device->finish();
}

// A mapping that cannot be unmapped stays.
Status unmap_one(Space& space, std::map<uintptr_t, Mapping>::iterator it) {
  Device& device = *it->second.physical->properties().device;
  const auto known = addresses().take(pointer(it->first), [](const Allocation&) { return true; });
  Status status = device.hal().virtual_memory()->unmap(pointer(it->first), it->second.bytes);
  if (status.ok())
    space.mappings.erase(it);
  else if (known)
    addresses().insert(*known);
  return status;
}

} // namespace

Result<backend::VirtualMemory*> virtual_memory_of(Device& device) {
  backend::VirtualMemory* const memory = device.hal().virtual_memory();
  if (memory && has_virtual_memory(device)) return memory;
  return error(ErrorCode::NotSupported, "Device {} ({}) has no virtual memory management.", device.ordinal(),
               device.properties().name);
}

// ---- addresses
// -------------------------------------------------------------------------------------------------------

Result<void*> reserve_addresses(Device& device, size_t bytes, size_t alignment, void* wish) {
  RT_TRY_ASSIGN(backend::VirtualMemory* const memory, virtual_memory_of(device));
  RT_TRY_ASSIGN(const size_t granularity, memory->granularity_bytes(backend::Granularity::Minimum));
  if (bytes == 0 || bytes % granularity != 0 || (alignment & (alignment - 1)) != 0)
    return error(ErrorCode::OutOfMemory,
                 "{} bytes aligned to {} cannot be reserved; sizes are multiples of {}, alignments powers of two.",
                 bytes, alignment, granularity);
  std::map<uintptr_t, Reservation> made{{0, {bytes, &device}}}; // before there is something to give back
  RT_TRY_ASSIGN(void* const base, memory->reserve(bytes, alignment, wish));
  auto entry = made.extract(0);
  entry.key() = number(base);
  std::lock_guard lock(Space::get().mutex);
  Space::get().reservations.insert(std::move(entry));
  return base;
}

Status free_addresses(void* base, size_t bytes) {
  Space& space = Space::get();
  std::lock_guard lock(space.mutex);
  const auto found = space.reservations.find(number(base));
  if (found == space.reservations.end() || found->second.bytes != bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {} are not one whole reservation.", bytes, base);
  const auto mapping = space.mappings.lower_bound(number(base));
  if (mapping != space.mappings.end() && mapping->first < number(base) + bytes)
    return error(ErrorCode::InvalidValue, "Memory is still mapped at {} in the reservation at {}.",
                 pointer(mapping->first), base);
  RT_TRY(found->second.device->hal().virtual_memory()->release(base, bytes));
  space.reservations.erase(found);
  return {};
}

// ---- physical memory
// -------------------------------------------------------------------------------------------------

namespace {

Handle insert_physical(Ref<PhysicalMemory> memory, const PhysicalProperties& properties) {
  auto physical = make_ref<Physical>(std::move(memory), properties);
  const Handle handle = physical_handles.insert(std::make_unique<PhysicalHandle>(physical));
  std::lock_guard lock(Space::get().mutex);
  physical->handle = handle;
  physical->references = 1;
  return handle;
}

} // namespace

Result<Handle> create_physical(size_t bytes, const PhysicalProperties& properties) {
  RT_TRY_ASSIGN(backend::VirtualMemory* const memory, virtual_memory_of(*properties.device));
  RT_TRY_ASSIGN(const size_t granularity, memory->granularity_bytes(backend::Granularity::Minimum));
  if (bytes == 0) return error(ErrorCode::InvalidValue, "Memory of 0 bytes is asked for.");
  RT_TRY(check_multiple("size", bytes, granularity));
  const auto create = [&] { return memory->create(bytes, {properties.handle_types != 0, properties.compression}); };
  Result<Ref<PhysicalMemory>> created = create();
  if (!created.ok() && created.status().code() == ErrorCode::OutOfMemory &&
      bytes <= properties.device->properties().memory_bytes)
    created = allocate_from_kept(*properties.device, create);
  RT_TRY_ASSIGN(Ref<PhysicalMemory> made, std::move(created));
  PhysicalProperties given = properties;
  given.compression = made->compression();
  return insert_physical(std::move(made), given);
}

Status release_physical(Handle handle) {
  {
    RT_TRY_ASSIGN(const Pin<PhysicalHandle> pin, find_physical(handle));
    std::lock_guard lock(Space::get().mutex);
    Physical& physical = *pin->physical();
    if (--physical.references != 0) return {};
    physical.handle = nullptr;
  }
  physical_handles.remove(handle);
  return {};
}

Result<PhysicalProperties> physical_properties(Handle handle) {
  RT_TRY_ASSIGN(const Pin<PhysicalHandle> pin, find_physical(handle));
  return pin->physical()->properties();
}

Result<Handle> retain_mapped(const void* address) {
  Space& space = Space::get();
  std::lock_guard lock(space.mutex);
  RT_TRY_ASSIGN(const Mapping* const mapping, mapping_at(space, address));
  Physical& physical = *mapping->physical;
  if (!physical.handle) physical.handle = physical_handles.insert(std::make_unique<PhysicalHandle>(mapping->physical));
  ++physical.references;
  return physical.handle;
}

Result<int> export_physical(Handle handle) {
  RT_TRY_ASSIGN(const Pin<PhysicalHandle> pin, find_physical(handle));
  if (pin->physical()->properties().handle_types == 0)
    return error(ErrorCode::InvalidValue, "The memory was created without a type of handle for other processes.");
  return pin->physical()->memory()->export_descriptor();
}

Result<Handle> import_physical(Device& device, int descriptor) {
  RT_TRY_ASSIGN(backend::VirtualMemory* const memory, virtual_memory_of(device));
  RT_TRY_ASSIGN(Ref<PhysicalMemory> imported, memory->import(descriptor));
  constexpr int kPosixDescriptor = 1; // hipMemHandleTypePosixFileDescriptor
  return insert_physical(std::move(imported), {.handle_types = kPosixDescriptor, .device = &device});
}

// ---- mappings
// --------------------------------------------------------------------------------------------------------

Status map_memory(void* address, size_t bytes, size_t offset, Handle handle) {
  RT_TRY_ASSIGN(const Pin<PhysicalHandle> pin, find_physical(handle));
  const Ref<Physical>& physical = pin->physical();
  Device& device = *physical->properties().device;
  RT_TRY_ASSIGN(backend::VirtualMemory* const memory, virtual_memory_of(device));
  RT_TRY_ASSIGN(const size_t granularity, memory->granularity_bytes(backend::Granularity::Minimum));
  if (!address || bytes == 0)
    return error(ErrorCode::InvalidValue, "{} bytes are to be mapped at {}; neither may be zero.", bytes, address);
  RT_TRY(check_multiple("size", bytes, granularity));
  RT_TRY(check_multiple("offset", offset, granularity));
  const size_t all = physical->memory()->bytes();
  if (all != 0 && (offset > all || bytes > all - offset))
    return error(ErrorCode::InvalidValue, "The memory has {} bytes; {} from byte {} on are to be mapped.", all, bytes,
                 offset);
  Space& space = Space::get();
  std::lock_guard lock(space.mutex);
  auto reservation = space.reservations.upper_bound(number(address));
  if (reservation == space.reservations.begin() ||
      (--reservation, number(address) - reservation->first >= reservation->second.bytes) ||
      bytes > reservation->second.bytes - (number(address) - reservation->first))
    return error(ErrorCode::InvalidValue, "The {} bytes at {} do not lie in one reservation.", bytes, address);
  if (!reservation->second.device->same_backend(device))
    return error(ErrorCode::InvalidValue,
                 "The addresses are of device {}, and the memory of device {}, of another vendor.",
                 reservation->second.device->ordinal(), device.ordinal());
  RT_TRY(check_multiple("place in the reservation", number(address) - reservation->first, granularity));
  std::map<uintptr_t, Mapping> made; // before anything is mapped
  made.emplace(number(address), Mapping{bytes, physical, {}});
  RT_TRY(memory->map(address, bytes, offset, physical->memory()));
  bool inserted = false;
  try {
    inserted = addresses().insert({.base = address,
                                   .bytes = bytes,
                                   .memory = backend::MemoryKind::Mapped,
                                   .device = &device,
                                   .access = PoolAccess::None});
  } catch (const std::bad_alloc&) {
    static_cast<void>(memory->unmap(address, bytes));
    throw;
  }
  if (!inserted) {
    RT_TRY(memory->unmap(address, bytes));
    return error(ErrorCode::InvalidValue, "The {} bytes at {} overlap memory that HIP knows.", bytes, address);
  }
  space.mappings.merge(made);
  return {};
}

Status unmap_memory(void* address, size_t bytes) {
  Space& space = Space::get();
  std::vector<Device*> users;
  {
    std::lock_guard lock(space.mutex);
    RT_TRY_ASSIGN(const MappingRange range, find_mappings(space, address, bytes));
    users = users_of(range);
  }
  wait_for(users);
  std::lock_guard lock(space.mutex);
  // Looked up again: another thread may have unmapped them meanwhile.
  RT_TRY_ASSIGN(const MappingRange range, find_mappings(space, address, bytes));
  Status first;
  for (auto it : range)
    if (Status status = unmap_one(space, it); first.ok()) first = std::move(status);
  return first;
}

namespace {

// With the space's lock: the mappings of a range, which the devices of the changes are able to access.
Result<MappingRange> find_mappings_for(Space& space, const void* address, size_t bytes,
                                       const std::vector<AccessChange>& changes) {
  RT_TRY_ASSIGN(MappingRange range, find_mappings(space, address, bytes));
  for (const AccessChange& change : changes)
    for (auto it : range)
      if (!change.device->same_backend(*it->second.physical->properties().device))
        return error(ErrorCode::InvalidValue, "Device {} cannot access memory of device {}, of another vendor.",
                     change.device->ordinal(), it->second.physical->properties().device->ordinal());
  return range;
}

bool takes_access_away(const MappingRange& range, const std::vector<AccessChange>& changes) {
  return std::any_of(changes.begin(), changes.end(), [&](const AccessChange& change) {
    return std::any_of(range.begin(), range.end(),
                       [&](const auto& it) { return change.access < access_of(it->second, *change.device); });
  });
}

} // namespace

Status set_mapped_access(void* address, size_t bytes, const std::vector<AccessChange>& changes) {
  Space& space = Space::get();
  std::vector<Device*> users;
  {
    std::lock_guard lock(space.mutex);
    RT_TRY_ASSIGN(const MappingRange range, find_mappings_for(space, address, bytes, changes));
    if (takes_access_away(range, changes)) users = users_of(range);
  }
  wait_for(users);
  std::lock_guard lock(space.mutex);
  RT_TRY_ASSIGN(const MappingRange range, find_mappings_for(space, address, bytes, changes));
  for (const AccessChange& change : changes)
    for (auto it : range) {
      Mapping& mapping = it->second;
      backend::VirtualMemory& memory = *mapping.physical->properties().device->hal().virtual_memory();
      RT_TRY(memory.set_access(pointer(it->first), mapping.bytes, change.device->hal(), change.access));
      const size_t ordinal = static_cast<size_t>(change.device->ordinal());
      if (mapping.access.size() <= ordinal) mapping.access.resize(ordinal + 1, PoolAccess::None);
      mapping.access[ordinal] = change.access;
      addresses().change(pointer(it->first),
                         [&](Allocation& allocation) { allocation.access = widest_access(mapping); });
    }
  return {};
}

Result<PoolAccess> mapped_access(const void* address, const Device& device) {
  Space& space = Space::get();
  std::lock_guard lock(space.mutex);
  RT_TRY_ASSIGN(const Mapping* const mapping, mapping_at(space, address));
  return access_of(*mapping, device);
}

void reset_mappings(Device& device) {
  Space& space = Space::get();
  std::lock_guard lock(space.mutex);
  for (auto it = space.mappings.begin(); it != space.mappings.end();) {
    const auto here = it++;
    if (here->second.physical->properties().device == &device) static_cast<void>(unmap_one(space, here));
  }
}

// ---- other processes
// -------------------------------------------------------------------------------------------------

namespace {

// The memory may change its pages.
void wait_for_users(const Device& owner) {
  for (Device* device : devices())
    if (device->same_backend(owner)) device->finish();
}

} // namespace

Result<int> describe_memory(const void* address, size_t bytes) {
  const auto found = addresses().find(address);
  if (!found || found->kind != PointerKind::Device || found->bytes_from(address) < bytes)
    return error(ErrorCode::InvalidValue, "{} bytes at {} are not memory of one allocation of a device.", bytes,
                 address);
  backend::VirtualMemory* const memory = found->device->hal().virtual_memory();
  if (!memory)
    return error(ErrorCode::NotSupported, "Device {} gives no descriptors of memory.", found->device->ordinal());
  wait_for_users(*found->device);
  RT_TRY_ASSIGN(const backend::VirtualMemory::FilePart part, memory->export_part(address, bytes));
  if (part.offset == 0) return part.descriptor;
  ::close(part.descriptor); // HIP has no way to tell the offset
  return error(
      ErrorCode::NotSupported,
      "{} is byte {} of the memory that its descriptor stands for; an allocation of more than 16 KiB begins at "
      "byte 0.",
      address, part.offset);
}

Result<backend::SharedMemoryHandle> share_allocation(void* address) {
  const auto found = addresses().find(address);
  if (!address || !found || !found->is_plain_device_memory())
    return error(ErrorCode::InvalidValue,
                 "{} is not in memory of hipMalloc or hipExtMallocWithFlags, which alone can be shared.", address);
  backend::VirtualMemory* const memory = found->device->hal().virtual_memory();
  if (!memory)
    return error(ErrorCode::NotSupported, "Memory of device {} cannot be shared with other processes.",
                 found->device->ordinal());
  wait_for_users(*found->device);
  return memory->share(address);
}

Result<void*> open_allocation(Device& device, const backend::SharedMemoryHandle& handle) {
  backend::VirtualMemory* const memory = device.hal().virtual_memory();
  if (!memory)
    return error(ErrorCode::NotSupported, "Device {} cannot open memory of other processes.", device.ordinal());
  if (memory->is_own(handle))
    return error(ErrorCode::InvalidContext, "The handle is of this process's own memory; other processes open it.");
  Space& space = Space::get();
  std::lock_guard lock(space.mutex);
  for (auto& [address, opened] : space.opened) {
    if (opened.device != &device || opened.handle != handle) continue;
    ++opened.references;
    return pointer(address);
  }
  std::map<uintptr_t, Opened> made{{0, {handle, &device, 1}}}; // before anything is opened
  size_t bytes = 0;
  RT_TRY_ASSIGN(void* const base, memory->open(handle, bytes));
  bool inserted = false;
  try {
    inserted =
        addresses().insert({.base = base, .bytes = bytes, .memory = backend::MemoryKind::Mapped, .device = &device});
  } catch (const std::bad_alloc&) {
    static_cast<void>(memory->close(base));
    throw;
  }
  if (!inserted) {
    RT_TRY(memory->close(base));
    return error(ErrorCode::InvalidValue, "The {} bytes at {} overlap memory that HIP knows.", bytes, base);
  }
  auto entry = made.extract(0);
  entry.key() = number(base);
  space.opened.insert(std::move(entry));
  return base;
}

Status close_allocation(void* address) {
  Space& space = Space::get();
  {
    std::lock_guard lock(space.mutex);
    const auto found = space.opened.find(number(address));
    if (found == space.opened.end())
      return error(ErrorCode::InvalidValue, "{} is no memory that hipIpcOpenMemHandle opened.", address);
    if (found->second.references > 1) {
      --found->second.references;
      return {};
    }
  }
  // As hipFree does: work may still use it.
  for (Device* device : devices()) device->finish();
  std::lock_guard lock(space.mutex);
  const auto found = space.opened.find(number(address));
  if (found == space.opened.end())
    return error(ErrorCode::InvalidValue, "{} was closed by another thread at the same time.", address);
  if (--found->second.references != 0) return {};
  Device& device = *found->second.device;
  static_cast<void>(addresses().take(address, [](const Allocation&) { return true; }));
  space.opened.erase(found);
  return device.hal().virtual_memory()->close(address);
}

} // namespace hip::core
