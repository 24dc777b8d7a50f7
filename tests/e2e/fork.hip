// fork() and HIP: a child may use HIP when its parent had not begun to. Later children get an error from every call,
// whether the parent's devices are idle or a kernel runs, and they can end through exit() with all its destructors.
#include "e2e.h"

#include <functional>
#include <sys/wait.h>
#include <unistd.h>

namespace {

bool forked = false;

// Runs `body` in a child, which ends through exit(); its exit status, or -1 when a signal ended it. The alarm is for a
// child that hangs.
int in_child(const std::function<int()>& body) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    forked = true;
    alarm(60);
    std::exit(body());
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
  return WEXITSTATUS(status);
}

__global__ void add_one(int* p) { *p += 1; }

__global__ void wait_for_host(const int* go, int* done) {
  while (__hip_atomic_load(go, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) == 0) continue;
  *done = 1;
}

int use_hip() {
  int value = 40, *p = nullptr;
  if (hipMalloc(&p, sizeof value) != hipSuccess) return 1;
  if (hipMemcpy(p, &value, sizeof value, hipMemcpyHostToDevice) != hipSuccess) return 2;
  add_one<<<1, 1>>>(p);
  if (hipMemcpy(&value, p, sizeof value, hipMemcpyDeviceToHost) != hipSuccess) return 3;
  return value == 41 ? 0 : 4;
}

struct Parents {
  int *memory, *pinned;
  hipStream_t stream;
  hipEvent_t event;
};

// The number of the first call in a child that does not fail as it has to; 0: all do.
int first_wrong_call(const Parents& parents) {
  int i = 0, value = 0;
  void* p = nullptr;
  hipStream_t stream;
  add_one<<<1, 1>>>(parents.memory);
  for (const hipError_t result :
       {hipGetLastError(), hipDeviceSynchronize(), hipStreamSynchronize(nullptr), hipStreamSynchronize(parents.stream),
        hipStreamQuery(parents.stream), hipEventSynchronize(parents.event), hipEventQuery(parents.event),
        hipEventRecord(parents.event, nullptr), hipStreamWaitEvent(parents.stream, parents.event, 0), hipMalloc(&p, 16),
        hipFree(parents.memory), hipHostFree(parents.pinned), hipMemset(parents.memory, 0, 4),
        hipMemcpy(&value, parents.memory, sizeof value, hipMemcpyDeviceToHost), hipStreamCreate(&stream),
        hipStreamDestroy(parents.stream), hipEventDestroy(parents.event), hipSetDevice(0), hipDeviceReset()}) {
    ++i;
    if (result != hipErrorNotInitialized) return i;
  }
  return 0;
}

} // namespace

// LeakSanitizer asks: to a child that was forked, what its parent's other threads hold looks lost.
extern "C" int __lsan_is_turned_off() { return forked; }

E2E_CASE(child_before_the_first_call) { CHECK_EQ(in_child(use_hip), 0); }

E2E_CASE(children_get_errors) {
  CHECK_EQ(use_hip(), 0);
  Parents parents{};
  HIP_OK(hipMalloc(&parents.memory, sizeof(int)));
  HIP_OK(hipHostMalloc(&parents.pinned, 2 * sizeof(int)));
  HIP_OK(hipStreamCreate(&parents.stream));
  HIP_OK(hipEventCreate(&parents.event));
  HIP_OK(hipDeviceSynchronize());
  CHECK_EQ(in_child([&] { return first_wrong_call(parents); }), 0);

  parents.pinned[0] = parents.pinned[1] = 0;
  wait_for_host<<<1, 1, 0, parents.stream>>>(parents.pinned, parents.pinned + 1);
  HIP_OK(hipGetLastError());
  HIP_OK(hipEventRecord(parents.event, parents.stream));
  CHECK_EQ(in_child([&] { return first_wrong_call(parents); }), 0);
  CHECK_EQ(in_child([] { return in_child([] { return hipDeviceSynchronize() == hipErrorNotInitialized ? 0 : 1; }); }),
           0);
  CHECK_EQ(in_child([] { return 0; }), 0); // exit alone

  // The parent goes on.
  CHECK_EQ(hipEventQuery(parents.event), hipErrorNotReady);
  __atomic_store_n(&parents.pinned[0], 1, __ATOMIC_RELEASE);
  HIP_OK(hipDeviceSynchronize());
  CHECK_EQ(parents.pinned[1], 1);
  CHECK_EQ(use_hip(), 0);
  HIP_OK(hipEventDestroy(parents.event));
  HIP_OK(hipStreamDestroy(parents.stream));
  HIP_OK(hipHostFree(parents.pinned));
  HIP_OK(hipFree(parents.memory));
}
