#include "runtime/core/pool_list.h"

#include <algorithm>
#include <new>

namespace hip::core {

namespace detail {
constinit std::atomic<uint32_t> pools_with_surplus{0};
}

PoolList& PoolList::get() {
  static PoolList* const list = new PoolList; // never destroyed: programs free memory in static destructors
  return *list;
}

void PoolList::reap() noexcept {
  std::erase_if(pools, [](MemoryPool* pool) {
    std::vector<MemoryPool::Block> surplus;
    {
      std::lock_guard lock(pool->mutex_);
      if (!pool->ended_) return false;
      try {
        surplus = pool->take_surplus(0);
      } catch (const std::bad_alloc&) { // the pool has all of it still, and is here the next time
      }
    }
    static_cast<void>(pool->give_back(surplus)); // nobody is there to be told
    {
      std::lock_guard lock(pool->mutex_);
      if (pool->live_blocks_ != 0 || pool->idle_blocks_ != 0) return false;
      if (pool->surplus_) detail::pools_with_surplus.fetch_sub(1, std::memory_order_relaxed);
    }
    delete pool;
    return true;
  });
}

void PoolList::reap_ended() noexcept {
  std::lock_guard lock(get().mutex);
  get().reap();
}

void detail::release_surplus() noexcept {
  PoolList& list = PoolList::get();
  std::lock_guard lock(list.mutex);
  for (MemoryPool* pool : list.pools) pool->trim_to_threshold();
  list.reap();
}

KeptMemory release_idle_pool_memory(Device& device) {
  PoolList& list = PoolList::get();
  std::lock_guard lock(list.mutex);
  KeptMemory kept = KeptMemory::None;
  for (MemoryPool* pool : list.pools)
    if (&pool->device() == &device) kept = std::max(kept, pool->release_idle());
  return kept;
}

} // namespace hip::core
