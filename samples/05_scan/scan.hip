// 05_scan - inclusive prefix sum of any length in three launches: each block scans its part and notes the part's sum;
// one block scans the sums; each block adds what lies before it. Launches in one stream run in order, so nothing else
// is needed to make one step see the results of the one before.
#include "../common.h"

constexpr unsigned kBlock = 256;

// Scans the block's values in shared memory by doubling: after step d each element holds the sum of the last 2d values.
__device__ int scan_block(int value, int* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned distance = 1; distance < kBlock; distance *= 2) {
    const int before = threadIdx.x >= distance ? shared[threadIdx.x - distance] : 0;
    __syncthreads(); // all have read before anyone writes
    shared[threadIdx.x] += before;
    __syncthreads();
  }
  return shared[threadIdx.x];
}

__global__ void scan_parts(const int* in, int* out, int* part_sums, unsigned count) {
  __shared__ int shared[kBlock];
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  const int scanned = scan_block(i < count ? in[i] : 0, shared);
  if (i < count) out[i] = scanned;
  if (threadIdx.x == kBlock - 1) part_sums[blockIdx.x] = scanned;
}

__global__ void scan_sums(int* sums, unsigned count) { // one block
  __shared__ int shared[kBlock];
  int carry = 0;
  for (unsigned base = 0; base < count; base += kBlock) {
    const unsigned i = base + threadIdx.x;
    const int scanned = scan_block(i < count ? sums[i] : 0, shared) + carry;
    if (i < count) sums[i] = scanned;
    __syncthreads();
    carry += shared[kBlock - 1];
    __syncthreads();
  }
}

__global__ void add_offsets(int* out, const int* part_sums, unsigned count) {
  const unsigned i = blockIdx.x * kBlock + threadIdx.x;
  if (blockIdx.x > 0 && i < count) out[i] += part_sums[blockIdx.x - 1];
}

int main() {
  constexpr unsigned kCount = 300'000;
  std::vector<int> data(kCount);
  sample::Random random;
  for (int& x : data) x = static_cast<int>(random.next() * 20) - 5;

  const unsigned blocks = sample::blocks_for(kCount, kBlock);
  sample::DeviceArray<int> in(data), out(kCount), sums(blocks);
  const double ms = sample::time_ms([&] {
    scan_parts<<<blocks, kBlock>>>(in.data(), out.data(), sums.data(), kCount);
    scan_sums<<<1, kBlock>>>(sums.data(), blocks);
    add_offsets<<<blocks, kBlock>>>(out.data(), sums.data(), kCount);
  });

  bool passed = true;
  const std::vector<int> result = out.download();
  int running = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    running += data[i];
    passed &= result[i] == running;
  }
  std::printf("%u elements in %u blocks\n", kCount, blocks);
  return sample::finish("scan", passed, ms);
}
