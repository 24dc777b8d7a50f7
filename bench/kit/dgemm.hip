// Double precision matrix product: tiles of 64 x 64 in LDS, 4 x 4 elements per thread in registers.
#include "device.h"
#include "problems/dgemm.h"

namespace {

constexpr int kTile = 64, kDepth = 16, kPerThread = 4;

__global__ void multiply(const double* a, const double* b, double* c, int n) {
  __shared__ double as[kDepth][kTile + 1], bs[kDepth][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx;
  const int row = blockIdx.y * kTile, column = blockIdx.x * kTile;
  double sum[kPerThread][kPerThread] = {};
  for (int k0 = 0; k0 < n; k0 += kDepth) {
    for (int i = t; i < kTile * kDepth; i += 256) {
      as[i % kDepth][i / kDepth] = a[(row + i / kDepth) * n + k0 + i % kDepth];
      bs[i / kTile][i % kTile] = b[(k0 + i / kTile) * n + column + i % kTile];
    }
    __syncthreads();
    for (int k = 0; k < kDepth; ++k) {
      double left[kPerThread], right[kPerThread];
      for (int i = 0; i < kPerThread; ++i) left[i] = as[k][ty + 16 * i];
      for (int i = 0; i < kPerThread; ++i) right[i] = bs[k][tx + 16 * i];
      for (int i = 0; i < kPerThread; ++i)
        for (int j = 0; j < kPerThread; ++j) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < kPerThread; ++i)
    for (int j = 0; j < kPerThread; ++j) c[(row + ty + 16 * i) * n + column + tx + 16 * j] = sum[i][j];
}

} // namespace

KIT_CASE(dgemm) {
  const problems::Dgemm problem(run.scale());
  const kit::Device<double> a(problem.a), b(problem.b), c(problem.a.size());
  const unsigned tiles = kit::groups(problem.n, kTile);
  run.measure(problem.flops(), "GFLOP/s", 1e9, [&] {
    multiply<<<dim3(tiles, tiles), dim3(16, 16)>>>(a, b, c, static_cast<int>(problem.n));
    kit::wait();
  });
  KIT_CHECK(problem.right(c.download()));
}
