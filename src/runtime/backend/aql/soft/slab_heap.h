// runtime/backend/aql/soft/slab_heap.h - small allocations: slabs of 1 MiB, each cut into blocks of one power of two. A
// freed block goes to the end of its size's queue. Blocks share pages, so an access beyond one need not fault; copies
// and reports still know its exact size. Thread safety: none of its own; the arena's lock covers it.
#pragma once

#include "runtime/base/shared_file.h"
#include "runtime/base/status.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace hip::aql::soft {

class SlabHeap {
public:
  static constexpr uint64_t kSlabBytes = 1 << 20;
  static constexpr size_t kSmallestBlock = 256;
  static constexpr size_t kLargestBlock = 16384;
  struct Block {
    uint64_t base;
    uint32_t requested; // bytes
    bool live;
  };

  SlabHeap(uint64_t base, uint64_t bytes) noexcept : base_(base), bytes_(bytes) {}
  bool covers(uint64_t address) const noexcept { return address - base_ < bytes_; }
  static bool fits(size_t bytes, size_t alignment) noexcept { return bytes <= kLargestBlock && alignment <= 4096; }

  // How much of the device's memory such a request takes.
  static size_t block_bytes(size_t bytes, size_t alignment) noexcept;
  Result<void*> allocate(size_t bytes, size_t alignment);
  // Returns the block's bytes.
  Result<size_t> free(uint64_t address);
  // The block that holds `address`, live or not; nothing where no slab is.
  std::optional<Block> find(uint64_t address) const noexcept;
  // Makes the slab of a live block a mapping of a file, with its contents, and returns the file. The slab begins with
  // the file.
  Result<const SharedFile*> share(uint64_t address);
  uint64_t offset_in_slab(uint64_t address) const noexcept { return (address - base_) % kSlabBytes; }

private:
  static constexpr size_t kClasses = 7; // 256 << 0 ... 256 << 6
  struct Slab {
    uint32_t block_bytes = 0;
    std::vector<uint16_t> requested; // per block; 0: never used or free
    std::vector<uint16_t> last;      // what it was before it was freed
    SharedFile file{};               // behind it, once it is shared
  };
  Status add_slab(size_t size_class);

  const uint64_t base_, bytes_;
  std::vector<Slab> slabs_;
  std::array<std::deque<uint64_t>, kClasses> free_;
};

} // namespace hip::aql::soft
