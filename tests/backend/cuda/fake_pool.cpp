// The fake driver: memory pools. They keep nothing: what is freed is gone when the stream has come so far.
#include "fake_state.h"

#include <algorithm>
#include <cstring>

using namespace hip::cuda;
using namespace hip::test;

#define FAKE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

constexpr int kThreshold = 4, kReservedCurrent = 5, kReservedHigh = 6, kUsedCurrent = 7, kUsedHigh = 8;
constexpr int kReadWrite = 3;

CUresult allocate(Fake& fake, CUctx_st& context, CUmemoryPool pool, CUdeviceptr* address, size_t bytes) {
  const size_t limit = pool->properties.maxSize;
  if (limit != 0 && fake.used_of(pool) + bytes > limit) return kErrorOutOfMemory;
  void* base = nullptr;
  if (const CUresult result = fake.allocate(context, bytes, From::Pool, base); result != kSuccess) return result;
  fake.block_of(reinterpret_cast<uintptr_t>(base))->second.pool = pool;
  pool->used_high = std::max(pool->used_high, fake.used_of(pool));
  *address = to_cuda(base);
  return kSuccess;
}

} // namespace

namespace hip::test {

CUmemoryPool Fake::default_pool(CUctx_st& context) {
  for (const auto& [pool, owned] : pools)
    if (pool->is_default && pool->context == &context) return pool;
  auto made = std::make_unique<CUmemPoolHandle_st>();
  made->context = &context;
  made->properties = {};
  made->is_default = true;
  made->access[context.device] = kReadWrite;
  CUmemoryPool pool = made.get();
  pools[pool] = std::move(made);
  return pool;
}

uint64_t Fake::used_of(CUmemoryPool pool) const {
  uint64_t bytes = 0;
  for (const auto& [base, block] : blocks)
    if (block.from == From::Pool && block.pool == pool) bytes += block.bytes;
  return bytes;
}

} // namespace hip::test

FAKE_EXPORT CUresult cuMemAllocAsync(CUdeviceptr* address, size_t bytes, CUstream) {
  FAKE_ENTER_CONTEXT(cuMemAllocAsync);
  return allocate(fake, *context, fake.default_pool(*context), address, bytes);
}

FAKE_EXPORT CUresult cuMemAllocFromPoolAsync(CUdeviceptr* address, size_t bytes, CUmemoryPool pool, CUstream) {
  FAKE_ENTER_CONTEXT(cuMemAllocFromPoolAsync);
  if (!fake.pools.contains(pool)) return kErrorInvalidValue;
  return allocate(fake, *pool->context, pool, address, bytes);
}

FAKE_EXPORT CUresult cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  FAKE_ENTER(cuDeviceGetDefaultMemPool);
  std::lock_guard lock(fake.mutex);
  *pool = fake.default_pool(*fake.contexts.at(static_cast<size_t>(device)));
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  FAKE_ENTER_CONTEXT(cuMemPoolCreate);
  const CUmemLocation where = properties->location;
  if (properties->allocType != kAllocationPinned || where.type != kLocationDevice || where.id < 0 ||
      static_cast<size_t>(where.id) >= fake.contexts.size())
    return kErrorInvalidValue;
  auto made = std::make_unique<CUmemPoolHandle_st>();
  made->context = fake.contexts[static_cast<size_t>(where.id)].get();
  made->properties = *properties;
  made->is_default = false;
  made->access[where.id] = kReadWrite;
  *pool = made.get();
  fake.pools[*pool] = std::move(made);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  FAKE_ENTER_CONTEXT(cuMemPoolDestroy);
  if (!fake.pools.contains(pool) || pool->is_default) return kErrorInvalidValue;
  fake.pools.erase(pool);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolTrimTo(CUmemoryPool pool, size_t) {
  FAKE_ENTER_CONTEXT(cuMemPoolTrimTo);
  return fake.pools.contains(pool) ? kSuccess : kErrorInvalidValue;
}

FAKE_EXPORT CUresult cuMemPoolGetAttribute(CUmemoryPool pool, int attribute, void* value) {
  FAKE_ENTER_CONTEXT(cuMemPoolGetAttribute);
  if (!fake.pools.contains(pool) || attribute < 1 || attribute > kUsedHigh) return kErrorInvalidValue;
  if (attribute < kThreshold) {
    std::memcpy(value, &pool->switches[attribute - 1], sizeof(int));
    return kSuccess;
  }
  const uint64_t number = attribute == kThreshold         ? pool->threshold
                          : attribute == kUsedCurrent     ? fake.used_of(pool) + pool->freed_apart
                          : attribute == kReservedCurrent ? fake.used_of(pool)
                                                          : pool->used_high;
  std::memcpy(value, &number, sizeof number);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolSetAttribute(CUmemoryPool pool, int attribute, void* value) {
  FAKE_ENTER_CONTEXT(cuMemPoolSetAttribute);
  if (!fake.pools.contains(pool) || attribute < 1 || attribute > kUsedHigh) return kErrorInvalidValue;
  if (attribute < kThreshold) {
    std::memcpy(&pool->switches[attribute - 1], value, sizeof(int));
    return kSuccess;
  }
  uint64_t number = 0;
  std::memcpy(&number, value, sizeof number);
  if (attribute == kThreshold) {
    pool->threshold = number;
    return kSuccess;
  }
  if ((attribute != kReservedHigh && attribute != kUsedHigh) || number != 0) return kErrorInvalidValue;
  pool->used_high = fake.used_of(pool);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolGetAccess(int* flags, CUmemoryPool pool, CUmemLocation* location) {
  FAKE_ENTER_CONTEXT(cuMemPoolGetAccess);
  if (!fake.pools.contains(pool) || location->type != kLocationDevice) return kErrorInvalidValue;
  const auto found = pool->access.find(location->id);
  *flags = found == pool->access.end() ? 0 : found->second;
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc* list, size_t count) {
  FAKE_ENTER_CONTEXT(cuMemPoolSetAccess);
  if (!fake.pools.contains(pool)) return kErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) pool->access[list[i].location.id] = list[i].flags;
  return kSuccess;
}

// One process: a descriptor is the place of the pool in the list, from 1000 on, and data of a pointer is the pointer.
constexpr int kFirstDescriptor = 1000;

FAKE_EXPORT CUresult cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool, int type, uint64_t flags) {
  FAKE_ENTER_CONTEXT(cuMemPoolExportToShareableHandle);
  const auto found = fake.pools.find(pool);
  if (found == fake.pools.end() || type != kHandlePosixDescriptor || flags != 0 ||
      pool->properties.handleTypes != kHandlePosixDescriptor)
    return kErrorInvalidValue;
  const int descriptor = kFirstDescriptor + static_cast<int>(std::distance(fake.pools.begin(), found));
  std::memcpy(handle, &descriptor, sizeof descriptor);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle, int type, uint64_t flags) {
  FAKE_ENTER_CONTEXT(cuMemPoolImportFromShareableHandle);
  const auto index = reinterpret_cast<intptr_t>(handle) - kFirstDescriptor;
  if (type != kHandlePosixDescriptor || flags != 0 || index < 0 || static_cast<size_t>(index) >= fake.pools.size())
    return kErrorInvalidValue;
  auto made = std::make_unique<CUmemPoolHandle_st>(*std::next(fake.pools.begin(), index)->first);
  *pool = made.get();
  fake.pools[*pool] = std::move(made);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr address) {
  FAKE_ENTER_CONTEXT(cuMemPoolExportPointer);
  const auto block = fake.block_of(address);
  if (block == fake.blocks.end() || block->second.from != From::Pool) return kErrorInvalidValue;
  std::memcpy(data, &address, sizeof address);
  return kSuccess;
}

FAKE_EXPORT CUresult cuMemPoolImportPointer(CUdeviceptr* address, CUmemoryPool pool, CUmemPoolPtrExportData* data) {
  FAKE_ENTER_CONTEXT(cuMemPoolImportPointer);
  if (!fake.pools.contains(pool)) return kErrorInvalidValue;
  std::memcpy(address, data, sizeof *address);
  return kSuccess;
}
