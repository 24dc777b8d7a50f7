// The part with the kernel.
#include <hip/hip_runtime.h>

__global__ void sum_of(const int* values, int* sum) { atomicAdd(sum, values[threadIdx.x]); }

int sum_on_device(const int* values, int count) {
  int *in = nullptr, *out = nullptr, sum = -1;
  if (hipMalloc(reinterpret_cast<void**>(&in), count * sizeof(int)) != hipSuccess) return -2;
  if (hipMalloc(reinterpret_cast<void**>(&out), sizeof(int)) != hipSuccess) return -2;
  if (hipMemcpy(in, values, count * sizeof(int), hipMemcpyHostToDevice) != hipSuccess) return -2;
  if (hipMemset(out, 0, sizeof(int)) != hipSuccess) return -2;
  sum_of<<<1, count>>>(in, out);
  if (hipMemcpy(&sum, out, sizeof(int), hipMemcpyDeviceToHost) != hipSuccess) return -2;
  return hipFree(in) == hipSuccess && hipFree(out) == hipSuccess ? sum : -2;
}
