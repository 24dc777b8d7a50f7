#include "runtime/core/pool_table.h"

#include "runtime/base/no_destroy.h"
#include "runtime/core/pool_list.h"

#include <list>
#include <mutex>

namespace hip::core {

namespace {

RT_NO_DESTROY constinit PoolTable pool_handles;

} // namespace

PoolOwner::~PoolOwner() {
  PoolList& list = PoolList::get();
  std::lock_guard lock(list.mutex);
  {
    std::lock_guard pool_lock(pool_.mutex_);
    pool_.ended_ = true;
    pool_.threshold_ = 0;
    pool_.note_surplus();
  }
  list.reap();
}

Result<Pin<PoolOwner>> find_pool(Handle handle) {
  if (Pin<PoolOwner> pin = pool_handles.pin(handle)) [[likely]]
    return pin;
  return error(ErrorCode::InvalidValue, "{} is not a memory pool, or the pool was destroyed.",
               const_cast<void*>(handle));
}

namespace {

Handle insert(Device& device, const PoolProperties& properties, std::unique_ptr<backend::MemoryPool> native,
              std::unique_ptr<SharedBlocks> shared = nullptr) {
  PoolList& list = PoolList::get();
  std::unique_ptr<MemoryPool, PoolList::Delete> pool(
      new MemoryPool(device, properties, std::move(native), std::move(shared)));
  std::list<MemoryPool*> listed{pool.get()};
  // First: whoever finds the pool in the list finds its handle, too.
  const Handle handle = pool_handles.insert(std::make_unique<PoolOwner>(*pool));
  std::lock_guard lock(list.mutex);
  list.pools.splice(list.pools.end(), listed);
  static_cast<void>(pool.release()); // the list's from now on, which reaps it when its owner has ended
  return handle;
}

// Held while the default pool of a device is made: until the device knows it, reset_pools() would take it for one that
// the user made.
constinit std::mutex making_default;

Result<MemoryPool*> default_pool_of(Device& device) {
  if (MemoryPool* const pool = device.default_pool.load(std::memory_order_acquire)) [[likely]]
    return pool;
  std::lock_guard lock(making_default);
  if (MemoryPool* const pool = device.default_pool.load(std::memory_order_acquire)) return pool;
  std::unique_ptr<backend::MemoryPool> native;
  if (device.properties().native_pools) {
    RT_TRY_ASSIGN(native, device.hal().create_pool(nullptr));
  }
  const Handle handle = insert(device, {}, std::move(native));
  MemoryPool* const pool = &pool_handles.pin(handle)->pool();
  device.default_pool.store(pool, std::memory_order_release);
  return pool;
}

} // namespace

Result<Handle> create_pool(Device& device, const PoolProperties& properties) {
  std::unique_ptr<backend::MemoryPool> native;
  std::unique_ptr<SharedBlocks> shared;
  if (device.properties().native_pools) {
    const backend::PoolOptions options{.exportable = properties.handle_types != 0, .max_bytes = properties.max_bytes};
    RT_TRY_ASSIGN(native, device.hal().create_pool(&options));
  } else if (properties.handle_types != 0) {
    RT_TRY_ASSIGN(shared, SharedBlocks::create(device));
  }
  return insert(device, properties, std::move(native), std::move(shared));
}

Result<Handle> import_pool(Device& device, int descriptor) {
  constexpr int kPosixDescriptor = 1; // hipMemHandleTypePosixFileDescriptor
  const PoolProperties properties{.handle_types = kPosixDescriptor};
  if (device.properties().native_pools) {
    RT_TRY_ASSIGN(std::unique_ptr<backend::MemoryPool> native, device.hal().import_pool(descriptor));
    return insert(device, properties, std::move(native));
  }
  RT_TRY_ASSIGN(std::unique_ptr<SharedBlocks> shared, SharedBlocks::import(device, descriptor));
  return insert(device, properties, nullptr, std::move(shared));
}

namespace {

// The handle has ended: it is the current pool of its device no more.
void end_current(Device& device, Handle handle) noexcept {
  device.current_pool.compare_exchange_strong(handle, nullptr, std::memory_order_seq_cst);
}

} // namespace

Status destroy_pool(Handle handle) {
  RT_TRY_ASSIGN(const Pin<PoolOwner> pin, find_pool(handle));
  Device& device = pin->pool().device();
  if (device.default_pool.load(std::memory_order_acquire) == &pin->pool())
    return error(ErrorCode::InvalidValue, "The default pool of device {} cannot be destroyed.", device.ordinal());
  // The handle ends first: who sets it as the current pool looks afterwards whether it still lives.
  if (!pool_handles.remove(handle))
    return error(ErrorCode::InvalidValue, "{} was destroyed by another thread at the same time.",
                 const_cast<void*>(handle));
  end_current(device, handle);
  return {};
}

Result<Handle> default_pool(Device& device) {
  RT_TRY_ASSIGN(MemoryPool* const pool, default_pool_of(device));
  return pool->handle();
}

Result<Handle> current_pool(Device& device) {
  if (const Handle handle = device.current_pool.load(std::memory_order_acquire)) return handle;
  return default_pool(device);
}

Status set_current_pool(Device& device, Handle handle) {
  const Result<Pin<PoolOwner>> pin_or_error = find_pool(handle);
  if (!pin_or_error.ok()) {
    RT_TRY(default_pool_of(device).status()); // a device without pools says so
    return pin_or_error.status();
  }
  const Pin<PoolOwner>& pin = pin_or_error.value();
  if (&pin->pool().device() != &device)
    return error(ErrorCode::InvalidValue, "The pool belongs to device {}, not to device {}.",
                 pin->pool().device().ordinal(), device.ordinal());
  const bool is_default = device.default_pool.load(std::memory_order_acquire) == &pin->pool();
  device.current_pool.store(is_default ? nullptr : handle, std::memory_order_seq_cst);
  if (pool_handles.pin(handle)) return {};
  end_current(device, handle);
  return error(ErrorCode::InvalidValue, "{} was destroyed by another thread at the same time.",
               const_cast<void*>(handle));
}

Result<void*> allocate_in_stream_order(Stream& stream, size_t bytes) {
  Device& device = stream.device();
  if (const Handle handle = device.current_pool.load(std::memory_order_acquire))
    if (const Pin<PoolOwner> pin = pool_handles.pin(handle)) return pin->pool().allocate(bytes, stream);
  RT_TRY_ASSIGN(MemoryPool* const pool, default_pool_of(device));
  return pool->allocate(bytes, stream);
}

void reset_pools(Device& device) {
  std::vector<Handle> handles;
  {
    PoolList& list = PoolList::get();
    std::lock_guard none_is_made(making_default);
    std::lock_guard lock(list.mutex);
    for (MemoryPool* pool : list.pools)
      if (&pool->device() == &device && pool != device.default_pool.load(std::memory_order_acquire))
        handles.push_back(pool->handle());
  }
  device.current_pool.store(nullptr, std::memory_order_release);
  for (Handle handle : handles)
    pool_handles.remove(handle); // false for one that has ended and waits for its last block
  release_idle_pool_memory(device);
}

} // namespace hip::core
