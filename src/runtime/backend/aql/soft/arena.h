// runtime/backend/aql/soft/arena.h - all memory of the software GPUs: one reserved address range, so that the engine
// can execute accesses inside it directly and let accesses to unmapped addresses fault. Small requests come from slabs
// of one size each; larger ones get pages of their own, with an unmapped gap behind them, and lose their pages when
// they are freed. Freed addresses are reused as late as possible, so that use after free faults instead of hitting a
// stranger. Where the kernel's memory map is full (vm.max_map_count), pages that are freed lose their contents alone:
// accesses to them do not fault. Device and host memory have a capacity each (Purse): a card's memory does not shrink
// when the host pins some of its own. Thread safety: any thread.
#pragma once

#include "runtime/backend/aql/soft/address_ranges.h"
#include "runtime/backend/aql/soft/slab_heap.h"
#include "runtime/backend/memory_pool.h"
#include "runtime/base/shared_file.h"
#include "runtime/base/status.h"

#include <array>
#include <atomic>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

namespace hip::aql::soft {

// Whose capacity an allocation is charged to.
enum class Purse { Device, Host };

class Arena {
public:
  static constexpr size_t kPageBytes = 4096; // the host's

  // Reserves address space; the capacities are how much of it may be in use at once. An allocation that is not a slab's
  // has whole pages of `page_bytes`, a power of two and at least kPageBytes.
  // With `lends_gaps` false lend_gap() does nothing.
  static Result<std::unique_ptr<Arena>> create(uint64_t device_bytes, uint64_t host_bytes,
                                               uint64_t page_bytes = kPageBytes, bool lends_gaps = true);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  uint64_t base() const noexcept { return base_; }
  uint64_t bytes() const noexcept { return bytes_; }
  uint64_t capacity_bytes(Purse purse) const noexcept { return pool(purse).capacity; }
  uint64_t used_bytes(Purse purse) const noexcept { return pool(purse).used.load(std::memory_order_relaxed); }
  bool covers(uint64_t address) const noexcept { return address - base_ < bytes_; }

  // hipErrorOutOfMemory when the capacity, the address space or the host's memory map is used up.
  Result<void*> allocate(size_t bytes, size_t alignment, Purse purse);
  // hipErrorInvalidValue for what allocate() did not return or what is free already.
  Status free(void* address);

  // ---- arena_ranges.cpp: addresses without memory, memory from files, and pages that other processes share. Addresses
  // and sizes are multiples of kPageBytes.
  // Addresses that fault, at `wish` if they are free there. Error: OutOfMemory.
  Result<uint64_t> reserve(uint64_t bytes, uint64_t alignment, uint64_t wish);
  // A whole reservation without mappings, else InvalidValue.
  Status release(uint64_t base, uint64_t bytes);
  // A part of a file into a part of a reservation where nothing is mapped; accesses still fault.
  Status map_file(uint64_t address, uint64_t bytes, const SharedFile& file, uint64_t offset);
  // One mapping; InvalidValue when there is none, OutOfMemory, and it stays, where the kernel's memory map is full.
  Status unmap_file(uint64_t address, uint64_t bytes);
  Status protect(uint64_t address, uint64_t bytes, backend::PoolAccess access);
  // For physical memory. Error: OutOfMemory.
  Status charge(uint64_t bytes, Purse purse);
  void refund(uint64_t bytes, Purse purse) noexcept { pool(purse).refund(bytes); }
  // Makes the pages of the allocation that `address` lies in those of a file, with their contents. Nothing may access
  // them meanwhile. The descriptor is open as long as the allocation lives.
  struct Shared {
    int descriptor;
    uint64_t inode, offset, bytes; // from `address` to the end of the allocation
    uint64_t serial;               // of this call
  };
  Result<Shared> share(uint64_t address);

  // [address, address + bytes) lies inside one live allocation, or in mappings that follow each other and have at least
  // this access.
  bool contains(uint64_t address, uint64_t bytes, backend::PoolAccess access = backend::PoolAccess::Read) const;
  struct Found {
    uint64_t base, bytes; // as many as were asked for
    Purse purse;
  };
  // The live allocation that `address` lies in.
  std::optional<Found> find(uint64_t address) const;
  // Makes the page that lies directly behind a live allocation's last one, or behind the last slab, readable as zeros,
  // until the allocation is freed, and charges nothing for it. True: `address` lies in such a page. Cards have memory
  // there, and kernels that AMD wrote by hand read it: those of rocBLAS load whole tiles of a matrix.
  bool lend_gap(uint64_t address) noexcept;
  // For reports: where `address` lies in relation to live and recently freed allocations.
  std::string describe(uint64_t address) const;

private:
  struct Pool {
    Pool(uint64_t capacity_bytes, uint64_t slabs_base, uint64_t slabs_bytes)
        : capacity(capacity_bytes), slabs(slabs_base, slabs_bytes) {}
    bool charge(uint64_t bytes) noexcept;
    void refund(uint64_t bytes) noexcept { used.fetch_sub(bytes, std::memory_order_relaxed); }

    const uint64_t capacity;
    std::atomic<uint64_t> used{0};
    SlabHeap slabs;
  };
  // Gives back what was charged, unless `payer` has become null.
  struct Refund {
    Pool* payer;
    const uint64_t bytes;
    ~Refund() {
      if (payer) payer->refund(bytes);
    }
  };
  struct Pages {
    Purse purse = Purse::Device;
    uint64_t requested = 0;
    uint64_t mapped = 0;   // readable and writable
    uint64_t reserved = 0; // with the gap behind
    uint64_t lent = 0;     // of the gap: readable
    SharedFile file{};     // behind the pages, once they are shared
  };
  struct View { // of a file
    uint64_t bytes = 0;
    backend::PoolAccess access = backend::PoolAccess::None;
  };
  struct Block {
    uint64_t base, bytes;
  };

  Arena(uint64_t base, uint64_t bytes, uint64_t device_bytes, uint64_t host_bytes, uint64_t page_bytes,
        bool lends_gaps);
  const Pool& pool(Purse purse) const noexcept { return pools_[static_cast<size_t>(purse)]; }
  Pool& pool(Purse purse) noexcept { return pools_[static_cast<size_t>(purse)]; }
  // The purse whose slabs cover the address; nothing when the address lies in pages.
  std::optional<Purse> slab_purse(uint64_t address) const noexcept;
  Result<void*> allocate_pages(size_t bytes, size_t alignment, Purse purse);
  Status free_pages(uint64_t base);
  std::optional<uint64_t> take_range(uint64_t bytes, uint64_t alignment);
  void give_range(uint64_t base, uint64_t bytes) noexcept;
  void remember_freed(const Block& block) noexcept;
  Status out_of_memory(size_t bytes, Purse purse, std::string_view why) const;
  // With mutex_ locked.
  bool views_cover(uint64_t address, uint64_t bytes, backend::PoolAccess access) const;
  std::optional<std::string> describe_reserved(uint64_t address) const;

  const uint64_t base_, bytes_, page_bytes_;
  const bool lends_gaps_;
  mutable std::mutex mutex_;
  std::array<Pool, 2> pools_; // their slabs are the first part of the range
  // Addresses of pages. Allocations of less than 2 MiB lie apart from larger ones, between which those that live long
  // would leave no room for new large ones.
  AddressRanges small_, large_;
  std::map<uint64_t, Pages> live_;
  std::deque<Block> recently_freed_;
  std::map<uint64_t, uint64_t> reservations_; // base -> bytes
  std::map<uint64_t, View> views_;            // in reservations
  uint64_t next_serial_ = 1;
};

} // namespace hip::aql::soft
