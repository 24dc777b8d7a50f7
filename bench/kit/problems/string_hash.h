// Hashes of strings of different lengths, byte by byte (Jenkins' one-at-a-time).
#pragma once

#include "../kit.h"

namespace problems {

struct StringHash {
  kit::Array<char> text;
  kit::Array<uint32_t> begins; // one more than there are strings

  explicit StringHash(kit::Scale scale) {
    kit::Random random(25);
    const size_t strings = scale == kit::Scale::Full ? 1u << 17 : 512;
    begins.push_back(0);
    for (size_t s = 0; s < strings; ++s) begins.push_back(begins.back() + 4 + random.below(92));
    text.resize(begins.back());
    for (char& c : text) c = static_cast<char>(random.below(256));
  }
  size_t strings() const { return begins.size() - 1; }
  static uint32_t hash(const char* at, const char* end) {
    uint32_t h = 0;
    for (; at != end; ++at) {
      h += static_cast<unsigned char>(*at);
      h += h << 10;
      h ^= h >> 6;
    }
    h += h << 3;
    h ^= h >> 11;
    return h + (h << 15);
  }
  bool right(const kit::Array<uint32_t>& got) const {
    for (size_t s = 0; s < strings(); ++s)
      if (got[s] != hash(&text[begins[s]], text.data() + begins[s + 1])) return false;
    return true;
  }
};

} // namespace problems
