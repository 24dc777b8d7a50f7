// runtime/core/virtual_memory.h - virtual memory management: reservations of addresses, physical memory, and what is
// mapped where (hipMemAddressReserve, hipMemCreate, hipMemMap and their kin); and allocations of other processes.
// Thread safety: all functions may be called from any thread. Lock order: core/README.md.
#pragma once

#include "runtime/backend/virtual_memory.h"
#include "runtime/core/device.h"
#include "runtime/core/handle_table.h"

#include <vector>

namespace hip::core {

using backend::PoolAccess;

// What hipMemCreate was told.
struct PhysicalProperties {
  int type = 1;         // hipMemAllocationTypePinned
  int handle_types = 0; // hipMemHandleTypeNone
  Device* device = nullptr;
  backend::Compression compression = backend::Compression::None; // of what was created: what it has
};

// The device's VirtualMemory. Error: NotSupported.
Result<backend::VirtualMemory*> virtual_memory_of(Device& device);

// ---- addresses: of the back end of `device` -------------------------------------------------------------------------
Result<void*> reserve_addresses(Device& device, size_t bytes, size_t alignment, void* wish);
// Error: InvalidValue for what is no whole reservation, or has memory mapped.
Status free_addresses(void* base, size_t bytes);

// ---- physical memory: its handles are counted -----------------------------------------------------------------------
// As allocate() of memory.h, waits only when the device has no memory left but for what was freed and work may still
// use. Errors: InvalidValue for no bytes or no multiple of the granularity; OutOfMemory.
Result<Handle> create_physical(size_t bytes, const PhysicalProperties& properties);
// Error: InvalidValue, as for all that takes a handle.
Status release_physical(Handle handle);
Result<PhysicalProperties> physical_properties(Handle handle);
// The handle of what is mapped at `address`, counted once more.
Result<Handle> retain_mapped(const void* address);
// A file descriptor that the caller closes. Error: InvalidValue when the memory was not made for that.
Result<int> export_physical(Handle handle);
Result<Handle> import_physical(Device& device, int descriptor);

// ---- mappings -------------------------------------------------------------------------------------------------------
Status map_memory(void* address, size_t bytes, size_t offset, Handle handle);
// Whole mappings that follow each other. Waits for the work of all devices that may use them. Error: OutOfMemory where
// the back end cannot unmap one, which stays.
Status unmap_memory(void* address, size_t bytes);
struct AccessChange {
  Device* device;
  PoolAccess access;
};
// Waits as unmap_memory does where a device loses access that it had.
Status set_mapped_access(void* address, size_t bytes, const std::vector<AccessChange>& changes);
Result<PoolAccess> mapped_access(const void* address, const Device& device);
// hipDeviceReset: unmaps the device's memory.
void reset_mappings(Device& device);

// Memory of a device as a file descriptor, which is the caller's to close and whose byte 0 is at `address`. Waits for
// the devices that may use the memory. Errors: InvalidValue, and NotSupported where the memory begins elsewhere in its
// file.
Result<int> describe_memory(const void* address, size_t bytes);

// ---- other processes ------------------------------------------------------------------------------------------------
// For memory of hipMalloc. Error: InvalidValue for other memory.
Result<backend::SharedMemoryHandle> share_allocation(void* address);
// The same handle gives the same address until it is closed as often. Errors: InvalidValue; InvalidContext for memory
// of this process.
Result<void*> open_allocation(Device& device, const backend::SharedMemoryHandle& handle);
Status close_allocation(void* address);

} // namespace hip::core
