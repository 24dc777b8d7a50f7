// What one process alone sees of memory and events for others; tests/e2e/ipc.hip has two.
#include "testing.h"

#include <unistd.h>

TEST_CASE("An event for other processes") {
  hipEvent_t event = nullptr, plain = nullptr, opened = nullptr;
  OK(hipEventCreate(&plain));
  OK(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming));
  hipIpcEventHandle_t handle{};
  OK(hipIpcGetEventHandle(&handle, event));
  FAILS(hipIpcGetEventHandle(&handle, plain), hipErrorInvalidConfiguration);
  FAILS(hipIpcGetEventHandle(nullptr, event), hipErrorInvalidValue);
  FAILS(hipIpcOpenEventHandle(&opened, handle), hipErrorInvalidContext); // its own
  FAILS(hipIpcOpenEventHandle(nullptr, handle), hipErrorInvalidValue);
  FAILS(hipIpcOpenEventHandle(&opened, hipIpcEventHandle_t{}), hipErrorInvalidValue);
  OK(hipEventQuery(event));
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipEventRecord(event, stream));
  OK(hipStreamWaitEvent(nullptr, event, 0));
  OK(hipEventSynchronize(event));
  OK(hipEventQuery(event));
  float time = 0;
  FAILS(hipEventElapsedTime(&time, event, plain), hipErrorInvalidHandle);
  OK(hipEventDestroy(event));
  OK(hipEventDestroy(plain));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("A shared event before and behind a kernel") {
  TestModule code;
  hipEvent_t start = nullptr, stop = nullptr;
  OK(hipEventCreateWithFlags(&start, hipEventInterprocess | hipEventDisableTiming));
  OK(hipEventCreateWithFlags(&stop, hipEventInterprocess | hipEventDisableTiming));
  OK(hipExtModuleLaunchKernel(code.function("nothing"), 64, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr, start, stop,
                              0));
  OK(hipEventSynchronize(stop));
  OK(hipEventQuery(start));
  OK(hipEventDestroy(start));
  OK(hipEventDestroy(stop));
}

TEST_CASE("A pool for other processes") {
  int types = 0;
  OK(hipDeviceGetAttribute(&types, hipDeviceAttributeMemoryPoolSupportedHandleTypes, 0));
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.handleTypes = hipMemHandleTypePosixFileDescriptor;
  props.location.type = hipMemLocationTypeDevice;
  hipMemPool_t pool = nullptr, imported = nullptr, plain = nullptr;
  if ((types & hipMemHandleTypePosixFileDescriptor) == 0) {
    FAILS(hipMemPoolCreate(&pool, &props), hipErrorNotSupported);
    return;
  }
  OK(hipMemPoolCreate(&pool, &props));
  int descriptor = -1;
  OK(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypePosixFileDescriptor, 0));
  CHECK(descriptor >= 0);
  void *const as_pointer = reinterpret_cast<void*>(intptr_t{descriptor}), *memory = nullptr;
  OK(hipMemPoolImportFromShareableHandle(&imported, as_pointer, hipMemHandleTypePosixFileDescriptor, 0));
  FAILS(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypeNone, 0), hipErrorInvalidValue);
  FAILS(hipMemPoolExportToShareableHandle(&descriptor, pool, hipMemHandleTypePosixFileDescriptor, 1),
        hipErrorInvalidValue);
  FAILS(hipMemPoolExportToShareableHandle(nullptr, pool, hipMemHandleTypePosixFileDescriptor, 0), hipErrorInvalidValue);
  FAILS(hipMemPoolImportFromShareableHandle(nullptr, as_pointer, hipMemHandleTypePosixFileDescriptor, 0),
        hipErrorInvalidValue);
  FAILS(hipMemPoolImportFromShareableHandle(&plain, as_pointer, hipMemHandleTypeNone, 0), hipErrorInvalidValue);
  ::close(descriptor);

  OK(hipMallocFromPoolAsync(&memory, 5000, pool, nullptr));
  hipMemPoolPtrExportData data;
  OK(hipMemPoolExportPointer(&data, memory));
  FAILS(hipMemPoolExportPointer(nullptr, memory), hipErrorInvalidValue);
  FAILS(hipMemPoolExportPointer(&data, nullptr), hipErrorInvalidValue);
  FAILS(hipMemPoolExportPointer(&data, static_cast<char*>(memory) + 1), hipErrorInvalidValue);
  FAILS(hipMemPoolImportPointer(nullptr, imported, &data), hipErrorInvalidValue);
  if (!on_nvidia()) { // where both would be one address
    void* there = nullptr;
    OK(hipMemPoolImportPointer(&there, imported, &data));
    OK(hipMemset(memory, 9, 5000));
    std::vector<char> host(5000);
    OK(hipMemcpy(host.data(), there, 5000, hipMemcpyDeviceToHost));
    CHECK(host == std::vector<char>(5000, 9));
    void* none = nullptr;
    FAILS(hipMallocFromPoolAsync(&none, 10, imported, nullptr), hipErrorInvalidValue);
    OK(hipFree(there));
    // A program with several pools finds a pointer's own by trying them all.
    hipMemPool_t other = nullptr, other_imported = nullptr;
    OK(hipMemPoolCreate(&other, &props));
    OK(hipMemPoolExportToShareableHandle(&descriptor, other, hipMemHandleTypePosixFileDescriptor, 0));
    OK(hipMemPoolImportFromShareableHandle(&other_imported, reinterpret_cast<void*>(intptr_t{descriptor}),
                                           hipMemHandleTypePosixFileDescriptor, 0));
    ::close(descriptor);
    FAILS(hipMemPoolImportPointer(&none, other_imported, &data), hipErrorInvalidValue);
    OK(hipMemPoolDestroy(other_imported));
    OK(hipMemPoolDestroy(other));
  }
  OK(hipFreeAsync(memory, nullptr));
  OK(hipMemPoolDestroy(imported));
  OK(hipMemPoolDestroy(pool));
  props.handleTypes = hipMemHandleTypeNone;
  OK(hipMemPoolCreate(&plain, &props));
  FAILS(hipMemPoolExportToShareableHandle(&descriptor, plain, hipMemHandleTypePosixFileDescriptor, 0),
        hipErrorInvalidValue);
  OK(hipMemPoolDestroy(plain));
  props.handleTypes = hipMemHandleTypeWin32;
  FAILS(hipMemPoolCreate(&plain, &props), hipErrorInvalidValue);
}
