// Memory of other interfaces: what kernels and copies see is what the file behind the descriptor holds.
#include "descriptors.h"

#include <algorithm>
#include <climits>

namespace {

hipExternalMemoryHandleDesc describe(int descriptor, unsigned long long bytes) {
  hipExternalMemoryHandleDesc desc{};
  desc.type = hipExternalMemoryHandleTypeOpaqueFd;
  desc.handle.fd = descriptor;
  desc.size = bytes;
  return desc;
}

hipExternalMemoryBufferDesc part(unsigned long long offset, unsigned long long bytes) {
  hipExternalMemoryBufferDesc desc{};
  desc.offset = offset;
  desc.size = bytes;
  return desc;
}

// Other bytes at each place.
std::vector<unsigned char> pattern(size_t bytes) {
  std::vector<unsigned char> content(bytes);
  for (size_t i = 0; i < bytes; ++i) content[i] = static_cast<unsigned char>(i * 7 + i / 251);
  return content;
}

std::vector<unsigned char> slice(const std::vector<unsigned char>& all, size_t offset, size_t bytes) {
  return {all.begin() + static_cast<ptrdiff_t>(offset), all.begin() + static_cast<ptrdiff_t>(offset + bytes)};
}

} // namespace

TEST_CASE("External memory is what its file holds") {
  constexpr size_t kBytes = 20000;
  const std::vector<unsigned char> content = pattern(kBytes);
  const FileMemory file(content);
  const hipExternalMemoryHandleDesc desc = describe(file.given, kBytes);
  hipExternalMemory_t memory = nullptr;
  if (!imports_files()) {
    FAILS(hipImportExternalMemory(&memory, &desc), on_nvidia() ? hipErrorInvalidValue : hipErrorNotSupported);
    ::close(file.given);
    return;
  }
  OK(hipImportExternalMemory(&memory, &desc));
  void *whole = nullptr, *middle = nullptr;
  const hipExternalMemoryBufferDesc all = part(0, kBytes), some = part(4100, 1000);
  OK(hipExternalMemoryGetMappedBuffer(&whole, memory, &all));
  OK(hipExternalMemoryGetMappedBuffer(&middle, memory, &some));
  CHECK(whole != middle);
  std::vector<unsigned char> host(kBytes);
  OK(hipMemcpy(host.data(), whole, kBytes, hipMemcpyDeviceToHost));
  CHECK(host == content);
  host.resize(1000);
  OK(hipMemcpy(host.data(), middle, 1000, hipMemcpyDeviceToHost));
  CHECK(host == slice(content, 4100, 1000));

  hipPointerAttribute_t attributes{};
  OK(hipPointerGetAttributes(&attributes, static_cast<char*>(middle) + 999));
  CHECK(attributes.type == hipMemoryTypeDevice);
  hipDeviceptr_t base = nullptr;
  size_t bytes = 0;
  OK(hipMemGetAddressRange(&base, &bytes, static_cast<char*>(middle) + 10));
  CHECK(base == middle);
  CHECK(bytes == 1000);

  // What is written through one address is in the file, and behind the other address.
  OK(hipMemset(middle, 0x5a, 1000));
  OK(hipDeviceSynchronize());
  CHECK(file.read(4100, 1000) == std::vector<unsigned char>(1000, 0x5a));
  CHECK(file.read(0, 4100) == slice(content, 0, 4100));
  CHECK(file.read(5100, kBytes - 5100) == slice(content, 5100, kBytes - 5100));
  OK(hipMemcpy(host.data(), static_cast<char*>(whole) + 4100, 1000, hipMemcpyDeviceToHost));
  CHECK(host == std::vector<unsigned char>(1000, 0x5a));

  // Buffers outlive the memory that they were mapped from.
  OK(hipDestroyExternalMemory(memory));
  CHECK_FALSE(is_open(file.given));
  OK(hipMemset(whole, 1, 4));
  OK(hipDeviceSynchronize());
  CHECK(file.read(0, 5) == std::vector<unsigned char>{1, 1, 1, 1, content[4]});
  FAILS(hipExternalMemoryGetMappedBuffer(&base, memory, &all), hipErrorInvalidValue);
  FAILS(hipDestroyExternalMemory(memory), hipErrorInvalidValue);
  OK(hipFree(whole));
  FAILS(hipFree(whole), hipErrorInvalidValue);
  FAILS(hipMemset(whole, 0, 4), hipErrorInvalidValue);
  OK(hipFreeAsync(middle, nullptr));
  OK(hipDeviceSynchronize());
  FAILS(hipFree(middle), hipErrorInvalidValue);
}

TEST_CASE("Kernels read and write external memory") {
  if (!imports_files() || !kernels_run()) return;
  constexpr unsigned kCount = 3000;
  std::vector<unsigned char> content(2 * kCount * sizeof(int));
  for (unsigned i = 0; i < kCount; ++i) {
    const int value = static_cast<int>(i) - 1000;
    std::memcpy(content.data() + i * sizeof(int), &value, sizeof value);
  }
  const FileMemory file(content);
  hipExternalMemory_t memory = nullptr;
  hipExternalMemoryHandleDesc desc = describe(file.given, content.size());
  desc.flags = hipExternalMemoryDedicated;
  OK(hipImportExternalMemory(&memory, &desc));
  void *in = nullptr, *out = nullptr;
  const hipExternalMemoryBufferDesc first = part(0, kCount * sizeof(int)),
                                    second = part(kCount * sizeof(int), kCount * sizeof(int));
  OK(hipExternalMemoryGetMappedBuffer(&in, memory, &first));
  OK(hipExternalMemoryGetMappedBuffer(&out, memory, &second));
  TestModule module;
  int factor = -3;
  unsigned count = kCount;
  void* arguments[] = {&out, &in, &factor, &count};
  OK(hipModuleLaunchKernel(module.function("scale"), (kCount + 255) / 256, 1, 1, 256, 1, 1, 0, nullptr, arguments,
                           nullptr));
  OK(hipDeviceSynchronize());
  const std::vector<unsigned char> result = file.read(kCount * sizeof(int), kCount * sizeof(int));
  unsigned wrong = 0;
  for (unsigned i = 0; i < kCount; ++i) {
    int value = 0;
    std::memcpy(&value, result.data() + i * sizeof(int), sizeof value);
    wrong += value != -3 * (static_cast<int>(i) - 1000);
  }
  CHECK(wrong == 0);
  OK(hipFree(in));
  OK(hipFree(out));
  OK(hipDestroyExternalMemory(memory));
}

TEST_CASE("What hipMemCreate exported is external memory") {
  hipMemAllocationProp prop{};
  prop.type = hipMemAllocationTypePinned;
  prop.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  prop.location.type = hipMemLocationTypeDevice;
  size_t unit = 0;
  if (hipMemGetAllocationGranularity(&unit, &prop, hipMemAllocationGranularityMinimum) != hipSuccess) return;
  void *mapped = nullptr, *imported = nullptr;
  hipMemGenericAllocationHandle_t physical = nullptr;
  OK(hipMemAddressReserve(&mapped, unit, 0, nullptr, 0));
  OK(hipMemCreate(&physical, unit, &prop, 0));
  OK(hipMemMap(mapped, unit, 0, physical, 0));
  hipMemAccessDesc access{{hipMemLocationTypeDevice, 0}, hipMemAccessFlagsProtReadWrite};
  OK(hipMemSetAccess(mapped, unit, &access, 1));
  int descriptor = -1;
  OK(hipMemExportToShareableHandle(&descriptor, physical, hipMemHandleTypePosixFileDescriptor, 0));
  hipExternalMemory_t memory = nullptr;
  const hipExternalMemoryHandleDesc desc = describe(descriptor, unit);
  const hipExternalMemoryBufferDesc all = part(0, unit);
  OK(hipImportExternalMemory(&memory, &desc));
  OK(hipExternalMemoryGetMappedBuffer(&imported, memory, &all));
  CHECK(imported != mapped);
  OK(hipMemset(mapped, 0x31, unit));
  OK(hipMemset(static_cast<char*>(imported) + 100, 0x32, 50));
  OK(hipDeviceSynchronize());
  std::vector<unsigned char> host(unit), expected(unit, 0x31);
  std::fill_n(expected.begin() + 100, 50, static_cast<unsigned char>(0x32));
  OK(hipMemcpy(host.data(), mapped, unit, hipMemcpyDeviceToHost));
  CHECK((host == expected));
  OK(hipMemcpy(host.data(), imported, unit, hipMemcpyDeviceToHost));
  CHECK((host == expected));
  OK(hipFree(imported));
  OK(hipDestroyExternalMemory(memory));
  OK(hipMemUnmap(mapped, unit));
  OK(hipMemRelease(physical));
  OK(hipMemAddressFree(mapped, unit));
}

TEST_CASE("Memory that cannot be imported") {
  hipExternalMemory_t memory = nullptr;
  const int file = make_file(8192);
  const hipExternalMemoryHandleDesc good = describe(file, 8192);
  FAILS(hipImportExternalMemory(nullptr, &good), hipErrorInvalidValue);
  FAILS(hipImportExternalMemory(&memory, nullptr), hipErrorInvalidValue);
  hipExternalMemoryHandleDesc bad = describe(file, 0);
  FAILS(hipImportExternalMemory(&memory, &bad), hipErrorInvalidValue);
  bad = good;
  bad.flags = 2;
  FAILS(hipImportExternalMemory(&memory, &bad), hipErrorInvalidValue);
  for (const int type : {-1, 0, 9, INT_MAX}) {
    bad = good;
    bad.type = static_cast<hipExternalMemoryHandleType>(type);
    FAILS(hipImportExternalMemory(&memory, &bad), hipErrorInvalidValue);
  }
  for (int type = hipExternalMemoryHandleTypeOpaqueWin32; type <= hipExternalMemoryHandleTypeNvSciBuf; ++type) {
    bad = good;
    bad.type = static_cast<hipExternalMemoryHandleType>(type);
    FAILS(hipImportExternalMemory(&memory, &bad), hipErrorNotSupported);
  }
  // From here on the device decides.
  const hipError_t wrong = imports_files() || on_nvidia() ? hipErrorInvalidValue : hipErrorNotSupported;
  const Pipe pipe;
  const int event = ::eventfd(0, EFD_CLOEXEC);
  const int read_only = ::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_RDONLY | O_CLOEXEC);
  REQUIRE(read_only >= 0);
  const int closed = ::dup(file);
  ::close(closed);
  for (const int descriptor : {-1, INT_MAX, closed, pipe.ends[0], event, read_only}) {
    bad = describe(descriptor, 4096);
    FAILS(hipImportExternalMemory(&memory, &bad), wrong);
  }
  bad = describe(file, 8193);
  FAILS(hipImportExternalMemory(&memory, &bad), wrong);
  bad = describe(file, ULLONG_MAX);
  FAILS(hipImportExternalMemory(&memory, &bad), wrong);
  CHECK(memory == nullptr);
  for (const int descriptor : {file, event, read_only}) { // what failed stays the caller's
    CHECK(is_open(descriptor));
    ::close(descriptor);
  }
}

TEST_CASE("Parts of external memory that cannot be mapped") {
  void* address = nullptr;
  const hipExternalMemoryBufferDesc good = part(0, 4096);
  FAILS(hipExternalMemoryGetMappedBuffer(&address, nullptr, &good), hipErrorInvalidValue);
  FAILS(hipExternalMemoryGetMappedBuffer(&address, garbage_handle<hipExternalMemory_t>(), &good), hipErrorInvalidValue);
  FAILS(hipDestroyExternalMemory(nullptr), hipErrorInvalidValue);
  FAILS(hipDestroyExternalMemory(garbage_handle<hipExternalMemory_t>()), hipErrorInvalidValue);
  if (!imports_files()) return;
  const hipExternalMemoryHandleDesc desc = describe(make_file(10000), 9000); // less than the file has
  hipExternalMemory_t memory = nullptr;
  OK(hipImportExternalMemory(&memory, &desc));
  FAILS(hipExternalMemoryGetMappedBuffer(nullptr, memory, &good), hipErrorInvalidValue);
  FAILS(hipExternalMemoryGetMappedBuffer(&address, memory, nullptr), hipErrorInvalidValue);
  hipExternalMemoryBufferDesc bad = good;
  bad.flags = 1;
  FAILS(hipExternalMemoryGetMappedBuffer(&address, memory, &bad), hipErrorInvalidValue);
  for (const auto& [offset, bytes] :
       std::vector<std::pair<unsigned long long, unsigned long long>>{{0, 0},
                                                                      {0, 9001},
                                                                      {1, 9000},
                                                                      {8999, 2},
                                                                      {9000, 1},
                                                                      {9001, 1},
                                                                      {ULLONG_MAX, 1},
                                                                      {1, ULLONG_MAX},
                                                                      {4096, ULLONG_MAX - 4095}}) {
    bad = part(offset, bytes);
    FAILS(hipExternalMemoryGetMappedBuffer(&address, memory, &bad), hipErrorInvalidValue);
  }
  CHECK(address == nullptr);
  // A semaphore's functions do not take it, nor do those of allocations its buffers.
  FAILS(hipDestroyExternalSemaphore(memory), hipErrorInvalidValue);
  const hipExternalMemoryBufferDesc last = part(8999, 1);
  OK(hipExternalMemoryGetMappedBuffer(&address, memory, &last));
  OK(hipMemset(address, 3, 1));
  FAILS(hipMemset(address, 3, 2), hipErrorInvalidValue);
  FAILS(hipHostFree(address), hipErrorInvalidValue);
  FAILS(hipMemUnmap(address, 1), hipErrorInvalidValue);
  FAILS(hipIpcCloseMemHandle(address), hipErrorInvalidValue);
  hipIpcMemHandle_t handle{};
  FAILS(hipIpcGetMemHandle(&handle, address), hipErrorInvalidValue);
  OK(hipFree(address));
  OK(hipDestroyExternalMemory(memory));
  FAILS(hipDestroyExternalMemory(memory), hipErrorInvalidValue);
}

TEST_CASE("hipDeviceReset frees buffers of external memory") {
  if (!imports_files()) return;
  const hipExternalMemoryHandleDesc desc = describe(make_file(4096), 4096);
  hipExternalMemory_t memory = nullptr;
  void* address = nullptr;
  const hipExternalMemoryBufferDesc all = part(0, 4096);
  OK(hipImportExternalMemory(&memory, &desc));
  OK(hipExternalMemoryGetMappedBuffer(&address, memory, &all));
  OK(hipDeviceReset());
  FAILS(hipFree(address), hipErrorInvalidValue);
  OK(hipDestroyExternalMemory(memory));
}

TEST_CASE("Arrays of external memory") {
  hipExternalMemoryMipmappedArrayDesc desc{};
  desc.formatDesc = hipCreateChannelDesc(32, 0, 0, 0, hipChannelFormatKindFloat);
  desc.extent = {64, 32, 0};
  desc.numLevels = 3;
  hipMipmappedArray_t array = nullptr;
  if (!has_images()) { // before any error of the arguments, as for all arrays
    FAILS(hipExternalMemoryGetMappedMipmappedArray(&array, nullptr, &desc), hipErrorNotSupported);
    FAILS(hipExternalMemoryGetMappedMipmappedArray(nullptr, nullptr, nullptr), hipErrorNotSupported);
    return;
  }
  FAILS(hipExternalMemoryGetMappedMipmappedArray(&array, nullptr, &desc), hipErrorInvalidValue);
  if (!imports_files()) return;
  const hipExternalMemoryHandleDesc memory_desc = describe(make_file(1 << 20), 1 << 20);
  hipExternalMemory_t memory = nullptr;
  OK(hipImportExternalMemory(&memory, &memory_desc));
  FAILS(hipExternalMemoryGetMappedMipmappedArray(nullptr, memory, &desc), hipErrorInvalidValue);
  FAILS(hipExternalMemoryGetMappedMipmappedArray(&array, memory, nullptr), hipErrorInvalidValue);
  const auto fails_with = [&](auto change) {
    hipExternalMemoryMipmappedArrayDesc bad = desc;
    change(bad);
    FAILS(hipExternalMemoryGetMappedMipmappedArray(&array, memory, &bad), hipErrorInvalidValue);
  };
  fails_with([](auto& d) { d.numLevels = 0; });
  fails_with([](auto& d) { d.numLevels = 8; }); // 64 has seven
  fails_with([](auto& d) { d.offset = 1 << 20; });
  fails_with([](auto& d) { d.flags = 0x1000; });
  fails_with([](auto& d) { d.extent = {0, 32, 0}; });
  fails_with([](auto& d) { d.formatDesc = hipCreateChannelDesc(32, 32, 32, 0, hipChannelFormatKindFloat); });
  OK(hipExternalMemoryGetMappedMipmappedArray(&array, memory, &desc));
  OK(hipDestroyExternalMemory(memory));
  hipArray_t level = nullptr;
  OK(hipGetMipmappedArrayLevel(&level, array, 1));
  HIP_ARRAY_DESCRIPTOR shape{};
  OK(hipArrayGetDescriptor(&shape, level));
  CHECK(shape.Width == 32);
  CHECK(shape.Height == 16);
  OK(hipFreeMipmappedArray(array));
  FAILS(hipFreeMipmappedArray(array), hipErrorContextIsDestroyed);
}
