// Virtual memory management: memory that is mapped, moved, mapped twice, grown and shared within the process; access
// rights; and every documented error.
#include "e2e.h"

#include <unistd.h>

namespace {

constexpr int kThreads = 256;

__global__ void fill(int* out, int first) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = first + i;
}
__global__ void copy(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i];
}

hipMemAllocationProp properties(hipMemAllocationHandleType type = hipMemHandleTypeNone) {
  hipMemAllocationProp prop{};
  prop.type = hipMemAllocationTypePinned;
  prop.requestedHandleType = type;
  prop.location.type = hipMemLocationTypeDevice;
  prop.location.id = 0;
  return prop;
}

// At least 64 KiB, in multiples of the granularity.
size_t unit() {
  static const size_t bytes = [] {
    size_t granularity = 0;
    const hipMemAllocationProp prop = properties();
    CHECK_EQ(hipMemGetAllocationGranularity(&granularity, &prop, hipMemAllocationGranularityMinimum), hipSuccess);
    CHECK(granularity != 0 && (granularity & (granularity - 1)) == 0);
    return std::max<size_t>(granularity, 65536);
  }();
  return bytes;
}
int unit_ints() { return static_cast<int>(unit() / sizeof(int)); }

struct Memory {
  explicit Memory(size_t bytes, hipMemAllocationHandleType type = hipMemHandleTypeNone) {
    const hipMemAllocationProp prop = properties(type);
    CHECK_EQ(hipMemCreate(&handle, bytes, &prop, 0), hipSuccess);
  }
  ~Memory() {
    if (handle) CHECK_EQ(hipMemRelease(handle), hipSuccess);
  }
  hipMemGenericAllocationHandle_t handle = nullptr;
};

struct Range {
  explicit Range(size_t bytes, size_t alignment = 0) : bytes(bytes) {
    CHECK_EQ(hipMemAddressReserve(&base, bytes, alignment, nullptr, 0), hipSuccess);
  }
  ~Range() { CHECK_EQ(hipMemAddressFree(base, bytes), hipSuccess); }
  char* at(size_t offset) const { return static_cast<char*>(base) + offset; }
  void* base = nullptr;
  size_t bytes;
};

hipError_t set_access(void* address, size_t bytes, hipMemAccessFlags flags) {
  hipMemAccessDesc access{};
  access.location.type = hipMemLocationTypeDevice;
  access.location.id = 0;
  access.flags = flags;
  return hipMemSetAccess(address, bytes, &access, 1);
}

void map(void* address, size_t bytes, hipMemGenericAllocationHandle_t handle) {
  CHECK_EQ(hipMemMap(address, bytes, 0, handle, 0), hipSuccess);
  CHECK_EQ(set_access(address, bytes, hipMemAccessFlagsProtReadWrite), hipSuccess);
}

void run_fill(void* memory, int count, int first) {
  fill<<<count / kThreads, kThreads>>>(static_cast<int*>(memory), first);
  RUN_OK();
}

// The memory holds first, first + 1, ...
void check_contents(const void* memory, int count, int first) {
  std::vector<int> host(count);
  CHECK_EQ(hipMemcpy(host.data(), memory, count * sizeof(int), hipMemcpyDeviceToHost), hipSuccess);
  for (int i = 0; i < count; ++i) CHECK_AT(i, host[i], first + i);
}

E2E_CASE(mapped_memory) {
  int supported = 0;
  CHECK_EQ(hipDeviceGetAttribute(&supported, hipDeviceAttributeVirtualMemoryManagementSupported, 0), hipSuccess);
  CHECK_EQ(supported, 1);
  Range range(unit());
  Memory memory(unit());
  map(range.base, unit(), memory.handle);
  run_fill(range.base, unit_ints(), 5);
  check_contents(range.base, unit_ints(), 5);
  hipPointerAttribute_t attributes{};
  CHECK_EQ(hipPointerGetAttributes(&attributes, range.at(unit() - 1)), hipSuccess);
  CHECK_EQ(attributes.type, hipMemoryTypeDevice);
  CHECK_EQ(hipMemUnmap(range.base, unit()), hipSuccess);
  // Contents stay with the memory, wherever it is mapped next.
  Range other(2 * unit());
  map(other.at(unit()), unit(), memory.handle);
  check_contents(other.at(unit()), unit_ints(), 5);
  CHECK_EQ(hipMemUnmap(other.at(unit()), unit()), hipSuccess);
}

E2E_CASE(one_memory_at_two_addresses) {
  Range first(unit()), second(unit());
  Memory memory(unit());
  map(first.base, unit(), memory.handle);
  map(second.base, unit(), memory.handle);
  run_fill(first.base, unit_ints(), 100);
  check_contents(second.base, unit_ints(), 100);
  CHECK_EQ(hipMemUnmap(first.base, unit()), hipSuccess);
  check_contents(second.base, unit_ints(), 100);
  CHECK_EQ(hipMemUnmap(second.base, unit()), hipSuccess);
}

E2E_CASE(memory_outlives_its_handle) {
  Range range(unit());
  hipMemGenericAllocationHandle_t again = nullptr;
  {
    Memory memory(unit());
    map(range.base, unit(), memory.handle);
    CHECK_EQ(hipMemRetainAllocationHandle(&again, range.at(100)), hipSuccess);
    CHECK(again == memory.handle);
  }
  run_fill(range.base, unit_ints(), 7);
  CHECK_EQ(hipMemRelease(again), hipSuccess); // the last one
  CHECK_EQ(hipMemRelease(again), hipErrorInvalidValue);
  check_contents(range.base, unit_ints(), 7);
  CHECK_EQ(hipMemRetainAllocationHandle(&again, range.base), hipSuccess); // a new handle of the same memory
  CHECK_EQ(hipMemUnmap(range.base, unit()), hipSuccess);
  map(range.base, unit(), again);
  check_contents(range.base, unit_ints(), 7);
  CHECK_EQ(hipMemUnmap(range.base, unit()), hipSuccess);
  CHECK_EQ(hipMemRelease(again), hipSuccess);
  (void)hipGetLastError();
}

// An array that grows in place: one range, more and more memory behind it.
E2E_CASE(an_array_that_grows) {
  constexpr int kSteps = 4;
  Range range(kSteps * unit());
  for (int step = 0; step < kSteps; ++step) {
    Memory memory(unit());
    map(range.at(step * unit()), unit(), memory.handle);
    run_fill(range.base, unit_ints() * (step + 1), step);
    check_contents(range.base, unit_ints() * (step + 1), step); // one copy from several mappings
  }
  CHECK_EQ(hipMemUnmap(range.base, kSteps * unit()), hipSuccess);
}

E2E_CASE(descriptors) {
  Memory memory(unit(), hipMemHandleTypePosixFileDescriptor);
  int descriptor = -1;
  CHECK_EQ(hipMemExportToShareableHandle(&descriptor, memory.handle, hipMemHandleTypePosixFileDescriptor, 0), hipSuccess);
  CHECK(descriptor >= 0);
  hipMemGenericAllocationHandle_t imported = nullptr;
  CHECK_EQ(hipMemImportFromShareableHandle(&imported, reinterpret_cast<void*>(static_cast<intptr_t>(descriptor)),
                                           hipMemHandleTypePosixFileDescriptor), hipSuccess);
  ::close(descriptor);
  Range first(unit()), second(unit());
  map(first.base, unit(), memory.handle);
  map(second.base, unit(), imported);
  run_fill(first.base, unit_ints(), 300);
  check_contents(second.base, unit_ints(), 300);
  CHECK_EQ(hipMemUnmap(first.base, unit()), hipSuccess);
  CHECK_EQ(hipMemUnmap(second.base, unit()), hipSuccess);
  CHECK_EQ(hipMemRelease(imported), hipSuccess);
}

E2E_CASE(access_of_copies) {
  Range range(unit());
  Memory memory(unit());
  std::vector<int> host(unit_ints(), 9);
  CHECK_EQ(hipMemMap(range.base, unit(), 0, memory.handle, 0), hipSuccess);
  hipMemLocation here{hipMemLocationTypeDevice, 0};
  unsigned long long flags = 7;
  CHECK_EQ(hipMemGetAccess(&flags, &here, range.base), hipSuccess);
  CHECK_EQ(flags, (unsigned long long)hipMemAccessFlagsProtNone);
  CHECK_EQ(hipMemcpy(range.base, host.data(), unit(), hipMemcpyHostToDevice), hipErrorInvalidValue);
  CHECK_EQ(hipMemcpy(host.data(), range.base, unit(), hipMemcpyDeviceToHost), hipErrorInvalidValue);
  CHECK_EQ(set_access(range.base, unit(), hipMemAccessFlagsProtReadWrite), hipSuccess);
  CHECK_EQ(hipMemcpy(range.base, host.data(), unit(), hipMemcpyHostToDevice), hipSuccess);
  if (!e2e::on_nvidia()) { // CUDA's access is all or nothing
    CHECK_EQ(set_access(range.base, unit(), hipMemAccessFlagsProtRead), hipSuccess);
    CHECK_EQ(hipMemGetAccess(&flags, &here, range.at(unit() - 1)), hipSuccess);
    CHECK_EQ(flags, (unsigned long long)hipMemAccessFlagsProtRead);
    CHECK_EQ(hipMemcpy(range.base, host.data(), 4, hipMemcpyHostToDevice), hipErrorInvalidValue);
    CHECK_EQ(hipMemset(range.base, 0, 4), hipErrorInvalidValue);
    CHECK_EQ(hipMemcpy(host.data(), range.base, unit(), hipMemcpyDeviceToHost), hipSuccess);
    CHECK_EQ(std::count(host.begin(), host.end(), 9), static_cast<ptrdiff_t>(host.size()));
  }
  CHECK_EQ(hipMemUnmap(range.base, unit()), hipSuccess);
  (void)hipGetLastError();
}

// A kernel's access to what is reserved but not mapped, or may not be written, is reported. The faults end a device of
// NVIDIA's, so these are for the software GPU.
E2E_CASE(kernels_that_may_not) {
  if (e2e::on_nvidia()) return;
  Range range(2 * unit());
  Memory memory(unit());
  fill<<<1, 64>>>(static_cast<int*>(range.base), 1);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress);
  CHECK_EQ(hipMemMap(range.base, unit(), 0, memory.handle, 0), hipSuccess);
  fill<<<1, 64>>>(static_cast<int*>(range.base), 1);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress); // no access yet
  CHECK_EQ(set_access(range.base, unit(), hipMemAccessFlagsProtReadWrite), hipSuccess);
  fill<<<1, 64>>>(static_cast<int*>(range.base), 1);
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
  CHECK_EQ(set_access(range.base, unit(), hipMemAccessFlagsProtRead), hipSuccess);
  e2e::Device<int> out(64);
  copy<<<1, 64>>>(static_cast<int*>(range.base), out.data());
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
  const auto got = out.download();
  for (int i = 0; i < 64; ++i) CHECK_AT(i, got[i], 1 + i);
  fill<<<1, 64>>>(static_cast<int*>(range.base), 1);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress);
  fill<<<1, 64>>>(reinterpret_cast<int*>(range.at(unit())), 1); // behind the mapping
  CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress);
  CHECK_EQ(hipMemUnmap(range.base, unit()), hipSuccess);
  fill<<<1, 64>>>(static_cast<int*>(range.base), 1);
  CHECK_EQ(hipDeviceSynchronize(), hipErrorIllegalAddress);
  (void)hipGetLastError();
}

E2E_CASE(errors) {
  const auto bad = hipErrorInvalidValue;
  int devices = 0;
  CHECK_EQ(hipGetDeviceCount(&devices), hipSuccess);
  void* address = nullptr;
  size_t granularity = 0;
  hipMemGenericAllocationHandle_t handle = nullptr;
  hipMemAllocationProp prop = properties();
  const auto no_handle = reinterpret_cast<hipMemGenericAllocationHandle_t>(uintptr_t{12345});

  CHECK_EQ(hipMemAddressReserve(nullptr, unit(), 0, nullptr, 0), bad);
  CHECK_EQ(hipMemAddressReserve(&address, 0, 0, nullptr, 0), hipErrorOutOfMemory);
  CHECK_EQ(hipMemAddressReserve(&address, unit() - 1, 0, nullptr, 0), hipErrorOutOfMemory);
  CHECK_EQ(hipMemAddressReserve(&address, unit(), 3, nullptr, 0), hipErrorOutOfMemory);
  CHECK_EQ(hipMemAddressReserve(&address, unit(), 0, nullptr, 1), bad);
  CHECK_EQ(hipMemAddressFree(nullptr, unit()), bad);

  CHECK_EQ(hipMemGetAllocationGranularity(nullptr, &prop, hipMemAllocationGranularityMinimum), bad);
  CHECK_EQ(hipMemGetAllocationGranularity(&granularity, nullptr, hipMemAllocationGranularityMinimum), bad);
  CHECK_EQ(hipMemGetAllocationGranularity(&granularity, &prop, static_cast<hipMemAllocationGranularity_flags>(7)), bad);
  CHECK_EQ(hipMemGetAllocationGranularity(&granularity, &prop, hipMemAllocationGranularityRecommended), hipSuccess);
  CHECK(granularity % unit() == 0 || unit() % granularity == 0);

  CHECK_EQ(hipMemCreate(nullptr, unit(), &prop, 0), bad);
  CHECK_EQ(hipMemCreate(&handle, unit(), nullptr, 0), bad);
  CHECK_EQ(hipMemCreate(&handle, 0, &prop, 0), bad);
  CHECK_EQ(hipMemCreate(&handle, unit() - 1, &prop, 0), bad);
  CHECK_EQ(hipMemCreate(&handle, unit(), &prop, 1), bad);
  CHECK_EQ(hipMemCreate(&handle, size_t{1} << 50, &prop, 0), hipErrorOutOfMemory);
  for (const int id : {-1, devices}) {
    prop.location.id = id;
    CHECK_EQ(hipMemCreate(&handle, unit(), &prop, 0), bad);
    CHECK_EQ(hipMemGetAllocationGranularity(&granularity, &prop, hipMemAllocationGranularityMinimum), bad);
  }
  prop = properties();
  prop.location.type = hipMemLocationTypeInvalid;
  CHECK_EQ(hipMemCreate(&handle, unit(), &prop, 0), bad);
  prop = properties();
  prop.type = hipMemAllocationTypeInvalid;
  CHECK_EQ(hipMemCreate(&handle, unit(), &prop, 0), bad);
  CHECK_EQ(hipMemCreate(&handle, unit(), &(prop = properties(hipMemHandleTypeWin32)), 0), bad);
  CHECK_EQ(hipMemRelease(nullptr), bad);
  CHECK_EQ(hipMemRelease(no_handle), bad);
  CHECK_EQ(hipMemGetAllocationPropertiesFromHandle(&prop, nullptr), bad);

  Range range(2 * unit());
  Memory memory(unit());
  CHECK_EQ(hipMemGetAllocationPropertiesFromHandle(nullptr, memory.handle), bad);
  CHECK_EQ(hipMemGetAllocationPropertiesFromHandle(&prop, memory.handle), hipSuccess);
  CHECK_EQ(prop.type, hipMemAllocationTypePinned);
  CHECK_EQ(prop.location.type, hipMemLocationTypeDevice);
  CHECK_EQ(prop.location.id, 0);

  CHECK_EQ(hipMemMap(nullptr, unit(), 0, memory.handle, 0), bad);
  CHECK_EQ(hipMemMap(range.base, 0, 0, memory.handle, 0), bad);
  CHECK_EQ(hipMemMap(range.base, unit() - 1, 0, memory.handle, 0), bad);
  CHECK_EQ(hipMemMap(range.base, unit(), size_t(-1), memory.handle, 0), bad);
  CHECK_EQ(hipMemMap(range.base, 2 * unit(), 0, memory.handle, 0), bad);
  CHECK_EQ(hipMemMap(range.base, unit(), 0, nullptr, 0), bad);
  CHECK_EQ(hipMemMap(range.base, unit(), 0, memory.handle, 1), bad);
  CHECK_EQ(hipMemMap(&range, unit(), 0, memory.handle, 0), bad); // not reserved
  CHECK_EQ(hipMemMap(range.at(2 * unit()), unit(), 0, memory.handle, 0), bad);
  map(range.base, unit(), memory.handle);
  CHECK_EQ(hipMemMap(range.base, unit(), 0, memory.handle, 0), bad); // mapped already
  CHECK_EQ(hipMemAddressFree(range.base, 2 * unit()), bad);          // likewise
  CHECK_EQ(hipMemAddressFree(range.base, unit()), bad);
  CHECK_EQ(hipFree(range.base), bad);
  CHECK_EQ(hipFreeAsync(range.base, nullptr), bad);

  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  CHECK_EQ(hipMemSetAccess(nullptr, unit(), &access, 1), bad);
  CHECK_EQ(hipMemSetAccess(range.base, 0, &access, 1), bad);
  CHECK_EQ(hipMemSetAccess(range.base, unit() - 1, &access, 1), bad);
  CHECK_EQ(hipMemSetAccess(range.base, unit() + 1, &access, 1), bad);
  CHECK_EQ(hipMemSetAccess(range.base, 2 * unit(), &access, 1), bad);
  CHECK_EQ(hipMemSetAccess(range.base, unit(), nullptr, 1), bad);
  CHECK_EQ(hipMemSetAccess(range.base, unit(), &access, 0), bad);
  access.location.id = devices;
  CHECK_EQ(hipMemSetAccess(range.base, unit(), &access, 1), bad);
  access.location = {hipMemLocationTypeInvalid, 0};
  CHECK_EQ(hipMemSetAccess(range.base, unit(), &access, 1), bad);
  access = {{hipMemLocationTypeDevice, 0}, static_cast<hipMemAccessFlags>(9)};
  CHECK_EQ(hipMemSetAccess(range.base, unit(), &access, 1), bad);

  unsigned long long flags = 0;
  hipMemLocation here{hipMemLocationTypeDevice, 0};
  CHECK_EQ(hipMemGetAccess(nullptr, &here, range.base), bad);
  CHECK_EQ(hipMemGetAccess(&flags, nullptr, range.base), bad);
  CHECK_EQ(hipMemGetAccess(&flags, &here, range.at(unit())), bad);
  CHECK_EQ(hipMemRetainAllocationHandle(nullptr, range.base), bad);
  CHECK_EQ(hipMemRetainAllocationHandle(&handle, nullptr), bad);
  CHECK_EQ(hipMemRetainAllocationHandle(&handle, range.at(unit())), bad);
  CHECK_EQ(hipMemUnmap(nullptr, unit()), bad);
  CHECK_EQ(hipMemUnmap(range.base, 0), bad);
  CHECK_EQ(hipMemUnmap(range.base, unit() - 1), bad);
  CHECK_EQ(hipMemUnmap(range.at(unit()), unit()), bad);
  CHECK_EQ(hipMemUnmap(range.base, unit()), hipSuccess);
  CHECK_EQ(hipMemUnmap(range.base, unit()), bad);
  CHECK_EQ(hipMemRetainAllocationHandle(&handle, range.base), bad);

  int descriptor = -1;
  CHECK_EQ(hipMemExportToShareableHandle(&descriptor, memory.handle, hipMemHandleTypePosixFileDescriptor, 0), bad);
  Memory shared(unit(), hipMemHandleTypePosixFileDescriptor);
  CHECK_EQ(hipMemExportToShareableHandle(nullptr, shared.handle, hipMemHandleTypePosixFileDescriptor, 0), bad);
  CHECK_EQ(hipMemExportToShareableHandle(&descriptor, nullptr, hipMemHandleTypePosixFileDescriptor, 0), bad);
  CHECK_EQ(hipMemExportToShareableHandle(&descriptor, shared.handle, hipMemHandleTypeWin32, 0), bad);
  CHECK_EQ(hipMemExportToShareableHandle(&descriptor, shared.handle, hipMemHandleTypePosixFileDescriptor, 1), bad);
  const auto standard_output = reinterpret_cast<void*>(intptr_t{1});
  CHECK_EQ(hipMemImportFromShareableHandle(nullptr, standard_output, hipMemHandleTypePosixFileDescriptor), bad);
  CHECK_EQ(hipMemImportFromShareableHandle(&handle, nullptr, hipMemHandleTypePosixFileDescriptor), bad);
  CHECK_EQ(hipMemImportFromShareableHandle(&handle, standard_output, hipMemHandleTypeWin32), bad);
  CHECK_EQ(hipMemImportFromShareableHandle(&handle, standard_output, hipMemHandleTypePosixFileDescriptor), bad);

  CHECK_EQ(hipMemMapArrayAsync(nullptr, 1, nullptr), bad);
  hipArrayMapInfo info{};
  CHECK_EQ(hipMemMapArrayAsync(&info, 1, nullptr), hipErrorNotSupported);
  CHECK_EQ(hipMemGetHandleForAddressRange(nullptr, range.base, unit(), hipMemRangeHandleTypeDmaBufFd, 0), bad);
  CHECK_EQ(hipMemGetHandleForAddressRange(&descriptor, range.base, unit(), hipMemRangeHandleTypeDmaBufFd, 0), bad);
  (void)hipGetLastError();
}

} // namespace
