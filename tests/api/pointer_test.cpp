#include "testing.h"

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
  OK(hipPointerGetAttributes(&a, &local));
  CHECK(a.type == hipMemoryTypeUnregistered);
  CHECK(a.devicePointer == nullptr);
  FAILS(hipPointerGetAttributes(nullptr, device), hipErrorInvalidValue);
  FAILS(hipPointerGetAttributes(&a, nullptr), hipErrorInvalidValue);

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
