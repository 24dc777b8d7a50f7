#include "testing.h"

#include <atomic>
#include <chrono>
#include <thread>

namespace {

// Holds a stream back until open() is called: a host function that waits.
struct Gate {
  explicit Gate(hipStream_t stream) {
    OK(hipLaunchHostFunc(
        stream,
        [](void* self) {
          while (!static_cast<Gate*>(self)->is_open) std::this_thread::sleep_for(std::chrono::microseconds(50));
        },
        this));
  }
  void open() { is_open = true; }
  std::atomic<bool> is_open{false};
};

} // namespace

TEST_CASE("Making and ending streams") {
  hipStream_t s = nullptr;
  unsigned flags = 99;
  int priority = 99, low = 0, high = 0;
  hipDevice_t device = -1;
  OK(hipStreamCreate(&s));
  OK(hipStreamGetFlags(s, &flags));
  CHECK(flags == hipStreamDefault);
  OK(hipStreamGetPriority(s, &priority));
  CHECK(priority == 0);
  OK(hipStreamGetDevice(s, &device));
  CHECK(device == 0);
  CHECK(hipGetStreamDeviceId(s) == 0);
  unsigned long long id = 0, null_id = 0;
  OK(hipStreamGetId(s, &id));
  OK(hipStreamGetId(nullptr, &null_id));
  CHECK(id != null_id);
  OK(hipStreamQuery(s));
  OK(hipStreamSynchronize(s));
  OK(hipStreamDestroy(s));
  FAILS(hipStreamDestroy(s), hipErrorContextIsDestroyed);
  FAILS(hipStreamSynchronize(s), hipErrorContextIsDestroyed);
  FAILS(hipStreamQuery(s), hipErrorContextIsDestroyed);
  FAILS(hipStreamGetFlags(s, &flags), hipErrorContextIsDestroyed);
  FAILS(hipStreamDestroy(nullptr), hipErrorInvalidResourceHandle);
  FAILS(hipStreamDestroy(hipStreamLegacy), hipErrorInvalidResourceHandle);
  FAILS(hipStreamDestroy(hipStreamPerThread), hipErrorInvalidResourceHandle);
  FAILS(hipStreamDestroy(garbage_handle<hipStream_t>()), hipErrorContextIsDestroyed);
  FAILS(hipStreamCreate(nullptr), hipErrorInvalidValue);
  FAILS(hipStreamCreateWithFlags(&s, 0xff), hipErrorInvalidValue);
  CHECK(s == nullptr);
  OK(hipDeviceGetStreamPriorityRange(&low, &high));
  CHECK(high < low);
  OK(hipStreamCreateWithPriority(&s, hipStreamNonBlocking, high - 5));
  OK(hipStreamGetPriority(s, &priority));
  CHECK(priority == high);
  OK(hipStreamGetFlags(s, &flags));
  CHECK(flags == hipStreamNonBlocking);
  OK(hipStreamDestroy(s));
  FAILS(hipStreamGetPriority(nullptr, nullptr), hipErrorInvalidValue);
  FAILS(hipStreamGetDevice(nullptr, nullptr), hipErrorInvalidValue);
  OK(hipStreamSynchronize(nullptr));
  OK(hipStreamSynchronize(hipStreamLegacy));
  OK(hipStreamSynchronize(hipStreamPerThread));
}

TEST_CASE("Host functions run in order, with what they were given") {
  hipStream_t s;
  OK(hipStreamCreate(&s));
  static std::atomic<int> last;
  last = 0;
  struct Step {
    int expected, next;
    bool fine = false;
  } steps[10];
  for (int i = 0; i < 10; ++i) {
    steps[i] = {i, i + 1, false};
    OK(hipLaunchHostFunc(
        s,
        [](void* data) {
          Step& step = *static_cast<Step*>(data);
          step.fine = last == step.expected;
          last = step.next;
        },
        &steps[i]));
  }
  OK(hipStreamSynchronize(s));
  for (const Step& step : steps) CHECK(step.fine);
  struct Seen {
    hipStream_t stream;
    hipError_t status;
  } seen{nullptr, hipErrorUnknown};
  OK(hipStreamAddCallback(
      s, [](hipStream_t stream, hipError_t status, void* data) { *static_cast<Seen*>(data) = {stream, status}; }, &seen,
      0));
  OK(hipStreamSynchronize(s));
  CHECK(seen.stream == s);
  CHECK(seen.status == hipSuccess);
  FAILS(hipStreamAddCallback(s, nullptr, nullptr, 0), hipErrorInvalidValue);
  FAILS(hipStreamAddCallback(s, [](hipStream_t, hipError_t, void*) {}, nullptr, 1), hipErrorInvalidValue);
  FAILS(hipLaunchHostFunc(s, nullptr, nullptr), hipErrorInvalidValue);
  OK(hipStreamDestroy(s));
  FAILS(hipLaunchHostFunc(s, [](void*) {}, nullptr), hipErrorContextIsDestroyed);
}

// What follows needs work that is outstanding; on the null back end everything is done at once.
TEST_CASE("Order between the default stream and others") {
  if (!kernels_run()) return;
  hipStream_t blocking, independent;
  OK(hipStreamCreate(&blocking));
  OK(hipStreamCreateWithFlags(&independent, hipStreamNonBlocking));
  static std::atomic<int> count;
  count = 0;
  struct Mark {
    int at = -1;
  } on_null, on_blocking, on_independent, second;
  auto mark = [](void* data) { static_cast<Mark*>(data)->at = count++; };

  SECTION("the default stream waits for blocking streams, not for others") {
    Gate gate(blocking);
    OK(hipLaunchHostFunc(nullptr, mark, &on_null));
    OK(hipLaunchHostFunc(independent, mark, &on_independent));
    OK(hipStreamSynchronize(independent));
    CHECK(on_independent.at == 0);
    CHECK(on_null.at == -1);
    CHECK(hipStreamQuery(blocking) == hipErrorNotReady);
    CHECK(hipStreamQuery(nullptr) == hipErrorNotReady);
    OK(hipStreamQuery(independent));
    gate.open();
    OK(hipStreamSynchronize(nullptr));
    CHECK(on_null.at == 1);
    OK(hipStreamQuery(nullptr));
  }
  SECTION("blocking streams wait for the default stream, others do not") {
    Gate gate(nullptr);
    OK(hipLaunchHostFunc(blocking, mark, &on_blocking));
    OK(hipLaunchHostFunc(hipStreamPerThread, mark, &second));
    OK(hipLaunchHostFunc(independent, mark, &on_independent));
    OK(hipStreamSynchronize(independent));
    CHECK(on_blocking.at == -1);
    CHECK(second.at == -1);
    gate.open();
    OK(hipDeviceSynchronize());
    CHECK(on_independent.at == 0);
    CHECK(on_blocking.at > 0);
    CHECK(second.at > 0);
  }
  SECTION("a stream made after the default stream's work waits for it too") {
    Gate gate(nullptr);
    hipStream_t late;
    OK(hipStreamCreate(&late));
    OK(hipLaunchHostFunc(late, mark, &on_blocking));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK(on_blocking.at == -1);
    gate.open();
    OK(hipStreamSynchronize(late));
    CHECK(on_blocking.at == 0);
    OK(hipStreamDestroy(late));
  }
  SECTION("synchronising the default stream waits for blocking streams' work") {
    Gate gate(blocking);
    OK(hipLaunchHostFunc(blocking, mark, &on_blocking));
    std::thread opener([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      gate.open();
    });
    OK(hipStreamSynchronize(nullptr));
    CHECK(on_blocking.at == 0);
    opener.join();
  }
  SECTION("destroying a stream finishes its work") {
    hipStream_t short_lived;
    OK(hipStreamCreateWithFlags(&short_lived, hipStreamNonBlocking));
    OK(hipLaunchHostFunc(short_lived, mark, &second));
    OK(hipStreamDestroy(short_lived));
    CHECK(second.at == 0);
  }
  OK(hipDeviceSynchronize());
  OK(hipStreamDestroy(independent));
  OK(hipStreamDestroy(blocking));
}

TEST_CASE("A copy between device memories does not wait, unless the memory asks for it") {
  if (!kernels_run()) return;
  void *a, *b;
  OK(hipMalloc(&a, 64));
  OK(hipMalloc(&b, 64));
  {
    Gate gate(nullptr);
    OK(hipMemcpy(a, b, 64, hipMemcpyDeviceToDevice));
    CHECK(hipStreamQuery(nullptr) == hipErrorNotReady);
    gate.open();
    OK(hipDeviceSynchronize());
  }
  OK(hipFree(a));
  OK(hipFree(b));
}

TEST_CASE("A thread that exits does not wait for its default stream, and the work still runs") {
  if (!kernels_run()) return;
  static std::atomic<bool> open, ran;
  open = ran = false;
  std::thread([] {
    (void)hipLaunchHostFunc(
        hipStreamPerThread,
        [](void*) {
          while (!open) std::this_thread::yield();
          ran = true;
        },
        nullptr);
  }).join();
  CHECK_FALSE(ran);
  open = true;
  OK(hipDeviceSynchronize());
  CHECK(ran);
}

TEST_CASE("Attributes of streams") {
  hipStream_t one, two;
  OK(hipStreamCreate(&one));
  OK(hipStreamCreateWithPriority(&two, hipStreamNonBlocking, -1));
  hipLaunchAttributeValue value{}, got{};
  OK(hipStreamGetAttribute(two, hipLaunchAttributePriority, &got));
  CHECK(got.priority == -1);
  OK(hipStreamGetAttribute(one, hipLaunchAttributeSynchronizationPolicy, &got));
  CHECK(got.syncPolicy == hipSyncPolicyAuto);
  value.syncPolicy = hipSyncPolicyBlockingSync;
  OK(hipStreamSetAttribute(one, hipLaunchAttributeSynchronizationPolicy, &value));
  value = {};
  value.memSyncDomain = hipLaunchMemSyncDomainRemote;
  OK(hipStreamSetAttribute(one, hipLaunchAttributeMemSyncDomain, &value));
  value = {};
  value.accessPolicyWindow.hitRatio = 0.5f;
  value.accessPolicyWindow.hitProp = hipAccessPropertyStreaming;
  OK(hipStreamSetAttribute(one, hipLaunchAttributeAccessPolicyWindow, &value));
  value = {};
  value.priority = 1;
  OK(hipStreamSetAttribute(one, hipLaunchAttributePriority, &value));

  OK(hipStreamCopyAttributes(two, one));
  OK(hipStreamGetAttribute(two, hipLaunchAttributeSynchronizationPolicy, &got));
  CHECK(got.syncPolicy == hipSyncPolicyBlockingSync);
  OK(hipStreamGetAttribute(two, hipLaunchAttributeMemSyncDomain, &got));
  CHECK(got.memSyncDomain == hipLaunchMemSyncDomainRemote);
  OK(hipStreamGetAttribute(two, hipLaunchAttributeAccessPolicyWindow, &got));
  CHECK(got.accessPolicyWindow.hitRatio == 0.5f);
  int priority = 0;
  OK(hipStreamGetPriority(two, &priority));
  CHECK(priority == 1);

  int word = 0; // gives the stream work, which fixes its priority
  OK(hipLaunchHostFunc(two, [](void* at) { *static_cast<int*>(at) = 1; }, &word));
  OK(hipStreamSynchronize(two));
  CHECK(word == 1);
  OK(hipStreamSetAttribute(two, hipLaunchAttributePriority, &value)); // that it has
  value.priority = 0;
  FAILS(hipStreamSetAttribute(two, hipLaunchAttributePriority, &value), hipErrorNotSupported);

  value.priority = 2;
  FAILS(hipStreamSetAttribute(one, hipLaunchAttributePriority, &value), hipErrorInvalidValue);
  value = {};
  FAILS(hipStreamSetAttribute(one, hipLaunchAttributeSynchronizationPolicy, &value), hipErrorInvalidValue);
  value.memSyncDomainMap.remote = 1;
  FAILS(hipStreamSetAttribute(one, hipLaunchAttributeMemSyncDomainMap, &value), hipErrorInvalidValue);
  value = {};
  value.accessPolicyWindow.hitRatio = 2;
  FAILS(hipStreamSetAttribute(one, hipLaunchAttributeAccessPolicyWindow, &value), hipErrorInvalidValue);
  // A window of addresses: before the stream has work and after, where the device has such windows at all.
  int most = 0;
  OK(hipDeviceGetAttribute(&most, hipDeviceAttributeAccessPolicyMaxWindowSize, 0));
  value = {};
  value.accessPolicyWindow.base_ptr = &word;
  value.accessPolicyWindow.num_bytes = 4096;
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.hitProp = hipAccessPropertyPersisting;
  for (hipStream_t stream : {one, two}) {
    const hipError_t result = hipStreamSetAttribute(stream, hipLaunchAttributeAccessPolicyWindow, &value);
    CHECK(result == (most >= 4096 ? hipSuccess : hipErrorInvalidValue));
    OK(hipLaunchHostFunc(stream, [](void*) {}, nullptr));
    OK(hipStreamSynchronize(stream));
  }
  FAILS(hipStreamSetAttribute(one, hipLaunchAttributeCooperative, &value), hipErrorInvalidValue);
  FAILS(hipStreamGetAttribute(one, hipLaunchAttributeMax, &got), hipErrorInvalidValue);
  FAILS(hipStreamGetAttribute(one, hipLaunchAttributePriority, nullptr), hipErrorInvalidValue);
  FAILS(hipStreamSetAttribute(one, hipLaunchAttributePriority, nullptr), hipErrorInvalidValue);
  FAILS(hipStreamGetAttribute(garbage_handle<hipStream_t>(), hipLaunchAttributePriority, &got),
        hipErrorContextIsDestroyed);
  FAILS(hipStreamCopyAttributes(one, garbage_handle<hipStream_t>()), hipErrorContextIsDestroyed);
  OK(hipStreamDestroy(one));
  OK(hipStreamDestroy(two));
}

TEST_CASE("Streams of two devices do not share attributes", "[two]") {
  int count = 0;
  OK(hipGetDeviceCount(&count));
  if (count < 2) return;
  hipStream_t one, two;
  OK(hipStreamCreate(&one));
  OK(hipSetDevice(1));
  OK(hipStreamCreate(&two));
  OK(hipSetDevice(0));
  FAILS(hipStreamCopyAttributes(one, two), hipErrorInvalidValue);
  OK(hipStreamDestroy(one));
  OK(hipStreamDestroy(two));
}

TEST_CASE("Streams on some of the compute units") {
  hipDeviceProp_t properties;
  OK(hipGetDeviceProperties(&properties, 0));
  const uint32_t units = static_cast<uint32_t>(properties.multiProcessorCount), words = (units + 31) / 32;
  std::vector<uint32_t> all(words, UINT32_MAX), got(words + 1, 77), none(words, 0);
  if (units % 32 != 0) all.back() = (1u << units % 32) - 1;
  OK(hipExtStreamGetCUMask(nullptr, words + 1, got.data()));
  CHECK(got.back() == 0);
  got.pop_back();
  CHECK(got == all);
  hipStream_t stream = nullptr;
  for (const auto& mask : {all, none}) { // no unit means all
    OK(hipExtStreamCreateWithCUMask(&stream, words, mask.data()));
    OK(hipExtStreamGetCUMask(stream, words, got.data()));
    CHECK(got == all);
    unsigned flags = 99;
    OK(hipStreamGetFlags(stream, &flags));
    CHECK(flags == hipStreamDefault);
    OK(hipStreamDestroy(stream));
  }
  if (units > 1) {
    const uint32_t first = 1;
    if (on_nvidia()) {
      FAILS(hipExtStreamCreateWithCUMask(&stream, 1, &first), hipErrorNotSupported);
      CHECK(stream == nullptr);
    } else {
      OK(hipExtStreamCreateWithCUMask(&stream, 1, &first));
      OK(hipExtStreamGetCUMask(stream, words, got.data()));
      CHECK(got[0] == 1);
      void* memory = nullptr;
      OK(hipMalloc(&memory, 4096));
      OK(hipMemsetAsync(memory, 3, 4096, stream));
      std::vector<char> host(4096);
      OK(hipMemcpyAsync(host.data(), memory, 4096, hipMemcpyDeviceToHost, stream));
      OK(hipStreamSynchronize(stream));
      CHECK(host == std::vector<char>(4096, 3));
      OK(hipFree(memory));
      OK(hipStreamDestroy(stream));
    }
  }
  FAILS(hipExtStreamCreateWithCUMask(nullptr, words, all.data()), hipErrorInvalidHandle);
  FAILS(hipExtStreamCreateWithCUMask(&stream, 0, all.data()), hipErrorInvalidValue);
  FAILS(hipExtStreamCreateWithCUMask(&stream, words, nullptr), hipErrorInvalidValue);
  FAILS(hipExtStreamGetCUMask(nullptr, 0, got.data()), hipErrorInvalidValue);
  FAILS(hipExtStreamGetCUMask(nullptr, words, nullptr), hipErrorInvalidValue);
  FAILS(hipExtStreamGetCUMask(garbage_handle<hipStream_t>(), words, got.data()), hipErrorContextIsDestroyed);
}
