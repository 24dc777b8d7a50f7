// runtime/backend/aql/kernarg_ring.h - memory for kernel arguments, handed out in order and given back in order.
// Positions grow for ever; an allocation never straddles the end of the memory. One thread at a time, like the queue
// that owns it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace hip::aql {

class KernargRing {
public:
  static constexpr size_t kAlignment = 64; // packets want 16; a line of its own keeps neighbours apart
  // `size_bytes` is a power of two.
  KernargRing(std::byte* memory, size_t size_bytes) noexcept : memory_(memory), size_(size_bytes) {}

  // Larger requests do not belong into this ring: four must fit, so that one alone never blocks the queue.
  bool fits(size_t bytes) const noexcept { return bytes <= size_ / 4; }
  // Null while older allocations are in the way.
  std::byte* try_allocate(size_t bytes) noexcept {
    bytes = (bytes + kAlignment - 1) & ~(kAlignment - 1);
    uint64_t begin = head_;
    if ((begin & (size_ - 1)) + bytes > size_) begin = (begin | (size_ - 1)) + 1;
    if (begin + bytes - tail_ > size_) return nullptr;
    head_ = begin + bytes;
    return memory_ + (begin & (size_ - 1));
  }
  // The end of everything allocated so far.
  uint64_t position() const noexcept { return head_; }
  // Everything before `position` is free again.
  void release_until(uint64_t position) noexcept { tail_ = position; }

private:
  std::byte* memory_;
  size_t size_;
  uint64_t head_ = 0, tail_ = 0;
};

} // namespace hip::aql
