// Memory pools: kernels on memory that is allocated and freed in stream order, from the default pool and from others, the
// attributes of pools, and every documented error.
#include "e2e.h"

#include <thread>

namespace {

constexpr int kCount = 1 << 14, kThreads = 256;
constexpr size_t kBytes = kCount * sizeof(int);

__global__ void fill(int* out, int value) { out[blockIdx.x * blockDim.x + threadIdx.x] = value; }
__global__ void add(const int* in, int* out, int value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] + value;
}

hipMemPoolProps properties() {
  hipMemPoolProps props{};
  props.allocType = hipMemAllocationTypePinned;
  props.location.type = hipMemLocationTypeDevice;
  props.location.id = 0;
  return props;
}

struct Pool {
  explicit Pool(const hipMemPoolProps& props = properties()) { CHECK_EQ(hipMemPoolCreate(&pool, &props), hipSuccess); }
  ~Pool() {
    if (pool) CHECK_EQ(hipMemPoolDestroy(pool), hipSuccess);
  }
  uint64_t bytes(hipMemPoolAttr attribute) const {
    uint64_t value = ~0ull;
    CHECK_EQ(hipMemPoolGetAttribute(pool, attribute, &value), hipSuccess);
    return value;
  }
  hipMemPool_t pool = nullptr;
};

struct Stream {
  explicit Stream(unsigned flags = hipStreamNonBlocking) { CHECK_EQ(hipStreamCreateWithFlags(&stream, flags), hipSuccess); }
  ~Stream() { CHECK_EQ(hipStreamDestroy(stream), hipSuccess); }
  operator hipStream_t() const { return stream; }
  hipStream_t stream = nullptr;
};

// Two temporary arrays in each round, used by kernels that follow each other: every round must see its own values.
void use_in_rounds(hipStream_t stream, hipMemPool_t pool, int seed) {
  constexpr int kRounds = 20;
  std::vector<int> host(kCount);
  for (int round = 0; round < kRounds; ++round) {
    void *a = nullptr, *b = nullptr;
    if (pool) {
      CHECK_EQ(hipMallocFromPoolAsync(&a, kBytes, pool, stream), hipSuccess);
      CHECK_EQ(hipMallocFromPoolAsync(&b, kBytes, pool, stream), hipSuccess);
    } else {
      CHECK_EQ(hipMallocAsync(&a, kBytes, stream), hipSuccess);
      CHECK_EQ(hipMallocAsync(&b, kBytes, stream), hipSuccess);
    }
    fill<<<kCount / kThreads, kThreads, 0, stream>>>(static_cast<int*>(a), seed + round);
    add<<<kCount / kThreads, kThreads, 0, stream>>>(static_cast<int*>(a), static_cast<int*>(b), 5);
    CHECK_EQ(hipFreeAsync(a, stream), hipSuccess);
    CHECK_EQ(hipMemcpyAsync(host.data(), b, kBytes, hipMemcpyDeviceToHost, stream), hipSuccess);
    CHECK_EQ(hipFreeAsync(b, stream), hipSuccess);
    CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
    CHECK_EQ(std::count(host.begin(), host.end(), seed + round + 5), static_cast<ptrdiff_t>(kCount));
  }
}

E2E_CASE(default_pool) {
  Stream stream;
  use_in_rounds(stream, nullptr, 100);
  use_in_rounds(nullptr, nullptr, 200);
  use_in_rounds(hipStreamPerThread, nullptr, 300);
}

E2E_CASE(own_pool) {
  Pool pool;
  Stream stream, blocking(hipStreamDefault);
  use_in_rounds(stream, pool.pool, 1000);
  use_in_rounds(blocking, pool.pool, 2000);
  use_in_rounds(nullptr, pool.pool, 3000);
  CHECK_EQ(pool.bytes(hipMemPoolAttrUsedMemCurrent), uint64_t{0});
  CHECK_EQ(pool.bytes(hipMemPoolAttrUsedMemHigh), uint64_t{2 * kBytes});
}

E2E_CASE(threads_share_a_pool) {
  Pool pool;
  uint64_t threshold = ~0ull;
  CHECK_EQ(hipMemPoolSetAttribute(pool.pool, hipMemPoolAttrReleaseThreshold, &threshold), hipSuccess);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&pool, t] {
      Stream stream;
      use_in_rounds(stream, pool.pool, t * 1000);
    });
  for (std::thread& thread : threads) thread.join();
  CHECK_EQ(pool.bytes(hipMemPoolAttrUsedMemCurrent), uint64_t{0});
  CHECK(pool.bytes(hipMemPoolAttrReservedMemCurrent) > 0);
  CHECK_EQ(hipMemPoolTrimTo(pool.pool, 0), hipSuccess);
  CHECK_EQ(pool.bytes(hipMemPoolAttrReservedMemCurrent), uint64_t{0});
}

E2E_CASE(streams_pass_memory_on) {
  Pool pool;
  Stream first, second;
  hipEvent_t event;
  CHECK_EQ(hipEventCreateWithFlags(&event, hipEventDisableTiming), hipSuccess);
  void* a = nullptr;
  CHECK_EQ(hipMallocFromPoolAsync(&a, kBytes, pool.pool, first), hipSuccess);
  fill<<<kCount / kThreads, kThreads, 0, first>>>(static_cast<int*>(a), 1);
  CHECK_EQ(hipFreeAsync(a, first), hipSuccess);
  CHECK_EQ(hipEventRecord(event, first), hipSuccess);
  CHECK_EQ(hipStreamWaitEvent(second, event, 0), hipSuccess);
  void* b = nullptr;
  CHECK_EQ(hipMallocFromPoolAsync(&b, kBytes, pool.pool, second), hipSuccess);
  CHECK(a == b); // the second stream waits for the free
  CHECK_EQ(hipFreeAsync(b, second), hipSuccess);
  CHECK_EQ(hipDeviceSynchronize(), hipSuccess);
  CHECK_EQ(hipEventDestroy(event), hipSuccess);
}

E2E_CASE(pool_of_the_device) {
  hipMemPool_t standard = nullptr, current = nullptr;
  CHECK_EQ(hipDeviceGetDefaultMemPool(&standard, 0), hipSuccess);
  CHECK_EQ(hipDeviceGetMemPool(&current, 0), hipSuccess);
  CHECK(standard == current);
  Stream stream;
  {
    Pool pool;
    CHECK_EQ(hipDeviceSetMemPool(0, pool.pool), hipSuccess);
    CHECK_EQ(hipDeviceGetMemPool(&current, 0), hipSuccess);
    CHECK(current == pool.pool);
    void* memory = nullptr;
    CHECK_EQ(hipMallocAsync(&memory, 1000, stream), hipSuccess);
    CHECK_EQ(pool.bytes(hipMemPoolAttrUsedMemCurrent), uint64_t{1000});
    CHECK_EQ(hipFreeAsync(memory, stream), hipSuccess);
  }
  CHECK_EQ(hipDeviceGetMemPool(&current, 0), hipSuccess);
  CHECK(standard == current);
  hipMemLocation here{hipMemLocationTypeDevice, 0};
  Pool pool;
  CHECK_EQ(hipMemSetMemPool(&here, hipMemAllocationTypePinned, pool.pool), hipSuccess);
  CHECK_EQ(hipMemGetMemPool(&current, &here, hipMemAllocationTypePinned), hipSuccess);
  CHECK(current == pool.pool);
  CHECK_EQ(hipMemSetMemPool(&here, hipMemAllocationTypePinned, standard), hipSuccess);
}

E2E_CASE(attributes) {
  Pool pool;
  for (const hipMemPoolAttr attribute : {hipMemPoolReuseFollowEventDependencies, hipMemPoolReuseAllowOpportunistic,
                                         hipMemPoolReuseAllowInternalDependencies}) {
    int value = 7;
    CHECK_EQ(hipMemPoolGetAttribute(pool.pool, attribute, &value), hipSuccess);
    CHECK_EQ(value, 1);
    value = 0;
    CHECK_EQ(hipMemPoolSetAttribute(pool.pool, attribute, &value), hipSuccess);
    value = 7;
    CHECK_EQ(hipMemPoolGetAttribute(pool.pool, attribute, &value), hipSuccess);
    CHECK_EQ(value, 0);
  }
  CHECK_EQ(pool.bytes(hipMemPoolAttrReleaseThreshold), uint64_t{0});
  uint64_t value = 12345;
  CHECK_EQ(hipMemPoolSetAttribute(pool.pool, hipMemPoolAttrReleaseThreshold, &value), hipSuccess);
  CHECK_EQ(pool.bytes(hipMemPoolAttrReleaseThreshold), uint64_t{12345});
  for (const hipMemPoolAttr attribute : {hipMemPoolAttrReservedMemHigh, hipMemPoolAttrUsedMemHigh}) {
    CHECK_EQ(hipMemPoolSetAttribute(pool.pool, attribute, &value), hipErrorInvalidValue);
    uint64_t zero = 0;
    CHECK_EQ(hipMemPoolSetAttribute(pool.pool, attribute, &zero), hipSuccess);
  }
  for (const hipMemPoolAttr attribute : {hipMemPoolAttrReservedMemCurrent, hipMemPoolAttrUsedMemCurrent})
    CHECK_EQ(hipMemPoolSetAttribute(pool.pool, attribute, &value), hipErrorInvalidValue);
  hipMemLocation here{hipMemLocationTypeDevice, 0};
  hipMemAccessFlags flags = hipMemAccessFlagsProtNone;
  CHECK_EQ(hipMemPoolGetAccess(&flags, pool.pool, &here), hipSuccess);
  CHECK_EQ(flags, hipMemAccessFlagsProtReadWrite);
  hipMemAccessDesc access{here, hipMemAccessFlagsProtReadWrite};
  CHECK_EQ(hipMemPoolSetAccess(pool.pool, &access, 1), hipSuccess);
}

E2E_CASE(limit) {
  hipMemPoolProps props = properties();
  props.maxSize = 64 << 20; // NVIDIA's driver takes 32 MiB at a time
  Pool pool(props);
  Stream stream;
  void *a = nullptr, *b = nullptr;
  CHECK_EQ(hipMallocFromPoolAsync(&a, 40 << 20, pool.pool, stream), hipSuccess);
  CHECK_EQ(hipMallocFromPoolAsync(&b, 40 << 20, pool.pool, stream), hipErrorOutOfMemory);
  CHECK(b == nullptr);
  CHECK_EQ(hipFreeAsync(a, stream), hipSuccess);
  CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  CHECK_EQ(hipMallocFromPoolAsync(&b, 40 << 20, pool.pool, stream), hipSuccess);
  CHECK_EQ(hipFree(b), hipSuccess);
}

E2E_CASE(errors) {
  hipMemPool_t made = nullptr;
  hipMemPoolProps props = properties();
  int devices = 0;
  CHECK_EQ(hipGetDeviceCount(&devices), hipSuccess);
  CHECK_EQ(hipMemPoolCreate(nullptr, &props), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolCreate(&made, nullptr), hipErrorInvalidValue);
  props.allocType = hipMemAllocationTypeInvalid;
  CHECK_EQ(hipMemPoolCreate(&made, &props), hipErrorInvalidValue);
  props = properties();
  props.location.type = hipMemLocationTypeInvalid;
  CHECK_EQ(hipMemPoolCreate(&made, &props), hipErrorInvalidValue);
  props = properties();
  props.location.id = devices;
  CHECK_EQ(hipMemPoolCreate(&made, &props), hipErrorInvalidValue);

  hipMemPool_t standard = nullptr;
  CHECK_EQ(hipDeviceGetDefaultMemPool(&standard, 0), hipSuccess);
  CHECK_EQ(hipDeviceGetDefaultMemPool(nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetDefaultMemPool(&made, devices), hipErrorInvalidDevice);
  CHECK_EQ(hipDeviceGetMemPool(nullptr, 0), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceGetMemPool(&made, -1), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetMemPool(devices, standard), hipErrorInvalidValue);
  CHECK_EQ(hipDeviceSetMemPool(0, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolDestroy(standard), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolDestroy(nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolTrimTo(nullptr, 0), hipErrorInvalidValue);

  Stream stream;
  void* memory = nullptr;
  const auto no_stream = reinterpret_cast<hipStream_t>(uintptr_t{12345});
  CHECK_EQ(hipMallocFromPoolAsync(nullptr, 100, standard, stream), hipErrorInvalidValue);
  CHECK_EQ(hipMallocFromPoolAsync(&memory, 100, nullptr, stream), hipErrorInvalidValue);
  CHECK_EQ(hipMallocFromPoolAsync(&memory, 100, standard, no_stream), hipErrorInvalidHandle);
  CHECK_EQ(hipMallocFromPoolAsync(&memory, SIZE_MAX, standard, stream), hipErrorOutOfMemory);
  CHECK_EQ(hipMallocAsync(nullptr, 100, stream), hipErrorInvalidValue);
  CHECK_EQ(hipMallocAsync(&memory, 100, no_stream), hipErrorInvalidHandle);
  CHECK_EQ(hipMallocAsync(&memory, SIZE_MAX, stream), hipErrorOutOfMemory);
  CHECK_EQ(hipMallocAsync(&memory, 100, stream), hipSuccess);
  CHECK_EQ(hipFreeAsync(memory, no_stream), hipErrorInvalidHandle);
  CHECK_EQ(hipFreeAsync(nullptr, stream), hipSuccess);
  CHECK_EQ(hipFreeAsync(static_cast<char*>(memory) + 8, stream), hipErrorInvalidValue);
  CHECK_EQ(hipFreeAsync(memory, stream), hipSuccess);
  CHECK_EQ(hipFreeAsync(memory, stream), hipErrorInvalidValue);

  int value = 0;
  const auto no_attribute = static_cast<hipMemPoolAttr>(9);
  CHECK_EQ(hipMemPoolGetAttribute(nullptr, hipMemPoolReuseAllowOpportunistic, &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAttribute(standard, no_attribute, &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAttribute(standard, hipMemPoolReuseAllowOpportunistic, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAttribute(nullptr, hipMemPoolReuseAllowOpportunistic, &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAttribute(standard, no_attribute, &value), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAttribute(standard, hipMemPoolReuseAllowOpportunistic, nullptr), hipErrorInvalidValue);

  hipMemLocation here{hipMemLocationTypeDevice, 0}, nowhere{hipMemLocationTypeInvalid, 0},
      absent{hipMemLocationTypeDevice, devices};
  hipMemAccessFlags flags;
  CHECK_EQ(hipMemPoolGetAccess(nullptr, standard, &here), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAccess(&flags, nullptr, &here), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAccess(&flags, standard, nullptr), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAccess(&flags, standard, &nowhere), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolGetAccess(&flags, standard, &absent), hipErrorInvalidValue);
  hipMemAccessDesc access{here, hipMemAccessFlagsProtReadWrite};
  CHECK_EQ(hipMemPoolSetAccess(nullptr, &access, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAccess(standard, nullptr, 1), hipErrorInvalidValue);
  CHECK_EQ(hipMemPoolSetAccess(standard, &access, devices + 1), hipErrorInvalidDevice);
  access.flags = hipMemAccessFlagsProtNone;
  CHECK_EQ(hipMemPoolSetAccess(standard, &access, 1), hipErrorInvalidDevice); // its own device
  access.flags = static_cast<hipMemAccessFlags>(0xffff);
  CHECK_EQ(hipMemPoolSetAccess(standard, &access, 1), hipErrorInvalidValue);
  access = {absent, hipMemAccessFlagsProtReadWrite};
  CHECK_EQ(hipMemPoolSetAccess(standard, &access, 1), hipErrorInvalidDevice);
  access = {nowhere, hipMemAccessFlagsProtReadWrite};
  CHECK_EQ(hipMemPoolSetAccess(standard, &access, 1), hipErrorInvalidValue);

  CHECK_EQ(hipMemGetMemPool(nullptr, &here, hipMemAllocationTypePinned), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetMemPool(&made, nullptr, hipMemAllocationTypePinned), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetMemPool(&made, &nowhere, hipMemAllocationTypePinned), hipErrorInvalidValue);
  CHECK_EQ(hipMemGetMemPool(&made, &here, hipMemAllocationTypeInvalid), hipErrorInvalidValue);
  CHECK_EQ(hipMemSetMemPool(nullptr, hipMemAllocationTypePinned, standard), hipErrorInvalidValue);
  CHECK_EQ(hipMemSetMemPool(&absent, hipMemAllocationTypePinned, standard), hipErrorInvalidValue);
  CHECK_EQ(hipMemSetMemPool(&here, hipMemAllocationTypePinned, nullptr), hipErrorInvalidValue);
  (void)hipGetLastError();
}

E2E_CASE(destroyed_with_memory_in_use) {
  Stream stream;
  hipMemPool_t pool = nullptr;
  const hipMemPoolProps props = properties();
  CHECK_EQ(hipMemPoolCreate(&pool, &props), hipSuccess);
  void* memory = nullptr;
  CHECK_EQ(hipMallocFromPoolAsync(&memory, kBytes, pool, stream), hipSuccess);
  CHECK_EQ(hipMemPoolDestroy(pool), hipSuccess);
  CHECK_EQ(hipMemPoolDestroy(pool), hipErrorInvalidValue);
  fill<<<kCount / kThreads, kThreads, 0, stream>>>(static_cast<int*>(memory), 42);
  std::vector<int> host(kCount);
  CHECK_EQ(hipMemcpyAsync(host.data(), memory, kBytes, hipMemcpyDeviceToHost, stream), hipSuccess);
  CHECK_EQ(hipFreeAsync(memory, stream), hipSuccess);
  CHECK_EQ(hipStreamSynchronize(stream), hipSuccess);
  CHECK_EQ(std::count(host.begin(), host.end(), 42), static_cast<ptrdiff_t>(kCount));
  (void)hipGetLastError();
}

} // namespace

