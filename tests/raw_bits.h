// tests/raw_bits.h - numbers and the bits of registers that hold them.
#pragma once

#include <cstdint>
#include <cstring>

namespace hip::test {

// Of the low bits.
template<class T> T from_bits(uint64_t bits) {
  T out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}
template<class T> uint64_t to_bits(T v) {
  uint64_t out = 0;
  std::memcpy(&out, &v, sizeof v);
  return out;
}

} // namespace hip::test
