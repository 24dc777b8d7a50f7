// runtime/codeobject/md5.h - the MD5 digest (RFC 1321), by which compressed offload bundles tell that they are whole.
// Against accidents, not against enemies.
#pragma once

#include "runtime/codeobject/bytes.h"

#include <array>

namespace hip::codeobject {

// The digest of bytes that come in pieces. Thread safety: none.
class Md5 {
public:
  void add(Bytes data) noexcept;
  // The first eight bytes of the digest of all that was added, as a little-endian number.
  uint64_t low64() const noexcept;

private:
  static constexpr size_t kBlockBytes = 64;
  void add_blocks(const std::byte* data, size_t blocks) noexcept;

  std::array<uint32_t, 4> state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  std::array<std::byte, kBlockBytes> rest_{}; // behind the last whole block
  uint64_t bytes_ = 0;
};

// Md5's low64 of `data`.
uint64_t md5_low64(Bytes data) noexcept;

} // namespace hip::codeobject
