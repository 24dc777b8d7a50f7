// tests/tier1/loads.h - what loads of bytes, shorts and dwords leave in their destination.
#pragma once

#include <cstdint>

namespace tier1_test {

// Of a lane whose element is `value`, zero-extended, and whose destination held `old`. gfx942 clears the half of a
// register that a load of 16 bits does not write; gfx1100 keeps it. Load has `bytes`, `is_signed`, `half` and `high`.
template<class Load> uint32_t written(const Load& load, uint32_t value, uint32_t old, bool clears) {
  if (load.is_signed && load.bytes < 4)
    value = uint32_t(load.bytes == 1 ? int32_t(int8_t(value)) : int32_t(int16_t(value)));
  if (!load.half) return value;
  const uint32_t kept = clears ? 0 : load.high ? old & 0xffff : old & 0xffff0000u;
  return load.high ? value << 16 | kept : (value & 0xffff) | kept;
}

} // namespace tier1_test
