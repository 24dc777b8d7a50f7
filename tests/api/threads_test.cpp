// Several host threads at once: what a thread sanitizer build runs.
#include "testing.h"

#include <atomic>
#include <thread>

namespace {
template <class F> void in_threads(int n, F f) {
  std::vector<std::thread> threads;
  for (int t = 0; t < n; ++t) threads.emplace_back(f, t);
  for (auto& thread : threads) thread.join();
}
// Catch's macros are not for several threads.
#define EXPECT(condition)                                                                                              \
  if (!(condition)) ++failures
} // namespace

TEST_CASE("Each thread has its own last error and its own default stream") {
  std::atomic<int> failures{0};
  in_threads(4, [&](int t) {
    (void)hipGetLastError();
    for (int i = 0; i < 200; ++i) {
      if (t % 2) {
        EXPECT(hipSetDevice(-1) == hipErrorInvalidDevice);
        EXPECT(hipGetLastError() == hipErrorInvalidDevice);
      } else {
        EXPECT(hipSetDevice(0) == hipSuccess);
        EXPECT(hipGetLastError() == hipSuccess);
      }
      EXPECT(hipStreamSynchronize(hipStreamPerThread) == hipSuccess);
    }
  });
  CHECK(failures == 0);
}

TEST_CASE("Memory, streams and copies from many threads") {
  std::atomic<int> failures{0};
  in_threads(4, [&](int t) {
    for (int i = 0; i < 50; ++i) {
      void* a = nullptr;
      hipStream_t stream = nullptr;
      unsigned char host[512] = {};
      EXPECT(hipMalloc(&a, sizeof host) == hipSuccess);
      EXPECT(hipStreamCreateWithFlags(&stream, i % 2 ? hipStreamDefault : hipStreamNonBlocking) == hipSuccess);
      EXPECT(hipMemsetAsync(a, t + 1, sizeof host, stream) == hipSuccess);
      EXPECT(hipMemcpyAsync(host, a, sizeof host, hipMemcpyDeviceToHost, stream) == hipSuccess);
      EXPECT(hipStreamSynchronize(stream) == hipSuccess);
      EXPECT(host[511] == t + 1);
      EXPECT(hipMemset(a, 0, sizeof host) == hipSuccess); // the default stream, against the blocking ones
      EXPECT(hipStreamDestroy(stream) == hipSuccess);
      EXPECT(hipFree(a) == hipSuccess);
    }
  });
  CHECK(failures == 0);
}

TEST_CASE("One stream and one event for many threads") {
  std::atomic<int> failures{0};
  hipStream_t stream;
  hipEvent_t event;
  OK(hipStreamCreate(&stream));
  OK(hipEventCreate(&event));
  void* memory;
  OK(hipMalloc(&memory, 4096));
  in_threads(4, [&](int t) {
    for (int i = 0; i < 50; ++i) {
      EXPECT(hipMemsetAsync(static_cast<char*>(memory) + t * 1024, i, 1024, stream) == hipSuccess);
      EXPECT(hipEventRecord(event, stream) == hipSuccess);
      EXPECT(hipStreamWaitEvent(nullptr, event, 0) == hipSuccess);
      EXPECT(hipEventSynchronize(event) == hipSuccess);
    }
  });
  OK(hipDeviceSynchronize());
  CHECK(failures == 0);
  OK(hipFree(memory));
  OK(hipEventDestroy(event));
  OK(hipStreamDestroy(stream));
}

TEST_CASE("Threads race to free, to destroy and to look up: one wins, none crashes") {
  std::atomic<int> failures{0};
  for (int round = 0; round < 20; ++round) {
    void* memory = nullptr;
    hipStream_t stream = nullptr;
    OK(hipMalloc(&memory, 64));
    OK(hipStreamCreate(&stream));
    std::atomic<int> frees{0}, destroys{0};
    in_threads(3, [&](int) {
      (void)hipStreamQuery(stream);
      if (hipFree(memory) == hipSuccess) ++frees;
      (void)hipMemsetAsync(nullptr, 0, 0, stream);
      if (hipStreamDestroy(stream) == hipSuccess) ++destroys;
    });
    EXPECT(frees == 1);
    EXPECT(destroys == 1);
  }
  CHECK(failures == 0);
}

TEST_CASE("Launches from many threads") {
  TestModule m;
  const hipFunction_t scale = m.function("scale");
  std::atomic<int> failures{0};
  const bool run = kernels_run();
  in_threads(3, [&](int t) {
    int *in = nullptr, *out = nullptr;
    EXPECT(hipMalloc(reinterpret_cast<void**>(&in), 256) == hipSuccess);
    EXPECT(hipMalloc(reinterpret_cast<void**>(&out), 256) == hipSuccess);
    EXPECT(hipMemsetD32(in, t + 1, 64) == hipSuccess);
    unsigned count = 64;
    for (int i = 1; i <= 20; ++i) {
      void* args[] = {&out, &in, &i, &count};
      const hipStream_t stream = i % 2 ? hipStreamPerThread : nullptr;
      EXPECT(hipModuleLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, stream, args, nullptr) == hipSuccess);
      EXPECT(hipStreamSynchronize(stream) == hipSuccess);
      int result = 0;
      EXPECT(hipMemcpy(&result, out + 63, 4, hipMemcpyDeviceToHost) == hipSuccess);
      if (run) EXPECT(result == (t + 1) * i);
    }
    EXPECT(hipFree(in) == hipSuccess);
    EXPECT(hipFree(out) == hipSuccess);
  });
  CHECK(failures == 0);
}
