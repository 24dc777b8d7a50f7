// 2-D convolution of an image with a 7 x 7 filter; outside the image is zero.
#pragma once

#include "../kit.h"

#include <cmath>

namespace problems {

struct Convolution {
  static constexpr int kRadius = 3, kSide = 2 * kRadius + 1;
  int n;
  kit::Array<float> image;
  float filter[kSide * kSide];

  explicit Convolution(kit::Scale scale) : n(scale == kit::Scale::Full ? 2048 : 64) {
    kit::Random random(6);
    for (int i = 0; i < n * n; ++i) image.push_back(static_cast<float>(random.unit()));
    for (float& weight : filter) weight = static_cast<float>(random.between(-0.1, 0.1));
  }
  double flops() const { return 2.0 * kSide * kSide * n * n; }
  bool right(const kit::Array<float>& out) const {
    kit::Random random(7);
    for (int sample = 0; sample < 4096; ++sample) {
      const int edge = sample < 512 ? static_cast<int>(random.below(kSide)) : 0; // some at every edge
      int x = static_cast<int>(random.below(n)), y = static_cast<int>(random.below(n));
      if (edge) (sample & 1 ? x : y) = sample & 2 ? n - edge : edge - 1;
      double wanted = 0;
      for (int v = -kRadius; v <= kRadius; ++v)
        for (int u = -kRadius; u <= kRadius; ++u)
          if (x + u >= 0 && x + u < n && y + v >= 0 && y + v < n)
            wanted += static_cast<double>(image[(y + v) * n + x + u]) * filter[(v + kRadius) * kSide + u + kRadius];
      if (!(std::fabs(wanted - out[y * n + x]) < 1e-5)) return false;
    }
    return true;
  }
};

} // namespace problems
