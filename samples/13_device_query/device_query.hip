// 13_device_query - what devices are there and what can they do. Programs should ask instead of assuming: the number of
// threads in a wave, for one, is 64 on some devices and 32 on others.
#include "../common.h"

__global__ void wave_size(int* out) { *out = warpSize; }

int main() {
  int count = 0, runtime = 0, driver = 0;
  HIP_CHECK(hipGetDeviceCount(&count));
  HIP_CHECK(hipRuntimeGetVersion(&runtime));
  HIP_CHECK(hipDriverGetVersion(&driver));
  std::printf("HIP runtime %d, driver %d, %d device(s)\n", runtime, driver, count);

  bool passed = count > 0;
  double ms = 0;
  for (int device = 0; device < count; ++device) {
    HIP_CHECK(hipSetDevice(device));
    hipDeviceProp_t p{};
    HIP_CHECK(hipGetDeviceProperties(&p, device));
    size_t free_bytes = 0, total_bytes = 0;
    HIP_CHECK(hipMemGetInfo(&free_bytes, &total_bytes));
    std::printf("Device %d: %s\n", device, p.name);
    std::printf("  architecture            %s\n", p.gcnArchName);
    std::printf("  compute capability      %d.%d\n", p.major, p.minor);
    std::printf("  compute units           %d at %d MHz\n", p.multiProcessorCount, p.clockRate / 1000);
    std::printf("  wave size               %d\n", p.warpSize);
    std::printf("  threads per block       %d\n", p.maxThreadsPerBlock);
    std::printf("  block dimensions        %d x %d x %d\n", p.maxThreadsDim[0], p.maxThreadsDim[1], p.maxThreadsDim[2]);
    std::printf("  grid dimensions         %d x %d x %d\n", p.maxGridSize[0], p.maxGridSize[1], p.maxGridSize[2]);
    std::printf("  shared memory per block %zu bytes\n", p.sharedMemPerBlock);
    std::printf("  registers per block     %d\n", p.regsPerBlock);
    std::printf("  memory                  %zu MiB, %zu MiB free\n", total_bytes >> 20, free_bytes >> 20);
    std::printf("  PCI bus                 %04x:%02x:%02x\n", p.pciDomainID, p.pciBusID, p.pciDeviceID);

    // Attributes give single values, cheaper than all properties; they must agree, and so must the kernel's own view.
    int attribute = 0;
    HIP_CHECK(hipDeviceGetAttribute(&attribute, hipDeviceAttributeWarpSize, device));
    passed &= attribute == p.warpSize && p.totalGlobalMem == total_bytes && free_bytes <= total_bytes;
    HIP_CHECK(hipDeviceGetAttribute(&attribute, hipDeviceAttributeMaxThreadsPerBlock, device));
    passed &= attribute == p.maxThreadsPerBlock;
    sample::DeviceArray<int> out(1);
    ms += sample::time_ms([&] { wave_size<<<1, 1>>>(out.data()); });
    passed &= out.download()[0] == p.warpSize;
  }
  if (count > 0) HIP_CHECK(hipSetDevice(0));
  return sample::finish("device_query", passed, ms);
}
