// A kernel in a HIP file.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

static_assert(__cplusplus >= 202002L, "CMAKE_HIP_STANDARD reaches the compiler");

__global__ void square(int* data, int count) {
  int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) data[i] = i * i;
}

int main() {
  constexpr int kCount = 1000;
  int* device = nullptr;
  if (hipMalloc(&device, kCount * sizeof(int)) != hipSuccess) return 1;
  square<<<(kCount + 255) / 256, 256>>>(device, kCount);
  std::vector<int> host(kCount);
  if (hipMemcpy(host.data(), device, kCount * sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 2;
  for (int i = 0; i < kCount; ++i) {
    if (host[static_cast<size_t>(i)] != i * i) return 3;
  }
  std::puts("right");
}
