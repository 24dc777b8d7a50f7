// The fake driver: addresses and memory apart from each other, with files behind the memory; and handles of memory that
// this process alone can open, since every process has a fake driver of its own.
#include "fake_state.h"

#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr size_t kGranularity = 2 << 20;
constexpr CUresult kErrorNotPermitted = 800;

bool is_multiple(size_t value) { return value != 0 && value % kGranularity == 0; }

bool is_reserved(Fake& fake, CUdeviceptr address, size_t bytes) {
  auto it = fake.reservations.upper_bound(address);
  if (it == fake.reservations.begin()) return false;
  --it;
  return address - it->first < it->second && bytes <= it->second - (address - it->first);
}

} // namespace

FAKE_EXPORT CUresult cuMemGetAllocationGranularity(size_t* bytes, const CUmemAllocationProp* properties, int option) {
  FAKE_ENTER_CONTEXT(cuMemGetAllocationGranularity);
  if (properties->type != kAllocationPinned || properties->location.type != kLocationDevice || option < 0 || option > 1)
    return kErrorInvalidValue;
  *bytes = kGranularity;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemAddressReserve(CUdeviceptr* address, size_t bytes, size_t alignment, CUdeviceptr,
                                         uint64_t flags) {
  FAKE_ENTER_CONTEXT(cuMemAddressReserve);
  if (!is_multiple(bytes) || flags != 0 || (alignment & (alignment - 1)) != 0) return kErrorInvalidValue;
  const size_t room = bytes + std::max(alignment, kGranularity);
  void* const base = ::mmap(nullptr, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return kErrorOutOfMemory;
  const uintptr_t unit = std::max(alignment, kGranularity);
  *address = (reinterpret_cast<uintptr_t>(base) + unit - 1) / unit * unit; // what is around it stays reserved
  fake.reservations[*address] = bytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemAddressFree(CUdeviceptr address, size_t bytes) {
  FAKE_ENTER_CONTEXT(cuMemAddressFree);
  const auto found = fake.reservations.find(address);
  if (found == fake.reservations.end() || found->second != bytes) return kErrorInvalidValue;
  fake.reservations.erase(found);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle* handle, size_t bytes,
                                 const CUmemAllocationProp* properties, uint64_t flags) {
  FAKE_ENTER_CONTEXT(cuMemCreate);
  if (!is_multiple(bytes) || flags != 0 || properties->type != kAllocationPinned) return kErrorInvalidValue;
  const int file = ::memfd_create("fake_cuda", MFD_CLOEXEC);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(bytes)) != 0) return kErrorOutOfMemory;
  *handle = fake.next_physical++;
  // As a real driver does, small memory is given without compression.
  const bool compressed = properties->allocFlags.compressionType == kCompressionGeneric && bytes > kGranularity;
  fake.physical[*handle] = {file, bytes, properties->requestedHandleTypes,
                            compressed ? kCompressionGeneric : kCompressionNone};
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp* properties,
                                                            CUmemGenericAllocationHandle handle) {
  FAKE_ENTER_CONTEXT(cuMemGetAllocationPropertiesFromHandle);
  const auto found = fake.physical.find(handle);
  if (found == fake.physical.end()) return kErrorInvalidValue;
  *properties = {};
  properties->type = kAllocationPinned;
  properties->requestedHandleTypes = found->second.handle_types;
  properties->location = {kLocationDevice, context->device};
  properties->allocFlags.compressionType = found->second.compression;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  FAKE_ENTER_CONTEXT(cuMemRelease);
  const auto found = fake.physical.find(handle);
  if (found == fake.physical.end()) return kErrorInvalidValue;
  ::close(found->second.file); // mappings keep the memory
  fake.physical.erase(found);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                              uint64_t flags) {
  FAKE_ENTER_CONTEXT(cuMemMap);
  const auto found = fake.physical.find(handle);
  if (found == fake.physical.end() || flags != 0 || !is_multiple(bytes) || offset % kGranularity != 0 ||
      offset + bytes > found->second.bytes || !is_reserved(fake, address, bytes) || fake.mappings.contains(address))
    return kErrorInvalidValue;
  if (::mmap(from_cuda(address), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, found->second.file,
             static_cast<off_t>(offset)) == MAP_FAILED)
    return kErrorOutOfMemory;
  fake.mappings[address] = bytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemUnmap(CUdeviceptr address, size_t bytes) {
  FAKE_ENTER_CONTEXT(cuMemUnmap);
  const auto found = fake.mappings.find(address);
  if (found == fake.mappings.end() || found->second != bytes) return kErrorInvalidValue;
  ::mmap(from_cuda(address), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  fake.mappings.erase(found);
  if (const auto block = fake.blocks.find(address); block != fake.blocks.end()) fake.blocks.erase(block);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc* list, size_t count) {
  FAKE_ENTER_CONTEXT(cuMemSetAccess);
  const auto found = fake.mappings.find(address);
  if (found == fake.mappings.end() || found->second != bytes || count != 1) return kErrorInvalidValue;
  if (list->flags != 0 && list->flags != 3) return kErrorInvalidValue; // none, or reading and writing
  ::mprotect(from_cuda(address), bytes, list->flags ? PROT_READ | PROT_WRITE : PROT_NONE);
  if (list->flags) fake.blocks[address] = {bytes, bytes, From::Mapped, context};
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemExportToShareableHandle(void* handle, CUmemGenericAllocationHandle memory, int type,
                                                  uint64_t flags) {
  FAKE_ENTER_CONTEXT(cuMemExportToShareableHandle);
  const auto found = fake.physical.find(memory);
  if (found == fake.physical.end() || type != kHandlePosixDescriptor || flags != 0 ||
      found->second.handle_types != type)
    return kErrorInvalidValue;
  const int copy = ::dup(found->second.file);
  std::memcpy(handle, &copy, sizeof copy);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle* memory, void* handle, int type) {
  FAKE_ENTER_CONTEXT(cuMemImportFromShareableHandle);
  const int file = static_cast<int>(reinterpret_cast<intptr_t>(handle));
  const off_t bytes = ::lseek(file, 0, SEEK_END);
  if (type != kHandlePosixDescriptor) return kErrorInvalidValue;
  if (bytes <= 0) return kErrorUnknown;
  *memory = fake.next_physical++;
  fake.physical[*memory] = {::dup(file), static_cast<size_t>(bytes), type, kCompressionNone};
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* bytes, CUdeviceptr address) {
  FAKE_ENTER_CONTEXT(cuMemGetAddressRange);
  const auto block = fake.block_of(address);
  if (block == fake.blocks.end()) return kErrorInvalidValue;
  *base = block->first;
  *bytes = block->second.bytes;
  return kSuccess;
}

FAKE_EXPORT CUresult cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr address) {
  FAKE_ENTER_CONTEXT(cuIpcGetMemHandle);
  const auto block = fake.block_of(address);
  if (block == fake.blocks.end() || block->second.from != From::Device) return kErrorInvalidValue;
  *handle = {};
  std::memcpy(handle->reserved, &address, sizeof address);
  return kSuccess;
}

FAKE_EXPORT void fake_cuda_make_foreign(void* handle) {
  static_cast<CUipcMemHandle*>(handle)->reserved[sizeof(CUdeviceptr)] = 1; // behind the address
}

FAKE_EXPORT CUresult cuIpcOpenMemHandle_v2(CUdeviceptr* address, CUipcMemHandle handle, unsigned flags) {
  FAKE_ENTER_CONTEXT(cuIpcOpenMemHandle);
  if (flags != kIpcLazyPeerAccess) return kErrorNotPermitted;
  if (!handle.reserved[sizeof *address]) return kErrorInvalidContext; // it is this process's own
  void* base = nullptr;
  if (const CUresult result = fake.allocate(*context, kGranularity, From::Mapped, base); result != kSuccess) return result;
  *address = reinterpret_cast<CUdeviceptr>(base);
  return kSuccess;
}

FAKE_EXPORT CUresult cuIpcCloseMemHandle(CUdeviceptr address) {
  FAKE_ENTER_CONTEXT(cuIpcCloseMemHandle);
  const auto block = fake.blocks.find(address);
  if (block == fake.blocks.end() || block->second.from != From::Mapped || fake.mappings.contains(address))
    return kErrorInvalidValue;
  fake.drop_block(block);
  return kSuccess;
}
