// runtime/backend/aql/soft/address_ranges.h - hands out parts of an address range, next-fit: the search begins behind
// the part that was handed out last, so that addresses that came back are used again as late as possible. Knows nothing
// of memory. Thread safety: none of its own; the arena's lock covers it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace hip::aql::soft {

class AddressRanges {
public:
  AddressRanges(uint64_t base, uint64_t bytes);
  bool covers(uint64_t address) const noexcept { return address - base_ < bytes_; }

  // The address of `bytes` bytes that are free; nothing when no free part is large enough. Any number may be asked for.
  std::optional<uint64_t> take(uint64_t bytes, uint64_t alignment);
  // The same for these addresses alone.
  std::optional<uint64_t> take_at(uint64_t base, uint64_t bytes);
  // [base, base + bytes) has been taken and is free from now on.
  void give(uint64_t base, uint64_t bytes);

private:
  using Free = std::map<uint64_t, uint64_t>; // base -> bytes
  uint64_t cut(Free::iterator from, uint64_t start, uint64_t bytes);
  // Makes one part of those that end and begin at the address, if there are such two.
  void join_at(uint64_t address);

  const uint64_t base_, bytes_;
  Free free_;       // adjacent only at the cursor
  uint64_t cursor_; // the end of the part that was taken last
};

} // namespace hip::aql::soft
