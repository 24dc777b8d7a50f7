// A square matrix turned by a quarter in place, ring by ring.
#pragma once

#include "../kit.h"

namespace problems {

struct Rotate {
  int n;
  kit::Array<float> matrix;

  explicit Rotate(kit::Scale scale) : n(scale == kit::Scale::Full ? 2048 : 130) {
    kit::Random random(21);
    matrix.resize(static_cast<size_t>(n) * n);
    for (float& x : matrix) x = static_cast<float>(random.bits() >> 8);
  }
  // Element i of the ring's top row and the three others that change places with it, clockwise.
  template<class T> static void turn(T* m, int n, int ring, int i) {
    const int last = n - 1 - ring, back = last - (i - ring);
    T* top = m + static_cast<size_t>(ring) * n + i;
    T* right = m + static_cast<size_t>(i) * n + last;
    T* bottom = m + static_cast<size_t>(last) * n + back;
    T* left = m + static_cast<size_t>(back) * n + ring;
    const T saved = *top;
    *top = *left, *left = *bottom, *bottom = *right, *right = saved;
  }
  // After `turns` quarter turns.
  bool right(const kit::Array<float>& got, size_t turns) const {
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        int from_y = y, from_x = x;
        for (size_t t = 0; t < turns % 4; ++t) {
          const int old_y = from_y;
          from_y = n - 1 - from_x, from_x = old_y;
        }
        if (got[static_cast<size_t>(y) * n + x] != matrix[static_cast<size_t>(from_y) * n + from_x]) return false;
      }
    return true;
  }
};

} // namespace problems
