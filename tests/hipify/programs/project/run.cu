#include "blur.cuh"
#include "run.h"

bool run_blur(const float* in, float* out, int n) {
  float *device_in = nullptr, *device_out = nullptr;
  bool good = cudaMalloc(&device_in, n * sizeof(float)) == cudaSuccess;
  good = good && cudaMalloc(&device_out, n * sizeof(float)) == cudaSuccess;
  good = good && cudaMemcpy(device_in, in, n * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess;
  if (good) blur<<<(n + 63) / 64, 64>>>(device_in, device_out, n);
  good = good && cudaMemcpy(out, device_out, n * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(device_in);
  cudaFree(device_out);
  return good;
}
