// How often a word occurs in a text of few letters.
#pragma once

#include "../kit.h"

namespace problems {

struct Substring {
  static constexpr int kLength = 11;
  kit::Array<char> text; // with 64 zeros behind it
  size_t letters;
  char word[kLength + 1] = "abracadabra";

  explicit Substring(kit::Scale scale) : letters(scale == kit::Scale::Full ? 16u << 20 : 16384) {
    kit::Random random(13);
    text.resize(letters + 64);
    for (size_t i = 0; i < letters; ++i) text[i] = "aaaabbrrcdefghij"[random.below(16)];
    for (size_t i = 0; i < letters / 1000; ++i) {
      const size_t at = random.below(static_cast<uint32_t>(letters - 2 * kLength));
      std::copy_n(word, kLength, &text[at]);
      if (i % 4 == 0) std::copy_n(word + 4, kLength - 4, &text[at + kLength]); // two that overlap
    }
  }
  bool right(size_t count) const {
    size_t wanted = 0;
    const std::string all(text.begin(), text.end());
    for (size_t at = all.find(word); at != std::string::npos; at = all.find(word, at + 1)) ++wanted;
    return count == wanted;
  }
};

} // namespace problems
