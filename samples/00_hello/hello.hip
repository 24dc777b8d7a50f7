// 00_hello - the smallest HIP program. A function marked __global__ (a kernel) runs on the GPU, once per thread; the
// host launches it with <<<blocks, threads per block>>>. Each thread finds out who it is and writes that into its own
// element.
#include "../common.h"

__global__ void who_am_i(int* out) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x; // unique among all threads of the launch
  out[index] = index;
}

int main() {
  constexpr unsigned kBlocks = 4, kThreads = 64;

  // The GPU has its own memory; the host reaches it through copies.
  sample::DeviceArray<int> out(kBlocks * kThreads);
  const double ms = sample::time_ms([&] { who_am_i<<<kBlocks, kThreads>>>(out.data()); });

  bool passed = true;
  const std::vector<int> result = out.download();
  for (size_t i = 0; i < result.size(); ++i) passed &= result[i] == static_cast<int>(i);
  std::printf("Hello from %zu GPU threads.\n", result.size());
  return sample::finish("hello", passed, ms);
}
