// 17_constant_memory - small tables that all threads read and none writes belong into __constant__ memory; values that
// kernels change and the next launch wants belong into __device__ variables. The host reaches both by their symbol.
#include "../common.h"

constexpr int kDegree = 7;
__constant__ float coefficients[kDegree + 1];
__device__ unsigned evaluations; // counts over all launches

__global__ void polynomial(const float* x, float* y, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float value = coefficients[kDegree];
  for (int k = kDegree - 1; k >= 0; --k) value = value * x[i] + coefficients[k]; // Horner's scheme
  y[i] = value;
  atomicAdd(&evaluations, 1u);
}

int main() {
  constexpr int kCount = 50'000, kLaunches = 3;
  const float host_coefficients[kDegree + 1] = {1.0f, -0.5f, 0.25f, 2.0f, -1.5f, 0.125f, 0.75f, -0.0625f};
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(coefficients), host_coefficients, sizeof(host_coefficients)));

  sample::Random random;
  const std::vector<float> x = random.vector(kCount);
  sample::DeviceArray<float> device_x(x), device_y(kCount);
  const double ms = sample::time_ms([&] {
    for (int launch = 0; launch < kLaunches; ++launch)
      polynomial<<<sample::blocks_for(kCount, 256), 256>>>(device_x.data(), device_y.data(), kCount);
  });

  unsigned counted = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&counted, HIP_SYMBOL(evaluations), sizeof(counted)));
  size_t table_bytes = 0;
  HIP_CHECK(hipGetSymbolSize(&table_bytes, HIP_SYMBOL(coefficients)));
  bool passed = counted == kCount * kLaunches && table_bytes == sizeof(host_coefficients);

  const std::vector<float> y = device_y.download();
  for (int i = 0; i < kCount; ++i) {
    double expected = host_coefficients[kDegree];
    for (int k = kDegree - 1; k >= 0; --k) expected = expected * x[i] + host_coefficients[k];
    passed &= sample::close_to(y[i], expected, 1e-5);
  }
  std::printf("%u evaluations of a polynomial of degree %d\n", counted, kDegree);
  return sample::finish("constant_memory", passed, ms);
}
