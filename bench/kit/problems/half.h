// Half precision: a polynomial at many points, and y += a x. Halfs are uint16_t with their bits, for every compiler.
#pragma once

#include "../kit.h"

#include <cmath>

namespace problems {

inline float half_to_float(uint16_t h) {
  const int exponent = (h >> 10) & 31, fraction = h & 1023;
  const float magnitude = exponent == 0    ? std::ldexp(static_cast<float>(fraction), -24)
                          : exponent == 31 ? (fraction ? NAN : INFINITY)
                                           : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
  return h & 0x8000 ? -magnitude : magnitude;
}
// For |f| in [2^-14, 65504], to nearest even.
inline uint16_t normal_float_to_half(float f) {
  uint32_t u;
  std::memcpy(&u, &f, sizeof(u));
  const uint32_t sign = (u >> 16) & 0x8000, magnitude = u & 0x7fffffff;
  return static_cast<uint16_t>(sign | ((magnitude + 0xfff + ((magnitude >> 13) & 1) - (112u << 23)) >> 13));
}

struct HalfPolynomial {
  static constexpr int kDegree = 16;
  kit::Array<uint16_t> x;
  float coefficients[kDegree + 1]; // each a half

  explicit HalfPolynomial(kit::Scale scale) {
    const size_t n = scale == kit::Scale::Full ? 8u << 20 : 8192;
    kit::Random random(4);
    for (size_t i = 0; i < n; ++i) {
      const double magnitude = random.between(0.01, 0.99);
      x.push_back(normal_float_to_half(static_cast<float>(random.bits() & 1 ? magnitude : -magnitude)));
    }
    for (int i = 0; i <= kDegree; ++i)
      coefficients[i] = half_to_float(normal_float_to_half(static_cast<float>(i % 3 == 0 ? -1.0 : 1.0) / (1 + i)));
  }
  double flops() const { return 2.0 * kDegree * static_cast<double>(x.size()); }
  // Rounding to half in each of 16 steps: within 16 half ulps of the largest intermediate value, which is below 4.
  bool right(const kit::Array<uint16_t>& y) const {
    for (size_t i = 0; i < x.size(); i += 13) {
      const double at = half_to_float(x[i]);
      double wanted = 0;
      for (int c = kDegree; c >= 0; --c) wanted = wanted * at + coefficients[c];
      if (!(std::fabs(wanted - half_to_float(y[i])) < 16 * 0.00195 / 2)) return false;
    }
    return true;
  }
};

struct HalfAxpy {
  static constexpr float kA = 0.5f;
  kit::Array<uint16_t> x, y;

  explicit HalfAxpy(kit::Scale scale) {
    const size_t n = scale == kit::Scale::Full ? 32u << 20 : 8192;
    x.resize(n);
    y.resize(n);
    for (size_t i = 0; i < n; ++i) { // small whole numbers: every result is exact
      x[i] = normal_float_to_half(static_cast<float>(2 * (i % 97 + 1)));
      y[i] = normal_float_to_half(static_cast<float>(i % 31 + 1));
    }
  }
  double bytes() const { return 6.0 * static_cast<double>(x.size()); }
  // y + kA x, once.
  bool right(const kit::Array<uint16_t>& result) const {
    for (size_t i = 0; i < x.size(); ++i) {
      if (result[i] != normal_float_to_half(static_cast<float>(i % 31 + 1 + i % 97 + 1))) return false;
    }
    return true;
  }
};

} // namespace problems
