// Forward complex transforms of 1024 points, many at once; re and im interleaved.
#pragma once

#include "../kit.h"

#include <cmath>
#include <complex>

namespace problems {

struct Fft {
  static constexpr int kPoints = 1024;
  size_t batch;
  kit::Array<float> in;   // batch * kPoints complex numbers
  kit::Array<float> root; // exp(-2 pi i k / kPoints), complex

  explicit Fft(kit::Scale scale) : batch(scale == kit::Scale::Full ? 4096 : 16), in(batch * kPoints * 2) {
    kit::Random random(8);
    for (float& value : in) value = static_cast<float>(random.between(-1, 1));
    for (int k = 0; k < kPoints; ++k) {
      const double angle = -2 * M_PI * k / kPoints;
      root.push_back(static_cast<float>(std::cos(angle)));
      root.push_back(static_cast<float>(std::sin(angle)));
    }
  }
  double flops() const { return 5.0 * kPoints * 10 * static_cast<double>(batch); }
  // Some bins against the sum that defines them, and the energy of every transform (Parseval).
  bool right(const kit::Array<float>& out) const {
    kit::Random random(9);
    for (int sample = 0; sample < 512; ++sample) {
      const size_t b = random.below(static_cast<uint32_t>(batch)), bin = random.below(kPoints);
      std::complex<double> wanted = 0;
      for (size_t i = 0; i < kPoints; ++i)
        wanted += std::complex<double>(in[2 * (b * kPoints + i)], in[2 * (b * kPoints + i) + 1]) *
                  std::polar(1.0, -2 * M_PI * static_cast<double>(i * bin % kPoints) / kPoints);
      const std::complex<double> got(out[2 * (b * kPoints + bin)], out[2 * (b * kPoints + bin) + 1]);
      if (!(std::abs(wanted - got) < 1e-3)) return false;
    }
    for (size_t b = 0; b < batch; ++b) {
      double before = 0, after = 0;
      for (size_t i = b * kPoints * 2; i < (b + 1) * kPoints * 2; ++i) {
        before += static_cast<double>(in[i]) * in[i];
        after += static_cast<double>(out[i]) * out[i];
      }
      if (!(std::fabs(after / kPoints - before) < 1e-4 * before)) return false;
    }
    return true;
  }
};

} // namespace problems
