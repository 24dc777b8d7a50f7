// C = A B, square row-major matrices of doubles.
#pragma once

#include "../kit.h"

#include <cmath>

namespace problems {

struct Dgemm {
  size_t n;
  kit::Array<double> a, b;

  explicit Dgemm(kit::Scale scale) : n(scale == kit::Scale::Full ? 768 : 64) {
    kit::Random random(2);
    for (size_t i = 0; i < n * n; ++i) {
      a.push_back(random.between(-1, 1));
      b.push_back(random.between(-1, 1));
    }
  }
  double flops() const { return 2.0 * static_cast<double>(n * n * n); }
  // Random elements are computed again, and all elements are tested through their sum with a random vector.
  bool right(const kit::Array<double>& c) const {
    kit::Random random(3);
    std::vector<double> v(n), bv(n, 0.0);
    for (double& element : v) element = random.between(-1, 1);
    for (size_t r = 0; r < n; ++r)
      for (size_t k = 0; k < n; ++k) bv[r] += b[r * n + k] * v[k];
    for (size_t r = 0; r < n; ++r) {
      double wanted = 0, got = 0;
      for (size_t k = 0; k < n; ++k) wanted += a[r * n + k] * bv[k];
      for (size_t k = 0; k < n; ++k) got += c[r * n + k] * v[k];
      if (!(std::fabs(wanted - got) < 1e-9 * static_cast<double>(n))) return false;
    }
    for (int sample = 0; sample < 256; ++sample) {
      const size_t row = random.below(n), column = random.below(n);
      double wanted = 0;
      for (size_t k = 0; k < n; ++k) wanted += a[row * n + k] * b[k * n + column];
      if (!(std::fabs(wanted - c[row * n + column]) < 1e-12 * static_cast<double>(n))) return false;
    }
    return true;
  }
};

} // namespace problems
