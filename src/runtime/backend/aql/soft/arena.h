// runtime/backend/aql/soft/arena.h - all memory of the software GPUs: one reserved address range, so that the engine
// can execute accesses inside it directly and let what is not mapped there fault. Small requests come from slabs of one
// size each; larger ones get pages of their own, with an unmapped gap behind them, and lose their pages when they are
// freed. Freed addresses are reused as late as possible, so that use after free faults instead of hitting a stranger.
// Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/soft/slab_heap.h"
#include "runtime/base/status.h"

#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace hip::aql::soft {

class Arena {
public:
  // Reserves address space; `capacity_bytes` is how much of it may be in use at once.
  static Result<std::unique_ptr<Arena>> create(uint64_t capacity_bytes);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  uint64_t base() const noexcept { return base_; }
  uint64_t bytes() const noexcept { return bytes_; }
  uint64_t capacity_bytes() const noexcept { return capacity_; }
  uint64_t used_bytes() const noexcept { return used_.load(std::memory_order_relaxed); }
  bool covers(uint64_t address) const noexcept { return address - base_ < bytes_; }

  // hipErrorOutOfMemory when the capacity, the address space or the host's memory map is used up.
  Result<void*> allocate(size_t bytes, size_t alignment);
  // hipErrorInvalidValue for what allocate() did not return or what is free already.
  Status free(void* address);

  // [address, address + bytes) lies inside one live allocation.
  bool contains(uint64_t address, uint64_t bytes) const;
  // For reports: where `address` lies in relation to live and recently freed allocations.
  std::string describe(uint64_t address) const;

private:
  struct Pages {
    uint64_t requested = 0;
    uint64_t mapped = 0;   // readable and writable
    uint64_t reserved = 0; // with the gap behind
  };
  struct Block {
    uint64_t base, bytes;
  };

  Arena(uint64_t base, uint64_t bytes, uint64_t capacity);
  Result<void*> allocate_pages(size_t bytes, size_t alignment);
  Status free_pages(uint64_t base);
  std::optional<uint64_t> take_range(uint64_t bytes, uint64_t alignment);
  void give_range(uint64_t base, uint64_t bytes);
  bool charge(uint64_t bytes) noexcept;
  Status out_of_memory(size_t bytes, std::string_view why) const;

  const uint64_t base_, bytes_, capacity_;
  std::atomic<uint64_t> used_{0};
  mutable std::mutex mutex_;
  SlabHeap slabs_; // the first part of the range
  uint64_t pages_base_;
  std::map<uint64_t, uint64_t> free_ranges_; // base -> bytes, adjacent only at the cursor
  uint64_t cursor_;                          // next-fit: where the last range was taken
  std::map<uint64_t, Pages> live_;
  std::deque<Block> recently_freed_;
};

} // namespace hip::aql::soft
