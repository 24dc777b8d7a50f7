// The acoustic wave equation in three dimensions, a thread per point; points near the border are damped.
#include "device.h"
#include "problems/wave_equation.h"

namespace {

using problems::WaveEquation;
struct Weights {
  float at[WaveEquation::kRadius + 1];
};

__global__ void step(const float* now, float* before, const float* velocity, Weights weights, int n, int sponge) {
  constexpr int kRadius = WaveEquation::kRadius;
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x < kRadius || y < kRadius || z < kRadius || x >= n - kRadius || y >= n - kRadius || z >= n - kRadius) return;
  const int row = n, plane = n * n, i = z * plane + y * row + x;
  float sum = 3 * weights.at[0] * now[i];
  for (int r = 1; r <= kRadius; ++r)
    sum += weights.at[r] * (now[i - r] + now[i + r] + now[i - r * row] + now[i + r * row] + now[i - r * plane] + now[i + r * plane]);
  const int edge = min(min(min(x, n - 1 - x), min(y, n - 1 - y)), min(z, n - 1 - z));
  float damping = 1;
  if (edge < sponge) damping = 1 - 0.02f * static_cast<float>((sponge - edge) * (sponge - edge)) / static_cast<float>(sponge * sponge);
  before[i] = damping * (2 * now[i] - damping * before[i] + velocity[i] * sum);
}

} // namespace

KIT_CASE(wave_equation) {
  const WaveEquation problem(run.scale());
  const kit::Device<float> velocity(problem.velocity);
  kit::Device<float> first(problem.field), second(problem.size());
  Weights weights;
  std::copy_n(WaveEquation::kWeights, WaveEquation::kRadius + 1, weights.at);
  const unsigned n = static_cast<unsigned>(problem.n);
  const dim3 grid(kit::groups(n, 32), kit::groups(n, 8), n), block(32, 8);
  run.measure(static_cast<double>(problem.size()) * WaveEquation::kSteps, "Gpoints/s", 1e9, [&] {
    for (int s = 0; s < WaveEquation::kSteps; ++s)
      step<<<grid, block>>>(s % 2 ? second : first, s % 2 ? first : second, velocity, weights, problem.n, problem.sponge);
    kit::wait();
  }, [&] {
    first.upload(problem.field);
    second.fill(0);
    kit::wait();
  });
  KIT_CHECK(problem.right((WaveEquation::kSteps % 2 ? second : first).download()));
}
