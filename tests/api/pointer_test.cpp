#include "testing.h"

#include <array>

TEST_CASE("What an address is") {
  char* device = nullptr;
  char* pinned = nullptr;
  char* managed = nullptr;
  char local = 0;
  OK(hipMalloc(reinterpret_cast<void**>(&device), 100));
  OK(hipHostMalloc(reinterpret_cast<void**>(&pinned), 100, hipHostMallocPortable));
  OK(hipMallocManaged(reinterpret_cast<void**>(&managed), 100, hipMemAttachGlobal));
  hipPointerAttribute_t a;
  OK(hipPointerGetAttributes(&a, device + 50));
  CHECK(a.type == hipMemoryTypeDevice);
  CHECK(a.device == 0);
  CHECK(a.devicePointer == device + 50);
  CHECK(a.hostPointer == nullptr);
  OK(hipPointerGetAttributes(&a, pinned + 1));
  CHECK(a.type == hipMemoryTypeHost);
  CHECK(a.hostPointer == pinned + 1);
  CHECK(a.devicePointer == pinned + 1);
  CHECK(a.allocationFlags == hipHostMallocPortable);
  OK(hipPointerGetAttributes(&a, managed));
  CHECK(a.type == hipMemoryTypeManaged);
  CHECK(a.isManaged == 1);
  for (const void* const unknown : {static_cast<const void*>(&local), static_cast<const void*>(nullptr)}) {
    OK(hipPointerGetAttributes(&a, device)); // none of it stays
    OK(hipPointerGetAttributes(&a, unknown));
    CHECK(a.type == hipMemoryTypeUnregistered);
    CHECK(a.device == -2);
    CHECK(a.devicePointer == nullptr);
    CHECK(a.hostPointer == nullptr);
  }
  FAILS(hipPointerGetAttributes(nullptr, device), hipErrorInvalidValue);
  FAILS(hipPointerGetAttributes(nullptr, nullptr), hipErrorInvalidValue);

  void* base = nullptr;
  size_t bytes = 0;
  OK(hipMemGetAddressRange(&base, &bytes, device + 99));
  CHECK(base == device);
  CHECK(bytes == 100);
  OK(hipMemGetAddressRange(nullptr, &bytes, device));
  FAILS(hipMemGetAddressRange(&base, &bytes, &local), hipErrorNotFound);
  OK(hipMemPtrGetInfo(device, &bytes));
  CHECK(bytes == 100);
  FAILS(hipMemPtrGetInfo(device, nullptr), hipErrorInvalidValue);
  FAILS(hipMemPtrGetInfo(&local, &bytes), hipErrorInvalidValue);

  unsigned type = 0;
  int ordinal = -1;
  void* start = nullptr;
  OK(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
  CHECK(type == hipMemoryTypeDevice);
  OK(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, device + 7));
  CHECK(start == device);
  FAILS(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_HOST_POINTER, device), hipErrorInvalidValue);
  FAILS(hipPointerGetAttribute(&start, static_cast<hipPointer_attribute>(-1), device), hipErrorInvalidValue);
  FAILS(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, nullptr), hipErrorInvalidValue);
  FAILS(hipPointerGetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, device), hipErrorInvalidValue);
  FAILS(hipPointerGetAttribute(&start, HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, &local), hipErrorInvalidValue);

  unsigned flags = ~0u; // as the memory was allocated
  OK(hipPointerGetAttribute(&flags, HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, pinned));
  CHECK(flags == hipHostMallocPortable);
  OK(hipPointerGetAttribute(&flags, HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, device));
  CHECK(flags == 0);
  for (const hipPointer_attribute unsupported :
       {HIP_POINTER_ATTRIBUTE_P2P_TOKENS, HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE,
        HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE,
        HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE})
    FAILS(hipPointerGetAttribute(&start, unsupported, device), hipErrorNotSupported);

  hipCtx_t context = nullptr, current = nullptr;
  OK(hipCtxGetCurrent(&current));
  OK(hipPointerGetAttribute(&context, HIP_POINTER_ATTRIBUTE_CONTEXT, device));
  CHECK(context != nullptr);
  CHECK(context == current);

  hipPointer_attribute which[] = {HIP_POINTER_ATTRIBUTE_HOST_POINTER, HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL};
  void* data[] = {&start, &ordinal};
  start = &local;
  OK(hipDrvPointerGetAttributes(2, which, data, device));
  CHECK(start == nullptr); // does not apply
  CHECK(ordinal == 0);
  FAILS(hipDrvPointerGetAttributes(0, which, data, device), hipErrorInvalidValue);
  FAILS(hipDrvPointerGetAttributes(2, nullptr, data, device), hipErrorInvalidValue);
  FAILS(hipDrvPointerGetAttributes(2, which, nullptr, device), hipErrorInvalidValue);

  unsigned on = 1;
  OK(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
  bool is_on = false;
  OK(hipPointerGetAttribute(&is_on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device));
  CHECK(is_on);
  FAILS(hipPointerSetAttribute(nullptr, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, device), hipErrorInvalidValue);
  FAILS(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, device), hipErrorInvalidValue);
  FAILS(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, nullptr), hipErrorInvalidValue);
  FAILS(hipPointerSetAttribute(&on, HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, &local), hipErrorInvalidDevicePointer);
  OK(hipFree(managed));
  OK(hipHostFree(pinned));
  OK(hipFree(device));
  FAILS(hipPointerGetAttribute(&type, HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, device), hipErrorInvalidValue);
}

TEST_CASE("Several attributes at once: what does not apply has its default") {
  constexpr unsigned char kBefore = 0xa5;
  struct Expected {
    hipPointer_attribute attribute;
    size_t bytes; // of its type
    int value;    // where it does not apply
  };
  // As the header names the types; RANGE_SIZE is taken in 4 bytes or 8.
  constexpr Expected kAll[] = {{HIP_POINTER_ATTRIBUTE_CONTEXT, sizeof(void*), 0},
                               {HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, sizeof(unsigned), 0},
                               {HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, sizeof(void*), 0},
                               {HIP_POINTER_ATTRIBUTE_HOST_POINTER, sizeof(void*), 0},
                               {HIP_POINTER_ATTRIBUTE_P2P_TOKENS, 0, 0},
                               {HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS, sizeof(bool), 0},
                               {HIP_POINTER_ATTRIBUTE_BUFFER_ID, sizeof(unsigned long long), 0},
                               {HIP_POINTER_ATTRIBUTE_IS_MANAGED, sizeof(bool), 0},
                               {HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, sizeof(int), -2},
                               {HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE, sizeof(bool), 0},
                               {HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, sizeof(void*), 0},
                               {HIP_POINTER_ATTRIBUTE_RANGE_SIZE, 4, 0},
                               {HIP_POINTER_ATTRIBUTE_MAPPED, sizeof(bool), 0},
                               {HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, sizeof(unsigned long long), 0},
                               {HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE, sizeof(bool), 0},
                               {HIP_POINTER_ATTRIBUTE_ACCESS_FLAGS, sizeof(unsigned), 0},
                               {HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, sizeof(void*), 0}};
  constexpr size_t kCount = std::size(kAll);
  char local = 0;
  char* device = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&device), 100));
  std::array<std::array<unsigned char, 16>, kCount> places;
  hipPointer_attribute attributes[kCount];
  void* data[kCount];
  for (size_t i = 0; i < kCount; ++i) attributes[i] = kAll[i].attribute, data[i] = &places[i];
  const auto check_default = [&](size_t i) {
    INFO("attribute " << kAll[i].attribute);
    std::array<unsigned char, 16> expected;
    expected.fill(kBefore);
    std::memset(expected.data(), 0, kAll[i].bytes);
    if (kAll[i].value != 0) std::memcpy(expected.data(), &kAll[i].value, sizeof kAll[i].value);
    CHECK(places[i] == expected);
  };
  for (auto& place : places) place.fill(kBefore);
  OK(hipDrvPointerGetAttributes(kCount, attributes, data, &local));
  for (size_t i = 0; i < kCount; ++i) check_default(i);

  // Those that are not supported hide none of the others, of memory that HIP knows.
  for (auto& place : places) place.fill(kBefore);
  OK(hipDrvPointerGetAttributes(kCount, attributes, data, device + 7));
  const auto read = [&](hipPointer_attribute attribute, auto value) {
    for (size_t i = 0; i < kCount; ++i)
      if (attributes[i] == attribute) std::memcpy(&value, &places[i], sizeof value);
    return value;
  };
  hipCtx_t current = nullptr;
  OK(hipCtxGetCurrent(&current));
  CHECK(read(HIP_POINTER_ATTRIBUTE_CONTEXT, hipCtx_t{}) == current);
  CHECK(read(HIP_POINTER_ATTRIBUTE_MEMORY_TYPE, 0u) == hipMemoryTypeDevice);
  CHECK(read(HIP_POINTER_ATTRIBUTE_DEVICE_POINTER, static_cast<char*>(nullptr)) == device + 7);
  CHECK(read(HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL, -1) == 0);
  CHECK(read(HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR, static_cast<char*>(nullptr)) == device);
  CHECK(read(HIP_POINTER_ATTRIBUTE_RANGE_SIZE, 0u) == 100);
  CHECK(read(HIP_POINTER_ATTRIBUTE_MAPPED, false));
  for (size_t i = 0; i < kCount; ++i)
    for (const hipPointer_attribute absent :
         {HIP_POINTER_ATTRIBUTE_HOST_POINTER, HIP_POINTER_ATTRIBUTE_P2P_TOKENS,
          HIP_POINTER_ATTRIBUTE_IS_LEGACY_HIP_IPC_CAPABLE, HIP_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES,
          HIP_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE, HIP_POINTER_ATTRIBUTE_MEMPOOL_HANDLE})
      if (attributes[i] == absent) check_default(i);

  FAILS(hipDrvPointerGetAttributes(kCount, attributes, data, nullptr), hipErrorInvalidValue);
  attributes[1] = static_cast<hipPointer_attribute>(99);
  FAILS(hipDrvPointerGetAttributes(2, attributes, data, device), hipErrorInvalidValue);
  FAILS(hipDrvPointerGetAttributes(2, attributes, data, &local), hipErrorInvalidValue);
  data[0] = nullptr;
  FAILS(hipDrvPointerGetAttributes(1, attributes, data, device), hipErrorInvalidValue);
  FAILS(hipDrvPointerGetAttributes(1, attributes, data, &local), hipErrorInvalidValue);
  OK(hipFree(device));
}
