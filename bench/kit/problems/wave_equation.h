// The acoustic wave equation in three dimensions: eighth order in space, second in time, and a border that swallows waves.
#pragma once

#include "../kit.h"

#include <cmath>

namespace problems {

struct WaveEquation {
  static constexpr int kRadius = 4, kSteps = 4;
  static constexpr float kWeights[kRadius + 1] = {-2.8472222f, 1.6f, -0.2f, 0.025396825f, -0.0017857143f};
  int n, sponge; // points along each axis, and how far the border reaches inwards
  kit::Array<float> field, velocity; // n * n * n; velocity: (c dt / dx) squared

  explicit WaveEquation(kit::Scale scale) : n(scale == kit::Scale::Full ? 160 : 24), sponge(scale == kit::Scale::Full ? 16 : 6) {
    kit::Random random(22);
    field.resize(size());
    velocity.resize(size());
    for (float& v : velocity) v = static_cast<float>(random.between(0.05, 0.15));
    const int middle = n / 2;
    for (int z = -3; z <= 3; ++z)
      for (int y = -3; y <= 3; ++y)
        for (int x = -3; x <= 3; ++x)
          field[index(middle + x, middle + y, middle + z)] = std::exp(-0.3f * static_cast<float>(x * x + y * y + z * z));
  }
  size_t size() const { return static_cast<size_t>(n) * n * n; }
  size_t index(int x, int y, int z) const { return (static_cast<size_t>(z) * n + y) * n + x; }
  // One step by the definition, in double precision.
  void step(const kit::Array<double>& now, kit::Array<double>& before) const {
    for (int z = kRadius; z < n - kRadius; ++z)
      for (int y = kRadius; y < n - kRadius; ++y)
        for (int x = kRadius; x < n - kRadius; ++x) {
          const size_t i = index(x, y, z), row = n, plane = static_cast<size_t>(n) * n;
          double sum = 3.0 * kWeights[0] * now[i];
          for (size_t r = 1; r <= kRadius; ++r)
            sum += static_cast<double>(kWeights[r]) * (now[i - r] + now[i + r] + now[i - r * row] + now[i + r * row] + now[i - r * plane] + now[i + r * plane]);
          const int edge = std::min({x, y, z, n - 1 - x, n - 1 - y, n - 1 - z});
          double damping = 1.0;
          if (edge < sponge) damping = 1.0 - 0.02 * static_cast<double>((sponge - edge) * (sponge - edge)) / (sponge * sponge);
          before[i] = damping * (2 * now[i] - damping * before[i] + static_cast<double>(velocity[i]) * sum);
        }
  }
  // The field after kSteps steps from the start, where `before` is zero.
  bool right(const kit::Array<float>& got) const {
    kit::Array<double> now(field.begin(), field.end()), before(size());
    for (int s = 0; s < kSteps; ++s) step(now, before), now.swap(before);
    for (size_t i = 0; i < size(); ++i)
      if (!(std::fabs(now[i] - static_cast<double>(got[i])) < 1e-4)) return false;
    return true;
  }
};

} // namespace problems
