// The transpose of a square matrix of floats.
#pragma once

#include "../kit.h"

namespace problems {

struct Transpose {
  size_t n;
  kit::Array<float> in;

  explicit Transpose(kit::Scale scale) : n(scale == kit::Scale::Full ? 4096 : 128), in(n * n) {
    for (size_t i = 0; i < n * n; ++i) in[i] = static_cast<float>(i);
  }
  double bytes() const { return 8.0 * static_cast<double>(n * n); }
  bool right(const kit::Array<float>& out) const {
    for (size_t row = 0; row < n; ++row)
      for (size_t column = 0; column < n; ++column)
        if (out[column * n + row] != in[row * n + column]) return false;
    return true;
  }
};

} // namespace problems
