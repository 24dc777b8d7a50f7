// Monte Carlo pricing: random numbers, log, sin, cos and exp in every thread, a sum per work-group through LDS.
#include "device.h"
#include "problems/monte_carlo.h"

namespace {

using P = problems::MonteCarlo;
constexpr int kThreads = 256;

__global__ void simulate(double2* sums, float drift, float deviation) {
  __shared__ double2 shared[kThreads];
  const unsigned id = blockIdx.x * kThreads + threadIdx.x;
  float sum = 0, squares = 0;
  for (int block = 0; block < P::kBlocksPerThread; ++block) {
    uint32_t c[4] = {id, static_cast<uint32_t>(block), 0, 0};
    problems::philox(c, P::kKey0, P::kKey1);
    float normal[4];
    for (int pair = 0; pair < 2; ++pair) {
      const float u = (c[2 * pair] >> 8) * 0x1p-24f + 0x1p-25f, angle = (c[2 * pair + 1] >> 8) * 0x1p-24f;
      const float radius = sqrtf(-2.0f * logf(u));
      float sine, cosine;
      sincosf(6.28318531f * angle, &sine, &cosine);
      normal[2 * pair] = radius * cosine;
      normal[2 * pair + 1] = radius * sine;
    }
    for (float z : normal) {
      const float payoff = fmaxf(P::kSpot * expf(drift + deviation * z) - P::kStrike, 0.0f);
      sum += payoff;
      squares += payoff * payoff;
    }
  }
  shared[threadIdx.x] = make_double2(sum, squares);
  __syncthreads();
  for (unsigned width = kThreads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      shared[threadIdx.x].x += shared[threadIdx.x + width].x;
      shared[threadIdx.x].y += shared[threadIdx.x + width].y;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = shared[0];
}

} // namespace

KIT_CASE(monte_carlo) {
  const P problem(run.scale());
  const kit::Device<double2> sums(problem.threads / kThreads);
  const float drift = (P::kRate - 0.5f * P::kVolatility * P::kVolatility) * P::kYears;
  const float deviation = P::kVolatility * std::sqrt(P::kYears);
  run.measure(problem.paths(), "Mpaths/s", 1e6, [&] {
    simulate<<<sums.size(), kThreads>>>(sums, drift, deviation);
    kit::wait();
  });
  double sum = 0, squares = 0;
  for (const double2& part : sums.download()) sum += part.x, squares += part.y;
  KIT_CHECK(problem.right(sum, squares));
}
