// Monte Carlo pricing, vectors across simulated threads.
#include "problems/monte_carlo.h"

KIT_CASE(monte_carlo) {
  using P = problems::MonteCarlo;
  const P problem(run.scale());
  const float drift = (P::kRate - 0.5f * P::kVolatility * P::kVolatility) * P::kYears;
  const float deviation = P::kVolatility * std::sqrt(P::kYears);
  double sum = 0, squares = 0;
  run.measure(problem.paths(), "Mpaths/s", 1e6, [&] {
    double total = 0, total_squares = 0;
    constexpr uint32_t kLanes = 64;
#pragma omp parallel for schedule(static) reduction(+ : total, total_squares)
    for (uint32_t first = 0; first < problem.threads; first += kLanes) {
      float sums[kLanes] = {}, sums_of_squares[kLanes] = {};
      for (uint32_t block = 0; block < P::kBlocksPerThread; ++block) {
        uint32_t random[4][kLanes];
        float normal[4][kLanes], radii[kLanes], angles[kLanes];
#pragma omp simd
        for (uint32_t l = 0; l < kLanes; ++l) {
          uint32_t c[4] = {first + l, block, 0, 0};
          problems::philox(c, P::kKey0, P::kKey1);
          for (int i = 0; i < 4; ++i) random[i][l] = c[i];
        }
        for (int pair = 0; pair < 2; ++pair) {
#pragma omp simd
          for (uint32_t l = 0; l < kLanes; ++l) {
            const float u = static_cast<float>(static_cast<int>(random[2 * pair][l] >> 8)) * 0x1p-24f + 0x1p-25f;
            const float angle = static_cast<float>(static_cast<int>(random[2 * pair + 1][l] >> 8)) * 0x1p-24f;
            radii[l] = std::sqrt(-2.0f * std::log(u));
            angles[l] = 6.28318531f * angle;
          }
          // Two loops: the compiler makes one call of sine and cosine of one angle, which it has no vectors for.
#pragma omp simd
          for (uint32_t l = 0; l < kLanes; ++l) normal[2 * pair][l] = radii[l] * std::cos(angles[l]);
#pragma omp simd
          for (uint32_t l = 0; l < kLanes; ++l) normal[2 * pair + 1][l] = radii[l] * std::sin(angles[l]);
        }
        for (int i = 0; i < 4; ++i) {
#pragma omp simd
          for (uint32_t l = 0; l < kLanes; ++l) {
            const float price = P::kSpot * std::exp(drift + deviation * normal[i][l]) - P::kStrike;
            const float payoff = price > 0 ? price : 0;
            sums[l] += payoff;
            sums_of_squares[l] += payoff * payoff;
          }
        }
      }
      for (uint32_t l = 0; l < kLanes; ++l) total += sums[l], total_squares += sums_of_squares[l];
    }
    sum = total, squares = total_squares;
  });
  KIT_CHECK(problem.right(sum, squares));
}
