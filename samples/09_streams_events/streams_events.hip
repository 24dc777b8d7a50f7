// 09_streams_events - work that overlaps. A large array is processed in chunks on two streams: while one stream
// computes, the other copies. Asynchronous copies need pinned host memory (hipHostMalloc). Events mark points in a
// stream: they measure time on the device, and one stream can wait for a point of another.
#include "../common.h"

__global__ void square(float* data, size_t count) {
  const size_t i = size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) data[i] = data[i] * data[i];
}

__global__ void sum_all(const float* data, size_t count, double* sum) { // one block
  __shared__ double parts[256];
  double own = 0;
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) own += data[i];
  parts[threadIdx.x] = own;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) *sum = parts[0];
}

int main() {
  constexpr size_t kChunk = 65536, kChunks = 8, kCount = kChunk * kChunks;
  constexpr unsigned kBlock = 256;

  float* host = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void**>(&host), kCount * sizeof(float), hipHostMallocDefault));
  double expected = 0;
  sample::Random random;
  for (size_t i = 0; i < kCount; ++i) {
    host[i] = random.next();
    expected += double{host[i] * host[i]};
  }
  sample::DeviceArray<float> data(kCount);
  sample::DeviceArray<double> sum(1);

  hipStream_t streams[2];
  hipEvent_t begin, end, chunks_done[2];
  for (hipStream_t& stream : streams) HIP_CHECK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  HIP_CHECK(hipEventCreate(&begin));
  HIP_CHECK(hipEventCreate(&end));
  for (hipEvent_t& event : chunks_done) HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));

  HIP_CHECK(hipEventRecord(begin, streams[0]));
  for (size_t chunk = 0; chunk < kChunks; ++chunk) {
    const hipStream_t stream = streams[chunk % 2];
    float* const on_device = data.data() + chunk * kChunk;
    float* const on_host = host + chunk * kChunk;
    HIP_CHECK(hipMemcpyAsync(on_device, on_host, kChunk * sizeof(float), hipMemcpyHostToDevice, stream));
    square<<<kChunk / kBlock, kBlock, 0, stream>>>(on_device, kChunk);
    HIP_CHECK(hipMemcpyAsync(on_host, on_device, kChunk * sizeof(float), hipMemcpyDeviceToHost, stream));
  }
  // The sum needs all chunks: stream 0 waits for the point that stream 1 has reached by now. The host waits for
  // nothing.
  HIP_CHECK(hipEventRecord(chunks_done[1], streams[1]));
  HIP_CHECK(hipStreamWaitEvent(streams[0], chunks_done[1], 0));
  sum_all<<<1, 256, 0, streams[0]>>>(data.data(), kCount, sum.data());
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipEventRecord(end, streams[0]));
  HIP_CHECK(hipEventSynchronize(end));

  float ms = 0;
  HIP_CHECK(hipEventElapsedTime(&ms, begin, end));
  const double result = sum.download()[0];
  double on_host = 0;
  for (size_t i = 0; i < kCount; ++i) on_host += host[i];
  std::printf("%zu chunks on two streams: sum %.4f, expected %.4f\n", kChunks, result, expected);

  for (hipStream_t stream : streams) HIP_CHECK(hipStreamDestroy(stream));
  for (hipEvent_t event : {begin, end, chunks_done[0], chunks_done[1]}) HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipHostFree(host));
  return sample::finish("streams_events",
                        sample::close_to(result, expected, 1e-6) && sample::close_to(on_host, expected, 1e-6), ms);
}
