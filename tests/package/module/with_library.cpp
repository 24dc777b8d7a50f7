// The program whose kernels lie in a library; it calls the HIP API itself as well.
#include <cstdio>
#include <hip/hip_runtime_api.h>

int sum_on_device(const int* values, int count);

int main() {
  int values[64], expected = 0, devices = 0;
  for (int k = 0; k < 64; ++k) expected += values[k] = k * k;
  if (hipGetDeviceCount(&devices) != hipSuccess || devices < 1) return 1;
  const int sum = sum_on_device(values, 64);
  if (sum != expected) {
    std::printf("wrong: %d, not %d\n", sum, expected);
    return 1;
  }
  return std::puts("right") < 0;
}
