#include "testing.h"

#include <chrono>
#include <thread>

namespace {

hipMemPoolProps properties() {
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.location.type = hipMemLocationTypeDevice;
  return props;
}

uint64_t bytes_of(hipMemPool_t pool, hipMemPoolAttr attribute) {
  uint64_t value = ~uint64_t{0};
  OK(hipMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

} // namespace

TEST_CASE("A memory pool") {
  int supported = 0;
  OK(hipDeviceGetAttribute(&supported, hipDeviceAttributeMemoryPoolsSupported, 0));
  CHECK(supported == 1);
  hipMemPoolProps props = properties();
  props.maxSize = 1 << 20;
  hipMemPool_t pool = nullptr;
  OK(hipMemPoolCreate(&pool, &props));
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  void *a = nullptr, *b = nullptr;
  OK(hipMallocFromPoolAsync(&a, 5000, pool, stream));
  OK(hipMallocFromPoolAsync(&b, 0, pool, stream));
  CHECK(b == nullptr);
  FAILS(hipMallocFromPoolAsync(&b, 1 << 20, pool, stream), hipErrorOutOfMemory);
  CHECK(bytes_of(pool, hipMemPoolAttrUsedMemCurrent) == 5000);
  CHECK(bytes_of(pool, hipMemPoolAttrReservedMemCurrent) >= 5000);
  hipPointerAttribute_t attributes{};
  OK(hipPointerGetAttributes(&attributes, static_cast<char*>(a) + 4999));
  CHECK(attributes.type == hipMemoryTypeDevice);
  OK(hipMemsetAsync(a, 7, 5000, stream));
  std::vector<char> host(5000);
  OK(hipMemcpyAsync(host.data(), a, host.size(), hipMemcpyDeviceToHost, stream));
  OK(hipFreeAsync(a, stream));
  OK(hipStreamSynchronize(stream));
  CHECK(std::vector<char>(5000, 7) == host);
  CHECK(bytes_of(pool, hipMemPoolAttrUsedMemCurrent) == 0);
  CHECK(bytes_of(pool, hipMemPoolAttrUsedMemHigh) == 5000);
  uint64_t value = 0;
  OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemHigh, &value));
  CHECK(bytes_of(pool, hipMemPoolAttrUsedMemHigh) == 0);
  value = 1000;
  OK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &value));
  CHECK(bytes_of(pool, hipMemPoolAttrReleaseThreshold) == 1000);
  FAILS(hipMemPoolSetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &value), hipErrorInvalidValue);
  int on = 0;
  OK(hipMemPoolSetAttribute(pool, hipMemPoolReuseAllowOpportunistic, &on));
  on = 5;
  OK(hipMemPoolGetAttribute(pool, hipMemPoolReuseAllowOpportunistic, &on));
  CHECK(on == 0);
  OK(hipMemPoolTrimTo(pool, 0));
  OK(hipMemPoolDestroy(pool));
  FAILS(hipMemPoolTrimTo(pool, 0), hipErrorInvalidValue);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("The pool that hipMallocAsync uses") {
  hipMemPool_t standard = nullptr, current = nullptr, pool = nullptr;
  OK(hipDeviceGetDefaultMemPool(&standard, 0));
  const hipMemPoolProps props = properties();
  OK(hipMemPoolCreate(&pool, &props));
  OK(hipDeviceSetMemPool(0, pool));
  OK(hipDeviceGetMemPool(&current, 0));
  CHECK(current == pool);
  void* memory = nullptr;
  OK(hipMallocAsync(&memory, 300, nullptr));
  CHECK(bytes_of(pool, hipMemPoolAttrUsedMemCurrent) == 300);
  OK(hipFree(memory)); // without a stream
  OK(hipDeviceSynchronize());
  CHECK(bytes_of(pool, hipMemPoolAttrUsedMemCurrent) == 0);
  OK(hipDeviceSetMemPool(0, standard));
  OK(hipMemPoolDestroy(pool));
  FAILS(hipMemPoolDestroy(standard), hipErrorInvalidValue);
}

TEST_CASE("Another device's access to a pool", "[two]") {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  if (count < 2) return;
  hipMemPool_t pool = nullptr;
  const hipMemPoolProps props = properties();
  OK(hipMemPoolCreate(&pool, &props));
  hipMemLocation other{hipMemLocationTypeDevice, 1};
  hipMemAccessFlags flags = hipMemAccessFlagsProtReadWrite;
  OK(hipMemPoolGetAccess(&flags, pool, &other));
  CHECK(flags == hipMemAccessFlagsProtNone);
  hipMemAccessDesc access{other, hipMemAccessFlagsProtReadWrite};
  OK(hipMemPoolSetAccess(pool, &access, 1));
  OK(hipMemPoolGetAccess(&flags, pool, &other));
  CHECK(flags == hipMemAccessFlagsProtReadWrite);
  FAILS(hipDeviceSetMemPool(1, pool), hipErrorInvalidValue); // of device 0
  OK(hipMemPoolDestroy(pool));
}

TEST_CASE("hipDeviceReset ends pools and what they gave") {
  hipMemPool_t pool = nullptr;
  const hipMemPoolProps props = properties();
  OK(hipMemPoolCreate(&pool, &props));
  void *from_pool = nullptr, *from_default = nullptr;
  OK(hipMallocFromPoolAsync(&from_pool, 1000, pool, nullptr));
  OK(hipMallocAsync(&from_default, 1000, nullptr));
  OK(hipDeviceReset());
  FAILS(hipMemPoolTrimTo(pool, 0), hipErrorInvalidValue);
  FAILS(hipFreeAsync(from_pool, nullptr), hipErrorInvalidValue);
  FAILS(hipFreeAsync(from_default, nullptr), hipErrorInvalidValue);
  hipMemPool_t standard = nullptr;
  OK(hipDeviceGetDefaultMemPool(&standard, 0));
  CHECK(bytes_of(standard, hipMemPoolAttrUsedMemCurrent) == 0);
}

TEST_CASE("An allocation of a device's last memory waits for what was freed in stream order", "[.][little_memory]") {
  size_t free_bytes = 0, total = 0;
  OK(hipMemGetInfo(&free_bytes, &total));
  constexpr size_t kMiB = 1 << 20, kMuch = 150 * kMiB, kLess = 120 * kMiB;
  REQUIRE(total == 256 * kMiB);
  hipStream_t stream;
  OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  void* memory = nullptr;
  const auto work = [&] {
    OK(hipLaunchHostFunc(stream, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }, nullptr));
  };
  const auto free_behind_work = [&] {
    void* much = nullptr;
    OK(hipMallocAsync(&much, kMuch, stream));
    work();
    OK(hipFreeAsync(much, stream));
  };
  free_behind_work();
  OK(hipMallocAsync(&memory, kLess, stream));
  OK(hipFreeAsync(memory, stream));
  OK(hipStreamSynchronize(stream));
  free_behind_work();
  OK(hipMalloc(&memory, kLess));
  OK(hipFree(memory));
  free_behind_work();
  OK(hipMallocManaged(&memory, kLess, hipMemAttachGlobal));
  OK(hipFree(memory));
  free_behind_work();
  hipMemGenericAllocationHandle_t physical;
  hipMemAllocationProp pinned{};
  pinned.type = hipMemAllocationTypePinned;
  pinned.location = {hipMemLocationTypeDevice, 0};
  OK(hipMemCreate(&physical, kLess, &pinned, 0));
  OK(hipMemRelease(physical));
  OK(hipStreamSynchronize(stream));

  hipGraph_t graph; // whose memory goes behind the work, too
  hipGraphExec_t exec;
  hipGraphNode_t node;
  hipMemAllocNodeParams params{};
  params.poolProps = properties();
  params.bytesize = kMuch;
  OK(hipGraphCreate(&graph, 0));
  OK(hipGraphAddMemAllocNode(&node, graph, nullptr, 0, &params));
  OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
  OK(hipGraphLaunch(exec, stream));
  OK(hipStreamSynchronize(stream));
  OK(hipGraphExecDestroy(exec));
  OK(hipGraphDestroy(graph));
  work();
  OK(hipFreeAsync(params.dptr, stream));
  OK(hipMalloc(&memory, kLess));
  OK(hipFree(memory));

  void* small = nullptr; // beside which the device has not the 256 MiB that pools round up to
  OK(hipMalloc(&small, kMiB));
  OK(hipMallocAsync(&memory, 245 * kMiB, stream));
  OK(hipFreeAsync(memory, stream));
  OK(hipStreamDestroy(stream));
  OK(hipFree(small));
}

TEST_CASE("hipFree of stream-ordered memory leaves a capture alone") {
  void* memory = nullptr;
  OK(hipMallocAsync(&memory, 1000, nullptr));
  OK(hipStreamSynchronize(nullptr));
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipStreamBeginCapture(stream, hipStreamCaptureModeRelaxed));
  hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
  OK(hipThreadExchangeStreamCaptureMode(&mode));
  OK(hipFree(memory));
  hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
  OK(hipStreamIsCapturing(stream, &status));
  CHECK(status == hipStreamCaptureStatusActive);
  hipGraph_t graph = nullptr;
  OK(hipStreamEndCapture(stream, &graph));
  OK(hipThreadExchangeStreamCaptureMode(&mode));
  OK(hipGraphDestroy(graph));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("The pool that a location begins with") {
  hipMemLocation location{hipMemLocationTypeDevice, 0};
  hipMemPool_t of_device = nullptr, of_location = nullptr;
  const hipError_t supported = hipDeviceGetDefaultMemPool(&of_device, 0);
  if (supported != hipSuccess) return;
  OK(hipMemGetDefaultMemPool(&of_location, &location, hipMemAllocationTypePinned));
  CHECK(of_location == of_device);
  FAILS(hipMemGetDefaultMemPool(nullptr, &location, hipMemAllocationTypePinned), hipErrorInvalidValue);
  FAILS(hipMemGetDefaultMemPool(&of_location, nullptr, hipMemAllocationTypePinned), hipErrorInvalidValue);
  FAILS(hipMemGetDefaultMemPool(&of_location, &location, hipMemAllocationTypeInvalid), hipErrorInvalidValue);
  FAILS(hipMemGetDefaultMemPool(&of_location, &location, hipMemAllocationTypeManaged), hipErrorNotSupported);
  for (const hipMemLocation bad :
       {hipMemLocation{hipMemLocationTypeHost, 0}, hipMemLocation{hipMemLocationTypeNone, 0},
        hipMemLocation{hipMemLocationTypeDevice, 99}, hipMemLocation{hipMemLocationTypeDevice, -1}}) {
    location = bad;
    FAILS(hipMemGetDefaultMemPool(&of_location, &location, hipMemAllocationTypePinned), hipErrorInvalidValue);
  }
}
