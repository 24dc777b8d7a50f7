// runtime/backend/aql/transfer_forms.h - a Transfer from the arguments of the queue's calls and of prepared commands,
// and what agents ask about its sides.
#pragma once

#include "runtime/backend/aql/agent.h"
#include "runtime/base/mapped.h"

namespace hip::aql {

inline Transfer make_copy(const backend::Region& dst, const backend::Region& src,
                          const backend::Extent3& extent) noexcept {
  Transfer t;
  t.dst = dst;
  t.src = src;
  t.extent = extent;
  return t;
}

// Errors: NotSupported for a pattern of another size than 1, 2, 4 or 8 bytes; InvalidValue for a part of one.
Result<Transfer> make_fill(const backend::Region& dst, uint64_t pattern, uint32_t pattern_bytes,
                           const backend::Extent3& extent);

// From the first byte of a region to behind its last one, gaps between rows and slices included.
inline uint64_t span_bytes(const backend::Region& region, const backend::Extent3& extent) noexcept {
  return (extent.depth - 1) * region.slice_bytes + (extent.height - 1) * region.pitch_bytes + extent.width_bytes;
}

inline std::byte* row(const backend::Region& region, size_t y, size_t z) noexcept {
  return static_cast<std::byte*>(region.base) + z * region.slice_bytes + y * region.pitch_bytes;
}

// Fills memory that the host reaches. A word of 4 or 8 bytes that is filled alone is one store, behind everything before it: hosts and
// other processes poll such words (events between processes, values that streams write).
void fill_bytes(std::byte* dst, uint64_t pattern, uint64_t bytes) noexcept;

// Whether the process may read or write all rows of a region of host memory; what lies between them is looked at only
// where it is little.
bool host_may_access(const backend::Region& region, const backend::Extent3& extent, HostAccess access) noexcept;
// The error of a transfer where it may not: IllegalAddress, with the place and what the process may do there.
Status no_host_access(const Transfer& transfer, HostAccess access);

} // namespace hip::aql
