// What host calls cost: launches (async, with sync, from several streams and threads), events, allocation, copies. Prints
// one line per case: name, median, unit.
#include <hip/hip_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <tuple>
#include <vector>

__global__ void nothing() {}
__global__ void axpy(float a, const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}

namespace {

void check(hipError_t e) {
  if (e == hipSuccess) return;
  std::fprintf(stderr, "%s\n", hipGetErrorString(e));
  std::exit(1);
}
// Median time of one of `count` calls of work, over several rounds, in microseconds.
double median_us(int count, const std::function<void()>& work, const std::function<void()>& finish = [] {}) {
  std::vector<double> rounds;
  for (int round = 0; round < 9; ++round) {
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < count; ++i) work();
    finish();
    rounds.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / count);
  }
  std::nth_element(rounds.begin(), rounds.begin() + 4, rounds.end());
  return rounds[4];
}
enum class Streams { One, OneEach };
enum class Waits { AtEnd, EachLaunch };
// Median time, by the wall, of one of all launches that `threads` threads make at the same time, in microseconds.
double threads_us(int threads, Streams streams, Waits waits) {
  constexpr int kLaunches = 2000;
  std::vector<hipStream_t> all(streams == Streams::One ? 1 : threads);
  for (hipStream_t& stream : all) check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
  const double us = median_us(1, [&] {
    std::vector<std::thread> running;
    for (int t = 0; t < threads; ++t)
      running.emplace_back([&, stream = all[t % all.size()]] {
        for (int i = 0; i < kLaunches; ++i) {
          nothing<<<1, 64, 0, stream>>>();
          if (waits == Waits::EachLaunch) check(hipStreamSynchronize(stream));
        }
        check(hipStreamSynchronize(stream));
      });
    for (std::thread& thread : running) thread.join();
  });
  for (hipStream_t stream : all) check(hipStreamDestroy(stream));
  return us / (kLaunches * threads);
}
// Median time of one call of `allocate` while `kLive` are made and then given back by `free`, in microseconds.
template<class A, class F> double allocation_us(const A& allocate, const F& free) {
  constexpr int kLive = 32;
  std::vector<double> rounds;
  for (int round = 0; round < 201; ++round) {
    void* memory[kLive];
    const auto start = std::chrono::steady_clock::now();
    for (void*& each : memory) allocate(&each);
    rounds.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() / kLive);
    for (void* each : memory) free(each);
  }
  std::nth_element(rounds.begin(), rounds.begin() + 100, rounds.end());
  return rounds[100];
}
void report(const char* name, double value, const char* unit = "us") { std::printf("%-34s %10.3f %s\n", name, value, unit); }

} // namespace

int main() {
  auto sync = [] { check(hipDeviceSynchronize()); };
  nothing<<<1, 64>>>();
  sync();
  report("launch, async", median_us(1000, [] { nothing<<<1, 64>>>(); }, sync));
  report("launch + sync", median_us(1000, [&] { nothing<<<1, 64>>>(); sync(); }));
  const int n = 16384;
  float *x, *y;
  check(hipMalloc(&x, n * sizeof(float)));
  check(hipMalloc(&y, n * sizeof(float)));
  check(hipMemset(x, 0, n * sizeof(float)));
  check(hipMemset(y, 0, n * sizeof(float)));
  report("axpy 16384 + sync", median_us(500, [&] { axpy<<<n / 256, 256>>>(2.0f, x, y, n); sync(); }));
  std::vector<hipStream_t> streams(4);
  for (auto& s : streams) check(hipStreamCreateWithFlags(&s, hipStreamNonBlocking));
  int turn = 0;
  report("launch round robin over 4 streams", median_us(1000, [&] { nothing<<<1, 64, 0, streams[turn++ & 3]>>>(); }, sync));
  for (int threads : {1, 2, 4}) {
    char name[64];
    for (const auto& [text, streams, waits] :
         {std::tuple("%d threads, one stream", Streams::One, Waits::AtEnd),
          std::tuple("%d threads, a stream each", Streams::OneEach, Waits::AtEnd),
          std::tuple("%d threads, a stream each, + sync", Streams::OneEach, Waits::EachLaunch)}) {
      std::snprintf(name, sizeof name, text, threads);
      report(name, threads_us(threads, streams, waits));
    }
  }
  hipEvent_t event;
  check(hipEventCreate(&event));
  report("event record", median_us(1000, [&] { check(hipEventRecord(event, streams[0])); }, sync));
  report("event record + synchronize", median_us(500, [&] {
           check(hipEventRecord(event, streams[0]));
           check(hipEventSynchronize(event));
         }));
  report("stream wait event", median_us(1000, [&] { check(hipStreamWaitEvent(streams[1], event, 0)); }, sync));
  report("stream create + destroy", median_us(50, [] {
           hipStream_t s;
           check(hipStreamCreate(&s));
           check(hipStreamDestroy(s));
         }));
  for (size_t bytes : {size_t(256), size_t(1) << 16, size_t(64) << 20}) {
    char name[64];
    std::snprintf(name, sizeof name, "malloc + free, %zu KiB", bytes >> 10);
    report(name, median_us(100, [&] {
             void* p;
             check(hipMalloc(&p, bytes));
             check(hipFree(p));
           }));
  }
  // A pool that keeps what is freed, against hipMalloc.
  hipMemPool_t pool;
  check(hipDeviceGetDefaultMemPool(&pool, 0));
  uint64_t keep = ~0ull;
  check(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &keep));
  for (size_t bytes : {size_t(256), size_t(1) << 16, size_t(1) << 20}) {
    const double direct = allocation_us([&](void** p) { check(hipMalloc(p, bytes)); }, [](void* p) { check(hipFree(p)); });
    const double pooled = allocation_us([&](void** p) { check(hipMallocAsync(p, bytes, streams[0])); },
                                        [&](void* p) { check(hipFreeAsync(p, streams[0])); });
    const double both = median_us(1000, [&] {
      void* p;
      check(hipMallocAsync(&p, bytes, streams[0]));
      check(hipFreeAsync(p, streams[0]));
    });
    char name[64];
    std::snprintf(name, sizeof name, "hipMalloc alone, %zu KiB", bytes >> 10);
    report(name, direct);
    std::snprintf(name, sizeof name, "warm pool alone, %zu KiB", bytes >> 10);
    report(name, pooled);
    std::snprintf(name, sizeof name, "warm pool / hipMalloc, %zu KiB", bytes >> 10);
    report(name, pooled / direct, "times");
    std::snprintf(name, sizeof name, "warm pool, with free, %zu KiB", bytes >> 10);
    report(name, both);
  }
  check(hipMemPoolTrimTo(pool, 0));
  std::vector<char> host(64 << 20, 1);
  void* device;
  check(hipMalloc(&device, host.size()));
  check(hipMemset(device, 0, host.size()));
  report("copy 4 bytes to device", median_us(500, [&] { check(hipMemcpy(device, host.data(), 4, hipMemcpyHostToDevice)); }));
  report("copy 4 bytes to host", median_us(500, [&] { check(hipMemcpy(host.data(), device, 4, hipMemcpyDeviceToHost)); }));
  double us = median_us(1, [&] { check(hipMemcpy(device, host.data(), host.size(), hipMemcpyHostToDevice)); });
  report("copy 64 MiB to device", double(host.size()) / us * 1e-3, "GB/s");
  us = median_us(1, [&] { check(hipMemset(device, 3, host.size())); sync(); });
  report("memset 64 MiB", double(host.size()) / us * 1e-3, "GB/s");
  check(hipFree(device));
  check(hipFree(x));
  check(hipFree(y));
  for (auto& s : streams) check(hipStreamDestroy(s));
  check(hipEventDestroy(event));
  return 0;
}
