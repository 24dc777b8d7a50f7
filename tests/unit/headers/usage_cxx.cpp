// Calls that C++ programs make and C has no form for: typed pointers, default arguments, kernels and variables by name.
// Compiled, never run: what is tested is that each call resolves.
#include <hip/hip_ext.h>
#include <hip/hip_runtime.h>

namespace {
float device_variable[4];
void kernel(float* data, int count) {}
size_t shared_bytes(int block) { return static_cast<size_t>(block) * 4; }
hipError_t check(hipError_t error) { return error; }
} // namespace

hipError_t use_everything(hipStream_t stream, hipEvent_t event, hipMemPool_t pool, const hipLaunchConfig_t* config) {
  float* floats = nullptr;
  void* bytes = nullptr;
  size_t size = 0;
  int grid = 0, block = 0;
  void* arguments[] = {&floats, &grid};

  check(hipMalloc(&floats, 16));
  check(hipMalloc(&bytes, 16));
  check(hipMallocPitch(&floats, &size, 4, 4));
  check(hipHostMalloc(&floats, 16));
  check(hipHostMalloc(&bytes, 16, hipHostMallocMapped));
  check(hipHostAlloc(&floats, 16));
  check(hipMallocManaged(&floats, 16));
  check(hipMallocAsync(&floats, 16, stream));
  check(hipMallocAsync(&floats, 16, pool, stream));
  check(hipMallocAsync(&bytes, 16, pool, stream));
  check(hipMallocFromPoolAsync(&floats, 16, pool, stream));

  check(hipMemcpyAsync(bytes, floats, 16, hipMemcpyDefault));
  check(hipMemsetAsync(bytes, 0, 16));
  check(hipMemcpyToSymbol(device_variable, floats, 16));
  check(hipMemcpyFromSymbol(floats, device_variable, 16, 0, hipMemcpyDeviceToHost));
  check(hipMemcpyToSymbolAsync(device_variable, floats, 16, 0, hipMemcpyHostToDevice));
  check(hipGetSymbolAddress(&bytes, device_variable));
  check(hipGetSymbolSize(&size, device_variable));

  check(hipEventRecord(event));
  check(hipStreamWaitEvent(stream, event));
  check(hipLaunchKernel(reinterpret_cast<const void*>(&kernel), dim3(1), dim3(64), arguments));
  check(hipLaunchKernel(reinterpret_cast<const void*>(&kernel), 1, 64, arguments, 0, stream));
  check(hipLaunchCooperativeKernel(kernel, dim3(1), dim3(64), arguments, 0, stream));
  check(hipLaunchKernelEx(config, kernel, floats, 4));
  hipExtLaunchKernelGGL(kernel, dim3(1), dim3(64), 0, stream, event, event, 0, floats, 4);

  check(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel));
  check(hipOccupancyMaxPotentialBlockSize(&grid, &block, kernel, 0, 0));
  check(hipOccupancyMaxActiveBlocksPerMultiprocessor(&grid, kernel, 64, 0));
  check(hipOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, kernel, shared_bytes));
  check(hipOccupancyAvailableDynamicSMemPerBlock(&size, kernel, 1, 64));

  hipDeviceProp_t properties;
  return hipGetDeviceProperties(&properties, 0);
}
