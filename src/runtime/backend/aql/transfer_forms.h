// runtime/backend/aql/transfer_forms.h - a Transfer from the arguments of the queue's calls and of prepared commands.
#pragma once

#include "runtime/backend/aql/agent.h"

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

} // namespace hip::aql
