// Threads that cannot be made: this program's pthread_create is the runtime's, too, and fails once (the first thread
// that the runtime wants, the second and so on), or from one of them on. Each call answers hipErrorOutOfMemory or works
// without the thread; nothing hangs, and everything works once threads can be made again. Each attempt has a process of
// its own.
#include "own_process.h"

#include <hip/hiprtc.h>

#include <atomic>
#include <cerrno>
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

namespace {

enum class Fails { One, All };

std::atomic<int> made_before_failure{-1}; // negative: all can be made
std::atomic<int> failed{0};
Fails what_fails = Fails::One;

bool fails_now() {
  if (made_before_failure.load() < 0) return false;
  const int left = made_before_failure.fetch_sub(1);
  if (left > 0) return false;
  if (what_fails == Fails::All) made_before_failure = 0;
  ++failed;
  return true;
}

} // namespace

extern "C" __attribute__((visibility("default"))) int
pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*), void* argument) {
  if (fails_now()) return EAGAIN;
  static const auto real = reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
  return real(thread, attributes, body, argument);
}

namespace {

__global__ void add(int* sum, int rounds) {
  int mine = 0;
  for (int i = 0; i < rounds; ++i) mine += (i ^ static_cast<int>(threadIdx.x)) & 1;
  if (mine >= 0) atomicAdd(sum, 1);
}
__global__ void say(int* sum) {
  printf("%s", "");
  atomicAdd(sum, 1);
}
__global__ void from_heap(int* sum) {
  int* const p = static_cast<int*>(malloc(sizeof(int)));
  if (!p) return;
  *p = 1;
  atomicAdd(sum, *p);
  free(p);
}
__global__ void wait_for(const int* flag, int* sum) {
  while (__hip_atomic_load(flag, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) == 0) continue;
  atomicAdd(sum, 1);
}
__global__ void set(int* flag) { __hip_atomic_store(flag, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT); }

void add_on_host(void* count) { ++*static_cast<std::atomic<int>*>(count); }
void called_back(hipStream_t, hipError_t, void* count) { add_on_host(count); }

// What one pass has made, given back at its end.
struct Pass {
  int *sum = nullptr, *flag = nullptr;
  hipStream_t stream = nullptr, other = nullptr;
  hipGraph_t graph = nullptr;
  hipGraphExec_t exec = nullptr;
  std::atomic<int> host_calls{0};
  ~Pass() {
    if (exec) (void)hipGraphExecDestroy(exec);
    if (graph) (void)hipGraphDestroy(graph);
    if (stream) (void)hipStreamDestroy(stream);
    if (other) (void)hipStreamDestroy(other);
    (void)hipFree(sum);
    (void)hipFree(flag);
  }
};

#define TRY(...)                                                                                                       \
  do {                                                                                                                 \
    if (const hipError_t result = (__VA_ARGS__); result != hipSuccess) {                                               \
      call = #__VA_ARGS__;                                                                                             \
      return result;                                                                                                   \
    }                                                                                                                  \
  } while (0)

// By looking, which no thread of the runtime may take for help.
hipError_t reached(hipStream_t stream) {
  hipError_t result;
  while ((result = hipStreamQuery(stream)) == hipErrorNotReady) usleep(50);
  return result;
}

hipError_t launched_on(hipStream_t stream) {
  const hipError_t result = hipGetLastError();
  return result == hipSuccess ? hipStreamSynchronize(stream) : result;
}

hipError_t compiled(const char*& call) {
  hiprtcProgram program;
  const char* const source = "extern \"C\" __global__ void k(int* p) { *p = 1; }";
  if (hiprtcCreateProgram(&program, source, "k.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS) return hipErrorUnknown;
  const hiprtcResult result = hiprtcCompileProgram(program, 0, nullptr);
  (void)hiprtcDestroyProgram(&program);
  call = "hiprtcCompileProgram";
  if (result == HIPRTC_SUCCESS) return hipSuccess;
  return result == HIPRTC_ERROR_OUT_OF_MEMORY ? hipErrorOutOfMemory : hipErrorUnknown;
}

// Everything of the runtime that has threads. The first call that fails, which `call` names; a wrong result is
// hipErrorUnknown.
hipError_t everything(const char*& call) {
  Pass p;
  TRY(hipMalloc(&p.sum, sizeof(int)));
  TRY(hipMalloc(&p.flag, sizeof(int)));
  TRY(hipMemset(p.sum, 0, sizeof(int)));
  TRY(hipMemset(p.flag, 0, sizeof(int)));
  TRY(hipDeviceSynchronize());
  TRY(hipStreamCreateWithFlags(&p.stream, hipStreamNonBlocking));
  TRY(hipStreamCreateWithFlags(&p.other, hipStreamNonBlocking));
  add<<<1, 64, 0, p.stream>>>(p.sum, 1);
  TRY(hipGetLastError());
  TRY(reached(p.stream));
  add<<<64, 256, 0, p.stream>>>(p.sum, 2000); // worth translating
  TRY(launched_on(p.stream));
  wait_for<<<1, 1, 0, p.stream>>>(p.flag, p.sum);
  TRY(hipGetLastError());
  set<<<1, 1, 0, p.other>>>(p.flag);
  const hipError_t released = hipGetLastError();
  if (released != hipSuccess) TRY(hipMemset(p.flag, 1, sizeof(int))); // the first kernel must end
  TRY(launched_on(p.stream));
  TRY(released);
  TRY(hipLaunchHostFunc(p.stream, add_on_host, &p.host_calls));
  TRY(hipStreamSynchronize(p.stream));
  TRY(hipStreamAddCallback(p.other, called_back, &p.host_calls, 0));
  TRY(hipStreamSynchronize(p.other));
  TRY(hipStreamWaitValue32(p.stream, p.flag, 1, hipStreamWaitValueEq));
  TRY(hipStreamSynchronize(p.stream));
  say<<<1, 1, 0, p.stream>>>(p.sum);
  TRY(launched_on(p.stream));
  from_heap<<<1, 64, 0, p.other>>>(p.sum);
  TRY(launched_on(p.other));
  TRY(hipGraphCreate(&p.graph, 0));
  hipGraphNode_t node;
  const hipHostNodeParams host{add_on_host, &p.host_calls};
  TRY(hipGraphAddHostNode(&node, p.graph, nullptr, 0, &host));
  TRY(hipGraphInstantiate(&p.exec, p.graph, nullptr, nullptr, 0));
  TRY(hipGraphLaunch(p.exec, p.stream));
  TRY(hipStreamSynchronize(p.stream));
  TRY(compiled(call));
  int sum = 0;
  TRY(hipMemcpy(&sum, p.sum, sizeof sum, hipMemcpyDeviceToHost));
  call = "the results";
  return sum == 64 + 64 * 256 + 1 + 1 + 64 && p.host_calls == 3 ? hipSuccess : hipErrorUnknown;
}

enum Outcome { kNoFailure = 10, kFailed = 11, kWrong = 12 };

// In a process of its own: a pass in which the n-th thread, from 0 on, cannot be made, and one in which all can.
int attempt(Fails what, int n) {
  alarm(100);                                  // for what hangs
  setenv("OMNIHIP_SOFT_TIMEOUT_S", "1000", 1); // which has a thread
  setenv("OMNIHIP_CACHE", "0", 1);
  what_fails = what;
  made_before_failure = n;
  const char* call = "";
  const hipError_t result = everything(call);
  made_before_failure = -1;
  const bool all_made = failed == 0;
  if (result != hipSuccess && (all_made || result != hipErrorOutOfMemory)) {
    std::printf("%s from thread %d on: %s gives %s\n", what == Fails::One ? "One" : "All", n, call,
                hipGetErrorName(result));
    return kWrong;
  }
  (void)hipGetLastError();
  if (const hipError_t again = everything(call); again != hipSuccess) {
    std::printf("After thread %d could not be made: %s gives %s\n", n, call, hipGetErrorName(again));
    return kWrong;
  }
  return all_made ? kNoFailure : kFailed;
}

// "One 3", "All 0"
int attempt_of(const char* words) { return attempt(words[0] == 'O' ? Fails::One : Fails::All, std::atoi(words + 4)); }

void every(Fails what) {
  constexpr int kMost = 100;
  int n = 0, status = kFailed;
  for (; n < kMost && status == kFailed; ++n) {
    const std::string words = (what == Fails::One ? "One " : "All ") + std::to_string(n);
    status = e2e::in_own_process(words, 100);
  }
  CHECK_EQ(status, int(kNoFailure));
  CHECK(n > 3); // some threads there were
}

} // namespace

E2E_ATTEMPT(attempt_of)
E2E_CASE(one_thread_that_cannot_be_made) { every(Fails::One); }
E2E_CASE(no_more_threads_can_be_made) { every(Fails::All); }
