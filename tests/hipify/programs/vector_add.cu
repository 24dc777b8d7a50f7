// Vectors added on the device: memory, copies, streams, events, error texts. Checks itself; prints what is wrong.
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

#define CHECK(call) \
  do { \
    cudaError_t error_ = (call); \
    if (error_ != cudaSuccess) { \
      std::printf("%s:%d: cudaMalloc or another call failed: %s (%s)\n", __FILE__, __LINE__, cudaGetErrorString(error_), \
                  cudaGetErrorName(error_)); \
      return 1; \
    } \
  } while (0)

__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

template <typename T, int Factor> __global__ void scale(T* data, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) data[i] *= T(Factor);
}

namespace kernels {
template <typename T> struct Fill {
  T value;
  __device__ void operator()(T* data, int i) const { data[i] = value; }
};
template <typename F> __global__ void each(float* data, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(data, i);
}
} // namespace kernels

int main() {
  const int n = 10'000;
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  std::printf("%d devices; 0 is %s\n", count, prop.name);

  float *a, *b, *c, *host;
  CHECK(cudaMalloc(&a, n * sizeof(float)));
  CHECK(cudaMalloc((void**)&b, n * sizeof(float)));
  CHECK(cudaMallocManaged(&c, n * sizeof(float)));
  CHECK(cudaMallocHost(&host, n * sizeof(float)));
  for (int i = 0; i < n; ++i) host[i] = float(i);

  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end, cudaEventBlockingSync)); // C++ overload with flags
  CHECK(cudaMemcpyAsync(a, host, n * sizeof(float), cudaMemcpyHostToDevice, stream));
  CHECK(cudaEventRecord(begin, stream));
  const dim3 block(256), grid((n + block.x - 1) / block.x);
  kernels::each<kernels::Fill<float>><<<grid, block, 0, stream>>>(b, n, kernels::Fill<float>{2.0f});
  scale<float, 3> <<<dim3(4, 1), block, 0, stream>>>(b, size_t(n));
  add<<<grid, block, 0,
        stream>>>(a, b, // two inputs
                  c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = -1;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaStreamSynchronize(stream));
  for (int i = 0; i < n; ++i) {
    if (c[i] != float(i) + 6.0f) {
      std::printf("element %d is %f\n", i, double(c[i]));
      return 1;
    }
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  CHECK(cudaFreeHost(host));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(stream));
  return milliseconds < 0;
}
