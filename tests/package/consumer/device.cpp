// A kernel in a C++ file, and a thread and a clock of headers that hip_runtime.h brings, as ROCm's does.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <vector>

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
  const auto start = std::chrono::steady_clock::now();
  hipError_t waited = hipErrorUnknown;
  std::thread([&] { waited = hipDeviceSynchronize(); }).join();
  if (waited != hipSuccess || std::chrono::steady_clock::now() < start) return 4;
  if (hipMemcpy(host.data(), device, kCount * sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return 2;
  for (int i = 0; i < kCount; ++i) {
    if (host[static_cast<size_t>(i)] != i * i) return 3;
  }
  std::puts("right");
}
