// Accelerations of n bodies on each other, in double precision.
#pragma once

#include "../kit.h"

#include <cmath>

namespace problems {

struct Nbody64 {
  static constexpr double kSoftening = 1e-4;
  size_t bodies;
  kit::Array<double> x, y, z, mass;

  explicit Nbody64(kit::Scale scale) : bodies(scale == kit::Scale::Full ? 8192 : 512) {
    kit::Random random(1);
    for (size_t i = 0; i < bodies; ++i) {
      x.push_back(random.between(-1, 1));
      y.push_back(random.between(-1, 1));
      z.push_back(random.between(-1, 1));
      mass.push_back(random.between(0.1, 1));
    }
  }
  double flops() const { return 20.0 * static_cast<double>(bodies) * static_cast<double>(bodies); }
  // a: x, y, z of every body. Some bodies are summed again in long double.
  bool right(const kit::Array<double>& a) const {
    for (size_t i = 0; i < bodies; i += bodies / 16) {
      long double sum[3] = {}, scale = 0;
      for (size_t j = 0; j < bodies; ++j) {
        const long double d[3] = {x[j] - x[i], y[j] - y[i], z[j] - z[i]};
        const long double d2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + kSoftening;
        const long double f = mass[j] / (d2 * std::sqrt(d2));
        for (int c = 0; c < 3; ++c) sum[c] += f * d[c];
        scale += f * std::sqrt(d2);
      }
      for (int c = 0; c < 3; ++c) {
        if (!(std::fabs(static_cast<double>(sum[c]) - a[3 * i + c]) < 1e-11 * static_cast<double>(scale))) return false;
      }
    }
    return true;
  }
};

} // namespace problems
