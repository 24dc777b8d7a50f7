// A shared library with a kernel, which teardown.hip loads and unloads.
#include <hip/hip_runtime.h>

namespace {
__global__ void add(int* sum, int rounds) {
  int mine = 0;
  for (int i = 0; i < rounds; ++i) mine += (i ^ static_cast<int>(threadIdx.x)) & 1;
  if (mine >= 0) atomicAdd(sum, 1);
}
} // namespace

extern "C" hipError_t launch_add(int* sum, int rounds) {
  add<<<64, 256>>>(sum, rounds);
  return hipGetLastError();
}
extern "C" const void* kernel_add() { return reinterpret_cast<const void*>(add); }
