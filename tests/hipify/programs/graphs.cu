// Graphs as CUDA 12 writes them, half precision, complex numbers, and a launch by cudaLaunchKernel.
#include <cstdio>
#include <cuComplex.h>
#include <cuda_fp16.h>
#include "cuda_runtime.h"
#include "cuda.h"

__global__ void step(int* value) { *value = *value * 2 + 1; }
__global__ void numbers(float* out) {
  const __half half = __float2half(1.5f);
  const cuFloatComplex product = cuCmulf(make_cuFloatComplex(1.0f, 2.0f), make_cuFloatComplex(3.0f, -1.0f));
  out[0] = __half2float(half * half);
  out[1] = cuCrealf(product);
  out[2] = cuCimagf(product);
  out[3] = __int_as_float(__float_as_int(0.25f)) + rsqrtf(4.0f) * 0;
}

// The program's own, whatever it is called.
static bool cudaGood(cudaError_t error, int line) {
  if (error != cudaSuccess) std::printf("line %d: %s\n", line, cudaGetErrorString(error));
  return error == cudaSuccess;
}
#define GOOD(call) \
  if (!cudaGood(call, __LINE__)) return 1

int main() {
  int *value, host = 1;
  GOOD(cudaMalloc(&value, sizeof(int)));
  GOOD(cudaMemcpy(value, &host, sizeof(int), cudaMemcpyHostToDevice));
  cudaStream_t stream;
  GOOD(cudaStreamCreate(&stream));
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  GOOD(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  for (int i = 0; i < 3; ++i) step<<<1, 1, 0, stream>>>(value);
  GOOD(cudaStreamEndCapture(stream, &graph));
  GOOD(cudaGraphInstantiate(&exec, graph, 0));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaGraphLaunch(exec, stream));
  GOOD(cudaStreamSynchronize(stream));
  GOOD(cudaGraphExecDestroy(exec));
  GOOD(cudaGraphInstantiate(&exec, graph));
  GOOD(cudaGraphExecDestroy(exec));
  GOOD(cudaGraphDestroy(graph));
  GOOD(cudaMemcpy(&host, value, sizeof(int), cudaMemcpyDeviceToHost));

  float *out, results[4] = {};
  GOOD(cudaMalloc(&out, sizeof results));
  void* arguments[] = {&out};
  GOOD(cudaLaunchKernel(numbers, dim3(1), dim3(1), arguments, 0, stream));
  GOOD(cudaStreamSynchronize(stream));
  GOOD(cudaMemcpy(results, out, sizeof results, cudaMemcpyDefault));
  const bool good = host == 127 && results[0] == 2.25f && results[1] == 5.0f && results[2] == 5.0f && results[3] == 0.25f;
  if (!good) std::printf("%d %f %f %f %f\n", host, results[0], results[1], results[2], results[3]);
  GOOD(cudaDeviceReset());
  return !good;
}
