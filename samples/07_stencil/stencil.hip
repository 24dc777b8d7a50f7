// 07_stencil - heat flow on a plate: every point becomes the mean of its four neighbours, many times. A block keeps its
// tile and a border of one point (the halo) in shared memory; two arrays take turns as input and output.
#include "../common.h"

constexpr int kTile = 16;

__global__ void step(const float* in, float* out, int width, int height) {
  __shared__ float tile[kTile + 2][kTile + 2];
  const int x = blockIdx.x * kTile + threadIdx.x, y = blockIdx.y * kTile + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  // Points outside the plate have the temperature of its edge.
  const auto at = [&](int px, int py) {
    px = min(max(px, 0), width - 1);
    py = min(max(py, 0), height - 1);
    return in[py * width + px];
  };

  tile[ty][tx] = at(x, y);
  if (threadIdx.x == 0) tile[ty][0] = at(x - 1, y);
  if (threadIdx.x == kTile - 1) tile[ty][kTile + 1] = at(x + 1, y);
  if (threadIdx.y == 0) tile[0][tx] = at(x, y - 1);
  if (threadIdx.y == kTile - 1) tile[kTile + 1][tx] = at(x, y + 1);
  __syncthreads();

  if (x < width && y < height)
    out[y * width + x] = 0.25f * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] + tile[ty + 1][tx]);
}

int main() {
  constexpr int kWidth = 300, kHeight = 200, kSteps = 20;
  std::vector<float> plate(kWidth * kHeight, 20.0f);
  for (int y = 80; y < 120; ++y)
    for (int x = 100; x < 160; ++x) plate[y * kWidth + x] = 500.0f;

  sample::DeviceArray<float> a(plate), b(plate.size());
  float *in = a.data(), *out = b.data();
  const dim3 block(kTile, kTile), grid(sample::blocks_for(kWidth, kTile), sample::blocks_for(kHeight, kTile));
  const double ms = sample::time_ms([&] {
    for (int i = 0; i < kSteps; ++i) {
      step<<<grid, block>>>(in, out, kWidth, kHeight);
      std::swap(in, out);
    }
  });
  const std::vector<float> result = (kSteps % 2 ? b : a).download();

  std::vector<float> next(plate.size());
  for (int i = 0; i < kSteps; ++i) {
    for (int y = 0; y < kHeight; ++y)
      for (int x = 0; x < kWidth; ++x) {
        const auto at = [&](int px, int py) {
          return plate[std::min(std::max(py, 0), kHeight - 1) * kWidth + std::min(std::max(px, 0), kWidth - 1)];
        };
        next[y * kWidth + x] = 0.25f * (at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1));
      }
    std::swap(plate, next);
  }
  bool passed = true;
  for (size_t i = 0; i < plate.size(); ++i) passed &= sample::close_to(result[i], plate[i], 1e-5);
  std::printf("%d x %d points, %d steps, centre at %.2f degrees\n", kWidth, kHeight, kSteps,
              result[kHeight / 2 * kWidth + 130]);
  return sample::finish("stencil", passed, ms);
}
