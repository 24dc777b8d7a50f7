// 15_multi_stream - independent work on many streams from one host thread. Order holds within a stream and nowhere
// else; a fork and join is made with events. A host function in a stream runs when everything before it in that stream
// is done.
#include "../common.h"

#include <array>
#include <atomic>

constexpr int kStreams = 6;

__global__ void fill(int* data, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = value;
}

__global__ void multiply_add(int* data, int count, int factor, int summand) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = data[i] * factor + summand;
}

__global__ void gather(const int* data, int per_stream, int* totals) { // one block per stream
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < per_stream; i += blockDim.x) atomicAdd(&sum, data[blockIdx.x * per_stream + i]);
  __syncthreads();
  if (threadIdx.x == 0) totals[blockIdx.x] = sum;
}

void count_finished(void* counter) { static_cast<std::atomic<int>*>(counter)->fetch_add(1); }

int main() {
  constexpr int kCount = 10'000, kRounds = 5;
  sample::DeviceArray<int> data(kCount * kStreams), totals(kStreams);
  std::array<hipStream_t, kStreams> streams{};
  std::array<hipEvent_t, kStreams> joins{};
  hipEvent_t fork = nullptr;
  hipStream_t main_stream = nullptr;
  HIP_CHECK(hipStreamCreateWithFlags(&main_stream, hipStreamNonBlocking));
  HIP_CHECK(hipEventCreateWithFlags(&fork, hipEventDisableTiming));
  for (int s = 0; s < kStreams; ++s) {
    HIP_CHECK(hipStreamCreateWithFlags(&streams[s], hipStreamNonBlocking));
    HIP_CHECK(hipEventCreateWithFlags(&joins[s], hipEventDisableTiming));
  }

  std::atomic<int> finished{0};
  const double ms = sample::time_ms([&] {
    fill<<<sample::blocks_for(data.size(), 256), 256, 0, main_stream>>>(data.data(), static_cast<int>(data.size()), 1);
    HIP_CHECK(hipEventRecord(fork, main_stream));
    for (int s = 0; s < kStreams; ++s) {
      HIP_CHECK(hipStreamWaitEvent(streams[s], fork, 0)); // not before the fill
      for (int round = 0; round < kRounds; ++round)
        multiply_add<<<sample::blocks_for(kCount, 256), 256, 0, streams[s]>>>(data.data() + s * kCount, kCount, 2, s);
      HIP_CHECK(hipLaunchHostFunc(streams[s], count_finished, &finished));
      HIP_CHECK(hipEventRecord(joins[s], streams[s]));
      HIP_CHECK(hipStreamWaitEvent(main_stream, joins[s], 0)); // the sum comes after all streams
    }
    gather<<<kStreams, 256, 0, main_stream>>>(data.data(), kCount, totals.data());
    HIP_CHECK(hipStreamSynchronize(main_stream));
  });

  bool passed = finished.load() == kStreams;
  const std::vector<int> result = totals.download();
  for (int s = 0; s < kStreams; ++s) {
    int value = 1;
    for (int round = 0; round < kRounds; ++round) value = value * 2 + s;
    passed &= result[s] == value * kCount;
    std::printf("stream %d: %d\n", s, result[s]);
  }
  for (hipStream_t stream : streams) HIP_CHECK(hipStreamDestroy(stream));
  for (hipEvent_t event : joins) HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipEventDestroy(fork));
  HIP_CHECK(hipStreamDestroy(main_stream));
  return sample::finish("multi_stream", passed, ms);
}
