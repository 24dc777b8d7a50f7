// SHA-256 (FIPS 180-4) of many messages of 64 bytes each.
#pragma once

#include "../kit.h"

#include <cmath>

namespace problems {

struct Sha256 {
  static constexpr int kMessageWords = 16, kDigestWords = 8;
  // Fractional parts of the square and cube roots of the first primes.
  uint32_t start[8], round[64];
  size_t messages;
  kit::Array<uint32_t> words; // message after message, as they lie in memory

  explicit Sha256(kit::Scale scale)
      : messages(scale == kit::Scale::Full ? 1u << 17 : 1024), words(messages * kMessageWords) {
    int found = 0;
    for (int n = 2; found < 64; ++n) {
      bool prime = true;
      for (int d = 2; d * d <= n; ++d) prime &= n % d != 0;
      if (!prime) continue;
      if (found < 8) start[found] = fraction(std::sqrt(static_cast<long double>(n)));
      round[found++] = fraction(std::cbrt(static_cast<long double>(n)));
    }
    kit::Random random(12);
    for (uint32_t& word : words) word = random.bits();
  }
  double bytes() const { return 64.0 * static_cast<double>(messages); }
  // Straight from the standard, for some messages; and the standard's own example, "abc", for this text itself.
  bool right(const kit::Array<uint32_t>& digests) const {
    uint32_t block[16] = {0x61626380}, state[8];
    std::copy_n(start, 8, state);
    block[15] = 24;
    compress(state, block);
    if (state[0] != 0xba7816bf || state[7] != 0xf20015ad) return false;
    for (size_t m = 0; m < messages; m += 61) {
      std::copy_n(start, 8, state);
      for (int i = 0; i < 16; ++i) block[i] = __builtin_bswap32(words[m * 16 + i]);
      compress(state, block);
      std::fill_n(block, 16, 0u);
      block[0] = 0x80000000, block[15] = 512;
      compress(state, block);
      if (!std::equal(state, state + 8, &digests[m * 8])) return false;
    }
    return true;
  }

private:
  static uint32_t fraction(long double x) { return static_cast<uint32_t>((x - std::floor(x)) * 0x1p32L); }
  static uint32_t rotate(uint32_t x, int n) { return x >> n | x << (32 - n); }
  void compress(uint32_t* state, const uint32_t* block) const {
    uint32_t w[64], s[8];
    std::copy_n(block, 16, w);
    for (int i = 16; i < 64; ++i)
      w[i] = w[i - 16] + w[i - 7] + (rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ w[i - 15] >> 3) +
             (rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ w[i - 2] >> 10);
    std::copy_n(state, 8, s);
    for (int i = 0; i < 64; ++i) {
      const uint32_t t1 = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
                          ((s[4] & s[5]) ^ (~s[4] & s[6])) + round[i] + w[i];
      const uint32_t t2 =
          (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
      std::copy_backward(s, s + 7, s + 8);
      s[4] += t1;
      s[0] = t1 + t2;
    }
    for (int i = 0; i < 8; ++i) state[i] += s[i];
  }
};

} // namespace problems
