// A module for translations.hip: `fill` writes VALUE + 3 * index.
#include <hip/hip_runtime.h>

extern "C" __global__ void fill(int* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = VALUE + 3 * i;
}
