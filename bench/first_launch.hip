// The time from hipInit to the end of the first kernel, by step, and of a second launch of the same kernel.
#include <hip/hip_runtime.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

__global__ void add_one(int* p) { p[threadIdx.x] += 1; }

namespace {

using Clock = std::chrono::steady_clock;

double milliseconds(Clock::time_point from, Clock::time_point to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}
void check(hipError_t e, const char* what) {
  if (e == hipSuccess) return;
  std::fprintf(stderr, "%s failed: %s\n", what, hipGetErrorString(e));
  std::exit(1);
}

} // namespace

int main() {
  auto start = Clock::now();
  check(hipInit(0), "hipInit");
  auto initialised = Clock::now();
  int* p = nullptr;
  check(hipMalloc(&p, 64 * sizeof(int)), "hipMalloc");
  check(hipMemset(p, 0, 64 * sizeof(int)), "hipMemset");
  auto allocated = Clock::now();
  add_one<<<1, 64>>>(p);
  check(hipDeviceSynchronize(), "the first launch");
  auto first = Clock::now();
  add_one<<<1, 64>>>(p);
  check(hipDeviceSynchronize(), "the second launch");
  auto second = Clock::now();
  int value = 0;
  check(hipMemcpy(&value, p + 63, sizeof(int), hipMemcpyDeviceToHost), "hipMemcpy");
  std::printf("hipInit %.3f ms, hipMalloc+hipMemset %.3f ms, first launch %.3f ms, second launch %.4f ms, "
              "hipInit to first launch done %.3f ms, %s\n",
              milliseconds(start, initialised), milliseconds(initialised, allocated), milliseconds(allocated, first),
              milliseconds(first, second), milliseconds(start, first), value == 2 ? "right" : "WRONG");
  return value == 2 ? 0 : 1;
}
