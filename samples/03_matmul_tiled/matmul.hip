// 03_matmul_tiled - C = A * B with tiles in shared memory. Each block computes a 16 x 16 tile of C. It walks along the
// shared dimension: all threads load one tile of A and one of B, wait for each other, multiply, and wait again before
// the tiles are overwritten. Every element is read from global memory once per tile instead of once per product.
#include "../common.h"

constexpr int kTile = 16;

__global__ void matmul(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int row = blockIdx.y * kTile + ty, column = blockIdx.x * kTile + tx;

  float sum = 0;
  for (int k = 0; k < inner; k += kTile) {
    // Threads outside the matrices load zeroes, which change no sum, so the multiplication needs no checks.
    tile_a[ty][tx] = row < rows && k + tx < inner ? a[row * inner + k + tx] : 0.0f;
    tile_b[ty][tx] = k + ty < inner && column < columns ? b[(k + ty) * columns + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) sum += tile_a[ty][i] * tile_b[i][tx];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

int main() {
  constexpr int kRows = 200, kInner = 130, kColumns = 250; // no multiples of the tile

  sample::Random random;
  const std::vector<float> a = random.vector(kRows * kInner), b = random.vector(kInner * kColumns);
  sample::DeviceArray<float> device_a(a), device_b(b), device_c(kRows * kColumns);

  const dim3 block(kTile, kTile);
  const dim3 grid(sample::blocks_for(kColumns, kTile), sample::blocks_for(kRows, kTile));
  const double ms = sample::time_ms(
      [&] { matmul<<<grid, block>>>(device_a.data(), device_b.data(), device_c.data(), kRows, kInner, kColumns); });

  bool passed = true;
  const std::vector<float> c = device_c.download();
  for (int row = 0; row < kRows; ++row)
    for (int column = 0; column < kColumns; ++column) {
      double expected = 0;
      for (int i = 0; i < kInner; ++i) expected += double{a[row * kInner + i]} * b[i * kColumns + column];
      passed &= sample::close_to(c[row * kColumns + column], expected, 1e-4);
    }
  std::printf("%d x %d x %d, %.3f GFLOP/s\n", kRows, kInner, kColumns, 2.0 * kRows * kInner * kColumns / ms * 1e-6);
  return sample::finish("matmul_tiled", passed, ms);
}
