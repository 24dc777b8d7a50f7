#include "runtime/backend/aql/transfer_forms.h"

namespace hip::aql {

Result<Transfer> make_fill(const backend::Region& dst, uint64_t pattern, uint32_t pattern_bytes,
                           const backend::Extent3& extent) {
  if (pattern_bytes == 0 || pattern_bytes > 8 || (pattern_bytes & (pattern_bytes - 1)) != 0)
    return error(ErrorCode::NotSupported, "A fill pattern of {} bytes is not supported; 1, 2, 4 and 8 are.",
                 pattern_bytes);
  if (extent.width_bytes % pattern_bytes != 0)
    return error(ErrorCode::InvalidValue, "A fill of {} bytes is no multiple of its pattern of {} bytes.",
                 extent.width_bytes, pattern_bytes);
  Transfer t;
  t.dst = dst;
  t.extent = extent;
  t.pattern_bytes = pattern_bytes;
  for (uint32_t shift = 0; shift < 64; shift += pattern_bytes * 8)
    t.pattern |= (pattern_bytes == 8 ? pattern : pattern & ((uint64_t(1) << pattern_bytes * 8) - 1)) << shift;
  return t;
}

} // namespace hip::aql
