// Allocation in stream order, and memory pools as objects.
#include "runtime/core/pool_table.h"

#include "runtime/api/api.h"
#include "runtime/core/graph/capture.h"
#include "runtime/core/memory.h"

#include <cstring>

namespace hip::api {
namespace {

using core::MemoryPool;

// These functions tell a bad stream by another error than the others.
Result<core::Pin<core::Stream>> find_stream(hipStream_t stream) {
  auto pin = core::find_stream(stream);
  if (!pin.ok() && pin.status().code() == ErrorCode::ContextIsDestroyed)
    return Status(ErrorCode::InvalidHandle, pin.status().message());
  return pin;
}

// The device, with an error of its own for one that does not exist.
Result<core::Device*> find_device(int ordinal, ErrorCode bad_ordinal) {
  auto device = core::find_device(ordinal);
  if (!device.ok() && device.status().code() == ErrorCode::InvalidDevice)
    return Status(bad_ordinal, device.status().message());
  return device;
}

// Where a pool's memory lies, or who may access it. Error: InvalidValue for what is no device's location; `bad_ordinal`
// for a device that does not exist.
Result<core::Device*> find_location(const hipMemLocation& location, ErrorCode bad_ordinal) {
  if (location.type != hipMemLocationTypeDevice)
    return error(ErrorCode::InvalidValue, "The location has type {}; pools are of devices (hipMemLocationTypeDevice).",
                 static_cast<int>(location.type));
  return find_device(location.id, bad_ordinal);
}

// hipMallocAsync's pools have this type of memory alone.
Status check_type(hipMemAllocationType type) {
  if (type == hipMemAllocationTypePinned) return {};
  if (type == hipMemAllocationTypeManaged || type == hipMemAllocationTypeUncached)
    return error(ErrorCode::NotSupported,
                 "Pools of allocation type {:#x} are not supported; those of pinned memory are.",
                 static_cast<unsigned>(type));
  return error(ErrorCode::InvalidValue, "{:#x} is no type of allocations.", static_cast<unsigned>(type));
}

Status allocate(void** dev_ptr, MemoryPool* pool, size_t size, hipStream_t stream) {
  *dev_ptr = nullptr;
  RT_TRY_ASSIGN(const auto pin, find_stream(stream));
  if (size == 0) return {};
  if (pin->captures()) [[unlikely]] {
    RT_TRY_ASSIGN(*dev_ptr, core::capture_allocation(*pin, size));
    return {};
  }
  RT_TRY_ASSIGN(*dev_ptr, pool ? pool->allocate(size, *pin) : core::allocate_in_stream_order(*pin, size));
  return {};
}

bool is_switch(hipMemPoolAttr attr) {
  return attr == hipMemPoolReuseFollowEventDependencies || attr == hipMemPoolReuseAllowOpportunistic ||
         attr == hipMemPoolReuseAllowInternalDependencies;
}

Result<MemoryPool::Attribute> to_attribute(hipMemPoolAttr attr) {
  if (attr < hipMemPoolReuseFollowEventDependencies || attr > hipMemPoolAttrUsedMemHigh)
    return error(ErrorCode::InvalidValue, "{} is no attribute of a memory pool.", static_cast<int>(attr));
  return static_cast<MemoryPool::Attribute>(attr); // the same numbers
}

} // namespace

// ---- allocation ----------------------------------------------------------------------------------------------------

Status hipMallocAsync(void** dev_ptr, size_t size, hipStream_t stream) {
  return allocate(dev_ptr, nullptr, size, stream);
}

Status hipMallocFromPoolAsync(void** dev_ptr, size_t size, hipMemPool_t mem_pool, hipStream_t stream) {
  RT_TRY_ASSIGN(const auto pool, core::find_pool(mem_pool));
  return allocate(dev_ptr, &pool->pool(), size, stream);
}

Status hipFreeAsync(void* dev_ptr, hipStream_t stream) {
  RT_TRY_ASSIGN(const auto pin, find_stream(stream));
  return core::free_in_stream_order(dev_ptr, *pin);
}

// ---- pools ---------------------------------------------------------------------------------------------------------

Status hipMemPoolCreate(hipMemPool_t* mem_pool, const hipMemPoolProps* pool_props) {
  RT_TRY(core::check_call_allowed());
  *mem_pool = nullptr;
  RT_TRY(check_type(pool_props->allocType));
  RT_TRY_ASSIGN(core::Device* const device, find_location(pool_props->location, ErrorCode::InvalidValue));
  if (pool_props->handleTypes != hipMemHandleTypeNone && pool_props->handleTypes != hipMemHandleTypePosixFileDescriptor)
    return error(ErrorCode::InvalidValue, "Handles of type {:#x} are not known here; file descriptors (1) are.",
                 static_cast<unsigned>(pool_props->handleTypes));
  core::PoolProperties properties;
  properties.allocation_type = pool_props->allocType;
  properties.handle_types = pool_props->handleTypes;
  properties.max_bytes = pool_props->maxSize;
  RT_TRY_ASSIGN(const core::Handle handle, core::create_pool(*device, properties));
  *mem_pool = as_handle<hipMemPool_t>(handle);
  return {};
}

Status hipMemPoolDestroy(hipMemPool_t mem_pool) {
  RT_TRY(core::check_call_allowed());
  return core::destroy_pool(mem_pool);
}

Status hipDeviceGetDefaultMemPool(hipMemPool_t* mem_pool, int device) {
  RT_TRY_ASSIGN(core::Device* const found, core::find_device(device));
  RT_TRY_ASSIGN(const core::Handle handle, core::default_pool(*found));
  *mem_pool = as_handle<hipMemPool_t>(handle);
  return {};
}

Status hipDeviceGetMemPool(hipMemPool_t* mem_pool, int device) {
  RT_TRY_ASSIGN(core::Device* const found, find_device(device, ErrorCode::InvalidValue));
  RT_TRY_ASSIGN(const core::Handle handle, core::current_pool(*found));
  *mem_pool = as_handle<hipMemPool_t>(handle);
  return {};
}

Status hipDeviceSetMemPool(int device, hipMemPool_t mem_pool) {
  RT_TRY(core::check_call_allowed());
  RT_TRY_ASSIGN(core::Device* const found, find_device(device, ErrorCode::InvalidValue));
  return core::set_current_pool(*found, mem_pool);
}

Status hipMemGetMemPool(hipMemPool_t* pool, hipMemLocation* location, hipMemAllocationType type) {
  RT_TRY(check_type(type));
  RT_TRY_ASSIGN(core::Device* const device, find_location(*location, ErrorCode::InvalidValue));
  RT_TRY_ASSIGN(const core::Handle handle, core::current_pool(*device));
  *pool = as_handle<hipMemPool_t>(handle);
  return {};
}

Status hipMemGetDefaultMemPool(hipMemPool_t* memPool, hipMemLocation* location, hipMemAllocationType type) {
  RT_TRY(check_type(type));
  RT_TRY_ASSIGN(core::Device* const device, find_location(*location, ErrorCode::InvalidValue));
  RT_TRY_ASSIGN(const core::Handle handle, core::default_pool(*device));
  *memPool = as_handle<hipMemPool_t>(handle);
  return {};
}

Status hipMemSetMemPool(hipMemLocation* location, hipMemAllocationType type, hipMemPool_t pool) {
  RT_TRY(check_type(type));
  RT_TRY_ASSIGN(core::Device* const device, find_location(*location, ErrorCode::InvalidValue));
  return core::set_current_pool(*device, pool);
}

Status hipMemPoolTrimTo(hipMemPool_t mem_pool, size_t min_bytes_to_hold) {
  RT_TRY_ASSIGN(const auto pin, core::find_pool(mem_pool));
  return pin->pool().trim(min_bytes_to_hold);
}

// ---- attributes ----------------------------------------------------------------------------------------------------

Status hipMemPoolGetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value) {
  RT_TRY_ASSIGN(const auto pin, core::find_pool(mem_pool));
  RT_TRY_ASSIGN(const MemoryPool::Attribute attribute, to_attribute(attr));
  RT_TRY_ASSIGN(const uint64_t result, pin->pool().attribute(attribute));
  if (is_switch(attr)) {
    const int as_int = static_cast<int>(result);
    std::memcpy(value, &as_int, sizeof as_int);
  } else {
    std::memcpy(value, &result, sizeof result);
  }
  return {};
}

Status hipMemPoolSetAttribute(hipMemPool_t mem_pool, hipMemPoolAttr attr, void* value) {
  RT_TRY_ASSIGN(const auto pin, core::find_pool(mem_pool));
  RT_TRY_ASSIGN(const MemoryPool::Attribute attribute, to_attribute(attr));
  uint64_t number = 0;
  if (is_switch(attr)) {
    int as_int;
    std::memcpy(&as_int, value, sizeof as_int);
    number = as_int != 0;
  } else {
    std::memcpy(&number, value, sizeof number);
  }
  return pin->pool().set_attribute(attribute, number);
}

Status hipMemPoolGetAccess(hipMemAccessFlags* flags, hipMemPool_t mem_pool, hipMemLocation* location) {
  RT_TRY_ASSIGN(const auto pin, core::find_pool(mem_pool));
  RT_TRY_ASSIGN(core::Device* const device, find_location(*location, ErrorCode::InvalidValue));
  RT_TRY_ASSIGN(const MemoryPool::Access access, pin->pool().access(*device));
  *flags = static_cast<hipMemAccessFlags>(access); // the same numbers
  return {};
}

Status hipMemPoolSetAccess(hipMemPool_t mem_pool, const hipMemAccessDesc* desc_list, size_t count) {
  RT_TRY_ASSIGN(const auto pin, core::find_pool(mem_pool));
  if (count > core::devices().size())
    return error(ErrorCode::InvalidDevice, "Access is set for {} locations; there are {} devices.", count,
                 core::devices().size());
  // All descriptions are checked before the first changes anything.
  for (size_t i = 0; i < count; ++i) {
    RT_TRY(find_location(desc_list[i].location, ErrorCode::InvalidDevice).status());
    const hipMemAccessFlags flags = desc_list[i].flags;
    if (flags != hipMemAccessFlagsProtNone && flags != hipMemAccessFlagsProtRead &&
        flags != hipMemAccessFlagsProtReadWrite)
      return error(ErrorCode::InvalidValue, "Description {} has the access flags {:#x}, which are not known.", i,
                   static_cast<unsigned>(flags));
  }
  for (size_t i = 0; i < count; ++i) {
    RT_TRY_ASSIGN(core::Device* const device, find_location(desc_list[i].location, ErrorCode::InvalidDevice));
    RT_TRY(pin->pool().set_access(*device, static_cast<MemoryPool::Access>(desc_list[i].flags)));
  }
  return {};
}

// ---- other processes -----------------------------------------------------------------------------------------------

namespace {

Status check_handle(hipMemAllocationHandleType type, unsigned flags) {
  if (type == hipMemHandleTypePosixFileDescriptor && flags == 0) return {};
  return error(ErrorCode::InvalidValue,
               "A handle of type {:#x} with the flags {:#x}; it takes a file descriptor (1) and no flags.",
               static_cast<unsigned>(type), flags);
}

} // namespace

Status hipMemPoolExportToShareableHandle(void* shared_handle, hipMemPool_t mem_pool,
                                         hipMemAllocationHandleType handle_type, unsigned int flags) {
  RT_TRY_ASSIGN(const auto pin, core::find_pool(mem_pool));
  RT_TRY(check_handle(handle_type, flags));
  RT_TRY_ASSIGN(const int descriptor, pin->pool().export_descriptor());
  std::memcpy(shared_handle, &descriptor, sizeof descriptor);
  return {};
}

Status hipMemPoolImportFromShareableHandle(hipMemPool_t* mem_pool, void* shared_handle,
                                           hipMemAllocationHandleType handle_type, unsigned int flags) {
  *mem_pool = nullptr;
  RT_TRY(check_handle(handle_type, flags));
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  const int descriptor = static_cast<int>(reinterpret_cast<intptr_t>(shared_handle)); // the pointer is the number
  RT_TRY_ASSIGN(const core::Handle handle, core::import_pool(*device, descriptor));
  *mem_pool = as_handle<hipMemPool_t>(handle);
  return {};
}

Status hipMemPoolExportPointer(hipMemPoolPtrExportData* export_data, void* dev_ptr) {
  const auto found = core::addresses().find(dev_ptr);
  if (!found || found->base != dev_ptr || !found->pool)
    return error(ErrorCode::InvalidValue, "{} is not the start of memory from a pool.", dev_ptr);
  RT_TRY_ASSIGN(const backend::PoolPointerData data, found->pool->export_pointer(*found));
  static_assert(sizeof *export_data == sizeof data);
  std::memcpy(export_data, data.data(), sizeof data);
  return {};
}

Status hipMemPoolImportPointer(void** dev_ptr, hipMemPool_t mem_pool, hipMemPoolPtrExportData* export_data) {
  RT_TRY_ASSIGN(const auto pin, core::find_pool(mem_pool));
  backend::PoolPointerData data;
  std::memcpy(data.data(), export_data, sizeof data);
  RT_TRY_ASSIGN(*dev_ptr, pin->pool().import_pointer(data));
  return {};
}

} // namespace hip::api
