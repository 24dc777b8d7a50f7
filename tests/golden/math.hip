// Functions of math that are long: hundreds of instructions without a branch, with divisions and tables in them.
#include <hip/hip_runtime.h>

#define KERNEL(name) \
  extern "C" __global__ void kernel_##name(const float* in, float* out) { \
    const unsigned i = blockIdx.x * blockDim.x + threadIdx.x; \
    out[i] = name(in[i]); \
  }
KERNEL(j0f)
KERNEL(j1f)
KERNEL(y0f)
KERNEL(erfcinvf)
