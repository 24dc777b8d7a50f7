// 16_warp_shuffle - the threads of a wave run together and can read each other's registers: __shfl, __shfl_up,
// __shfl_down and __shfl_xor move values, __ballot, __any and __all ask a question of all lanes. Here: an inclusive
// scan, a butterfly sum, a broadcast, and a compaction that keeps the even numbers without any shared memory.
#include "../common.h"

__global__ void waves(const int* in, int* scanned, int* sums, int* firsts, int* kept, int* kept_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int lane = threadIdx.x % warpSize;
  const int wave = i / warpSize;
  const int x = in[i];

  int scan = x;
  for (int distance = 1; distance < warpSize; distance *= 2) {
    const int before = __shfl_up(scan, distance);
    if (lane >= distance) scan += before;
  }
  scanned[i] = scan;

  int sum = x; // after the last step every lane has the sum of all
  for (int mask = 1; mask < warpSize; mask *= 2) sum += __shfl_xor(sum, mask);
  sums[i] = sum;

  firsts[i] = __shfl(x, 0); // lane 0's value

  // One bit per lane; how many bits are set below my own is my place among those that stay.
  const bool keep = x % 2 == 0;
  const unsigned long long staying = __ballot(keep);
  if (keep) kept[wave * warpSize + __popcll(staying & ((1ull << lane) - 1))] = x;
  if (lane == 0) kept_count[wave] = __popcll(staying);
}

int main() {
  constexpr int kCount = 4096;
  int device = 0, lanes = 0;
  HIP_CHECK(hipGetDevice(&device));
  HIP_CHECK(hipDeviceGetAttribute(&lanes, hipDeviceAttributeWarpSize, device));

  std::vector<int> data(kCount);
  for (int i = 0; i < kCount; ++i) data[i] = (i * 7919) % 1000;
  sample::DeviceArray<int> in(data), scanned(kCount), sums(kCount), firsts(kCount), kept(kCount),
      kept_count(kCount / lanes);
  const double ms = sample::time_ms([&] {
    waves<<<kCount / 256, 256>>>(in.data(), scanned.data(), sums.data(), firsts.data(), kept.data(), kept_count.data());
  });

  bool passed = true;
  const auto scan = scanned.download(), sum = sums.download(), first = firsts.download(), even = kept.download(),
             evens = kept_count.download();
  for (int wave = 0; wave < kCount / lanes; ++wave) {
    int running = 0, place = 0;
    for (int lane = 0; lane < lanes; ++lane) {
      const int i = wave * lanes + lane;
      running += data[i];
      passed &= scan[i] == running && first[i] == data[wave * lanes];
      if (data[i] % 2 == 0) passed &= even[wave * lanes + place++] == data[i];
    }
    passed &= evens[wave] == place;
    for (int lane = 0; lane < lanes; ++lane) passed &= sum[wave * lanes + lane] == running;
  }
  std::printf("waves of %d lanes\n", lanes);
  return sample::finish("warp_shuffle", passed, ms);
}
