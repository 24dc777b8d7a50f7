#include "runtime/codeobject/md5.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hip::codeobject {
namespace {

// RFC 1321, 3.4: 2^32 times the absolute sine of 1, 2, ...
constexpr std::array<uint32_t, 64> kSines{
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};
constexpr int kRotations[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

using State = std::array<uint32_t, 4>;

// One step of a round: `mixed` is the round's function of the other three words.
void step(State& s, uint32_t mixed, uint32_t word, int index) noexcept {
  const uint32_t sum = s[0] + mixed + word + kSines[static_cast<size_t>(index)];
  const uint32_t next = s[1] + std::rotl(sum, kRotations[index / 16][index % 4]);
  s = {s[3], next, s[1], s[2]};
}

void add_block(State& state, const std::byte* block) noexcept {
  static_assert(std::endian::native == std::endian::little);
  std::array<uint32_t, 16> words;
  std::memcpy(words.data(), block, sizeof words);
  State s = state;
  // Each step waits for s[1] of the one before, so little is computed from it. The second round's function is a sum
  // (its two parts have no bit in common), of which one part is added earlier.
  for (int i = 0; i < 16; ++i) step(s, s[3] ^ (s[1] & (s[2] ^ s[3])), words[static_cast<size_t>(i)], i);
  for (int i = 16; i < 32; ++i) step(s, (s[3] & s[1]) + (~s[3] & s[2]), words[static_cast<size_t>(5 * i + 1) % 16], i);
  for (int i = 32; i < 48; ++i) step(s, s[1] ^ (s[2] ^ s[3]), words[static_cast<size_t>(3 * i + 5) % 16], i);
  for (int i = 48; i < 64; ++i) step(s, s[2] ^ (s[1] | ~s[3]), words[static_cast<size_t>(7 * i) % 16], i);
  for (size_t i = 0; i < 4; ++i) state[i] += s[i];
}

} // namespace

void Md5::add_blocks(const std::byte* data, size_t blocks) noexcept {
  State state = state_;
  for (size_t i = 0; i < blocks; ++i) add_block(state, data + i * kBlockBytes);
  state_ = state;
}

void Md5::add(Bytes data) noexcept {
  const size_t held = static_cast<size_t>(bytes_ % kBlockBytes);
  bytes_ += data.size();
  if (held != 0) {
    const size_t taken = std::min(data.size(), kBlockBytes - held);
    std::memcpy(rest_.data() + held, data.data(), taken);
    data = data.subspan(taken);
    if (held + taken < kBlockBytes) return;
    add_blocks(rest_.data(), 1);
  }
  const size_t blocks = data.size() / kBlockBytes;
  add_blocks(data.data(), blocks);
  data = data.subspan(blocks * kBlockBytes);
  if (!data.empty()) std::memcpy(rest_.data(), data.data(), data.size());
}

uint64_t Md5::low64() const noexcept {
  Md5 whole = *this;
  // The end: a bit, zeros up to the length's place, and the length in bits.
  std::array<std::byte, 2 * kBlockBytes> end{};
  const size_t held = static_cast<size_t>(bytes_ % kBlockBytes);
  std::memcpy(end.data(), rest_.data(), held);
  end[held] = std::byte{0x80};
  const size_t blocks = held + 1 + sizeof(uint64_t) <= kBlockBytes ? 1 : 2;
  const uint64_t bits = bytes_ * 8;
  std::memcpy(end.data() + blocks * kBlockBytes - sizeof bits, &bits, sizeof bits);
  whole.add_blocks(end.data(), blocks);
  return uint64_t{whole.state_[1]} << 32 | whole.state_[0];
}

uint64_t md5_low64(Bytes data) noexcept {
  Md5 digest;
  digest.add(data);
  return digest.low64();
}

} // namespace hip::codeobject
