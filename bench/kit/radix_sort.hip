// Least significant digit radix sort, 8 bits a pass: histograms of tiles, an exclusive scan over all of them, and a
// stable scatter in which the lanes of a wave find their equals with ballots.
#include "device.h"
#include "problems/radix_sort.h"

namespace {

constexpr int kThreads = 256, kPerThread = 8, kTile = kThreads * kPerThread, kDigits = 256;
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
constexpr int kWave = 32;
#else
constexpr int kWave = 64;
#endif
constexpr int kWaves = kThreads / kWave;

__global__ void count_digits(const uint32_t* keys, uint32_t* counts, int shift) {
  __shared__ uint32_t histogram[kDigits];
  histogram[threadIdx.x] = 0;
  __syncthreads();
  for (int i = 0; i < kPerThread; ++i)
    atomicAdd(&histogram[(keys[blockIdx.x * kTile + i * kThreads + threadIdx.x] >> shift) & (kDigits - 1)], 1u);
  __syncthreads();
  counts[threadIdx.x * gridDim.x + blockIdx.x] = histogram[threadIdx.x];
}

// The exclusive scan of each work-group's kThreads values; its total to sums.
__global__ void scan_tiles(uint32_t* values, uint32_t* sums) {
  __shared__ uint32_t buffer[2][kThreads];
  const int t = threadIdx.x, i = blockIdx.x * kThreads + t;
  const uint32_t mine = values[i];
  int from = 0;
  buffer[0][t] = mine;
  __syncthreads();
  for (int offset = 1; offset < kThreads; offset *= 2) {
    buffer[1 - from][t] = buffer[from][t] + (t >= offset ? buffer[from][t - offset] : 0);
    from = 1 - from;
    __syncthreads();
  }
  values[i] = buffer[from][t] - mine;
  if (t == kThreads - 1) sums[blockIdx.x] = buffer[from][t];
}
// One work-group: the exclusive scan of any number of sums, one stretch after the other.
__global__ void scan_sums(uint32_t* sums, int n) {
  __shared__ uint32_t buffer[2][kThreads];
  const int t = threadIdx.x;
  uint32_t before = 0;
  for (int first = 0; first < n; first += kThreads) {
    const uint32_t mine = first + t < n ? sums[first + t] : 0;
    int from = 0;
    buffer[0][t] = mine;
    __syncthreads();
    for (int offset = 1; offset < kThreads; offset *= 2) {
      buffer[1 - from][t] = buffer[from][t] + (t >= offset ? buffer[from][t - offset] : 0);
      from = 1 - from;
      __syncthreads();
    }
    if (first + t < n) sums[first + t] = before + buffer[from][t] - mine;
    before += buffer[from][kThreads - 1];
    __syncthreads();
  }
}
__global__ void add_sums(uint32_t* values, const uint32_t* sums) {
  values[blockIdx.x * kThreads + threadIdx.x] += sums[blockIdx.x];
}

__global__ void scatter(const uint32_t* keys, uint32_t* out, const uint32_t* offsets, int shift) {
  __shared__ uint32_t count[kWaves][kDigits];
  const int t = threadIdx.x, wave = t / kWave, lane = t % kWave;
  for (int w = 0; w < kWaves; ++w) count[w][t] = 0;
  __syncthreads();
  uint32_t key[kPerThread], rank[kPerThread];
  for (int i = 0; i < kPerThread; ++i) {
    key[i] = keys[blockIdx.x * kTile + wave * kPerThread * kWave + i * kWave + lane];
    const uint32_t digit = (key[i] >> shift) & (kDigits - 1);
    unsigned long long equals = ~0ull >> (64 - kWave);
    for (int bit = 0; bit < 8; ++bit) {
      const bool set = (digit >> bit) & 1;
      const unsigned long long votes = __ballot(set);
      equals &= set ? votes : ~votes;
    }
    const int below = __popcll(equals & ((1ull << lane) - 1));
    rank[i] = count[wave][digit] + below;
    __syncthreads();
    if (below == 0) count[wave][digit] += __popcll(equals);
    __syncthreads();
  }
  uint32_t next = offsets[t * gridDim.x + blockIdx.x];
  for (int w = 0; w < kWaves; ++w) {
    const uint32_t here = count[w][t];
    count[w][t] = next;
    next += here;
  }
  __syncthreads();
  for (int i = 0; i < kPerThread; ++i) out[count[wave][(key[i] >> shift) & (kDigits - 1)] + rank[i]] = key[i];
}

} // namespace

KIT_CASE(radix_sort) {
  const problems::RadixSort problem(run.scale());
  const size_t n = problem.keys.size();
  const unsigned tiles = kit::groups(n, kTile), counters = tiles * kDigits;
  kit::Device<uint32_t> keys(problem.keys), other(n), counts(counters), sums(kit::groups(counters, kThreads));
  run.measure(
      static_cast<double>(n), "Mkeys/s", 1e6,
      [&] {
        uint32_t *from = keys, *to = other;
        for (int shift = 0; shift < 32; shift += 8) {
          count_digits<<<tiles, kThreads>>>(from, counts, shift);
          scan_tiles<<<sums.size(), kThreads>>>(counts, sums);
          scan_sums<<<1, kThreads>>>(sums, static_cast<int>(sums.size()));
          add_sums<<<sums.size(), kThreads>>>(counts, sums);
          scatter<<<tiles, kThreads>>>(from, to, counts, shift);
          std::swap(from, to);
        }
        kit::wait();
      },
      [&] { keys.upload(problem.keys); });
  KIT_CHECK(problem.right(keys.download()));
}
