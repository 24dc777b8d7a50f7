// 02_saxpy - y = a * x + y with a grid-stride loop: the grid is as large as the device likes, and each thread takes
// every n-th element. One kernel then serves every problem size, and a launch costs the same for all of them.
#include "../common.h"

__global__ void saxpy(float a, const float* x, float* y, size_t count) {
  const size_t stride = size_t{gridDim.x} * blockDim.x;
  for (size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) y[i] = a * x[i] + y[i];
}

int main() {
  constexpr size_t kCount = size_t{1} << 20;
  constexpr float kA = 2.5f;
  constexpr unsigned kBlock = 256;

  int device = 0, compute_units = 0;
  HIP_CHECK(hipGetDevice(&device));
  HIP_CHECK(hipDeviceGetAttribute(&compute_units, hipDeviceAttributeMultiprocessorCount, device));

  sample::Random random;
  const std::vector<float> x = random.vector(kCount), y = random.vector(kCount);
  sample::DeviceArray<float> device_x(x), device_y(y);
  const unsigned blocks = static_cast<unsigned>(compute_units) * 4;
  const double ms = sample::time_ms([&] { saxpy<<<blocks, kBlock>>>(kA, device_x.data(), device_y.data(), kCount); });

  // The GPU may round a * x + y once (fused multiply-add), the CPU rounds twice: the results may differ in the last
  // bit.
  bool passed = true;
  const std::vector<float> result = device_y.download();
  for (size_t i = 0; i < kCount; ++i) passed &= sample::close_to(result[i], kA * x[i] + y[i], 1e-6);
  std::printf("%u blocks for %zu elements\n", blocks, kCount);
  return sample::finish("saxpy", passed, ms);
}
