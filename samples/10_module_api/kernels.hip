// Kernels that are compiled apart from the program (hipcc --genco) and loaded by name. extern "C" keeps the names
// plain.
#include <hip/hip_runtime.h>

extern "C" {
__device__ int factor = 1; // the host finds and sets it by name

__global__ void scale(int* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= factor;
}

__global__ void add(int* data, int count, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] += value;
}
}
