// 11_printf - printf from kernels, for a look inside. The text appears at the latest when the host synchronises; lines
// of different threads come in no fixed order, so keep it to a few threads. printf returns how many characters it
// printed; on NVIDIA GPUs, whose driver prints, how many arguments it took.
#include "../common.h"

#include <cstring>

__global__ void report(const float* data, int count, int* printed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count && data[i] > 0.9f) {
    printed[i] = printf("thread %d of block %u has %6.3f (%s)\n", i, blockIdx.x, static_cast<double>(data[i]),
                        i % 2 ? "odd" : "even");
  }
}

int main() {
  constexpr int kCount = 100;
  sample::Random random;
  const std::vector<float> data = random.vector(kCount);
  sample::DeviceArray<float> device_data(data);
  sample::DeviceArray<int> printed(kCount);
  printed.clear();

  const double ms = sample::time_ms([&] { report<<<2, 64>>>(device_data.data(), kCount, printed.data()); });

  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  const bool on_nvidia = std::strncmp(properties.gcnArchName, "sm_", 3) == 0;
  // What the host's printf would have written.
  bool passed = true;
  const std::vector<int> result = printed.download();
  for (int i = 0; i < kCount; ++i) {
    char line[128];
    const int expected = data[i] > 0.9f ? std::snprintf(line, sizeof(line), "thread %d of block %u has %6.3f (%s)\n", i,
                                                        i / 64u, static_cast<double>(data[i]), i % 2 ? "odd" : "even")
                                        : 0;
    passed &= on_nvidia ? (result[i] == 4) == (expected != 0) : result[i] == expected;
  }
  return sample::finish("printf", passed, ms);
}
