// What launches cost in the steady state, counted and not timed: allocations of the whole process, none, and calls of the C
// library's locks, none either: streams and events have locks of their own, which call nothing when nobody waits for them. The
// program's malloc and pthread_mutex_lock stand in front of the C library's.
#include "e2e.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <mutex>
#include <pthread.h>

#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
constexpr bool kCounts = false; // they have allocators and locks of their own
#else
constexpr bool kCounts = true;
#endif

namespace {
std::atomic<unsigned long> allocations{0}, locks{0};
} // namespace

#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
extern "C" {
void* __libc_malloc(size_t bytes);
void* __libc_calloc(size_t count, size_t bytes);
void* __libc_realloc(void* old, size_t bytes);
void* __libc_memalign(size_t alignment, size_t bytes);

void* malloc(size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
void* calloc(size_t count, size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(count, bytes);
}
void* realloc(void* old, size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(old, bytes);
}
void* aligned_alloc(size_t alignment, size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, bytes);
}
int pthread_mutex_lock(pthread_mutex_t* mutex) {
  using Lock = int (*)(pthread_mutex_t*);
  static std::atomic<Lock> next{nullptr};
  Lock lock = next.load(std::memory_order_relaxed);
  if (!lock) next.store(lock = reinterpret_cast<Lock>(dlsym(RTLD_NEXT, "pthread_mutex_lock")), std::memory_order_relaxed);
  locks.fetch_add(1, std::memory_order_relaxed);
  return lock(mutex);
}
}
#endif

namespace {

__global__ void count(unsigned* counter, unsigned more) {
  if (threadIdx.x == 0) atomicAdd(counter, more);
}
// Long enough to be shared by several threads.
__global__ void work(float* out, int rounds) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0.5f;
  for (int r = 0; r < rounds; ++r) x = 3.7f * x * (1.0f - x);
  out[i] = x;
}

struct Counts {
  unsigned long allocations, locks;
};
constexpr int kRounds = kCounts ? 16 : 2; // without counts, once to make what is made once and once to use it
// What `body` adds in the round that adds least: by then everything is there that is made once, and as many completion points as
// launches were ever under way at the same time.
template<class F> Counts steady(const F& body) {
  Counts least{~0ul, ~0ul};
  for (int round = 0; round < kRounds; ++round) {
    const unsigned long a = allocations.load(), l = locks.load();
    body();
    least = {std::min(least.allocations, allocations.load() - a), std::min(least.locks, locks.load() - l)};
  }
  return least;
}

// Whether launches are this library's own work alone: on NVIDIA GPUs the counts are mostly the driver's.
bool is_own_work() {
  hipDeviceProp_t properties;
  return hipGetDeviceProperties(&properties, 0) == hipSuccess && std::strncmp(properties.gcnArchName, "gfx", 3) == 0;
}

void expect(const char* what, const Counts& counts) {
  std::printf("%s: %lu allocations, %lu locks\n", what, counts.allocations, counts.locks);
  if (!kCounts || !is_own_work()) return;
  CHECK_EQ(counts.allocations, 0ul);
  CHECK_EQ(counts.locks, 0ul);
  std::mutex mutex;
  const unsigned long before = locks.load();
  mutex.lock();
  mutex.unlock();
  CHECK(locks.load() > before); // or they are not counted
}

void check(hipError_t error) { CHECK_EQ(error, hipSuccess); }

constexpr int kLaunches = 3000; // more than a ring of packets holds

struct Stream {
  hipStream_t stream;
  Stream() { check(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking)); }
  ~Stream() { check(hipStreamDestroy(stream)); }
  Stream(const Stream&) = delete;
  operator hipStream_t() const { return stream; }
  void wait() const { check(hipStreamSynchronize(stream)); }
};

// Before the first HIP call: a translation in the background would allocate whenever it likes.
[[maybe_unused]] const int one_tier = setenv("OMNIHIP_TIER", "0", /*overwrite=*/0);

} // namespace

E2E_CASE(launches_in_a_row) {
  const Stream stream;
  e2e::Device<unsigned> counter(1);
  check(hipStreamSynchronize(nullptr)); // which fills it
  expect("launches in a row", steady([&] {
           for (int i = 0; i < kLaunches; ++i) count<<<1, 64, 0, stream>>>(counter, 1);
           stream.wait();
         }));
  CHECK_EQ(counter.download()[0], unsigned(kRounds * kLaunches));
}

E2E_CASE(launch_and_wait) {
  const Stream stream;
  e2e::Device<unsigned> counter(1);
  check(hipStreamSynchronize(nullptr)); // which fills it
  expect("launch and wait", steady([&] {
           for (int i = 0; i < kLaunches; ++i) {
             count<<<3, 100, 0, stream>>>(counter, 1);
             stream.wait();
           }
         }));
  CHECK_EQ(counter.download()[0], unsigned(3 * kRounds * kLaunches));
}

E2E_CASE(streams_in_turn) {
  const Stream streams[3];
  e2e::Device<unsigned> counter(1);
  check(hipStreamSynchronize(nullptr)); // which fills it
  expect("in turn to three streams", steady([&] {
           for (int i = 0; i < kLaunches; ++i) count<<<dim3(2, 2), dim3(40, 3), 0, streams[i % 3]>>>(counter, 1);
           for (const Stream& stream : streams) stream.wait();
         }));
  CHECK_EQ(counter.download()[0], unsigned(4 * 3 * kRounds * kLaunches)); // blocks, rows of a block
}

E2E_CASE(default_stream) {
  e2e::Device<unsigned> counter(1);
  check(hipStreamSynchronize(nullptr)); // which fills it
  expect("the default stream", steady([&] {
           for (int i = 0; i < kLaunches; ++i) count<<<1, 64>>>(counter, 1);
           check(hipStreamSynchronize(nullptr));
         }));
  CHECK_EQ(counter.download()[0], unsigned(kRounds * kLaunches));
}

E2E_CASE(events) { // which have a lock of their own: once to set the point, once to read it
  const Stream stream;
  hipEvent_t event;
  check(hipEventCreate(&event));
  e2e::Device<unsigned> counter(1);
  check(hipStreamSynchronize(nullptr)); // which fills it
  expect("launch, record, wait for the event", steady([&] {
           for (int i = 0; i < kLaunches; ++i) {
             count<<<1, 64, 0, stream>>>(counter, 1);
             check(hipEventRecord(event, stream));
             check(hipEventSynchronize(event));
           }
         }));
  check(hipEventDestroy(event));
}

E2E_CASE(grids_that_threads_share) {
  const Stream stream;
  e2e::Device<float> out(64 * 256);
  constexpr int kGrids = 12;
  expect("grids that threads share", steady([&] {
           for (int i = 0; i < kGrids; ++i) {
             work<<<64, 256, 0, stream>>>(out, 200);
             stream.wait();
           }
         }));
}
