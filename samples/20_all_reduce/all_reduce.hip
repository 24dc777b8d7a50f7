// 20_all_reduce - a ring all-reduce over all devices, as data-parallel training does it: every device has a vector, and
// in the end every device has the sum of all. The vector is cut into one chunk per device. In n - 1 steps each device
// sends one chunk to the next, which adds it; then each device owns one chunk of the sum, and n - 1 more steps pass
// these around. What is sent is 2 (n - 1) / n of a vector per device, however many devices there are.
// Streams keep the order within a device, events between devices; the host never waits in between.
#include "../common.h"

__global__ void add(float* mine, const float* received, size_t count) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < count) mine[i] += received[i];
}

struct Rank {
  float *data = nullptr, *inbox = nullptr;
  hipStream_t stream = nullptr;
  hipEvent_t ready = nullptr; // what this rank did in the last step is done
};

// One step: every rank r gets chunk `chunk_of(r)` of its predecessor's vector into its inbox, then uses it.
template<class Chunk, class Use> void step(std::vector<Rank>& ranks, size_t chunk, Chunk chunk_of, Use use) {
  const int n = static_cast<int>(ranks.size());
  for (int r = 0; r < n; ++r) {
    HIP_CHECK(hipSetDevice(r));
    HIP_CHECK(hipEventRecord(ranks[r].ready, ranks[r].stream));
  }
  for (int r = 0; r < n; ++r) {
    const int from = (r + n - 1) % n;
    HIP_CHECK(hipSetDevice(r));
    // The predecessor has what it sends, and the successor no longer reads what is about to change here.
    HIP_CHECK(hipStreamWaitEvent(ranks[r].stream, ranks[from].ready, 0));
    const size_t offset = chunk_of(r) * chunk;
    HIP_CHECK(hipMemcpyPeerAsync(ranks[r].inbox, r, ranks[from].data + offset, from, chunk * sizeof(float), ranks[r].stream));
  }
  for (int r = 0; r < n; ++r) {
    HIP_CHECK(hipSetDevice(r));
    HIP_CHECK(hipEventRecord(ranks[r].ready, ranks[r].stream));
  }
  for (int r = 0; r < n; ++r) {
    HIP_CHECK(hipSetDevice(r));
    HIP_CHECK(hipStreamWaitEvent(ranks[r].stream, ranks[(r + 1) % n].ready, 0));
    use(ranks[r], ranks[r].data + chunk_of(r) * chunk);
  }
}

void all_reduce(std::vector<Rank>& ranks, size_t chunk) {
  const int n = static_cast<int>(ranks.size());
  for (int s = 0; s + 1 < n; ++s)
    step(ranks, chunk, [&](int r) { return static_cast<size_t>((r + 2 * n - 1 - s) % n); },
         [&](Rank& rank, float* target) {
           add<<<static_cast<unsigned>((chunk + 255) / 256), 256, 0, rank.stream>>>(target, rank.inbox, chunk);
           HIP_CHECK(hipGetLastError());
         });
  for (int s = 0; s + 1 < n; ++s)
    step(ranks, chunk, [&](int r) { return static_cast<size_t>((r + 2 * n - s) % n); },
         [&](Rank& rank, float* target) {
           HIP_CHECK(hipMemcpyAsync(target, rank.inbox, chunk * sizeof(float), hipMemcpyDeviceToDevice, rank.stream));
         });
}

int main() {
  int n = 0;
  HIP_CHECK(hipGetDeviceCount(&n));
  const size_t chunk = (size_t{1} << 20) / static_cast<size_t>(n), count = chunk * static_cast<size_t>(n);
  const auto value = [](int rank, size_t i) { return static_cast<float>((i * 7 + static_cast<size_t>(rank) * 13) % 101); };

  std::vector<Rank> ranks(static_cast<size_t>(n));
  std::vector<float> host(count);
  for (int r = 0; r < n; ++r) {
    HIP_CHECK(hipSetDevice(r));
    HIP_CHECK(hipMalloc(&ranks[r].data, count * sizeof(float)));
    HIP_CHECK(hipMalloc(&ranks[r].inbox, chunk * sizeof(float)));
    HIP_CHECK(hipStreamCreateWithFlags(&ranks[r].stream, hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&ranks[r].ready, hipEventDisableTiming));
    for (size_t i = 0; i < count; ++i) host[i] = value(r, i);
    HIP_CHECK(hipMemcpy(ranks[r].data, host.data(), count * sizeof(float), hipMemcpyHostToDevice));
    add<<<1, 256, 0, ranks[r].stream>>>(ranks[r].data, ranks[r].inbox, 0); // loads the code before the clock runs
    HIP_CHECK(hipGetLastError());
    HIP_CHECK(hipStreamSynchronize(ranks[r].stream));
    int can_access = 0; // copies go directly where they can
    if (n > 1) HIP_CHECK(hipDeviceCanAccessPeer(&can_access, r, (r + n - 1) % n));
    if (can_access) HIP_CHECK(hipDeviceEnablePeerAccess((r + n - 1) % n, 0));
  }

  HIP_CHECK(hipSetDevice(0));
  const double ms = sample::time_ms([&] {
    all_reduce(ranks, chunk);
    for (int r = 0; r < n; ++r) {
      HIP_CHECK(hipSetDevice(r));
      HIP_CHECK(hipStreamSynchronize(ranks[r].stream));
    }
    HIP_CHECK(hipSetDevice(0));
  });

  bool right = true; // sums of small whole numbers are exact in any order
  for (int r = 0; r < n; ++r) {
    HIP_CHECK(hipSetDevice(r));
    HIP_CHECK(hipMemcpy(host.data(), ranks[r].data, count * sizeof(float), hipMemcpyDeviceToHost));
    for (size_t i = 0; i < count; ++i) {
      float sum = 0;
      for (int other = 0; other < n; ++other) sum += value(other, i);
      right &= host[i] == sum;
    }
    HIP_CHECK(hipFree(ranks[r].data));
    HIP_CHECK(hipFree(ranks[r].inbox));
    HIP_CHECK(hipStreamDestroy(ranks[r].stream));
    HIP_CHECK(hipEventDestroy(ranks[r].ready));
  }
  std::printf("%zu floats over %d devices, %.2f GB/s sent by each\n", count, n,
              2.0 * (n - 1) / n * static_cast<double>(count * sizeof(float)) * 1e-6 / ms);
  HIP_CHECK(hipSetDevice(0));
  return sample::finish("all_reduce", right, ms);
}
