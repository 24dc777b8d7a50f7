// Matrix transpose: tiles of 32 x 32 through LDS, with a column of padding.
#include "device.h"
#include "problems/transpose.h"

namespace {

constexpr int kTile = 32, kRows = 8;

__global__ void transpose_tiles(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int i = 0; i < kTile; i += kRows) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}

} // namespace

KIT_CASE(transpose) {
  const problems::Transpose problem(run.scale());
  const kit::Device<float> in(problem.in), out(problem.in.size());
  const unsigned tiles = kit::groups(problem.n, kTile);
  run.measure(problem.bytes(), "GB/s", 1e9, [&] {
    transpose_tiles<<<dim3(tiles, tiles), dim3(kTile, kRows)>>>(in, out, static_cast<int>(problem.n));
    kit::wait();
  });
  KIT_CHECK(problem.right(out.download()));
}
