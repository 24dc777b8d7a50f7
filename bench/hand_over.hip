// What it costs that one work-group waits for another: resident groups hand a count on, in order or in any order. One line per
// measurement: order,groups,microseconds per hand-over, median of eleven launches. Threads and tiers are the environment's
// (OMNIHIP_SOFT_THREADS, OMNIHIP_TIER).
#include "kit/device.h"

namespace {

constexpr int kRounds = 50; // of hand-overs through all groups

// Group g waits for flag order[g] of each round and sets the one behind it.
__global__ void hand_on(int* flags, const int* order, int rounds) {
  __shared__ int seen;
  for (int round = 0; round < rounds; ++round) {
    int* flag = flags + round * gridDim.x + order[blockIdx.x];
    if (threadIdx.x == 0) {
      do seen = __hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT);
      while (seen == 0);
    }
    __syncthreads();
    if (threadIdx.x == 0) __hip_atomic_store(flag + 1, seen + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
    __syncthreads();
  }
}

double microseconds(int groups, bool shuffled) {
  kit::Array<int> order(groups), flags(groups * kRounds + 1);
  for (int g = 0; g < groups; ++g) order[g] = g;
  kit::Random random(31);
  for (int g = groups - 1; shuffled && g > 0; --g) std::swap(order[g], order[random.below(static_cast<uint32_t>(g + 1))]);
  flags[0] = 1;
  const kit::Device<int> device_order(order);
  kit::Device<int> device_flags(flags);
  std::vector<double> times;
  for (int k = 0; k < 11; ++k) {
    device_flags.upload(flags);
    const auto start = std::chrono::steady_clock::now();
    hand_on<<<groups, 256>>>(device_flags, device_order, kRounds);
    kit::wait();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    if (device_flags.download().back() != groups * kRounds + 1) std::exit(1);
  }
  std::nth_element(times.begin(), times.begin() + 5, times.end());
  return times[5] / (groups * kRounds);
}

} // namespace

int main() {
  for (bool shuffled : {false, true})
    for (int groups : {2, 8, 32, 128, 512})
      std::printf("%s,%d,%.2f\n", shuffled ? "any" : "in order", groups, microseconds(groups, shuffled));
}
