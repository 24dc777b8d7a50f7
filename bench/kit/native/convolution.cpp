// 2-D convolution on an image copied once into a frame of zeros; vectors along rows, sums in registers.
#include "problems/convolution.h"

KIT_CASE(convolution) {
  using P = problems::Convolution;
  const P problem(run.scale());
  const int n = problem.n, stride = n + 2 * P::kRadius;
  kit::Array<float> framed(static_cast<size_t>(stride) * stride), out(problem.image.size());
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
#pragma omp parallel
    {
#pragma omp for schedule(static)
      for (int y = 0; y < n; ++y)
        std::copy_n(&problem.image[y * n], n, &framed[(y + P::kRadius) * stride + P::kRadius]);
#pragma omp for schedule(static)
      for (int y = 0; y < n; ++y) {
        constexpr int kBlock = 64;
        for (int x0 = 0; x0 < n; x0 += kBlock) {
          float sum[kBlock] = {};
          for (int v = 0; v < P::kSide; ++v)
            for (int u = 0; u < P::kSide; ++u) {
              const float* from = &framed[(y + v) * stride + x0 + u];
              const float weight = problem.filter[v * P::kSide + u];
#pragma omp simd
              for (int i = 0; i < kBlock; ++i) sum[i] += from[i] * weight;
            }
          std::copy_n(sum, kBlock, &out[y * n + x0]);
        }
      }
    }
  });
  KIT_CHECK(problem.right(out));
}
