// runtime/core/pool_table.h - the handles of memory pools (hipMemPool_t), and the pools that a device has: the default
// one, made when it is first asked for, and the current one, which hipMallocAsync allocates from.
// Thread safety: all functions may be called from any thread that holds no lock of a pool or of the list of pools. A
// pool that was found by its handle stays while it is pinned. The table's lock is a leaf; the list of pools
// (pool_list.h) is locked while a pool that has its handle is put into it and while one that has ended is taken out; a
// lock of its own, held while a device's default pool is made, keeps a second one from being made and reset_pools()
// from ending it.
#pragma once

#include "runtime/core/memory_pool.h"

namespace hip::core {

// What a hipMemPool_t names. The pool itself lives until its last allocation is freed.
class PoolOwner {
public:
  explicit PoolOwner(MemoryPool& pool) noexcept : pool_(pool) {}
  ~PoolOwner();
  MemoryPool& pool() const noexcept { return pool_; }
  void set_handle(Handle handle) noexcept { pool_.set_handle(handle); }

private:
  MemoryPool& pool_;
};

using PoolTable = HandleTable<PoolOwner, HandleKind::MemoryPool>;

// The pool of a handle. Error: InvalidValue for what is none, or was destroyed.
Result<Pin<PoolOwner>> find_pool(Handle handle);
// A new pool, known by its handle until destroy_pool.
Result<Handle> create_pool(Device& device, const PoolProperties& properties);
// The pool behind a descriptor of another process, which stays the caller's.
Result<Handle> import_pool(Device& device, int descriptor);
// Work may still use memory of the pool. Error: InvalidValue for a device's default pool, and as find_pool.
Status destroy_pool(Handle handle);
// The pool that hipMallocAsync uses first, made when first asked for, and the one that it uses now.
Result<Handle> default_pool(Device& device);
Result<Handle> current_pool(Device& device);
// Error: InvalidValue for the pool of another device.
Status set_current_pool(Device& device, Handle handle);
// As hipMallocAsync: from the current pool of the stream's device.
[[gnu::hot]] Result<void*> allocate_in_stream_order(Stream& stream, size_t bytes);
// hipDeviceReset: ends the pools that the user made; no allocation of them is known any more.
void reset_pools(Device& device);

} // namespace hip::core
