// 01_vector_add - one thread per element: c = a + b. The grid is rounded up to whole blocks, so the last block has
// threads without an element: they must do nothing.
#include "../common.h"

__global__ void vector_add(const float* a, const float* b, float* c, size_t count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) c[i] = a[i] + b[i];
}

int main() {
  constexpr size_t kCount = 1'000'003; // no multiple of the block on purpose
  constexpr unsigned kBlock = 256;

  sample::Random random;
  const std::vector<float> a = random.vector(kCount), b = random.vector(kCount);
  sample::DeviceArray<float> device_a(a), device_b(b), device_c(kCount);

  const double ms = sample::time_ms([&] {
    vector_add<<<sample::blocks_for(kCount, kBlock), kBlock>>>(device_a.data(), device_b.data(), device_c.data(),
                                                               kCount);
  });

  bool passed = true;
  const std::vector<float> c = device_c.download();
  for (size_t i = 0; i < kCount; ++i) passed &= c[i] == a[i] + b[i];
  std::printf("%zu elements, %.2f GB/s\n", kCount, 3 * kCount * sizeof(float) / ms * 1e-6);
  return sample::finish("vector_add", passed, ms);
}
