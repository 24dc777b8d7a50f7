// Four lanes take 8 bytes each of a block of 32. A lane's step multiplies to 128 bits and adds the halves, which mixes
// all bits of the state and the input; the constants are odd and have about as many ones as zeros.
#include "runtime/base/hash.h"

#include <cstring>

namespace hip {
namespace {

constexpr uint64_t kOdd[4] = {0x9e3779b97f4a7c15, 0xc2b2ae3d27d4eb4f, 0x165667b19e3779f9, 0xd6e8feb86659fd93};

uint64_t fold(uint64_t a, uint64_t b) noexcept {
  const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

uint64_t word_at(const std::byte* p) noexcept {
  uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

} // namespace

Hash128 hash128(std::span<const std::byte> bytes, uint64_t seed) noexcept {
  uint64_t lane[4];
  for (int i = 0; i < 4; ++i) lane[i] = fold(seed ^ kOdd[i], kOdd[3 - i] + bytes.size());
  const auto take = [&](const std::byte* block) {
    // The lane itself is added, so that a product of zero loses nothing of what came before.
    for (int i = 0; i < 4; ++i) lane[i] += fold(lane[i] ^ word_at(block + 8 * i), kOdd[i] ^ (lane[i] >> 32));
  };
  size_t at = 0;
  for (; bytes.size() - at >= 32; at += 32) take(bytes.data() + at);
  if (at < bytes.size()) {
    std::byte last[32] = {};
    std::memcpy(last, bytes.data() + at, bytes.size() - at);
    take(last);
  }
  Hash128 out;
  out.low = fold(lane[0] ^ kOdd[2], lane[1] ^ kOdd[3]) + fold(lane[2] ^ kOdd[0], lane[3] ^ kOdd[1]);
  out.high = fold(lane[0] + kOdd[1], lane[2] + kOdd[0]) ^ fold(lane[1] + kOdd[3], lane[3] + kOdd[2]);
  out.low = fold(out.low ^ kOdd[0], out.high ^ kOdd[1]);
  out.high = fold(out.high + out.low, kOdd[2] ^ seed) + out.low;
  return out;
}

} // namespace hip
