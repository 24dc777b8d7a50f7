// C = A B^T in float from matrices of float, bfloat16 or 8-bit floats (e4m3 as gfx942 has it: bias 8, 0x80 is NaN).
// Both operands have k along their rows. Elements are bits, for every compiler.
#pragma once

#include "../kit.h"

#include <cmath>
#include <type_traits>

namespace problems {

using Bf16 = uint16_t;
using Fp8 = uint8_t;

inline float to_float(float x) { return x; }
inline float to_float(Bf16 x) {
  const uint32_t bits = static_cast<uint32_t>(x) << 16;
  float f;
  std::memcpy(&f, &bits, sizeof(f));
  return f;
}
inline float to_float(Fp8 x) {
  if (x == 0x80) return NAN;
  const int exponent = x >> 3 & 15, fraction = x & 7;
  const float magnitude = exponent == 0 ? std::ldexp(static_cast<float>(fraction), -10)
                                        : std::ldexp(static_cast<float>(8 + fraction), exponent - 11);
  return x & 0x80 ? -magnitude : magnitude;
}

template<class T> struct MatrixGemm {
  int n;
  kit::Array<T> a, b;

  MatrixGemm(kit::Scale scale, int full) : n(scale == kit::Scale::Full ? full : 256) {
    kit::Random random(15);
    for (kit::Array<T>* matrix : {&a, &b}) {
      matrix->resize(static_cast<size_t>(n) * n);
      for (T& element : *matrix) {
        const float f = static_cast<float>(random.between(-1, 1));
        if constexpr (std::is_same_v<T, float>)
          element = f;
        else if constexpr (std::is_same_v<T, Bf16>) {
          uint32_t bits;
          std::memcpy(&bits, &f, sizeof(bits));
          element = static_cast<Bf16>(bits >> 16);
        } else // magnitudes up to 2, zeros and denormals among them
          do element = static_cast<Fp8>(random.below(0x48) | (random.bits() & 0x80));
          while (element == 0x80);
      }
    }
  }
  double flops() const { return 2.0 * n * n * n; }
  // Random elements again in double, and all elements through the product with a random vector.
  bool right(const kit::Array<float>& c) const {
    kit::Random random(16);
    const double worst = 2e-6 * n;
    std::vector<double> v(n), bv(n, 0.0);
    for (double& element : v) element = random.between(-1, 1);
    for (int column = 0; column < n; ++column)
      for (int k = 0; k < n; ++k) bv[k] += to_float(b[column * n + k]) * v[column];
    for (int row = 0; row < n; ++row) {
      double wanted = 0, got = 0;
      for (int k = 0; k < n; ++k) wanted += to_float(a[row * n + k]) * bv[k];
      for (int column = 0; column < n; ++column) got += static_cast<double>(c[row * n + column]) * v[column];
      if (!(std::fabs(wanted - got) < worst * std::sqrt(n))) return false;
    }
    for (int sample = 0; sample < 512; ++sample) {
      const int row = static_cast<int>(random.below(n)), column = static_cast<int>(random.below(n));
      double wanted = 0;
      for (int k = 0; k < n; ++k) wanted += static_cast<double>(to_float(a[row * n + k])) * to_float(b[column * n + k]);
      if (!(std::fabs(wanted - c[row * n + column]) < worst)) return false;
    }
    return true;
  }
};

} // namespace problems
