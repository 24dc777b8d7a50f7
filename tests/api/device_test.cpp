#include "testing.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdint>
#include <thread>

TEST_CASE("Choosing devices") {
  int count = 0, device = -1;
  OK(hipGetDeviceCount(&count));
  REQUIRE(count >= 1);
  FAILS(hipGetDeviceCount(nullptr), hipErrorInvalidValue);
  OK(hipSetDevice(count - 1));
  OK(hipGetDevice(&device));
  CHECK(device == count - 1);
  FAILS(hipSetDevice(count), hipErrorInvalidDevice);
  FAILS(hipSetDevice(-1), hipErrorInvalidDevice);
  FAILS(hipGetDevice(nullptr), hipErrorInvalidValue);
  OK(hipGetDevice(&device));
  CHECK(device == count - 1);
  OK(hipSetDevice(0));
  OK(hipDeviceGet(&device, 0));
  CHECK(device == 0);
  FAILS(hipDeviceGet(&device, count), hipErrorInvalidDevice);
  hipDeviceProp_t wanted{};
  wanted.major = 9;
  OK(hipChooseDevice(&device, &wanted));
  CHECK(device >= 0);
  FAILS(hipChooseDevice(nullptr, &wanted), hipErrorInvalidValue);
  FAILS(hipChooseDevice(&device, nullptr), hipErrorInvalidValue);
}

TEST_CASE("Properties and attributes agree") {
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  CHECK(p.name[0] != '\0');
  CHECK(p.maxThreadsPerBlock == 1024);
  if (on_nvidia()) {
    CHECK(p.gcnArchName == "sm_" + std::to_string(p.major) + std::to_string(p.minor));
    CHECK(p.warpSize == 32);
    CHECK(p.sharedMemPerBlock == 49152);
    CHECK(p.sharedMemPerBlockOptin > p.sharedMemPerBlock);
    CHECK(p.regsPerBlock == 65536);
    CHECK(p.maxTexture2D[0] > 0);
  } else {
    CHECK(std::string(p.gcnArchName).rfind("gfx942", 0) == 0);
    CHECK(p.warpSize == 64);
    CHECK(p.sharedMemPerBlock == 65536);
    CHECK(p.major == 9);
    CHECK(p.minor == 4);
  }
  CHECK(p.totalGlobalMem > 0);
  CHECK(p.multiProcessorCount > 0);
  int value = 0;
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 0));
  CHECK(value == p.warpSize);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeMultiprocessorCount, 0));
  CHECK(value == p.multiProcessorCount);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxGridDimY, 0));
  CHECK(value == p.maxGridSize[1]);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeComputeCapabilityMinor, 0));
  CHECK(value == p.minor);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxTexture2DLayeredLayers, 0));
  CHECK(value == p.maxTexture2DLayered[2]);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeMaxSurface1DLayeredLayers, 0));
  CHECK(value == p.maxSurface1DLayered[1]);
  OK(hipDeviceGetAttribute(&value, hipDeviceAttributeGenericCompressionSupported, 0));
  FAILS(hipDeviceGetAttribute(&value, static_cast<hipDeviceAttribute_t>(-1), 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetAttribute(&value, hipDeviceAttributeCudaCompatibleEnd, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetAttribute(nullptr, hipDeviceAttributeWarpSize, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetAttribute(&value, hipDeviceAttributeWarpSize, 1000), hipErrorInvalidDevice);
  FAILS(hipGetDeviceProperties(nullptr, 0), hipErrorInvalidValue);
  FAILS(hipGetDeviceProperties(&p, -1), hipErrorInvalidDevice);
}

TEST_CASE("What a device is called") {
  char name[64] = "";
  OK(hipDeviceGetName(name, sizeof name, 0));
  hipDeviceProp_t p;
  OK(hipGetDeviceProperties(&p, 0));
  CHECK(std::string(name) == p.name);
  char tiny[5] = "....";
  OK(hipDeviceGetName(tiny, sizeof tiny, 0));
  CHECK(std::string(tiny) == std::string(p.name).substr(0, 4));
  FAILS(hipDeviceGetName(nullptr, 10, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetName(name, 0, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetName(name, 10, -1), hipErrorInvalidDevice);
  char pci[32];
  int device = -1;
  OK(hipDeviceGetPCIBusId(pci, sizeof pci, 0));
  OK(hipDeviceGetByPCIBusId(&device, pci));
  CHECK(device == 0);
  const std::string whole = pci;
  FAILS(hipDeviceGetPCIBusId(pci, 12, 0), hipErrorInvalidValue);
  CHECK(std::string(pci) == whole.substr(0, 11)); // what there is room for
  FAILS(hipDeviceGetPCIBusId(nullptr, 32, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetByPCIBusId(&device, "no address"), hipErrorInvalidValue);
  FAILS(hipDeviceGetByPCIBusId(&device, "ffff:ff:1f"), hipErrorInvalidDevice);
  hipUUID uuid;
  OK(hipDeviceGetUuid(&uuid, 0));
  CHECK(std::memcmp(uuid.bytes, p.uuid.bytes, sizeof uuid.bytes) == 0);
  if (std::string(p.name).find("(software)") != std::string::npos) {
    // As AMD's: tools print them behind "GPU-". And programs compute the clock's rate in Hz in an int.
    CHECK(std::all_of(std::begin(uuid.bytes), std::end(uuid.bytes),
                      [](char c) { return std::isdigit(c) || (c >= 'a' && c <= 'f'); }));
    CHECK(int64_t{p.clockRate} * 1000 <= INT32_MAX);
  }
  FAILS(hipDeviceGetUuid(nullptr, 0), hipErrorInvalidValue);
  size_t bytes = 0;
  OK(hipDeviceTotalMem(&bytes, 0));
  CHECK(bytes == p.totalGlobalMem);
  int major = 0, minor = 0;
  OK(hipDeviceComputeCapability(&major, &minor, 0));
  CHECK(major == p.major);
  FAILS(hipDeviceComputeCapability(&major, &minor, 1000), hipErrorInvalidDevice);
}

TEST_CASE("Limits, flags and preferences") {
  size_t value = 0;
  OK(hipDeviceGetLimit(&value, hipLimitStackSize));
  CHECK(value == 1024);
  OK(hipDeviceSetLimit(hipLimitStackSize, 4096));
  OK(hipDeviceGetLimit(&value, hipLimitStackSize));
  CHECK(value == 4096);
  FAILS(hipDeviceSetLimit(hipLimitStackSize, size_t{1} << 40), hipErrorInvalidValue);
  FAILS(hipDeviceSetLimit(static_cast<hipLimit_t>(0xffff), 1), hipErrorInvalidValue);
  FAILS(hipDeviceSetLimit(static_cast<hipLimit_t>(-1), 1), hipErrorUnsupportedLimit);
  FAILS(hipDeviceGetLimit(nullptr, hipLimitStackSize), hipErrorInvalidValue);
  FAILS(hipDeviceGetLimit(&value, static_cast<hipLimit_t>(1000)), hipErrorUnsupportedLimit);
  // CUDA's cudaLimitPersistingL2CacheSize, on devices with such lines of the cache.
  const auto persisting = static_cast<hipLimit_t>(6);
  int bytes = 0;
  OK(hipDeviceGetAttribute(&bytes, hipDeviceAttributePersistingL2CacheMaxSize, 0));
  if (bytes == 0) {
    FAILS(hipDeviceSetLimit(persisting, 0), hipErrorUnsupportedLimit);
    FAILS(hipDeviceGetLimit(&value, persisting), hipErrorUnsupportedLimit);
  } else {
    OK(hipDeviceSetLimit(persisting, 65536));
    OK(hipDeviceGetLimit(&value, persisting));
    CHECK(value == 65536);
  }
  OK(hipCtxResetPersistingL2Cache());
  unsigned flags = 99;
  OK(hipSetDeviceFlags(hipDeviceScheduleSpin));
  OK(hipGetDeviceFlags(&flags));
  CHECK(flags == hipDeviceScheduleSpin);
  OK(hipSetDeviceFlags(hipDeviceMapHost | hipDeviceLmemResizeToMax | hipDeviceScheduleYield));
  OK(hipGetDeviceFlags(&flags));
  CHECK(flags == hipDeviceScheduleYield);
  OK(hipSetDeviceFlags(hipDeviceMapHost));
  OK(hipGetDeviceFlags(&flags));
  CHECK(flags == hipDeviceScheduleAuto);
  FAILS(hipSetDeviceFlags(0xffff), hipErrorInvalidValue);
  FAILS(hipSetDeviceFlags(hipDeviceScheduleSpin | hipDeviceScheduleYield), hipErrorInvalidValue);
  OK(hipSetDeviceFlags(0));
  hipFuncCache_t cache;
  OK(hipDeviceGetCacheConfig(&cache));
  FAILS(hipDeviceGetCacheConfig(nullptr), hipErrorInvalidValue);
  hipSharedMemConfig banks;
  OK(hipDeviceGetSharedMemConfig(&banks));
  CHECK(banks == hipSharedMemBankSizeFourByte);
}

TEST_CASE("A reset frees what is there") {
  void* memory = nullptr;
  hipStream_t stream = nullptr;
  OK(hipMalloc(&memory, 100));
  OK(hipStreamCreate(&stream));
  OK(hipDeviceReset());
  FAILS(hipFree(memory), hipErrorInvalidValue);
  FAILS(hipStreamSynchronize(stream), hipErrorContextIsDestroyed);
  OK(hipMalloc(&memory, 100));
  OK(hipFree(memory));
}

TEST_CASE("What hipSetValidDevices takes") {
  int count = 0, device = 0, unknown = 1000, negative = -1;
  OK(hipGetDeviceCount(&count));
  OK(hipSetValidDevices(&device, 1));
  OK(hipSetValidDevices(nullptr, 0));
  FAILS(hipSetValidDevices(nullptr, 1), hipErrorInvalidValue);
  FAILS(hipSetValidDevices(&device, -1), hipErrorInvalidValue);
  const std::vector<int> many(static_cast<size_t>(count) + 1);
  FAILS(hipSetValidDevices(const_cast<int*>(many.data()), count + 1), hipErrorInvalidValue);
  FAILS(hipSetValidDevices(&unknown, 1), hipErrorInvalidDevice);
  FAILS(hipSetValidDevices(&negative, 1), hipErrorInvalidDevice);
}

TEST_CASE("The first valid device is that of threads that have not chosen", "[two]") {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  if (count < 2) return;
  int order[] = {1, 0}, of_new = -1, of_old = -1, chosen = -1;
  std::atomic<bool> go{false}, ready{false};
  std::thread old([&] {
    (void)hipGetDevice(&of_old); // has one from here on
    ready = true;
    while (!go) std::this_thread::yield();
    (void)hipGetDevice(&of_old);
  });
  while (!ready) std::this_thread::yield();
  OK(hipSetDevice(0));
  OK(hipSetValidDevices(order, 2));
  go = true;
  old.join();
  CHECK(of_old == 0);
  std::thread([&] {
    (void)hipGetDevice(&of_new);
    (void)hipSetDevice(0);
    (void)hipSetValidDevices(order, 2);
    (void)hipGetDevice(&chosen);
  }).join();
  CHECK(of_new == 1);
  CHECK(chosen == 0);
  int mine = -1;
  OK(hipGetDevice(&mine));
  CHECK(mine == 0); // chosen above
  OK(hipSetValidDevices(nullptr, 0));
  std::thread([&] { (void)hipGetDevice(&of_new); }).join();
  CHECK(of_new == 0);
}

TEST_CASE("Orders to profilers, and what names the build") {
  if (on_nvidia()) {
    OK(hipProfilerStart());
    OK(hipProfilerStop());
  } else {
    FAILS(hipProfilerStart(), hipErrorNotSupported);
    FAILS(hipProfilerStop(), hipErrorNotSupported);
  }
  CHECK(std::string(amd_dbgapi_get_build_name()).rfind("OmniHIP", 0) == 0);
  CHECK(amd_dbgapi_get_git_hash() == std::string(HIP_VERSION_GITHASH));
  CHECK(amd_dbgapi_get_build_id() == HIP_VERSION_BUILD_ID);
}

// Of a process that sees no device: what asks for one says so. Run alone, with OMNIHIP_SOFT_DEVICES=0.
TEST_CASE("No device", "[.][no_device]") {
  int value = 77;
  void* memory = nullptr;
  FAILS(hipGetDeviceCount(&value), hipErrorNoDevice);
  CHECK(value == 0);
  FAILS(hipGetDevice(&value), hipErrorNoDevice);
  FAILS(hipSetDevice(0), hipErrorNoDevice);
  FAILS(hipSetDeviceFlags(hipDeviceScheduleSpin), hipErrorNoDevice);
  FAILS(hipMalloc(&memory, 16), hipErrorNoDevice);
  FAILS(hipDeviceSynchronize(), hipErrorNoDevice);
}

TEST_CASE("A device is made ready before it is used") {
  unsigned flags = 99, before = 0;
  OK(hipGetDeviceFlags(&before));
  OK(hipInitDevice(0, 0x100000, 0)); // flags that are not meant
  OK(hipGetDeviceFlags(&flags));
  CHECK(flags == before);
  for (const unsigned schedule :
       {hipDeviceScheduleSpin, hipDeviceScheduleYield, hipDeviceScheduleBlockingSync, hipDeviceScheduleAuto}) {
    OK(hipInitDevice(0, schedule, hipInitDeviceFlagsAreValid));
    OK(hipGetDeviceFlags(&flags));
    CHECK(flags == schedule);
  }
  int current = -1;
  OK(hipGetDevice(&current));
  CHECK(current == 0);
  FAILS(hipInitDevice(-1, 0, 0), hipErrorInvalidDevice);
  FAILS(hipInitDevice(99, 0, 0), hipErrorInvalidDevice);
  FAILS(hipInitDevice(0, 0, 2), hipErrorInvalidValue);
  FAILS(hipInitDevice(0, hipDeviceScheduleSpin | hipDeviceScheduleYield, hipInitDeviceFlagsAreValid),
        hipErrorInvalidValue);
  FAILS(hipInitDevice(0, 0x100000, hipInitDeviceFlagsAreValid), hipErrorInvalidValue);
}

TEST_CASE("Another device is made ready, and the current one stays", "[two]") {
  int count = 0, current = -1;
  OK(hipGetDeviceCount(&count));
  OK(hipSetDevice(0));
  OK(hipInitDevice(count - 1, 0, 0));
  OK(hipGetDevice(&current));
  CHECK(current == 0);
}

TEST_CASE("What only other systems and other hardware have") {
  char luid[8] = {};
  unsigned mask = 0;
  FAILS(hipDeviceGetLuid(luid, &mask, 0), hipErrorNotSupported);
  FAILS(hipDeviceGetLuid(nullptr, &mask, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetLuid(luid, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetLuid(luid, &mask, 99), hipErrorInvalidDevice);

  constexpr auto kTarget = hipFlushGPUDirectRDMAWritesTargetCurrentDevice;
  for (const auto scope : {hipFlushGPUDirectRDMAWritesToOwner, hipFlushGPUDirectRDMAWritesToAllDevices}) {
    if (on_nvidia())
      OK(hipDeviceFlushGPUDirectRDMAWrites(kTarget, scope));
    else // nothing but the process writes there
      FAILS(hipDeviceFlushGPUDirectRDMAWrites(kTarget, scope), hipErrorNotSupported);
  }
  FAILS(hipDeviceFlushGPUDirectRDMAWrites(hipFlushGPUDirectRDMAWritesTarget(1), hipFlushGPUDirectRDMAWritesToOwner),
        hipErrorInvalidValue);
  FAILS(hipDeviceFlushGPUDirectRDMAWrites(kTarget, hipFlushGPUDirectRDMAWritesScope(7)), hipErrorInvalidValue);
}

namespace {

constexpr unsigned kAllCapabilities = hipAtomicCapabilityVector32x4 * 2 - 1;
std::vector<hipAtomicOperation> all_operations() {
  std::vector<hipAtomicOperation> all;
  for (int i = 0; i < hipAtomicOperationMax; ++i) all.push_back(hipAtomicOperation(i));
  return all;
}

} // namespace

TEST_CASE("Atomic operations on memory of the host") {
  const auto operations = all_operations();
  std::vector<unsigned> can(operations.size(), 0xdeadbeef);
  OK(hipDeviceGetHostAtomicCapabilities(can.data(), operations.data(), unsigned(can.size()), 0));
  for (size_t i = 0; i < can.size(); ++i) {
    CAPTURE(i);
    CHECK((can[i] & ~kAllCapabilities) == 0);
    if (can[i] != 0) CHECK((can[i] & (hipAtomicCapabilityScalar32 | hipAtomicCapabilityScalar64)) != 0);
  }
  int native = 0;
  OK(hipDeviceGetAttribute(&native, hipDeviceAttributeHostNativeAtomicSupported, 0));
  if (kernels_run() && !on_nvidia()) CHECK((can[hipAtomicOperationCAS] != 0) == (native != 0));
  if (on_software()) { // gfx942
    CHECK(can[hipAtomicOperationFloatAdd] ==
          (hipAtomicCapabilityReduction | hipAtomicCapabilityScalar32 | hipAtomicCapabilityScalar64));
    CHECK(can[hipAtomicOperationFloatMax] == (hipAtomicCapabilityReduction | hipAtomicCapabilityScalar64));
    CHECK((can[hipAtomicOperationIntegerIncrement] & hipAtomicCapabilitySigned) == 0);
  }
  unsigned untouched[2] = {7, 7};
  hipAtomicOperation bad[2] = {hipAtomicOperationIntegerAdd, hipAtomicOperationMax};
  FAILS(hipDeviceGetHostAtomicCapabilities(untouched, bad, 2, 0), hipErrorInvalidValue);
  bad[1] = hipAtomicOperation(-1);
  FAILS(hipDeviceGetHostAtomicCapabilities(untouched, bad, 2, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetHostAtomicCapabilities(untouched, bad, 0, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetHostAtomicCapabilities(nullptr, bad, 1, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetHostAtomicCapabilities(untouched, nullptr, 1, 0), hipErrorInvalidValue);
  FAILS(hipDeviceGetHostAtomicCapabilities(untouched, bad, 1, 99), hipErrorInvalidDevice);
  CHECK((untouched[0] == 7 && untouched[1] == 7));
}

TEST_CASE("Atomic operations on memory of another device", "[two]") {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  if (count < 2) return;
  const auto operations = all_operations();
  std::vector<unsigned> can(operations.size(), 0xdeadbeef);
  for (const int from : {1, 0}) {
    OK(hipDeviceGetP2PAtomicCapabilities(can.data(), operations.data(), unsigned(can.size()), from, 1 - from));
    int native = 0;
    OK(hipDeviceGetP2PAttribute(&native, hipDevP2PAttrNativeAtomicSupported, from, 1 - from));
    for (const unsigned each : can) CHECK((each & ~kAllCapabilities) == 0);
    CHECK((can[hipAtomicOperationIntegerAdd] != 0) == (native != 0));
    CHECK((can[hipAtomicOperationCAS] != 0) == (native != 0));
  }
  hipAtomicOperation bad = hipAtomicOperationMax;
  FAILS(hipDeviceGetP2PAtomicCapabilities(can.data(), &bad, 1, 0, 1), hipErrorInvalidValue);
  FAILS(hipDeviceGetP2PAtomicCapabilities(can.data(), operations.data(), 0, 0, 1), hipErrorInvalidValue);
  FAILS(hipDeviceGetP2PAtomicCapabilities(nullptr, operations.data(), 1, 0, 1), hipErrorInvalidValue);
  FAILS(hipDeviceGetP2PAtomicCapabilities(can.data(), nullptr, 1, 0, 1), hipErrorInvalidValue);
  FAILS(hipDeviceGetP2PAtomicCapabilities(can.data(), operations.data(), 1, 0, 0), hipErrorInvalidDevice);
  FAILS(hipDeviceGetP2PAtomicCapabilities(can.data(), operations.data(), 1, -1, 1), hipErrorInvalidDevice);
  FAILS(hipDeviceGetP2PAtomicCapabilities(can.data(), operations.data(), 1, 0, 99), hipErrorInvalidDevice);
}
