// Ends: of a process with work in flight, of a library whose kernels are registered, of one of two copies of the
// runtime. And signals of the program, which may come at any time and must find their own handlers on the program's own
// threads.
#include "own_process.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csetjmp>
#include <csignal>
#include <dlfcn.h>
#include <filesystem>
#include <sys/time.h>
#include <thread>

namespace {

__global__ void for_ever(const int* never) {
  while (__hip_atomic_load(never, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM) == 0) continue;
}
__global__ void count(int* sum, int rounds) {
  int mine = 0;
  for (int i = 0; i < rounds; ++i) mine += (i ^ static_cast<int>(threadIdx.x)) & 1;
  if (mine >= 0) atomicAdd(sum, 1);
}

void sleep_on_host(void*) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }

constexpr int kExit = 42, kNotBegun = 1;

// Begins what `what` names, and ends the process while it is under way.
int end_with(const std::string& what, const std::string& how) {
  constexpr size_t kBytes = 32 << 20;
  constexpr int kStreams = 3, kEach = 20;
  static int never = 0;
  int *memory = nullptr, *pinned = nullptr, *flag = nullptr;
  hipStream_t streams[kStreams];
  if (hipMalloc(&memory, kBytes) != hipSuccess || hipHostMalloc(&pinned, kBytes, 0) != hipSuccess) return kNotBegun;
  if (hipHostRegister(&never, sizeof never, 0) != hipSuccess) return kNotBegun;
  if (hipHostGetDevicePointer(reinterpret_cast<void**>(&flag), &never, 0) != hipSuccess) return kNotBegun;
  for (hipStream_t& stream : streams)
    if (hipStreamCreate(&stream) != hipSuccess) return kNotBegun;
  for (int i = 0; i < kEach; ++i)
    for (const hipStream_t stream : streams) {
      hipError_t begun = hipSuccess;
      if (what == "kernels") count<<<64, 256, 0, stream>>>(memory, 1000);
      if (what == "endless" && i == 0) for_ever<<<1, 64, 0, stream>>>(flag);
      if (what == "copies") begun = hipMemcpyAsync(memory, pinned, kBytes, hipMemcpyHostToDevice, stream);
      if (what == "functions") begun = hipLaunchHostFunc(stream, sleep_on_host, nullptr);
      if (begun == hipSuccess) begun = hipGetLastError();
      if (begun != hipSuccess) return kNotBegun;
    }
  if (what == "threads") // that are in the middle of calls
    for (const hipStream_t stream : streams)
      std::thread([=] {
        for (;;) {
          count<<<4, 64, 0, stream>>>(memory, 100);
          (void)hipStreamSynchronize(stream);
        }
      }).detach();
  if (what == "threads") std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (how == "_exit") _exit(kExit);
  if (how == "quick_exit") std::quick_exit(kExit);
  if (how == "kill") raise(SIGKILL);
  if (how == "term") raise(SIGTERM);
  std::exit(kExit);
}

// ---- signals -----------------------------------------------------------------------------------------------------

std::atomic<int> ticks{0}, elsewhere{0};
pthread_t main_thread;

void tick(int) {
  ++ticks;
  if (!pthread_equal(pthread_self(), main_thread)) ++elsewhere;
}

// Calls of every kind while a timer interrupts them some thousands of times a second, without SA_RESTART.
int interrupted() {
  main_thread = pthread_self();
  struct sigaction action{};
  action.sa_handler = tick;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval every{{0, 200}, {0, 200}};
  setitimer(ITIMER_REAL, &every, nullptr);
  hipStream_t stream;
  int* sum = nullptr;
  std::atomic<int> host_calls{0};
  std::vector<int> back(1 << 18), out(1 << 18);
  constexpr int kRounds = 40;
  for (int round = 0; round < kRounds; ++round) {
    for (size_t i = 0; i < out.size(); ++i) out[i] = round + static_cast<int>(i);
    int total = -1;
    hipEvent_t event;
    const hipError_t results[] = {
        hipStreamCreate(&stream),
        hipEventCreate(&event),
        hipMalloc(&sum, out.size() * sizeof(int)),
        hipMemsetAsync(sum, 0, sizeof(int), stream),
        (count<<<32, 128, 0, stream>>>(sum, 200), hipGetLastError()),
        hipLaunchHostFunc(
            stream, [](void* calls) { ++*static_cast<std::atomic<int>*>(calls); }, &host_calls),
        hipEventRecord(event, stream),
        hipEventSynchronize(event),
        hipMemcpy(&total, sum, sizeof total, hipMemcpyDeviceToHost),
        hipMemcpyAsync(sum, out.data(), out.size() * sizeof(int), hipMemcpyHostToDevice, stream),
        hipStreamSynchronize(stream),
        hipMemcpy(back.data(), sum, out.size() * sizeof(int), hipMemcpyDeviceToHost),
        hipFree(sum),
        hipEventDestroy(event),
        hipStreamDestroy(stream),
    };
    for (const hipError_t result : results)
      if (result != hipSuccess) return 2;
    if (total != 32 * 128 || back != out || host_calls != round + 1) return 3;
  }
  const itimerval off{};
  setitimer(ITIMER_REAL, &off, nullptr);
  if (ticks == 0) return 4;
  return elsewhere == 0 ? 0 : 5;
}

sigjmp_buf back_to;
void jump_back(int) { siglongjmp(back_to, 1); }

bool own_fault_is_caught() {
  volatile int* const nowhere = reinterpret_cast<volatile int*>(16);
  if (sigsetjmp(back_to, 1) == 0) {
    *nowhere = 1;
    return false;
  }
  return true;
}

// The program's own handler of SIGSEGV gets the program's faults, whether it was installed before the runtime's or
// after.
int own_faults(bool before) {
  struct sigaction action{};
  action.sa_handler = jump_back;
  if (before) sigaction(SIGSEGV, &action, nullptr);
  int* memory = nullptr;
  if (hipMalloc(&memory, 64) != hipSuccess) return 2;
  count<<<1, 64>>>(memory, 10);
  if (hipDeviceSynchronize() != hipSuccess) return 3;
  if (!before) sigaction(SIGSEGV, &action, nullptr);
  for (int i = 0; i < 3; ++i)
    if (!own_fault_is_caught()) return 4;
  count<<<1, 64>>>(memory, 10);
  if (hipDeviceSynchronize() != hipSuccess) return 5;
  return hipFree(memory) == hipSuccess ? 0 : 6;
}

// ---- libraries ---------------------------------------------------------------------------------------------------

// A library with a kernel is loaded, used and unloaded, again and again; every other time while its kernel runs.
int unload_library() {
  constexpr int kTimes = 30;
  int* memory = nullptr;
  if (hipMalloc(&memory, sizeof(int)) != hipSuccess) return 2;
  const void* gone = nullptr;
  for (int i = 0; i < kTimes; ++i) {
    void* const library = dlopen(E2E_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 3;
    const auto add = reinterpret_cast<hipError_t (*)(int*, int)>(dlsym(library, "launch_add"));
    const auto kernel = reinterpret_cast<const void* (*)()>(dlsym(library, "kernel_add"));
    if (!add || !kernel) return 4;
    gone = kernel();
    int sum = 0;
    if (hipMemset(memory, 0, sizeof(int)) != hipSuccess || add(memory, 300) != hipSuccess) return 5;
    if (i % 2 == 0) {
      if (hipMemcpy(&sum, memory, sizeof sum, hipMemcpyDeviceToHost) != hipSuccess || sum != 64 * 256) return 6;
    }
    dlclose(library); // waits for the kernel
    if (hipDeviceSynchronize() != hipSuccess) return 7;
    if (hipMemcpy(&sum, memory, sizeof sum, hipMemcpyDeviceToHost) != hipSuccess || sum != 64 * 256) return 8;
  }
  // What is gone is not a kernel any more, and nothing else has suffered.
  void* no_arguments[1] = {};
  if (hipLaunchKernel(gone, dim3(1), dim3(1), no_arguments, 0, nullptr) != hipErrorInvalidDeviceFunction) return 9;
  (void)hipGetLastError();
  if (hipMemset(memory, 0, sizeof(int)) != hipSuccess) return 10;
  count<<<1, 64>>>(memory, 10);
  int sum = 0;
  if (hipMemcpy(&sum, memory, sizeof sum, hipMemcpyDeviceToHost) != hipSuccess) return 11;
  return sum == 64 && hipFree(memory) == hipSuccess ? 0 : 12;
}

// Another copy of the library in the process, from another folder, as programs have it that bring their own: each has
// its devices, memory and kernels.
int two_copies(const std::string& folder) {
  namespace fs = std::filesystem;
  Dl_info info{};
  void* const first = dlsym(RTLD_DEFAULT, "hipFree");
  if (!first || dladdr(first, &info) == 0) return 2;
  const fs::path library = fs::canonical(info.dli_fname);
  for (const auto& file : fs::directory_iterator(library.parent_path()))
    if (fs::canonical(file.path()) != library)
      fs::create_symlink(file.path(), fs::path(folder) / file.path().filename());
  const fs::path copy = fs::path(folder) / "copy.so";
  fs::copy_file(library, copy);
  void* const second = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!second) return 3;
#define OF_COPY(name) const auto name##_2 = reinterpret_cast<decltype(&name)>(dlsym(second, #name))
  OF_COPY(hipFree);
  OF_COPY(hipDeviceSynchronize);
  OF_COPY(hipStreamCreate);
  OF_COPY(hipModuleLoad);
  OF_COPY(hipModuleGetFunction);
  OF_COPY(hipModuleLaunchKernel);
#undef OF_COPY
  using Managed = hipError_t (*)(void**, size_t, unsigned);
  const auto hipMallocManaged_2 = reinterpret_cast<Managed>(dlsym(second, "hipMallocManaged"));
  if (reinterpret_cast<void*>(hipFree_2) == reinterpret_cast<void*>(&hipFree)) return 4;
  int *mine = nullptr, *its = nullptr, sum = 0;
  if (hipMalloc(&mine, 256 * sizeof(int)) != hipSuccess) return 5;
  if (hipMallocManaged_2(reinterpret_cast<void**>(&its), 256 * sizeof(int), hipMemAttachGlobal) != hipSuccess) return 6;
  if (hipFree(its) != hipErrorInvalidValue || hipFree_2(mine) != hipErrorInvalidValue) return 7; // the other one's
  hipStream_t stream = nullptr;
  hipModule_t module = nullptr;
  hipFunction_t function = nullptr;
  if (hipStreamCreate_2(&stream) != hipSuccess || hipModuleLoad_2(&module, E2E_MODULE) != hipSuccess) return 8;
  if (hipModuleGetFunction_2(&function, module, "fill") != hipSuccess) return 9;
  int n = 256;
  void* arguments[] = {&its, &n};
  for (int i = 0; i < 20; ++i) {
    if (hipMemset(mine, 0, sizeof(int)) != hipSuccess) return 10;
    count<<<4, 64>>>(mine, 50);
    if (hipModuleLaunchKernel_2(function, 4, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr) != hipSuccess) return 11;
    if (hipMemcpy(&sum, mine, sizeof sum, hipMemcpyDeviceToHost) != hipSuccess || sum != 256) return 12;
    if (hipDeviceSynchronize_2() != hipSuccess || its[255] != 1 + 3 * 255) return 13;
    its[255] = 0;
  }
  return hipFree(mine) == hipSuccess && hipFree_2(its) == hipSuccess ? 0 : 14; // and both end with the process
}

int attempt_of(const char* words) {
  const std::string all = words;
  const size_t blank = all.find(' ');
  const std::string what = all.substr(0, blank), how = blank == std::string::npos ? "" : all.substr(blank + 1);
  if (what == "interrupted") return interrupted();
  if (what == "faults") return own_faults(how == "before");
  if (what == "unload") return unload_library();
  if (what == "copies_of_the_library") return two_copies(how);
  return end_with(what, how);
}

} // namespace

E2E_ATTEMPT(attempt_of)

E2E_CASE(processes_end_with_work_in_flight) {
  // A kernel that goes on while the process ends must keep its code: more than once, for it is a matter of microseconds.
  for (int i = 0; i < 4; ++i) CHECK_EQ(e2e::in_own_process("endless exit", 60), kExit);
  for (const char* const what : {"kernels", "endless", "copies", "functions", "threads"}) {
    for (const char* const how : {"exit", "quick_exit", "_exit"}) {
      const int status = e2e::in_own_process(std::string(what) + " " + how, 60);
      if (status != kExit)
        e2e::fail(__FILE__, __LINE__, std::string(what) + ", " + how + ": status " + std::to_string(status));
    }
    CHECK_EQ(e2e::in_own_process(std::string(what) + " kill", 60), -SIGKILL);
    CHECK_EQ(e2e::in_own_process(std::string(what) + " term", 60), -SIGTERM);
  }
}
E2E_CASE(a_timer_interrupts_every_call) { CHECK_EQ(e2e::in_own_process("interrupted", 60), 0); }
E2E_CASE(faults_of_the_program_are_its_own) {
  CHECK_EQ(e2e::in_own_process("faults before", 60), 0);
  CHECK_EQ(e2e::in_own_process("faults after", 60), 0);
}
E2E_CASE(a_library_with_kernels_is_unloaded) { CHECK_EQ(e2e::in_own_process("unload", 100), 0); }
E2E_CASE(two_copies_of_the_runtime) {
  char folder[] = "/tmp/omnihip_copies_XXXXXX";
  CHECK(mkdtemp(folder) != nullptr);
  CHECK_EQ(e2e::in_own_process(std::string("copies_of_the_library ") + folder, 60), 0);
  std::filesystem::remove_all(folder);
}
