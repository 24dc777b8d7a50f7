// A program that holds a kernel, is linked with the HIP library, and does nothing: what loading the library costs.
#include <hip/hip_runtime.h>

__global__ void kernel(int* p) { *p = 1; }

int main(int argc, char**) {
  if (argc > 1) kernel<<<1, 1>>>(nullptr); // keeps the kernel and its registration
  return 0;
}
