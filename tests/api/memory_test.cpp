#include "testing.h"

#include <cstdlib>
#include <sys/mman.h>

TEST_CASE("Device memory") {
  void* a = nullptr;
  void* b = nullptr;
  OK(hipMalloc(&a, 1));
  OK(hipMalloc(&b, 1000));
  CHECK(reinterpret_cast<uintptr_t>(a) % 256 == 0);
  CHECK(a != b);
  OK(hipFree(a));
  FAILS(hipFree(a), hipErrorInvalidValue); // freed before
  FAILS(hipFree(static_cast<char*>(b) + 8), hipErrorInvalidValue); // not its start
  OK(hipFree(b));
  OK(hipFree(nullptr));
  int local = 0;
  FAILS(hipFree(&local), hipErrorInvalidValue);
  a = &local;
  OK(hipMalloc(&a, 0));
  CHECK(a == nullptr);
  FAILS(hipMalloc(static_cast<void**>(nullptr), 4), hipErrorInvalidValue);
  FAILS(hipMalloc(&a, SIZE_MAX), hipErrorOutOfMemory);
  FAILS(hipMalloc(&a, size_t{1} << 60), hipErrorOutOfMemory);
}

TEST_CASE("Memory with flags") {
  void* a = nullptr;
  for (unsigned flags : {hipDeviceMallocDefault, hipDeviceMallocFinegrained, hipDeviceMallocUncached}) {
    OK(hipExtMallocWithFlags(&a, 100, flags));
    OK(hipFree(a));
  }
  OK(hipExtMallocWithFlags(&a, 8, hipMallocSignalMemory));
  OK(hipFree(a));
  FAILS(hipExtMallocWithFlags(&a, 16, hipMallocSignalMemory), hipErrorInvalidValue);
  FAILS(hipExtMallocWithFlags(&a, 16, 0x1000), hipErrorInvalidValue);
  FAILS(hipExtMallocWithFlags(nullptr, 16, 0), hipErrorInvalidValue);
}

TEST_CASE("Pitched memory") {
  void* a = nullptr;
  size_t pitch = 0;
  OK(hipMallocPitch(&a, &pitch, 100, 10));
  CHECK(pitch >= 100);
  CHECK(pitch % 256 == 0);
  OK(hipFree(a));
  OK(hipMallocPitch(&a, &pitch, 0, 10));
  CHECK(a == nullptr);
  FAILS(hipMallocPitch(&a, &pitch, SIZE_MAX, 1), hipErrorInvalidValue);
  FAILS(hipMallocPitch(&a, &pitch, 1, SIZE_MAX), hipErrorOutOfMemory);
  FAILS(hipMallocPitch(nullptr, &pitch, 1, 1), hipErrorInvalidValue);
  FAILS(hipMallocPitch(&a, nullptr, 1, 1), hipErrorInvalidValue);
  hipPitchedPtr box;
  OK(hipMalloc3D(&box, make_hipExtent(100, 10, 5)));
  CHECK(box.xsize == 100);
  CHECK(box.ysize == 10);
  OK(hipFree(box.ptr));
  FAILS(hipMalloc3D(nullptr, make_hipExtent(1, 1, 1)), hipErrorInvalidValue);
  FAILS(hipMalloc3D(&box, make_hipExtent(SIZE_MAX, 1, 1)), hipErrorInvalidValue);
  FAILS(hipMalloc3D(&box, make_hipExtent(1, SIZE_MAX, 1)), hipErrorOutOfMemory);
  FAILS(hipMalloc3D(&box, make_hipExtent(1, 1, SIZE_MAX)), hipErrorOutOfMemory);
  hipDeviceptr_t d;
  FAILS(hipMemAllocPitch(&d, &pitch, 10, 10, 7), hipErrorInvalidValue);
  OK(hipMemAllocPitch(&d, &pitch, 10, 10, 4));
  OK(hipFree(d));
}

TEST_CASE("Host memory") {
  void* a = nullptr;
  OK(hipHostMalloc(&a, 100, hipHostMallocDefault));
  std::memset(a, 1, 100);
  void* device = nullptr;
  OK(hipHostGetDevicePointer(&device, a, 0));
  CHECK(device == a);
  unsigned flags = 99;
  OK(hipHostGetFlags(&flags, a));
  CHECK(flags == hipHostMallocDefault);
  FAILS(hipHostGetFlags(nullptr, a), hipErrorInvalidValue);
  FAILS(hipHostGetDevicePointer(&device, a, 1), hipErrorInvalidValue);
  FAILS(hipHostGetDevicePointer(&device, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipHostGetDevicePointer(nullptr, a, 0), hipErrorInvalidValue);
  FAILS(hipHostGetDevicePointer(&device, &flags, 0), hipErrorInvalidValue);
  OK(hipHostFree(a));
  FAILS(hipHostFree(a), hipErrorInvalidValue);
  FAILS(hipHostFree(&flags), hipErrorInvalidValue);
  OK(hipHostFree(nullptr));
  OK(hipHostMalloc(&a, 100, hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent));
  OK(hipHostGetFlags(&flags, a));
  CHECK(flags == (hipHostMallocPortable | hipHostMallocMapped | hipHostMallocCoherent));
  OK(hipFreeHost(a));
  FAILS(hipHostMalloc(&a, 100, hipHostMallocCoherent | hipHostMallocNonCoherent), hipErrorInvalidValue);
  FAILS(hipHostMalloc(&a, 100, ~0u), hipErrorInvalidValue);
  FAILS(hipHostMalloc(static_cast<void**>(nullptr), 100, 0), hipErrorInvalidValue);
  FAILS(hipHostMalloc(&a, SIZE_MAX, 0), hipErrorOutOfMemory);
  OK(hipHostMalloc(&a, 0, 0));
  CHECK(a == nullptr);
  void* on_device = nullptr;
  OK(hipMalloc(&on_device, 10));
  FAILS(hipHostGetFlags(&flags, on_device), hipErrorInvalidValue);
  OK(hipHostFree(on_device)); // as AMD's HIP does
  FAILS(hipFree(on_device), hipErrorInvalidValue);
}

TEST_CASE("Registered host memory") {
  std::vector<char> memory(10000);
  OK(hipHostRegister(memory.data(), memory.size(), hipHostRegisterDefault));
  FAILS(hipHostRegister(memory.data(), memory.size(), 0), hipErrorHostMemoryAlreadyRegistered);
  void* device = nullptr;
  OK(hipHostGetDevicePointer(&device, memory.data() + 5, 0));
  CHECK(device == memory.data() + 5);
  FAILS(hipHostFree(memory.data()), hipErrorInvalidValue);
  FAILS(hipHostUnregister(memory.data() + 1), hipErrorHostMemoryNotRegistered);
  OK(hipHostUnregister(memory.data()));
  FAILS(hipHostUnregister(memory.data()), hipErrorHostMemoryNotRegistered);
  FAILS(hipHostGetDevicePointer(&device, memory.data(), 0), hipErrorInvalidValue);
  FAILS(hipHostUnregister(nullptr), hipErrorInvalidValue);
  FAILS(hipHostRegister(nullptr, 10, 0), hipErrorInvalidValue);
  FAILS(hipHostRegister(memory.data(), 0, 0), hipErrorInvalidValue);
  FAILS(hipHostRegister(memory.data(), 10, 0xf0), hipErrorInvalidValue);
  for (const size_t absurd : {size_t{1} << 50, SIZE_MAX - 4095, SIZE_MAX})
    FAILS(hipHostRegister(memory.data(), absurd, 0), hipErrorInvalidValue);
  // A hole in the middle.
  char* hole = static_cast<char*>(mmap(nullptr, 3 * 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  REQUIRE(hole != MAP_FAILED);
  munmap(hole + 4096, 4096);
  FAILS(hipHostRegister(hole, 3 * 4096, 0), hipErrorInvalidValue);
  OK(hipHostRegister(hole, 4096, 0));
  OK(hipHostUnregister(hole));
  munmap(hole, 3 * 4096);
}

TEST_CASE("Managed memory") {
  int* a = nullptr;
  OK(hipMallocManaged(reinterpret_cast<void**>(&a), 100 * sizeof(int), hipMemAttachGlobal));
  a[99] = 5;
  CHECK(a[99] == 5);
  OK(hipMemPrefetchAsync(a, 100, 0, nullptr));
  FAILS(hipMemPrefetchAsync(a, 1000, 0, nullptr), hipErrorInvalidValue);
  OK(hipFree(a));
  void* b = nullptr;
  FAILS(hipMallocManaged(&b, 0, hipMemAttachGlobal), hipErrorInvalidValue);
  FAILS(hipMallocManaged(&b, 10, 0), hipErrorInvalidValue);
  FAILS(hipMallocManaged(&b, 10, hipMemAttachGlobal | hipMemAttachHost), hipErrorInvalidValue);
  FAILS(hipMallocManaged(static_cast<void**>(nullptr), 10, hipMemAttachGlobal), hipErrorInvalidValue);
  FAILS(hipMallocManaged(&b, SIZE_MAX, hipMemAttachGlobal), hipErrorOutOfMemory);
}

TEST_CASE("Stream-ordered memory") {
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  void* a = nullptr;
  OK(hipMallocAsync(&a, 1000, stream));
  OK(hipMemsetAsync(a, 3, 1000, stream));
  std::vector<char> host(1000);
  OK(hipMemcpyAsync(host.data(), a, 1000, hipMemcpyDeviceToHost, stream));
  OK(hipFreeAsync(a, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(host[999] == 3);
  FAILS(hipFreeAsync(a, stream), hipErrorInvalidValue);
  OK(hipFreeAsync(nullptr, stream));
  OK(hipFreeAsync(nullptr, nullptr));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal)); // where it leaves no node
  OK(hipFreeAsync(nullptr, stream));
  hipGraph_t graph = nullptr;
  OK(hipStreamEndCapture(stream, &graph));
  size_t nodes = 1;
  OK(hipGraphGetNodes(graph, nullptr, &nodes));
  CHECK(nodes == 0);
  OK(hipGraphDestroy(graph));
  OK(hipMallocAsync(&a, 1000, stream));
  OK(hipFree(a));
  FAILS(hipMallocAsync(nullptr, 1000, stream), hipErrorInvalidValue);
  FAILS(hipMallocAsync(&a, 1000, garbage_handle<hipStream_t>()), hipErrorInvalidHandle);
  FAILS(hipFreeAsync(&a, garbage_handle<hipStream_t>()), hipErrorInvalidHandle);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Memory information") {
  size_t free_before = 0, free_during = 0, total = 0;
  OK(hipMemGetInfo(&free_before, &total));
  CHECK(free_before <= total);
  void* a = nullptr;
  OK(hipMalloc(&a, size_t{16} << 20));
  OK(hipMemGetInfo(&free_during, nullptr));
  CHECK(free_before - free_during >= size_t{16} << 20);
  OK(hipFree(a));
  OK(hipMemGetInfo(&free_during, nullptr));
  CHECK(free_during >= free_before); // stream-ordered memory of an earlier test may come back meanwhile
  FAILS(hipMemGetInfo(nullptr, nullptr), hipErrorInvalidValue);
}

TEST_CASE("Pinned host memory is the host's, not the device's") {
  if (!kernels_run()) return; // the null back end counts all memory as the device's
  size_t free_before = 0, free_during = 0, total = 0;
  OK(hipDeviceSynchronize());
  OK(hipMemGetInfo(&free_before, &total));
  void* pinned = nullptr;
  OK(hipHostMalloc(&pinned, total + total / 10, 0)); // address space only: nobody touches it
  OK(hipMemGetInfo(&free_during, nullptr));
  CHECK(free_during >= free_before);
  OK(hipHostFree(pinned));
}
