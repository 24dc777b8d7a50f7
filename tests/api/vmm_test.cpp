#include "testing.h"

#include <sys/mman.h>
#include <unistd.h>

namespace {

hipMemAllocationProp properties(hipMemAllocationHandleType type = hipMemHandleTypeNone) {
  hipMemAllocationProp prop{};
  prop.type = hipMemAllocationTypePinned;
  prop.requestedHandleType = type;
  prop.location.type = hipMemLocationTypeDevice;
  return prop;
}

bool has_virtual_memory() {
  int supported = 0;
  OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0));
  return supported == 1;
}

} // namespace

TEST_CASE("Virtual memory") {
  hipMemAllocationProp prop = properties(hipMemHandleTypePosixFileDescriptor);
  size_t unit = 0;
  if (!has_virtual_memory()) {
    FAILS(hipMemGetAllocationGranularity(&unit, &prop, hipMemAllocationGranularityMinimum), hipErrorNotSupported);
    // Nothing can be a handle, or mapped, then.
    const auto handle = garbage_handle<hipMemGenericAllocationHandle_t>();
    hipMemGenericAllocationHandle_t retained = nullptr;
    unsigned long long flags = 0;
    FAILS(hipMemRelease(handle), hipErrorNotSupported);
    FAILS(hipMemGetAllocationPropertiesFromHandle(&prop, handle), hipErrorNotSupported);
    FAILS(hipMemRetainAllocationHandle(&retained, &unit), hipErrorNotSupported);
    FAILS(hipMemGetAccess(&flags, &prop.location, &unit), hipErrorNotSupported);
    return;
  }
  OK(hipMemGetAllocationGranularity(&unit, &prop, hipMemAllocationGranularityMinimum));
  void* base = nullptr;
  OK(hipMemAddressReserve(&base, 2 * unit, 0, nullptr, 0));
  char* const second = static_cast<char*>(base) + unit;
  hipMemGenericAllocationHandle_t memory = nullptr, imported = nullptr, retained = nullptr;
  OK(hipMemCreate(&memory, unit, &prop, 0));
  OK(hipMemMap(base, unit, 0, memory, 0));
  FAILS(hipMemMap(base, unit, 0, memory, 0), hipErrorInvalidValue);
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  OK(hipMemSetAccess(base, unit, &access, 1));
  OK(hipMemset(base, 5, unit));
  OK(hipDeviceSynchronize());
  int descriptor = -1;
  OK(hipMemExportToShareableHandle(&descriptor, memory, hipMemHandleTypePosixFileDescriptor, 0));
  OK(hipMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(intptr_t{descriptor}),
                                     hipMemHandleTypePosixFileDescriptor));
  hipMemGenericAllocationHandle_t by_address = nullptr;
  OK(hipMemImportFromShareableHandle(&by_address, &descriptor, hipMemHandleTypePosixFileDescriptor)); // as in HIP 6
  OK(hipMemRelease(by_address));
  ::close(descriptor);
  OK(hipMemMap(second, unit, 0, imported, 0));
  OK(hipMemSetAccess(second, unit, &access, 1));
  std::vector<char> host(unit);
  OK(hipMemcpy(host.data(), second, unit, hipMemcpyDeviceToHost));
  CHECK(host == std::vector<char>(unit, 5));
  OK(hipMemRetainAllocationHandle(&retained, base));
  CHECK(retained == memory);
  OK(hipMemRelease(retained));
  OK(hipMemRelease(memory));
  FAILS(hipMemRelease(memory), hipErrorInvalidValue);
  OK(hipMemRelease(imported));
  FAILS(hipMemAddressFree(base, 2 * unit), hipErrorInvalidValue); // memory is mapped there
  FAILS(hipFree(base), hipErrorInvalidValue);
  OK(hipMemUnmap(base, 2 * unit));
  FAILS(hipMemUnmap(base, unit), hipErrorInvalidValue);
  OK(hipMemAddressFree(base, 2 * unit));
  FAILS(hipMemAddressFree(base, 2 * unit), hipErrorInvalidValue);
}

TEST_CASE("A descriptor of device memory") {
  constexpr size_t kBytes = 1 << 20, kPart = 4096;
  char *memory = nullptr, *small = nullptr, *pinned = nullptr;
  int descriptor = -1;
  OK(hipMalloc(reinterpret_cast<void**>(&memory), kBytes));
  OK(hipMalloc(reinterpret_cast<void**>(&small), 64));
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), kBytes, hipHostMallocDefault));
  constexpr auto kKind = hipMemRangeHandleTypeDmaBufFd;
  FAILS(hipMemGetHandleForAddressRange(nullptr, memory, kBytes, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, nullptr, kBytes, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, 0, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, hipMemRangeHandleTypeMax, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 8), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes + 1, kKind, 0), hipErrorInvalidValue);
  FAILS(hipMemGetHandleForAddressRange(&descriptor, pinned, kBytes, kKind, 0), hipErrorInvalidValue);
  if (has_virtual_memory() && kernels_run()) {
    OK(hipMemset(memory, 3, kBytes));
    OK(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 0));
    auto* const mapped = static_cast<char*>(::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0));
    REQUIRE(mapped != MAP_FAILED);
    ::close(descriptor);
    CHECK((mapped[0] == 3 && mapped[kBytes - 1] == 3)); // what was in the memory
    OK(hipMemset(memory + kPart, 5, kPart));
    OK(hipDeviceSynchronize());
    CHECK((mapped[kPart] == 5 && mapped[2 * kPart - 1] == 5 && mapped[2 * kPart] == 3));
    mapped[7] = 9;
    char read = 0;
    OK(hipMemcpy(&read, memory + 7, 1, hipMemcpyDeviceToHost));
    CHECK(read == 9);
    ::munmap(mapped, kBytes);
    FAILS(hipMemGetHandleForAddressRange(&descriptor, memory + kPart, kPart, kKind, 0),
          hipErrorNotSupported); // an offset
  } else {
    FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 0), hipErrorNotSupported);
  }
  OK(hipHostFree(pinned));
  OK(hipFree(small));
  OK(hipFree(memory));
  FAILS(hipMemGetHandleForAddressRange(&descriptor, memory, kBytes, kKind, 0), hipErrorInvalidValue);
}

TEST_CASE("Memory for other processes, within one") {
  hipIpcMemHandle_t handle{};
  void *memory = nullptr, *opened = nullptr, *pinned = nullptr;
  OK(hipMalloc(&memory, 1000));
  OK(hipHostMalloc(&pinned, 1000, hipHostMallocDefault));
  FAILS(hipIpcGetMemHandle(nullptr, memory), hipErrorInvalidValue);
  FAILS(hipIpcGetMemHandle(&handle, nullptr), hipErrorInvalidValue);
  FAILS(hipIpcGetMemHandle(&handle, pinned), hipErrorInvalidValue);
  FAILS(hipIpcGetMemHandle(&handle, static_cast<char*>(memory) + 1000), hipErrorInvalidValue);
  if (has_virtual_memory()) {
    std::vector<char> host(1000, 3);
    OK(hipMemcpy(memory, host.data(), host.size(), hipMemcpyHostToDevice));
    OK(hipIpcGetMemHandle(&handle, memory));
    FAILS(hipIpcOpenMemHandle(&opened, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidContext);
    FAILS(hipIpcOpenMemHandle(&opened, handle, 7), hipErrorInvalidValue);
    FAILS(hipIpcOpenMemHandle(nullptr, handle, hipIpcMemLazyEnablePeerAccess), hipErrorInvalidValue);
    host.assign(1000, 0);
    OK(hipMemcpy(host.data(), memory, host.size(), hipMemcpyDeviceToHost));
    CHECK(host == std::vector<char>(1000, 3));
  } else {
    FAILS(hipIpcGetMemHandle(&handle, memory), hipErrorNotSupported);
  }
  FAILS(hipIpcCloseMemHandle(memory), hipErrorInvalidValue);
  FAILS(hipIpcCloseMemHandle(nullptr), hipErrorInvalidValue);
  OK(hipHostFree(pinned));
  OK(hipFree(memory));
  FAILS(hipIpcGetMemHandle(&handle, memory), hipErrorInvalidValue);
}
