// 04_reduction - the sum of an array. Each thread adds up a part, the threads of a wave combine their sums by shuffles
// (no memory at all), the waves of a block combine theirs through shared memory, and the blocks through one atomic
// each.
#include "../common.h"

__device__ double wave_sum(double value) {
  // Lane i adds what lane i + offset has; after log2(warpSize) steps lane 0 has the sum of all.
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down(value, offset);
  return value;
}

__global__ void sum(const float* data, size_t count, double* result) {
  __shared__ double wave_sums[32]; // enough for 1024 threads in waves of 32
  double own = 0;
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) own += data[i];

  const unsigned lane = threadIdx.x % warpSize, wave = threadIdx.x / warpSize;
  own = wave_sum(own);
  if (lane == 0) wave_sums[wave] = own;
  __syncthreads();
  if (wave == 0) {
    const double total = wave_sum(lane < blockDim.x / warpSize ? wave_sums[lane] : 0.0);
    if (lane == 0) atomicAdd(result, total);
  }
}

int main() {
  constexpr size_t kCount = 1'500'000;
  sample::Random random;
  const std::vector<float> data = random.vector(kCount);
  sample::DeviceArray<float> device_data(data);
  sample::DeviceArray<double> device_sum(1);
  device_sum.clear();

  const double ms = sample::time_ms([&] { sum<<<64, 256>>>(device_data.data(), kCount, device_sum.data()); });

  double expected = 0;
  for (const float x : data) expected += x;
  const double result = device_sum.download()[0];
  std::printf("sum of %zu numbers: %.6f, expected %.6f\n", kCount, result, expected);
  return sample::finish("reduction", sample::close_to(result, expected, 1e-9), ms);
}
