#include <cstdio>
#include <hip/hip_runtime.h>

__device__ int twice(int x); // in the other file

__global__ void kernel(int* p) { *p = twice(*p); }

int main() { // main_of_library where it is in one
  int* p = nullptr;
  if (hipHostMalloc(reinterpret_cast<void**>(&p), sizeof(int)) != hipSuccess) return 1;
  *p = 21;
  kernel<<<1, 1>>>(p);
  if (hipDeviceSynchronize() != hipSuccess || *p != 42) return 1;
  return std::puts("right") < 0;
}
