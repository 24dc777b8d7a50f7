// 18_error_handling - errors come in two ways. A call with wrong arguments returns its error at once and changes
// nothing. A launch returns nothing: hipGetLastError tells whether it could start, and what goes wrong while it runs
// shows when the host synchronises. Whoever checks only one of them misses the other.
#include "../common.h"

__global__ void increment(int* data) { data[threadIdx.x] += 1; }

namespace {

bool passed = true;

// Compares, and prints what a user would see.
void expect(const char* what, hipError_t got, hipError_t wanted) {
  passed &= got == wanted;
  std::printf("%-44s %s: %s%s\n", what, hipGetErrorName(got), hipGetErrorString(got),
              got == wanted ? "" : "   <-- unexpected");
}

} // namespace

int main() {
  sample::DeviceArray<int> data(64);
  data.clear();

  void* pointer = nullptr;
  expect("hipMalloc without a place for the result", hipMalloc(static_cast<void**>(nullptr), 16), hipErrorInvalidValue);
  expect("hipMalloc of far too much", hipMalloc(&pointer, size_t{1} << 60), hipErrorOutOfMemory);
  expect("hipMemcpy from null", hipMemcpy(data.data(), nullptr, 16, hipMemcpyHostToDevice), hipErrorInvalidValue);
  expect("hipSetDevice of a device that is not there", hipSetDevice(1000), hipErrorInvalidDevice);
  expect("hipFree of a pointer that is not ours", hipFree(reinterpret_cast<void*>(0x10)), hipErrorInvalidValue);
  hipModule_t module = nullptr;
  expect("hipModuleLoad of a missing file", hipModuleLoad(&module, "/no/such/file"), hipErrorFileNotFound);

  (void)hipGetLastError(); // reads and clears what the calls above have left behind
  increment<<<1, 100000>>>(data.data());
#if defined(__HIP_PLATFORM_NVIDIA__)
  const hipError_t too_large = hipPeekAtLastError() == hipErrorInvalidValue ? hipErrorInvalidValue // CUDA 13
                                                                            : hipErrorInvalidConfiguration;
#else
  const hipError_t too_large = hipErrorInvalidConfiguration;
#endif
  expect("a block of 100000 threads", hipGetLastError(), too_large);
  expect("... and the error is now read", hipGetLastError(), hipSuccess);
  increment<<<1, 64, size_t{1} << 30>>>(data.data());
  expect("1 GiB of shared memory", hipGetLastError(), hipErrorInvalidValue);

  // None of this has harmed the program or the device.
  const double ms = sample::time_ms([&] { increment<<<1, 64>>>(data.data()); });
  for (const int x : data.download()) passed &= x == 1;
  return sample::finish("error_handling", passed, ms);
}
