// Sorting random 32-bit keys.
#pragma once

#include "../kit.h"

namespace problems {

struct RadixSort {
  kit::Array<uint32_t> keys;

  explicit RadixSort(kit::Scale scale) : keys(scale == kit::Scale::Full ? 2u << 20 : 8192) {
    kit::Random random(10);
    for (uint32_t& key : keys) key = random.bits();
  }
  // In order, and the same keys.
  bool right(const kit::Array<uint32_t>& sorted) const {
    kit::Array<uint32_t> wanted = keys;
    std::sort(wanted.begin(), wanted.end());
    return sorted == wanted;
  }
};

} // namespace problems
