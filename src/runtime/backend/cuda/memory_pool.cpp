#include "runtime/backend/cuda/memory_pool.h"

#include "runtime/backend/cuda/queue.h"
#include "runtime/base/own.h"

#include <cstring>

namespace hip::cuda {

namespace {

constexpr int kMaxSizeVersion = 12020; // CUmemPoolProps::maxSize

bool is_switch(backend::PoolAttribute attribute) noexcept {
  return attribute <= backend::PoolAttribute::AllowInternalDependencies;
}

} // namespace

// ---- making pools --------------------------------------------------------------------------------------------------

Result<std::unique_ptr<backend::MemoryPool>> Device::create_pool(const backend::PoolOptions* options) {
  RT_TRY(context_->enter());
  const Driver& driver = context_->driver();
  CUmemoryPool pool = nullptr;
  if (!options) {
    RT_TRY(context_->check(driver.cuDeviceGetDefaultMemPool(&pool, device_), "cuDeviceGetDefaultMemPool"));
    return std::unique_ptr<backend::MemoryPool>(std::make_unique<MemoryPool>(*this, pool, MemoryPool::Owned::No));
  }
  if (options->max_bytes != 0 && driver.version < kMaxSizeVersion)
    return error(ErrorCode::NotSupported, "A pool's largest size takes a driver for CUDA {}; this one is for CUDA {}.",
                 version_text(kMaxSizeVersion), version_text(driver.version));
  const CUmemPoolProps properties{.allocType = kAllocationPinned,
                                  .handleTypes = options->exportable ? kHandlePosixDescriptor : kHandleNone,
                                  .location = {kLocationDevice, device_},
                                  .win32SecurityAttributes = nullptr,
                                  .maxSize = options->max_bytes,
                                  .reserved = {}};
  RT_TRY(context_->check(driver.cuMemPoolCreate(&pool, &properties), "cuMemPoolCreate"));
  return owned_pool(pool);
}

Result<std::unique_ptr<backend::MemoryPool>> Device::import_pool(int descriptor) {
  RT_TRY(context_->enter());
  CUmemoryPool pool = nullptr;
  void* const handle = reinterpret_cast<void*>(static_cast<uintptr_t>(descriptor));
  RT_TRY(
      context_->check(context_->driver().cuMemPoolImportFromShareableHandle(&pool, handle, kHandlePosixDescriptor, 0),
                      "cuMemPoolImportFromShareableHandle"));
  return owned_pool(pool);
}

std::unique_ptr<backend::MemoryPool> Device::owned_pool(CUmemoryPool pool) {
  return own([&] { return std::make_unique<MemoryPool>(*this, pool, MemoryPool::Owned::Yes); },
             [&] { return context_->driver().cuMemPoolDestroy(pool); });
}

MemoryPool::~MemoryPool() {
  Context& context = device_.context();
  if (owned_ == Owned::Yes && context.enter().ok())
    static_cast<void>(context.check(context.driver().cuMemPoolDestroy(pool_), "cuMemPoolDestroy"));
}

// ---- memory --------------------------------------------------------------------------------------------------------

Result<void*> MemoryPool::allocate(backend::Queue& queue, size_t bytes) {
  RT_TRY(device_.check_size(bytes));
  Context& context = device_.context();
  RT_TRY(context.enter());
  CUdeviceptr address = 0;
  // Every queue of a stream that core gives is one of this back end.
  RT_TRY(context.check(
      context.driver().cuMemAllocFromPoolAsync(&address, bytes, pool_, static_cast<Queue&>(queue).handle()),
      "cuMemAllocFromPoolAsync"));
  return from_cuda(address);
}

Status MemoryPool::trim(uint64_t min_bytes_to_hold) {
  Context& context = device_.context();
  RT_TRY(context.enter());
  return context.check(context.driver().cuMemPoolTrimTo(pool_, min_bytes_to_hold), "cuMemPoolTrimTo");
}

// ---- attributes ----------------------------------------------------------------------------------------------------

Result<uint64_t> MemoryPool::attribute(backend::PoolAttribute attribute) {
  Context& context = device_.context();
  RT_TRY(context.enter());
  uint64_t bytes = 0;
  int on = 0;
  void* const value = is_switch(attribute) ? static_cast<void*>(&on) : &bytes;
  RT_TRY(context.check(context.driver().cuMemPoolGetAttribute(pool_, static_cast<int>(attribute), value),
                       "cuMemPoolGetAttribute"));
  return is_switch(attribute) ? static_cast<uint64_t>(on) : bytes;
}

Status MemoryPool::set_attribute(backend::PoolAttribute attribute, uint64_t value) {
  Context& context = device_.context();
  RT_TRY(context.enter());
  int on = value != 0;
  void* const source = is_switch(attribute) ? static_cast<void*>(&on) : &value;
  return context.check(context.driver().cuMemPoolSetAttribute(pool_, static_cast<int>(attribute), source),
                       "cuMemPoolSetAttribute");
}

Result<backend::PoolAccess> MemoryPool::access(backend::Device& device) {
  Context& context = device_.context();
  RT_TRY(context.enter());
  CUmemLocation location{kLocationDevice, static_cast<Device&>(device).handle()};
  int flags = 0;
  RT_TRY(context.check(context.driver().cuMemPoolGetAccess(&flags, pool_, &location), "cuMemPoolGetAccess"));
  return static_cast<backend::PoolAccess>(flags);
}

Status MemoryPool::set_access(backend::Device& device, backend::PoolAccess access) {
  Context& context = device_.context();
  RT_TRY(context.enter());
  const CUmemAccessDesc description{{kLocationDevice, static_cast<Device&>(device).handle()}, static_cast<int>(access)};
  return context.check(context.driver().cuMemPoolSetAccess(pool_, &description, 1), "cuMemPoolSetAccess");
}

// ---- other processes -----------------------------------------------------------------------------------------------

Result<int> MemoryPool::export_descriptor() {
  Context& context = device_.context();
  RT_TRY(context.enter());
  int descriptor = -1;
  RT_TRY(context.check(context.driver().cuMemPoolExportToShareableHandle(&descriptor, pool_, kHandlePosixDescriptor, 0),
                       "cuMemPoolExportToShareableHandle"));
  return descriptor;
}

Result<backend::PoolPointerData> MemoryPool::export_pointer(const void* address) {
  Context& context = device_.context();
  RT_TRY(context.enter());
  CUmemPoolPtrExportData data{};
  RT_TRY(context.check(context.driver().cuMemPoolExportPointer(&data, to_cuda(address)), "cuMemPoolExportPointer"));
  backend::PoolPointerData result;
  static_assert(sizeof data == sizeof result);
  std::memcpy(result.data(), &data, sizeof data);
  return result;
}

Result<void*> MemoryPool::import_pointer(const backend::PoolPointerData& data, size_t& bytes) {
  Context& context = device_.context();
  RT_TRY(context.enter());
  CUmemPoolPtrExportData copy;
  std::memcpy(&copy, data.data(), sizeof copy);
  CUdeviceptr address = 0, base = 0;
  RT_TRY(context.check(context.driver().cuMemPoolImportPointer(&address, pool_, &copy), "cuMemPoolImportPointer"));
  RT_TRY(context.check(context.driver().cuMemGetAddressRange(&base, &bytes, address), "cuMemGetAddressRange"));
  bytes -= address - base;
  return from_cuda(address);
}

} // namespace hip::cuda
