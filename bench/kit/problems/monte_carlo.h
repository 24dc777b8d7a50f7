// A European call priced by simulation: counter-based random numbers (Philox 4x32-10), normal deviates by Box-Muller.
#pragma once

#include "../kit.h"

#include <cmath>

#if defined(__HIPCC__)
#define KIT_ANY_SIDE __host__ __device__
#else
#define KIT_ANY_SIDE
#endif

namespace problems {

struct MonteCarlo {
  static constexpr float kSpot = 100, kStrike = 105, kRate = 0.03f, kVolatility = 0.25f, kYears = 1.5f;
  static constexpr int kBlocksPerThread = 16, kPathsPerThread = 4 * kBlocksPerThread;
  static constexpr uint32_t kKey0 = 0x243f6a88, kKey1 = 0x85a308d3;
  size_t threads;

  explicit MonteCarlo(kit::Scale scale) : threads(scale == kit::Scale::Full ? 65536 : 1024) {}
  double paths() const { return static_cast<double>(threads) * kPathsPerThread; }
  // Against the closed form, within five standard errors as the payoffs themselves give them.
  bool right(double sum, double sum_of_squares) const {
    const double mean = sum / paths(), error = std::sqrt((sum_of_squares / paths() - mean * mean) / paths());
    const double d1 = (std::log(double(kSpot) / kStrike) + (kRate + 0.5 * kVolatility * kVolatility) * kYears) /
                      (kVolatility * std::sqrt(double(kYears)));
    const double d2 = d1 - kVolatility * std::sqrt(double(kYears));
    auto normal = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
    const double discount = std::exp(-double(kRate) * kYears);
    const double price = kSpot * normal(d1) - kStrike * discount * normal(d2);
    return std::fabs(mean * discount - price) < 5 * error * discount && error < 0.02 * price;
  }
};

// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011).
KIT_ANY_SIDE inline void philox(uint32_t c[4], uint32_t key0, uint32_t key1) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t p0 = static_cast<uint64_t>(0xd2511f53u) * c[0], p1 = static_cast<uint64_t>(0xcd9e8d57u) * c[2];
    const uint32_t c1 = c[1], c3 = c[3];
    c[0] = static_cast<uint32_t>(p1 >> 32) ^ c1 ^ key0;
    c[1] = static_cast<uint32_t>(p1);
    c[2] = static_cast<uint32_t>(p0 >> 32) ^ c3 ^ key1;
    c[3] = static_cast<uint32_t>(p0);
    key0 += 0x9e3779b9u;
    key1 += 0xbb67ae85u;
  }
}

} // namespace problems
