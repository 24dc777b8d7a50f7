// What is known about an address: the pointer attribute functions of the area Memory.
#include "runtime/api/api.h"
#include "runtime/core/address_map.h"
#include "runtime/core/copy.h"

#include <cstring>

namespace hip::api {
namespace {

using core::Allocation;
using core::PointerKind;

hipMemoryType memory_type(const Allocation& a) {
  switch (a.kind) {
  case PointerKind::Host:
  case PointerKind::Registered: return hipMemoryTypeHost;
  case PointerKind::Managed: return hipMemoryTypeManaged;
  case PointerKind::Device:
  case PointerKind::Variable: break;
  }
  return hipMemoryTypeDevice;
}

bool host_reachable(const Allocation& a) { return a.on_host() || a.kind == PointerKind::Managed; }

Result<Allocation> find_host_memory(const void* address) {
  const auto found = core::addresses().find(address);
  if (!found || !host_reachable(*found))
    return error(ErrorCode::InvalidValue, "{} is not pinned or registered host memory.", const_cast<void*>(address));
  return *found;
}

template <class T> void put(void* data, T value) { std::memcpy(data, &value, sizeof value); }

Status get_attribute(void* data, hipPointer_attribute attribute, const void* ptr, const Allocation& a) {
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_CONTEXT: return put(data, context_of(*a.device)), Status();
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE: return put(data, static_cast<unsigned>(memory_type(a))), Status();
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER: return put(data, ptr), Status();
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
    if (host_reachable(a)) return put(data, ptr), Status();
    put<void*>(data, nullptr);
    return error(ErrorCode::InvalidValue, "{} is device memory; the host has no address for it.", const_cast<void*>(ptr));
  case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: return put(data, core::sync_memops(a.id)), Status();
  case HIP_POINTER_ATTRIBUTE_BUFFER_ID: return put(data, static_cast<unsigned long long>(a.id)), Status();
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED: return put(data, a.kind == PointerKind::Managed), Status();
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return put(data, a.device->ordinal()), Status();
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR: return put(data, a.base), Status();
  // Programs give 4 or 8 bytes for the size; upstream writes 4.
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: return put(data, static_cast<uint32_t>(a.bytes)), Status();
  case HIP_POINTER_ATTRIBUTE_MAPPED: return put(data, true), Status();
  case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS: return put(data, a.flags), Status(); // what it was allocated with, as upstream
  case HIP_POINTER_ATTRIBUTE_P2P_TOKENS:
  case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
  case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
  case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
  case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return error(ErrorCode::NotSupported, "Pointer attribute {} is not supported, as in ROCm.", static_cast<int>(attribute));
  }
  return error(ErrorCode::InvalidValue, "{} is no pointer attribute.", static_cast<int>(attribute));
}

// What an attribute is where it does not apply: a zero of its type, but no device's ordinal.
Status put_default(void* data, hipPointer_attribute attribute) {
  switch (attribute) {
  case HIP_POINTER_ATTRIBUTE_CONTEXT:
  case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
  case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
  case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
  case HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: return put<void*>(data, nullptr), Status();
  case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
  case HIP_POINTER_ATTRIBUTE_RANGE_SIZE: // see get_attribute
  case HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS: return put<uint32_t>(data, 0), Status();
  case HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
  case HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE:
  case HIP_POINTER_ATTRIBUTE_MAPPED:
  case HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: return put(data, false), Status();
  case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
  case HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: return put(data, 0ull), Status();
  case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL: return put(data, int{hipInvalidDeviceId}), Status();
  case HIP_POINTER_ATTRIBUTE_P2P_TOKENS: return {}; // HIP declares no type for them
  }
  return error(ErrorCode::InvalidValue, "{} is no pointer attribute.", static_cast<int>(attribute));
}

Result<Allocation> find_known(const void* ptr) {
  const auto found = core::addresses().find(ptr);
  if (!ptr || !found) return error(ErrorCode::InvalidValue, "{} is not memory that HIP knows.", const_cast<void*>(ptr));
  return *found;
}

} // namespace

Status hipHostGetDevicePointer(void** devPtr, void* hstPtr, unsigned int flags) {
  if (!hstPtr || flags != 0)
    return error(ErrorCode::InvalidValue, "The host pointer is {} and the flags are {:#x}; flags must be 0.", hstPtr, flags);
  RT_TRY_ASSIGN([[maybe_unused]] const Allocation a, find_host_memory(hstPtr));
  *devPtr = hstPtr; // host memory has one address for all
  return {};
}

Status hipHostGetFlags(unsigned int* flagsPtr, void* hostPtr) {
  if (!hostPtr) return error(ErrorCode::InvalidValue, "The host pointer is null.");
  RT_TRY_ASSIGN(const Allocation a, find_host_memory(hostPtr));
  *flagsPtr = a.flags;
  return {};
}

Status hipMemPtrGetInfo(void* ptr, size_t* size) {
  if (!ptr) {
    *size = 0;
    return {};
  }
  RT_TRY_ASSIGN(const Allocation a, find_known(ptr));
  *size = a.bytes;
  return {};
}

Status hipMemGetAddressRange(hipDeviceptr_t* pbase, size_t* psize, hipDeviceptr_t dptr) {
  const auto found = core::addresses().find(dptr);
  if (!dptr || !found) return error(ErrorCode::NotFound, "{} is not memory that HIP knows.", dptr);
  if (pbase) *pbase = found->base;
  if (psize) *psize = found->bytes;
  return {};
}

Status hipPointerGetAttributes(hipPointerAttribute_t* attributes, const void* ptr) {
  RT_TRY(core::current_device().status());
  if (!attributes) return error(ErrorCode::InvalidValue, "The place for the attributes is null.");
  const auto found = core::addresses().find(ptr);
  *attributes = {};
  if (!found) { // pageable memory of the host, or null
    attributes->type = hipMemoryTypeUnregistered;
    attributes->device = hipInvalidDeviceId;
    return {};
  }
  attributes->type = memory_type(*found);
  attributes->device = found->device->ordinal();
  attributes->devicePointer = const_cast<void*>(ptr);
  attributes->hostPointer = host_reachable(*found) ? const_cast<void*>(ptr) : nullptr;
  attributes->isManaged = found->kind == PointerKind::Managed ? 1 : 0;
  attributes->allocationFlags = found->flags;
  return {};
}

Status hipPointerGetAttribute(void* data, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  RT_TRY_ASSIGN(const Allocation a, find_known(ptr));
  return get_attribute(data, attribute, ptr, a);
}

Status hipDrvPointerGetAttributes(unsigned int numAttributes, hipPointer_attribute* attributes, void** data,
                                  hipDeviceptr_t ptr) {
  if (numAttributes == 0 || !attributes || !data)
    return error(ErrorCode::InvalidValue, "{} attributes are asked for, with {} and {} as lists.", numAttributes,
                 static_cast<void*>(attributes), static_cast<void*>(data));
  if (!ptr) return error(ErrorCode::InvalidValue, "The pointer is null.");
  for (unsigned i = 0; i < numAttributes; ++i) {
    if (!data[i]) return error(ErrorCode::InvalidValue, "The place for attribute {} of {} is null.", i, numAttributes);
    RT_TRY(put_default(data[i], attributes[i]));
  }
  // Memory that HIP does not know has the defaults, and so has what does not apply to an allocation or is not supported.
  if (const auto found = core::addresses().find(ptr))
    for (unsigned i = 0; i < numAttributes; ++i) static_cast<void>(get_attribute(data[i], attributes[i], ptr, *found));
  return {};
}

Status hipPointerSetAttribute(const void* value, hipPointer_attribute attribute, hipDeviceptr_t ptr) {
  if (attribute != HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS)
    return error(ErrorCode::InvalidValue, "Pointer attribute {} cannot be set.", static_cast<int>(attribute));
  if (!ptr) return error(ErrorCode::InvalidValue, "The pointer is null.");
  const auto found = core::addresses().find(ptr);
  if (!found || found->on_host())
    return error(ErrorCode::InvalidDevicePointer, "{} is not device memory.", ptr);
  unsigned on;
  std::memcpy(&on, value, sizeof on);
  core::set_sync_memops(found->id, on != 0);
  return {};
}

} // namespace hip::api
