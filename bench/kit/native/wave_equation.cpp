// The acoustic wave equation in three dimensions: planes in parallel, points of a row as vectors.
#include "problems/wave_equation.h"

KIT_CASE(wave_equation) {
  using problems::WaveEquation;
  const WaveEquation problem(run.scale());
  kit::Array<float> now, before;
  run.measure(static_cast<double>(problem.size()) * WaveEquation::kSteps, "Gpoints/s", 1e9, [&] {
    const int n = problem.n, sponge = problem.sponge, row = n, plane = n * n;
    for (int s = 0; s < WaveEquation::kSteps; ++s) {
      const float *in = now.data(), *velocity = problem.velocity.data();
      float* out = before.data();
      constexpr int kRadius = WaveEquation::kRadius;
#pragma omp parallel for schedule(static)
      for (int z = kRadius; z < n - kRadius; ++z)
        for (int y = kRadius; y < n - kRadius; ++y) {
          const int yz = std::min(std::min(y, n - 1 - y), std::min(z, n - 1 - z));
#pragma omp simd
          for (int x = kRadius; x < n - kRadius; ++x) {
            const int i = z * plane + y * row + x;
            float sum = 3 * WaveEquation::kWeights[0] * in[i];
            for (int r = 1; r <= kRadius; ++r)
              sum += WaveEquation::kWeights[r] * (in[i - r] + in[i + r] + in[i - r * row] + in[i + r * row] + in[i - r * plane] + in[i + r * plane]);
            const int xx = x < n - 1 - x ? x : n - 1 - x, edge = xx < yz ? xx : yz;
            float damping = 1;
            if (edge < sponge) damping = 1 - 0.02f * static_cast<float>((sponge - edge) * (sponge - edge)) / static_cast<float>(sponge * sponge);
            out[i] = damping * (2 * in[i] - damping * out[i] + velocity[i] * sum);
          }
        }
      now.swap(before);
    }
  }, [&] {
    now = problem.field;
    before.assign(problem.size(), 0.0f);
  });
  KIT_CHECK(problem.right(now));
}
