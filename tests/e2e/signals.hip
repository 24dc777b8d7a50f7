// Signals that are sent to the process (kill, raise) do what they do without HIP, whatever handlers the runtime and its
// compiler have: the action that the program had chosen before. Faults of kernels are reported afterwards as before.
// Each attempt has a process of its own.
#include "own_process.h"

#include <hip/hiprtc.h>

#include <csignal>
#include <sys/resource.h>

namespace {

constexpr unsigned kSeconds = 60;
constexpr int kNumbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};

__global__ void store_to(int* p) { p[threadIdx.x] = 1; }

volatile std::sig_atomic_t handled = 0;
void count(int) { handled = handled + 1; }

// The runtime and its compiler have run, and with them their handlers are there.
bool use_hip() {
  e2e::Device<int> data(64);
  store_to<<<1, 64>>>(data);
  if (e2e::finish() != hipSuccess || data.download()[63] != 1) return false;
  hiprtcProgram program;
  const char* const source = "extern \"C\" __global__ void k(int* p) { *p = 1; }";
  if (hiprtcCreateProgram(&program, source, "k.hip", 0, nullptr, nullptr) != HIPRTC_SUCCESS) return false;
  const hiprtcResult result = hiprtcCompileProgram(program, 0, nullptr);
  (void)hiprtcDestroyProgram(&program);
  return result == HIPRTC_SUCCESS;
}

// A kernel stores to memory that has been given back.
bool reports_a_fault() {
  int* p = nullptr;
  if (hipMalloc(&p, 1 << 20) != hipSuccess || hipFree(p) != hipSuccess) return false;
  store_to<<<1, 64>>>(p);
  return e2e::finish() == hipErrorIllegalAddress;
}

// "<action> <number>": default, ignored or handled. 0: as it has to be.
int attempt(const std::string& words) {
  const rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
  setenv("OMNIHIP_CACHE", "0", 1); // in which the program might be
  const std::string action = words.substr(0, words.find(' '));
  const int number = std::stoi(words.substr(action.size()));
  std::signal(number, action == "default" ? SIG_DFL : action == "ignored" ? SIG_IGN : count);
  if (!use_hip()) return 1;
  for (int k = 1; k <= 2; ++k) { // the second one meets what the first one has left
    raise(number);
    if (action == "default") return 2;
    if (handled != (action == "handled" ? k : 0)) return 3;
    if (!reports_a_fault()) return 4;
  }
  return 0;
}

int result_of(const char* action, int number) {
  return e2e::in_own_process(action + (" " + std::to_string(number)), kSeconds);
}

} // namespace

E2E_ATTEMPT(attempt)

E2E_CASE(the_default_action_ends_the_process) {
  for (const int number : kNumbers) CHECK_EQ(result_of("default", number), -number);
}
E2E_CASE(what_the_program_ignores_is_ignored) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "the device is lost with the first fault");
  for (const int number : kNumbers) CHECK_EQ(result_of("ignored", number), 0);
}
E2E_CASE(handlers_of_the_program_are_called) {
  E2E_LEAVE_OUT_IF(e2e::on_nvidia(), "the device is lost with the first fault");
  for (const int number : kNumbers) CHECK_EQ(result_of("handled", number), 0);
}
