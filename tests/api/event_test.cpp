#include "testing.h"

#include <atomic>
#include <chrono>
#include <thread>

TEST_CASE("Making and ending events") {
  hipEvent_t e = nullptr;
  OK(hipEventCreate(&e));
  OK(hipEventQuery(e));
  OK(hipEventSynchronize(e));
  OK(hipEventDestroy(e));
  FAILS(hipEventDestroy(e), hipErrorContextIsDestroyed);
  FAILS(hipEventQuery(e), hipErrorContextIsDestroyed);
  FAILS(hipEventRecord(e, nullptr), hipErrorContextIsDestroyed);
  FAILS(hipEventDestroy(nullptr), hipErrorInvalidResourceHandle);
  FAILS(hipEventRecord(nullptr, nullptr), hipErrorInvalidResourceHandle);
  FAILS(hipEventQuery(nullptr), hipErrorInvalidResourceHandle);
  FAILS(hipEventSynchronize(nullptr), hipErrorInvalidResourceHandle);
  FAILS(hipEventCreate(nullptr), hipErrorInvalidValue);
  FAILS(hipEventCreateWithFlags(&e, 0x1000), hipErrorInvalidValue);
  FAILS(hipEventCreateWithFlags(&e, hipEventInterprocess), hipErrorInvalidValue);
  FAILS(hipEventCreateWithFlags(&e, hipEventReleaseToDevice | hipEventReleaseToSystem), hipErrorInvalidValue);
  CHECK(e == nullptr);
  for (const unsigned flags : std::initializer_list<unsigned>{hipEventDefault, hipEventBlockingSync, hipEventDisableTiming,
                                                             hipEventReleaseToSystem,
                                                             hipEventInterprocess | hipEventDisableTiming}) {
    OK(hipEventCreateWithFlags(&e, flags));
    OK(hipEventDestroy(e));
  }
}

TEST_CASE("Time between events") {
  hipEvent_t start, stop, untimed, unrecorded;
  OK(hipEventCreate(&start));
  OK(hipEventCreate(&stop));
  OK(hipEventCreate(&unrecorded));
  OK(hipEventCreateWithFlags(&untimed, hipEventDisableTiming));
  OK(hipEventRecord(start, nullptr));
  OK(hipEventSynchronize(start));
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  OK(hipEventRecordWithFlags(stop, nullptr, hipEventRecordDefault));
  OK(hipEventRecord(untimed, nullptr));
  OK(hipEventSynchronize(stop));
  OK(hipEventQuery(stop));
  float ms = -1;
  OK(hipEventElapsedTime(&ms, start, stop));
  CHECK(ms >= 4.9f);
  CHECK(ms < 5000);
  OK(hipEventElapsedTime(&ms, start, start));
  CHECK(ms == 0);
  FAILS(hipEventElapsedTime(nullptr, start, stop), hipErrorInvalidValue);
  FAILS(hipEventElapsedTime(&ms, nullptr, stop), hipErrorInvalidHandle);
  FAILS(hipEventElapsedTime(&ms, start, nullptr), hipErrorInvalidHandle);
  FAILS(hipEventElapsedTime(&ms, start, untimed), hipErrorInvalidHandle);
  FAILS(hipEventElapsedTime(&ms, unrecorded, stop), hipErrorInvalidHandle);
  FAILS(hipEventRecordWithFlags(stop, nullptr, 77), hipErrorInvalidValue);
  FAILS(hipEventRecord(start, garbage_handle<hipStream_t>()), hipErrorContextIsDestroyed);
  for (hipEvent_t e : {start, stop, untimed, unrecorded}) OK(hipEventDestroy(e));
}

TEST_CASE("A stream waits for an event of another") {
  hipStream_t a, b;
  hipEvent_t e, never;
  OK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  OK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  OK(hipEventCreateWithFlags(&e, hipEventDisableTiming));
  OK(hipEventCreate(&never));
  OK(hipStreamWaitEvent(b, never, 0)); // no wait
  FAILS(hipStreamWaitEvent(b, nullptr, 0), hipErrorInvalidResourceHandle);
  FAILS(hipStreamWaitEvent(b, e, 99), hipErrorInvalidValue);
  FAILS(hipStreamWaitEvent(garbage_handle<hipStream_t>(), e, 0), hipErrorInvalidHandle);
  if (kernels_run()) {
    std::atomic<bool> open{false};
    static std::atomic<bool> late;
    late = false;
    OK(hipLaunchHostFunc(a, [](void* gate) {
      while (!*static_cast<std::atomic<bool>*>(gate)) std::this_thread::yield();
    }, &open));
    OK(hipEventRecord(e, a));
    CHECK(hipEventQuery(e) == hipErrorNotReady);
    float ms;
    CHECK(hipEventElapsedTime(&ms, never, e) == hipErrorInvalidHandle);
    OK(hipStreamWaitEvent(b, e, 0));
    OK(hipLaunchHostFunc(b, [](void*) { late = true; }, nullptr));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    CHECK_FALSE(late);
    OK(hipEventRecord(never, a));
    OK(hipEventDestroy(e)); // waits that were queued still hold
    open = true;
    OK(hipStreamSynchronize(b));
    CHECK(late);
  } else {
    OK(hipEventRecord(e, a));
    OK(hipStreamWaitEvent(b, e, 0));
    OK(hipEventDestroy(e));
  }
  OK(hipEventDestroy(never));
  OK(hipStreamDestroy(a));
  OK(hipStreamDestroy(b));
  (void)hipGetLastError();
}
