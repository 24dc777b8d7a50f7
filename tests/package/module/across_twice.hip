#include <hip/hip_runtime.h>

__device__ int twice(int x) { return 2 * x; }
