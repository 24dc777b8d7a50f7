// Allocations that are too large for any device, the older names of functions that allocate, and settings that devices
// only take note of.
#include "testing.h"

#include <hip/hip_deprecated.h>

#include <functional>

namespace {

// More than any machine has, and less than what is no size at all.
constexpr size_t kTooMuch = size_t{1} << 52;

struct Allocator {
  const char* name;
  std::function<hipError_t(void** memory, size_t bytes)> allocate;
  std::function<hipError_t(void* memory)> release;
};

const Allocator kAllocators[] = {
    {"hipMalloc", [](auto m, auto n) { return hipMalloc(m, n); }, [](auto m) { return hipFree(m); }},
    {"hipExtMallocWithFlags", [](auto m, auto n) { return hipExtMallocWithFlags(m, n, hipDeviceMallocDefault); },
     [](auto m) { return hipFree(m); }},
    {"hipMallocManaged", [](auto m, auto n) { return hipMallocManaged(m, n, hipMemAttachGlobal); },
     [](auto m) { return hipFree(m); }},
    {"hipMallocHost", [](auto m, auto n) { return hipMallocHost(m, n); }, [](auto m) { return hipFreeHost(m); }},
    {"hipMemAllocHost", [](auto m, auto n) { return hipMemAllocHost(m, n); }, [](auto m) { return hipFreeHost(m); }},
    {"hipHostMalloc", [](auto m, auto n) { return hipHostMalloc(m, n, 0); }, [](auto m) { return hipHostFree(m); }},
    {"hipHostAlloc", [](auto m, auto n) { return hipHostAlloc(m, n, 0); }, [](auto m) { return hipHostFree(m); }},
    {"hipExtHostAlloc", [](auto m, auto n) { return hipExtHostAlloc(m, n, 0); }, [](auto m) { return hipHostFree(m); }},
    {"hipMallocPitch",
     [](auto m, auto n) {
       size_t pitch;
       return hipMallocPitch(m, &pitch, n / 16, 16);
     },
     [](auto m) { return hipFree(m); }},
    {"hipMemAllocPitch",
     [](auto m, auto n) {
       size_t pitch;
       return hipMemAllocPitch(m, &pitch, n / 16, 16, 4);
     },
     [](auto m) { return hipFree(m); }},
    {"hipMalloc3D",
     [](auto m, auto n) {
       hipPitchedPtr memory{};
       const hipError_t result = hipMalloc3D(&memory, make_hipExtent(n / 16, 4, 4));
       *m = memory.ptr;
       return result;
     },
     [](auto m) { return hipFree(m); }},
    {"hipMallocAsync", [](auto m, auto n) { return hipMallocAsync(m, n, nullptr); },
     [](auto m) { return hipFreeAsync(m, nullptr); }},
};

} // namespace

TEST_CASE("Every allocator, with what there is and with what there is not") {
  for (const Allocator& a : kAllocators) {
    INFO(a.name);
    void* memory = nullptr;
    OK(a.allocate(&memory, 4096));
    REQUIRE(memory != nullptr);
    OK(hipMemset(memory, 0x5a, 4096));
    unsigned char last = 0;
    OK(hipMemcpy(&last, static_cast<char*>(memory) + 4095, 1, hipMemcpyDefault));
    CHECK(last == 0x5a);
    OK(a.release(memory));
    FAILS(a.allocate(&memory, kTooMuch), hipErrorOutOfMemory);
  }
  OK(hipDeviceSynchronize());
  char on_the_stack = 0;
  FAILS(hipFreeHost(&on_the_stack), hipErrorInvalidValue);
  FAILS(hipHostFree(&on_the_stack), hipErrorInvalidValue);
  FAILS(hipFree(&on_the_stack), hipErrorInvalidValue);
}

TEST_CASE("Devices by the structure of older programs") {
  hipDeviceProp_tR0600 now;
  hipDeviceProp_tR0000 then;
  OK(hipGetDevicePropertiesR0600(&now, 0));
  OK(hipGetDevicePropertiesR0000(&then, 0));
  CHECK(std::string(now.name) == then.name);
  CHECK(now.totalGlobalMem == then.totalGlobalMem);
  CHECK(now.multiProcessorCount == then.multiProcessorCount);
  int device = -1;
  OK(hipChooseDeviceR0000(&device, &then));
  CHECK(device == 0);
}

TEST_CASE("Settings of caches and banks, by device and by context") {
  hipFuncCache_t cache{};
  hipSharedMemConfig banks{};
  OK(hipDeviceSetCacheConfig(hipFuncCachePreferShared));
  OK(hipDeviceGetCacheConfig(&cache));
  OK(hipCtxSetCacheConfig(hipFuncCachePreferL1));
  OK(hipCtxGetCacheConfig(&cache));
  OK(hipDeviceSetSharedMemConfig(hipSharedMemBankSizeFourByte));
  OK(hipDeviceGetSharedMemConfig(&banks));
  CHECK(banks == hipSharedMemBankSizeFourByte);
  OK(hipCtxSetSharedMemConfig(hipSharedMemBankSizeEightByte));
  OK(hipCtxGetSharedMemConfig(&banks));
  CHECK(banks == hipSharedMemBankSizeFourByte); // what there is
  FAILS(hipDeviceSetCacheConfig(static_cast<hipFuncCache_t>(77)), hipErrorInvalidValue);
  FAILS(hipDeviceSetSharedMemConfig(static_cast<hipSharedMemConfig>(77)), hipErrorInvalidValue);
}

TEST_CASE("Flags of a primary context that nobody holds") {
  unsigned flags = 0;
  int active = -1;
  OK(hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleYield));
  OK(hipDevicePrimaryCtxGetState(0, &flags, &active));
  CHECK((flags & hipDeviceScheduleMask) == hipDeviceScheduleYield);
  OK(hipDevicePrimaryCtxSetFlags(0, hipDeviceScheduleAuto));
}

TEST_CASE("Peers by context", "[two]") {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  if (count < 2) return;
  hipCtx_t own = nullptr, peer = nullptr;
  OK(hipDevicePrimaryCtxRetain(&own, 0));
  OK(hipDevicePrimaryCtxRetain(&peer, 1));
  FAILS(hipCtxDisablePeerAccess(peer), hipErrorPeerAccessNotEnabled);
  FAILS(hipCtxEnablePeerAccess(peer, 1), hipErrorInvalidValue);
  FAILS(hipCtxEnablePeerAccess(own, 0), hipErrorInvalidDevice);
  OK(hipCtxEnablePeerAccess(peer, 0));
  FAILS(hipCtxEnablePeerAccess(peer, 0), hipErrorPeerAccessAlreadyEnabled);
  OK(hipCtxDisablePeerAccess(peer));
  OK(hipDevicePrimaryCtxRelease(0));
  OK(hipDevicePrimaryCtxRelease(1));
}
