#include "runtime/backend/aql/soft/address_ranges.h"

#include <iterator>

namespace hip::aql::soft {

AddressRanges::AddressRanges(uint64_t base, uint64_t bytes) : base_(base), bytes_(bytes), cursor_(base) {
  free_[base] = bytes;
}

// Takes [start, start + bytes) out of a free part that holds it.
uint64_t AddressRanges::cut(Free::iterator from, uint64_t start, uint64_t bytes) {
  const auto [base, size] = *from;
  const uint64_t rest = base + size - start - bytes;
  if (start > base) {
    if (rest != 0) free_[start + bytes] = rest; // may fail, so it comes first
    from->second = start - base;
  } else {
    auto part = free_.extract(from);
    part.key() = start + bytes;
    part.mapped() = rest;
    if (rest != 0) free_.insert(std::move(part));
  }
  return start;
}

std::optional<uint64_t> AddressRanges::take(uint64_t bytes, uint64_t alignment) {
  const auto search = [&](Free::iterator from, Free::iterator to) -> std::optional<uint64_t> {
    for (auto it = from; it != to; ++it) {
      const uint64_t start = (it->first + alignment - 1) / alignment * alignment;
      const uint64_t skipped = start - it->first; // no sum with `bytes`: callers may ask for any number of them
      if (skipped <= it->second && bytes <= it->second - skipped) return cut(it, start, bytes);
    }
    return std::nullopt;
  };
  // Parts below the cursor have come back, and are used only when nothing above it fits.
  auto range = search(free_.lower_bound(cursor_), free_.end());
  join_at(cursor_);
  if (!range) range = search(free_.begin(), free_.end());
  if (range) cursor_ = *range + bytes;
  return range;
}

void AddressRanges::join_at(uint64_t address) {
  const auto behind = free_.find(address);
  if (behind == free_.end() || behind == free_.begin()) return;
  const auto before = std::prev(behind);
  if (before->first + before->second != address) return;
  before->second += behind->second;
  free_.erase(behind);
}

std::optional<uint64_t> AddressRanges::take_at(uint64_t base, uint64_t bytes) {
  join_at(cursor_);
  auto it = free_.upper_bound(base);
  if (it == free_.begin()) return std::nullopt;
  --it;
  const uint64_t offset = base - it->first;
  if (offset > it->second || bytes > it->second - offset) return std::nullopt;
  return cut(it, base, bytes);
}

void AddressRanges::give(uint64_t base, uint64_t bytes) {
  auto next = free_.lower_bound(base);
  decltype(free_)::node_type joined; // of a part that this one grows by: its entry is used again
  // The part at the cursor must keep beginning there: growing it downwards would hide it from the next-fit search.
  if (next != free_.end() && base + bytes == next->first && next->first != cursor_) {
    bytes += next->second;
    joined = free_.extract(next++);
  }
  if (next != free_.begin()) {
    auto previous = std::prev(next);
    if (previous->first + previous->second == base && base != cursor_) {
      previous->second += bytes;
      return;
    }
  }
  if (!joined) {
    free_[base] = bytes;
    return;
  }
  joined.key() = base;
  joined.mapped() = bytes;
  free_.insert(next, std::move(joined));
}

} // namespace hip::aql::soft
