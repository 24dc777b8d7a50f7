// Two warps of a block that take turns, each waiting in a loop for the other. Where a warp is half a wave its halves
// run in step. The compiler sees what they wait for and takes it into the loop (src/device/codegen/spin_locks.cpp);
// without optimisation the kernel does not end, and the runtime's time limit says so (docs/porting.md).
#include "check.h"

#include <cstdlib>
#include <cstring>

__global__ void take_turns(int* turn, int* count) {
  const int warp = threadIdx.x / warpSize;
  for (int round = 0; round < 10; ++round) {
    while (atomicAdd(turn, 0) % 2 != warp) {
    }
    __syncwarp();
    if (threadIdx.x % warpSize == 0) {
      *count += 1;
      __threadfence();
      atomicAdd(turn, 1);
    }
    __syncwarp();
  }
}

__global__ void say_if_optimised(int* yes) {
#ifdef __OPTIMIZE__
  *yes = 1;
#else
  *yes = 0;
#endif
}

int main() {
  const char* const target = std::getenv("OMNIHIP_SOFT_TARGET");
  const bool waves_of_32 = target && std::strncmp(target, "gfx11", 5) == 0;
  int *data, host[2] = {}, optimised = 0;
  CHECK_CUDA(cudaMalloc(&data, sizeof host));
  say_if_optimised<<<1, 1>>>(data);
  CHECK_CUDA(cudaMemcpy(&optimised, data, sizeof optimised, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemset(data, 0, sizeof host));
  take_turns<<<1, 64>>>(data, data + 1);
  const cudaError_t error = cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  if (waves_of_32 || optimised) {
    CHECK(error == cudaSuccess);
    CHECK(host[0] == 20 && host[1] == 20);
  } else {
    CHECK(error == cudaErrorLaunchTimeout);
  }
  return checks_failed() != 0;
}
