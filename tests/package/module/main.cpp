// Compiled by hipcc, for its source property says so.
#include "from_build.h"
#include "part.h"

#include <cstdio>
#include <cstring>
#include <hip/hip_runtime.h>

int host_part();

__global__ void add(int* sum) {
  *sum = OF_FOLDER + OF_ALL + OF_TARGET + OF_SOURCE + OF_CALL + OF_CONFIGURATION + OF_CLANG + FROM_BUILD + FROM_PART;
}

int main() {
  int* sum = nullptr;
  if (hipHostMalloc(reinterpret_cast<void**>(&sum), sizeof(int)) != hipSuccess) return 1;
  add<<<1, 1>>>(sum);
  if (hipDeviceSynchronize() != hipSuccess) return 1;
  if (*sum != 511 || std::strcmp(OF_PART, "a b") != 0 || host_part() != 512) {
    std::printf("wrong: %d, '%s', %d\n", *sum, OF_PART, host_part());
    return 1;
  }
  return std::puts("right") < 0;
}
