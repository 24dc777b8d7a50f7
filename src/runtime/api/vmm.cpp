// Virtual memory management: reserve addresses, create memory, map one to the other, set access, share by descriptors.
#include "runtime/core/virtual_memory.h"

#include "runtime/api/api.h"

#include <climits>
#include <cstring>

namespace hip::api {
namespace {

using core::PhysicalProperties;

Result<core::Device*> find_location(const hipMemLocation& location) {
  if (location.type != hipMemLocationTypeDevice)
    return error(ErrorCode::InvalidValue, "The location has type {}; memory is of devices (hipMemLocationTypeDevice).",
                 static_cast<int>(location.type));
  auto device = core::find_device(location.id);
  if (!device.ok() && device.status().code() == ErrorCode::InvalidDevice)
    return Status(ErrorCode::InvalidValue, device.status().message());
  return device;
}

// Uncached memory is what every device here gives: nothing between kernels and memory keeps values of its own.
Result<PhysicalProperties> to_properties(const hipMemAllocationProp& prop) {
  if (prop.type != hipMemAllocationTypePinned && prop.type != hipMemAllocationTypeUncached)
    return error(ErrorCode::InvalidValue, "The memory has allocation type {:#x}; it is pinned or uncached.",
                 static_cast<unsigned>(prop.type));
  if (prop.requestedHandleType != hipMemHandleTypeNone &&
      prop.requestedHandleType != hipMemHandleTypePosixFileDescriptor)
    return error(ErrorCode::InvalidValue, "Handles of type {:#x} are not known here; file descriptors are.",
                 static_cast<unsigned>(prop.requestedHandleType));
  RT_TRY_ASSIGN(core::Device* const device, find_location(prop.location));
  // CUDA's CU_MEM_ALLOCATION_COMP_GENERIC; HIP has no name for it.
  const auto compression =
      prop.allocFlags.compressionType == 1 ? backend::Compression::Generic : backend::Compression::None;
  return PhysicalProperties{prop.type, static_cast<int>(prop.requestedHandleType), device, compression};
}

Status check_no_flags(unsigned long long flags) {
  if (flags == 0) return {};
  return error(ErrorCode::InvalidValue, "The flags are {:#x}; they must be 0.", flags);
}

Status check_handle_type(hipMemAllocationHandleType type) {
  if (type == hipMemHandleTypePosixFileDescriptor) return {};
  return error(ErrorCode::InvalidValue, "Handles of type {:#x} are not known here; file descriptors (1) are.",
               static_cast<unsigned>(type));
}

hipMemGenericAllocationHandle_t to_user(core::Handle handle) {
  return as_handle<hipMemGenericAllocationHandle_t>(handle);
}

} // namespace

// ---- addresses -----------------------------------------------------------------------------------------------------

Status hipMemAddressReserve(void** ptr, size_t size, size_t alignment, void* addr, unsigned long long flags) {
  RT_TRY(check_no_flags(flags));
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  RT_TRY_ASSIGN(*ptr, core::reserve_addresses(*device, size, alignment, addr));
  return {};
}

Status hipMemAddressFree(void* devPtr, size_t size) { return core::free_addresses(devPtr, size); }

Status hipMemGetAllocationGranularity(size_t* granularity, const hipMemAllocationProp* prop,
                                      hipMemAllocationGranularity_flags option) {
  if (option != hipMemAllocationGranularityMinimum && option != hipMemAllocationGranularityRecommended)
    return error(ErrorCode::InvalidValue, "{} is no kind of granularity.", static_cast<int>(option));
  RT_TRY_ASSIGN(const PhysicalProperties properties, to_properties(*prop));
  RT_TRY_ASSIGN(backend::VirtualMemory* const memory, core::virtual_memory_of(*properties.device));
  RT_TRY_ASSIGN(*granularity, memory->granularity_bytes(option == hipMemAllocationGranularityRecommended
                                                            ? backend::Granularity::Recommended
                                                            : backend::Granularity::Minimum));
  return {};
}

// ---- memory --------------------------------------------------------------------------------------------------------

Status hipMemCreate(hipMemGenericAllocationHandle_t* handle, size_t size, const hipMemAllocationProp* prop,
                    unsigned long long flags) {
  RT_TRY(check_no_flags(flags));
  RT_TRY_ASSIGN(const PhysicalProperties properties, to_properties(*prop));
  RT_TRY_ASSIGN(const core::Handle made, core::create_physical(size, properties));
  *handle = to_user(made);
  return {};
}

Status hipMemRelease(hipMemGenericAllocationHandle_t handle) { return core::release_physical(handle); }

Status hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp* prop, hipMemGenericAllocationHandle_t handle) {
  RT_TRY_ASSIGN(const PhysicalProperties properties, core::physical_properties(handle));
  *prop = {};
  prop->type = static_cast<hipMemAllocationType>(properties.type);
  prop->requestedHandleType = static_cast<hipMemAllocationHandleType>(properties.handle_types);
  prop->location.type = hipMemLocationTypeDevice;
  prop->location.id = properties.device->ordinal();
  prop->allocFlags.compressionType = properties.compression == backend::Compression::Generic ? 1 : 0;
  return {};
}

Status hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t* handle, void* addr) {
  RT_TRY_ASSIGN(const core::Handle found, core::retain_mapped(addr));
  *handle = to_user(found);
  return {};
}

Status hipMemExportToShareableHandle(void* shareableHandle, hipMemGenericAllocationHandle_t handle,
                                     hipMemAllocationHandleType handleType, unsigned long long flags) {
  RT_TRY(check_no_flags(flags));
  RT_TRY(check_handle_type(handleType));
  RT_TRY_ASSIGN(const int descriptor, core::export_physical(handle));
  std::memcpy(shareableHandle, &descriptor, sizeof descriptor);
  return {};
}

Status hipMemImportFromShareableHandle(hipMemGenericAllocationHandle_t* handle, void* osHandle,
                                       hipMemAllocationHandleType shHandleType) {
  RT_TRY(check_handle_type(shHandleType));
  RT_TRY_ASSIGN(core::Device* const device, core::current_device());
  // The pointer is the number. In HIP 6 it was the number's address, which is larger than numbers of descriptors are.
  const auto number = reinterpret_cast<uintptr_t>(osHandle);
  const int descriptor = number <= INT_MAX ? static_cast<int>(number) : *static_cast<const int*>(osHandle);
  RT_TRY_ASSIGN(const core::Handle imported, core::import_physical(*device, descriptor));
  *handle = to_user(imported);
  return {};
}

// ---- mappings ------------------------------------------------------------------------------------------------------

Status hipMemMap(void* ptr, size_t size, size_t offset, hipMemGenericAllocationHandle_t handle,
                 unsigned long long flags) {
  RT_TRY(check_no_flags(flags));
  return core::map_memory(ptr, size, offset, handle);
}

Status hipMemUnmap(void* ptr, size_t size) { return core::unmap_memory(ptr, size); }

Status hipMemSetAccess(void* ptr, size_t size, const hipMemAccessDesc* desc, size_t count) {
  if (count == 0) return error(ErrorCode::InvalidValue, "The list of accesses is empty.");
  std::vector<core::AccessChange> changes;
  for (size_t i = 0; i < count; ++i) {
    const hipMemAccessFlags flags = desc[i].flags;
    if (flags != hipMemAccessFlagsProtNone && flags != hipMemAccessFlagsProtRead &&
        flags != hipMemAccessFlagsProtReadWrite)
      return error(ErrorCode::InvalidValue, "Description {} has the access flags {:#x}, which are not known.", i,
                   static_cast<unsigned>(flags));
    RT_TRY_ASSIGN(core::Device* const device, find_location(desc[i].location));
    changes.push_back({device, static_cast<core::PoolAccess>(flags)}); // the same numbers
  }
  return core::set_mapped_access(ptr, size, changes);
}

Status hipMemGetAccess(unsigned long long* flags, const hipMemLocation* location, void* ptr) {
  RT_TRY_ASSIGN(const core::Device* const device, find_location(*location));
  RT_TRY_ASSIGN(const core::PoolAccess access, core::mapped_access(ptr, *device));
  *flags = static_cast<unsigned long long>(access);
  return {};
}

// ---- what no device here has
// -----------------------------------------------------------------------------------------

Status hipMemMapArrayAsync(hipArrayMapInfo* mapInfoList, unsigned int count, hipStream_t stream) {
  if (!mapInfoList || count == 0)
    return error(ErrorCode::InvalidValue, "The list of mappings is {} with {} entries.",
                 static_cast<void*>(mapInfoList), count);
  RT_TRY(core::find_stream(stream).status());
  return error(ErrorCode::NotSupported, "No device of this process has sparse arrays.");
}

Status hipMemGetHandleForAddressRange(void* handle, hipDeviceptr_t dptr, size_t size, hipMemRangeHandleType handleType,
                                      unsigned long long flags) {
  if (!handle || !dptr || size == 0 || handleType != hipMemRangeHandleTypeDmaBufFd)
    return error(ErrorCode::InvalidValue, "A handle of type {} for {} bytes at {} is asked for.",
                 static_cast<int>(handleType), size, dptr);
  if (flags != 0) return error(ErrorCode::InvalidValue, "The flags {:#x} of a handle have no meaning.", flags);
  RT_TRY_ASSIGN(*static_cast<int*>(handle), core::describe_memory(dptr, size));
  return {};
}

} // namespace hip::api
