// 2-D convolution: filter in constant memory, the tile with its border in LDS.
#include "device.h"
#include "problems/convolution.h"

namespace {

using P = problems::Convolution;
constexpr int kTile = 16, kBordered = kTile + 2 * P::kRadius;

__constant__ float weights[P::kSide * P::kSide];

__global__ void convolve(const float* image, float* out, int n) {
  __shared__ float tile[kBordered][kBordered + 1];
  const int x0 = blockIdx.x * kTile - P::kRadius, y0 = blockIdx.y * kTile - P::kRadius;
  for (int i = threadIdx.y * kTile + threadIdx.x; i < kBordered * kBordered; i += kTile * kTile) {
    const int x = x0 + i % kBordered, y = y0 + i / kBordered;
    tile[i / kBordered][i % kBordered] = x >= 0 && x < n && y >= 0 && y < n ? image[y * n + x] : 0.0f;
  }
  __syncthreads();
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  if (x >= n || y >= n) return;
  float sum = 0;
  for (int v = 0; v < P::kSide; ++v)
    for (int u = 0; u < P::kSide; ++u) sum += tile[threadIdx.y + v][threadIdx.x + u] * weights[v * P::kSide + u];
  out[y * n + x] = sum;
}

} // namespace

KIT_CASE(convolution) {
  const P problem(run.scale());
  const kit::Device<float> image(problem.image), out(problem.image.size());
  HIP_OK(hipMemcpyToSymbol(HIP_SYMBOL(weights), problem.filter, sizeof(problem.filter)));
  const unsigned tiles = kit::groups(problem.n, kTile);
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    convolve<<<dim3(tiles, tiles), dim3(kTile, kTile)>>>(image, out, problem.n);
    kit::wait();
  });
  KIT_CHECK(problem.right(out.download()));
}
