// 12_dynamic_shared - shared memory whose size the host chooses at launch, as the third launch parameter. A kernel sees
// it as one unsized array; here it is cut into two: keys and values of a small per-block sort.
#include "../common.h"

#include <algorithm>

// Sorts each block's pairs by key (odd-even transposition: simple, and every step is parallel).
__global__ void sort_pairs(int* keys, float* values) {
  extern __shared__ char shared[]; // blockDim.x * (sizeof(int) + sizeof(float)) bytes
  int* const shared_keys = reinterpret_cast<int*>(shared);
  float* const shared_values = reinterpret_cast<float*>(shared_keys + blockDim.x);
  const unsigned i = threadIdx.x, base = blockIdx.x * blockDim.x;

  shared_keys[i] = keys[base + i];
  shared_values[i] = values[base + i];
  for (unsigned round = 0; round < blockDim.x; ++round) {
    __syncthreads();
    const unsigned left = i;
    if (left % 2 == round % 2 && left + 1 < blockDim.x && shared_keys[left] > shared_keys[left + 1]) {
      const int key = shared_keys[left];
      const float value = shared_values[left];
      shared_keys[left] = shared_keys[left + 1];
      shared_values[left] = shared_values[left + 1];
      shared_keys[left + 1] = key;
      shared_values[left + 1] = value;
    }
  }
  __syncthreads();
  keys[base + i] = shared_keys[i];
  values[base + i] = shared_values[i];
}

int main() {
  bool passed = true;
  double ms = 0;
  for (const unsigned block : {32u, 64u, 200u}) { // the same kernel with different amounts of shared memory
    constexpr unsigned kBlocks = 8;
    const unsigned count = block * kBlocks;
    std::vector<int> keys(count);
    std::vector<float> values(count);
    for (unsigned i = 0; i < count; ++i) {
      keys[i] = static_cast<int>((i * 7919u) % 10007u);
      values[i] = static_cast<float>(keys[i]) * 0.5f; // shows that pairs stay together
    }
    sample::DeviceArray<int> device_keys(keys);
    sample::DeviceArray<float> device_values(values);
    const size_t shared_bytes = block * (sizeof(int) + sizeof(float));
    ms += sample::time_ms(
        [&] { sort_pairs<<<kBlocks, block, shared_bytes>>>(device_keys.data(), device_values.data()); });

    for (unsigned b = 0; b < kBlocks; ++b) std::sort(keys.begin() + b * block, keys.begin() + (b + 1) * block);
    const std::vector<float> result = device_values.download();
    passed &= device_keys.download() == keys;
    for (unsigned i = 0; i < count; ++i) passed &= result[i] == static_cast<float>(keys[i]) * 0.5f;
    std::printf("%u threads per block, %zu bytes of shared memory\n", block, shared_bytes);
  }
  return sample::finish("dynamic_shared", passed, ms);
}
