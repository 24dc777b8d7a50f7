// Advice on managed memory, what is asked of it, and prefetching by location.
#include "testing.h"

namespace {

constexpr size_t kPage = 4096, kBytes = 4 * kPage;

struct Managed {
  Managed() { OK(hipMallocManaged(reinterpret_cast<void**>(&at), kBytes, hipMemAttachGlobal)); }
  ~Managed() { (void)hipFree(at); }
  int get(hipMemRangeAttribute attribute, size_t offset = 0, size_t bytes = kBytes) const {
    int value = -77;
    OK(hipMemRangeGetAttribute(&value, sizeof value, attribute, at + offset, bytes));
    return value;
  }
  char* at = nullptr;
};

constexpr hipMemLocation kDevice0{hipMemLocationTypeDevice, 0};
constexpr hipMemLocation kHost{hipMemLocationTypeHost, 0};

} // namespace

TEST_CASE("Advice on managed memory can be asked for") {
  const Managed m;
  CHECK(m.get(hipMemRangeAttributeReadMostly) == 0);
  CHECK(m.get(hipMemRangeAttributePreferredLocation) == hipInvalidDeviceId);
  CHECK(m.get(hipMemRangeAttributeLastPrefetchLocation) == hipInvalidDeviceId);
  CHECK(m.get(hipMemRangeAttributeAccessedBy) == hipInvalidDeviceId);
  CHECK(m.get(hipMemRangeAttributeCoherencyMode) == hipMemRangeCoherencyModeFineGrain);

  OK(hipMemAdvise(m.at, kBytes, hipMemAdviseSetReadMostly, 0));
  CHECK(m.get(hipMemRangeAttributeReadMostly) == 1);
  OK(hipMemAdvise(m.at + kPage, kPage, hipMemAdviseUnsetReadMostly, 0));
  CHECK(m.get(hipMemRangeAttributeReadMostly) == 0);
  CHECK(m.get(hipMemRangeAttributeReadMostly, 0, kPage) == 1);

  OK(hipMemAdvise(m.at, kBytes, hipMemAdviseSetPreferredLocation, hipCpuDeviceId));
  CHECK(m.get(hipMemRangeAttributePreferredLocation) == hipCpuDeviceId);
  OK(hipMemAdvise_v2(m.at, kBytes, hipMemAdviseSetPreferredLocation, kDevice0));
  CHECK(m.get(hipMemRangeAttributePreferredLocation) == 0);
  OK(hipMemAdvise(m.at, kBytes, hipMemAdviseUnsetPreferredLocation, hipInvalidDeviceId)); // the device is not looked at
  CHECK(m.get(hipMemRangeAttributePreferredLocation) == hipInvalidDeviceId);

  OK(hipMemAdvise(m.at, kBytes, hipMemAdviseSetAccessedBy, 0));
  OK(hipMemAdvise_v2(m.at, kBytes, hipMemAdviseSetAccessedBy, kHost));
  int devices[3] = {-77, -77, -77};
  OK(hipMemRangeGetAttribute(devices, sizeof devices, hipMemRangeAttributeAccessedBy, m.at, kBytes));
  CHECK(devices[0] == hipCpuDeviceId);
  CHECK(devices[1] == 0);
  CHECK(devices[2] == hipInvalidDeviceId);
  OK(hipMemAdvise(m.at, kBytes, hipMemAdviseUnsetAccessedBy, hipCpuDeviceId));
  CHECK(m.get(hipMemRangeAttributeAccessedBy) == 0);

  OK(hipMemAdvise(m.at, kPage, hipMemAdviseSetCoarseGrain, 0));
  CHECK(m.get(hipMemRangeAttributeCoherencyMode, 0, kPage) == hipMemRangeCoherencyModeCoarseGrain);
  CHECK(m.get(hipMemRangeAttributeCoherencyMode) == hipMemRangeCoherencyModeIndeterminate);
  OK(hipMemAdvise(m.at, kPage, hipMemAdviseUnsetCoarseGrain, 0));
  CHECK(m.get(hipMemRangeAttributeCoherencyMode) == hipMemRangeCoherencyModeFineGrain);
}

TEST_CASE("Several attributes of a range at once") {
  const Managed m;
  OK(hipMemAdvise(m.at, kBytes, hipMemAdviseSetReadMostly, 0));
  OK(hipMemPrefetchAsync(m.at, kBytes, hipCpuDeviceId, nullptr));
  int read_mostly = -77, prefetched = -77;
  void* data[2] = {&read_mostly, &prefetched};
  size_t sizes[2] = {sizeof(int), sizeof(int)};
  hipMemRangeAttribute attributes[2] = {hipMemRangeAttributeReadMostly, hipMemRangeAttributeLastPrefetchLocation};
  OK(hipMemRangeGetAttributes(data, sizes, attributes, 2, m.at, kBytes));
  CHECK(read_mostly == 1);
  CHECK(prefetched == hipCpuDeviceId);
  FAILS(hipMemRangeGetAttributes(data, sizes, attributes, 0, m.at, kBytes), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttributes(nullptr, sizes, attributes, 2, m.at, kBytes), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttributes(data, nullptr, attributes, 2, m.at, kBytes), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttributes(data, sizes, nullptr, 2, m.at, kBytes), hipErrorInvalidValue);
  sizes[1] = 8;
  FAILS(hipMemRangeGetAttributes(data, sizes, attributes, 2, m.at, kBytes), hipErrorInvalidValue);
}

TEST_CASE("What advice and ranges must be") {
  const Managed m;
  FAILS(hipMemAdvise(nullptr, kPage, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  FAILS(hipMemAdvise(m.at, 0, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  FAILS(hipMemAdvise(m.at, kBytes + 1, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  FAILS(hipMemAdvise(m.at, kPage, static_cast<hipMemoryAdvise>(7), 0), hipErrorInvalidValue);
  FAILS(hipMemAdvise(m.at, kPage, hipMemAdviseSetAccessedBy, 99), hipErrorInvalidDevice);
  FAILS(hipMemAdvise_v2(m.at, kPage, hipMemAdviseSetAccessedBy, hipMemLocation{hipMemLocationTypeInvalid, 0}),
        hipErrorInvalidValue);
  int value = 0;
  FAILS(hipMemRangeGetAttribute(nullptr, 4, hipMemRangeAttributeReadMostly, m.at, kPage), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttribute(&value, 8, hipMemRangeAttributeReadMostly, m.at, kPage), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttribute(&value, 0, hipMemRangeAttributeAccessedBy, m.at, kPage), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttribute(&value, 10, hipMemRangeAttributeAccessedBy, m.at, kPage), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttribute(&value, 4, static_cast<hipMemRangeAttribute>(999), m.at, kPage), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, m.at, 0), hipErrorInvalidValue);
  void* device = nullptr;
  OK(hipMalloc(&device, kPage));
  FAILS(hipMemAdvise(device, kPage, hipMemAdviseSetReadMostly, 0), hipErrorInvalidValue);
  FAILS(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeReadMostly, device, kPage), hipErrorInvalidValue);
  OK(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeCoherencyMode, device, kPage));
  CHECK(value == hipMemRangeCoherencyModeCoarseGrain);
  FAILS(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeCoherencyMode, device, kPage + 1), hipErrorInvalidValue);
  OK(hipFree(device));
  OK(hipExtMallocWithFlags(&device, kPage, hipDeviceMallocFinegrained));
  OK(hipMemRangeGetAttribute(&value, 4, hipMemRangeAttributeCoherencyMode, device, kPage));
  CHECK(value == hipMemRangeCoherencyModeFineGrain);
  OK(hipFree(device));
}

TEST_CASE("Prefetching to locations") {
  const Managed m;
  OK(hipMemPrefetchAsync_v2(m.at, kBytes, kDevice0, 0, nullptr));
  CHECK(m.get(hipMemRangeAttributeLastPrefetchLocation) == 0);
  OK(hipMemPrefetchAsync_v2(m.at, kPage, kHost, 0, nullptr));
  CHECK(m.get(hipMemRangeAttributeLastPrefetchLocation, 0, kPage) == hipCpuDeviceId);
  CHECK(m.get(hipMemRangeAttributeLastPrefetchLocation) == hipInvalidDeviceId);
  FAILS(hipMemPrefetchAsync_v2(m.at, kPage, kHost, 1, nullptr), hipErrorInvalidValue);
  FAILS(hipMemPrefetchAsync_v2(m.at, kPage, hipMemLocation{hipMemLocationTypeInvalid, 0}, 0, nullptr),
        hipErrorInvalidValue);

  void* ranges[3] = {m.at, m.at + kPage, m.at + 2 * kPage};
  size_t sizes[3] = {kPage, kPage, 2 * kPage};
  hipMemLocation locations[2] = {kHost, kDevice0};
  size_t begins[2] = {0, 2};
  OK(hipMemPrefetchBatchAsync(ranges, sizes, 3, locations, begins, 2, 0, nullptr));
  CHECK(m.get(hipMemRangeAttributeLastPrefetchLocation, 0, 2 * kPage) == hipCpuDeviceId);
  CHECK(m.get(hipMemRangeAttributeLastPrefetchLocation, 2 * kPage, 2 * kPage) == 0);
  FAILS(hipMemPrefetchBatchAsync(ranges, sizes, 0, locations, begins, 2, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipMemPrefetchBatchAsync(ranges, sizes, 3, locations, begins, 0, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipMemPrefetchBatchAsync(ranges, sizes, 3, locations, begins, 2, 1, nullptr), hipErrorInvalidValue);
  size_t backwards[2] = {1, 0};
  FAILS(hipMemPrefetchBatchAsync(ranges, sizes, 3, locations, backwards, 2, 0, nullptr), hipErrorInvalidValue);
  size_t twice[2] = {0, 0}, far[2] = {0, 3};
  FAILS(hipMemPrefetchBatchAsync(ranges, sizes, 3, locations, twice, 2, 0, nullptr), hipErrorInvalidValue);
  FAILS(hipMemPrefetchBatchAsync(ranges, sizes, 3, locations, far, 2, 0, nullptr), hipErrorInvalidValue);
  sizes[2] = 3 * kPage;
  FAILS(hipMemPrefetchBatchAsync(ranges, sizes, 3, locations, begins, 2, 0, nullptr), hipErrorInvalidValue);
  OK(hipDeviceSynchronize());
}

TEST_CASE("Attaching managed memory to a stream") {
  const Managed m;
  hipStream_t stream;
  OK(hipStreamCreate(&stream));
  OK(hipStreamAttachMemAsync(stream, m.at, 0, hipMemAttachSingle));
  OK(hipStreamAttachMemAsync(stream, m.at, kBytes, hipMemAttachGlobal));
  OK(hipStreamAttachMemAsync(nullptr, m.at, 0, hipMemAttachHost));
  FAILS(hipStreamAttachMemAsync(nullptr, m.at, 0, hipMemAttachSingle), hipErrorInvalidValue);
  FAILS(hipStreamAttachMemAsync(stream, m.at, kPage, hipMemAttachSingle), hipErrorInvalidValue);
  FAILS(hipStreamAttachMemAsync(stream, m.at, 0, 3), hipErrorInvalidValue);
  FAILS(hipStreamAttachMemAsync(stream, nullptr, 0, hipMemAttachGlobal), hipErrorInvalidValue);
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Managed memory is discarded in the order of a stream") {
  const Managed one, two;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  std::memset(one.at, 1, kBytes);
  std::memset(two.at, 2, kBytes);
  void* ranges[] = {one.at + kPage, two.at};
  size_t sizes[] = {kPage + 100, kBytes};
  for (int form = 0; form < 4; ++form) {
    CAPTURE(form);
    hipMemLocation where[] = {kDevice0};
    size_t starts[] = {0};
    OK(form == 0   ? hipMemDiscardBatchAsync(ranges, sizes, 2, 0, stream)
       : form == 1 ? hipDrvMemDiscardBatchAsync(ranges, sizes, 2, 0, stream)
       : form == 2 ? hipMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, where, starts, 1, 0, stream)
                   : hipDrvMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, where, starts, 1, 0, stream));
    OK(hipMemsetAsync(two.at, 3, kPage, stream)); // what is written behind stays
    OK(hipStreamSynchronize(stream));
    CHECK(one.at[0] == 1);
    CHECK(one.at[kPage - 1] == 1);
    CHECK(one.at[2 * kPage + 100] == 1);
    CHECK(two.at[0] == 3);
    CHECK(two.at[kPage - 1] == 3);
    // What was discarded can be used again; on the software GPU its pages have been given back.
    if (on_software()) CHECK((one.at[kPage] == 0 && two.at[kBytes - 1] == 0));
    std::memset(one.at, 1, kBytes);
    std::memset(two.at, 2, kBytes);
    CHECK(two.at[kBytes - 1] == 2);
    if (form >= 2) CHECK(two.get(hipMemRangeAttributeLastPrefetchLocation) == 0);
  }
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Memory that cannot be discarded") {
  const Managed m;
  hipStream_t stream = nullptr;
  OK(hipStreamCreate(&stream));
  char* plain = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&plain), kPage));
  std::memset(m.at, 5, kBytes);
  void* ranges[2] = {m.at, m.at};
  size_t sizes[2] = {kPage, kPage}, starts[2] = {0, 1};
  hipMemLocation where[2] = {kDevice0, kHost};
  const auto refused = [&](void** r, size_t* s, size_t count, unsigned long long flags, hipStream_t in) {
    FAILS(hipMemDiscardBatchAsync(r, s, count, flags, in), hipErrorInvalidValue);
    FAILS(hipDrvMemDiscardBatchAsync(r, s, count, flags, in), hipErrorInvalidValue);
    FAILS(hipMemDiscardAndPrefetchBatchAsync(r, s, count, where, starts, 1, flags, in), hipErrorInvalidValue);
    FAILS(hipDrvMemDiscardAndPrefetchBatchAsync(r, s, count, where, starts, 1, flags, in), hipErrorInvalidValue);
  };
  refused(nullptr, sizes, 1, 0, stream);
  refused(ranges, nullptr, 1, 0, stream);
  refused(ranges, sizes, 0, 0, stream);
  refused(ranges, sizes, 1, 1, stream);
  for (const hipStream_t special : {hipStream_t(nullptr), hipStreamLegacy, hipStreamPerThread})
    refused(ranges, sizes, 1, 0, special);
  for (void* const bad : {static_cast<void*>(nullptr), static_cast<void*>(plain), static_cast<void*>(&sizes)}) {
    ranges[1] = bad;
    refused(ranges, sizes, 2, 0, stream);
  }
  ranges[1] = m.at;
  for (const size_t bad : {size_t(0), kBytes + 1}) {
    sizes[1] = bad;
    refused(ranges, sizes, 2, 0, stream);
  }
  sizes[1] = kPage;
  const auto not_to = [&](hipMemLocation* l, size_t* s, size_t count) {
    FAILS(hipMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, l, s, count, 0, stream), hipErrorInvalidValue);
    FAILS(hipDrvMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, l, s, count, 0, stream), hipErrorInvalidValue);
  };
  not_to(nullptr, starts, 1);
  not_to(where, nullptr, 1);
  not_to(where, starts, 0);
  not_to(where, starts, 3);
  starts[0] = 1;
  not_to(where, starts, 1);
  starts[0] = 0, starts[1] = 2;
  not_to(where, starts, 2);
  starts[1] = 1;
  where[1].type = hipMemLocationTypeInvalid;
  not_to(where, starts, 2);
  OK(hipStreamSynchronize(stream));
  for (size_t i = 0; i < kBytes; i += 512) CHECK(m.at[i] == 5); // nothing was done
  where[1] = kHost;
  OK(hipMemDiscardAndPrefetchBatchAsync(ranges, sizes, 2, where, starts, 2, 0, stream));
  OK(hipStreamSynchronize(stream));
  OK(hipFree(plain));
  OK(hipStreamDestroy(stream));
}
