#include "runtime/rtc/compiler/crash_guard.h"

#include "runtime/base/blocked_signals.h"
#include "runtime/base/signal_pass_on.h"

#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <sys/mman.h>

namespace hip::rtc {
namespace {

constexpr size_t kStackBytes = size_t{256} << 20; // reserved, not used: templates nest deeply
constexpr size_t kSignalStackBytes = size_t{64} << 10;
constexpr int kFaults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT};

struct Guard {
  sigjmp_buf back;
  char reason[256] = "";
};
// Reading it in a signal handler must not allocate.
__attribute__((tls_model("initial-exec"))) thread_local Guard* armed = nullptr;
struct sigaction previous[NSIG];

void on_fault(int number, siginfo_t* info, void* context) {
  Guard* const guard = armed;
  if (!guard) return pass_on_signal(previous[number], number, info, context);
  armed = nullptr;
  std::snprintf(guard->reason, sizeof guard->reason, "signal %d", number);
  siglongjmp(guard->back, 1);
}

void install_handlers() {
  static std::once_flag once;
  std::call_once(once, [] {
    struct sigaction action{};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    for (int fault : kFaults) sigaction(fault, &action, &previous[fault]);
  });
}

struct Run {
  const std::function<void()>* f;
  Guard guard;
  bool crashed = false;
};

// Memory for signal handlers: a stack overflow leaves none on the thread's own stack.
class SignalStack {
public:
  SignalStack()
      : memory_(mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {
    if (memory_ == MAP_FAILED) return;
    stack_t stack{};
    stack.ss_sp = memory_;
    stack.ss_size = kSignalStackBytes;
    sigaltstack(&stack, nullptr);
  }
  ~SignalStack() {
    if (memory_ == MAP_FAILED) return;
    stack_t off{};
    off.ss_flags = SS_DISABLE;
    sigaltstack(&off, nullptr);
    munmap(memory_, kSignalStackBytes);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

private:
  void* const memory_;
};

void* run_thread(void* argument) {
  Run& run = *static_cast<Run*>(argument);
  const SignalStack signal_stack;
  if (sigsetjmp(run.guard.back, 1) == 0) {
    armed = &run.guard;
    (*run.f)();
    armed = nullptr;
  } else {
    run.crashed = true;
  }
  return nullptr;
}

} // namespace

GuardResult run_guarded(const std::function<void()>& f, std::string& reason) {
  install_handlers();
  Run run{&f, {}};
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return GuardResult::NotStarted;
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread;
  const int failed = [&] {
    const BlockedSignals blocked;
    return pthread_create(&thread, &attributes, run_thread, &run);
  }();
  pthread_attr_destroy(&attributes);
  if (failed) return GuardResult::NotStarted;
  pthread_join(thread, nullptr);
  if (!run.crashed) return GuardResult::Returned;
  reason = run.guard.reason;
  return GuardResult::Crashed;
}

void abandon(const char* reason) noexcept {
  Guard* const guard = armed;
  if (!guard) return;
  armed = nullptr;
  std::snprintf(guard->reason, sizeof guard->reason, "%s", reason);
  siglongjmp(guard->back, 1);
}

} // namespace hip::rtc
