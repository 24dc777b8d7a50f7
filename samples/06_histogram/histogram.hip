// 06_histogram - many threads count into few bins. Each block counts in shared memory, where atomics are cheap, and
// adds its counts to the global ones once at the end.
#include "../common.h"

constexpr unsigned kBins = 256;

__global__ void histogram(const unsigned char* data, size_t count, unsigned* bins) {
  __shared__ unsigned local[kBins];
  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x) local[i] = 0;
  __syncthreads();

  const size_t stride = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) atomicAdd(&local[data[i]], 1u);
  __syncthreads();

  for (unsigned i = threadIdx.x; i < kBins; i += blockDim.x)
    if (local[i] != 0) atomicAdd(&bins[i], local[i]);
}

int main() {
  constexpr size_t kCount = size_t{1} << 20;
  sample::Random random;
  std::vector<unsigned char> data(kCount);
  std::vector<unsigned> expected(kBins);
  for (unsigned char& value : data) {
    const float x = random.next();
    value = static_cast<unsigned char>(x * x * 255.99f); // small values are more frequent
    ++expected[value];
  }

  sample::DeviceArray<unsigned char> device_data(data);
  sample::DeviceArray<unsigned> bins(kBins);
  bins.clear();
  const double ms = sample::time_ms([&] { histogram<<<32, 256>>>(device_data.data(), kCount, bins.data()); });

  const std::vector<unsigned> result = bins.download();
  std::printf("%zu values, %u of them zero\n", kCount, result[0]);
  return sample::finish("histogram", result == expected, ms);
}
