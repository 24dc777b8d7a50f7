// runtime/core/pool_list.h - every memory pool that exists, and what is done with all of them: they give memory back,
// and those whose handle has ended go when they are empty.
// Thread safety: all functions may be called from any thread, without the lock of a pool. PoolList::mutex is held while
// pools give memory back and while one is deleted, so that whoever finds a pool in the list may use it meanwhile;
// MemoryPool::mutex_ is taken under it. A pool that a thread frees memory of may be gone afterwards, unless its handle
// lives (memory_was_freed).
#pragma once

#include "runtime/core/memory_pool.h"

#include <atomic>
#include <list>
#include <mutex>

namespace hip::core {

struct PoolList {
  std::mutex mutex;
  std::list<MemoryPool*> pools; // a pool enters it without an allocation

  static PoolList& get();
  // With mutex locked: gives back what ended pools hold, and deletes those that are empty.
  void reap() noexcept;
  // Of a pool that is not in the list yet.
  struct Delete {
    void operator()(MemoryPool* pool) const noexcept { delete pool; }
  };
  // After memory of a pool was freed. Another thread may delete a pool that had ended then, so it is not named here.
  static void memory_was_freed(bool pool_had_ended) noexcept {
    if (pool_had_ended) [[unlikely]]
      reap_ended();
  }

private:
  static void reap_ended() noexcept;
};

namespace detail {
extern constinit std::atomic<uint32_t> pools_with_surplus;
void release_surplus() noexcept;
} // namespace detail
// A part of after_host_wait(): pools give back what they hold above their thresholds. Where the host has no memory for
// that, a later wait does it: what the wait itself found stays its result.
inline void release_pool_surplus() noexcept {
  if (detail::pools_with_surplus.load(std::memory_order_relaxed) != 0) [[unlikely]]
    detail::release_surplus();
}
// Gives back all memory of the device's pools that nothing can use any more.
KeptMemory release_idle_pool_memory(Device& device);

} // namespace hip::core
