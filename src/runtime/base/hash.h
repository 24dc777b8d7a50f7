// runtime/base/hash.h - a fast hash of bytes, for checksums and for names of files. Not for bytes that somebody chose
// in order to collide: who cannot bear two inputs with one hash keeps the input and compares it. Pure functions of
// their arguments: the same on every host and in every build.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hip {

struct Hash128 {
  uint64_t low = 0, high = 0;
  friend bool operator==(const Hash128&, const Hash128&) = default;
};

// Other seeds give independent hashes.
Hash128 hash128(std::span<const std::byte> bytes, uint64_t seed = 0) noexcept;
inline uint64_t hash64(std::span<const std::byte> bytes) noexcept { return hash128(bytes).low; }

} // namespace hip
