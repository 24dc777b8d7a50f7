#include "runtime/backend/aql/soft/slab_heap.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace hip::aql::soft {

Status SlabHeap::add_slab(size_t size_class) {
  const uint64_t base = base_ + slabs_.size() * kSlabBytes;
  if (base + kSlabBytes > base_ + bytes_)
    return error(ErrorCode::OutOfMemory, "The {} MiB of address space for small allocations are used up.",
                 bytes_ >> 20);
  if (::mprotect(reinterpret_cast<void*>(base), kSlabBytes, PROT_READ | PROT_WRITE) != 0)
    return error(ErrorCode::OutOfMemory, "Mapping {} bytes for small allocations fails: {}.", kSlabBytes,
                 std::strerror(errno));
  Slab slab;
  slab.block_bytes = static_cast<uint32_t>(kSmallestBlock << size_class);
  const size_t blocks = kSlabBytes / slab.block_bytes;
  slab.requested.resize(blocks);
  slab.last.resize(blocks);
  slabs_.push_back(std::move(slab));
  for (size_t i = 0; i < blocks; ++i) free_[size_class].push_back(base + i * (kSmallestBlock << size_class));
  return Status();
}

size_t SlabHeap::block_bytes(size_t bytes, size_t alignment) noexcept {
  return std::bit_ceil(std::max({bytes, alignment, kSmallestBlock}));
}

Result<void*> SlabHeap::allocate(size_t bytes, size_t alignment) {
  const size_t size_class = static_cast<size_t>(std::countr_zero(block_bytes(bytes, alignment) / kSmallestBlock));
  if (free_[size_class].empty()) RT_TRY(add_slab(size_class));
  const uint64_t address = free_[size_class].front();
  free_[size_class].pop_front();
  Slab& slab = slabs_[(address - base_) / kSlabBytes];
  slab.requested[(address - base_) % kSlabBytes / slab.block_bytes] = static_cast<uint16_t>(std::max<size_t>(bytes, 1));
  return reinterpret_cast<void*>(address);
}

Result<size_t> SlabHeap::free(uint64_t address) {
  const uint64_t index = (address - base_) / kSlabBytes;
  if (index >= slabs_.size()) return error(ErrorCode::InvalidValue, "{:#x} is no allocation.", address);
  Slab& slab = slabs_[index];
  const uint64_t offset = (address - base_) % kSlabBytes;
  const size_t block = offset / slab.block_bytes;
  if (offset % slab.block_bytes != 0 || slab.requested[block] == 0)
    return error(ErrorCode::InvalidValue, "{:#x} is no allocation, or has been freed already.", address);
  free_[static_cast<size_t>(std::countr_zero(slab.block_bytes / kSmallestBlock))].push_back(address); // may throw
  slab.last[block] = std::exchange(slab.requested[block], uint16_t(0));
  return size_t(slab.block_bytes);
}

Result<const SharedFile*> SlabHeap::share(uint64_t address) {
  const uint64_t index = (address - base_) / kSlabBytes;
  RT_CHECK(index < slabs_.size(), "the caller has found a live block here");
  Slab& slab = slabs_[index];
  if (!slab.file) {
    RT_TRY_ASSIGN(SharedFile file, SharedFile::create(kSlabBytes));
    RT_TRY(file.replace(base_ + index * kSlabBytes, kSlabBytes));
    slab.file = std::move(file);
  }
  return &slab.file;
}

std::optional<SlabHeap::Block> SlabHeap::find(uint64_t address) const noexcept {
  const uint64_t index = (address - base_) / kSlabBytes;
  if (index >= slabs_.size()) return std::nullopt;
  const Slab& slab = slabs_[index];
  const uint64_t block = (address - base_) % kSlabBytes / slab.block_bytes;
  const uint16_t live = slab.requested[block];
  return Block{base_ + index * kSlabBytes + block * slab.block_bytes, live ? live : slab.last[block], live != 0};
}

} // namespace hip::aql::soft
