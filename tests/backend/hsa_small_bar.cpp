#include "hsa_small_bar.h"

#include "runtime/base/thread_names.h"

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace small_bar {

namespace {

constexpr size_t kPage = 4096, kMost = 256;

struct Range {
  uint64_t base = 0, bytes = 0; // whole pages; 0: a free place
};
Range ranges[kMost];
std::atomic_flag busy = ATOMIC_FLAG_INIT; // guards them; a signal handler takes it, too
__attribute__((tls_model("initial-exec"))) thread_local unsigned depth = 0;
struct sigaction previous;

// Nothing that touches closed memory happens while it is held.
struct Guard {
  Guard() noexcept {
    while (busy.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Guard() { busy.clear(std::memory_order_release); }
};

void set_access(const Range& range, int access) noexcept {
  if (range.bytes != 0) ::mprotect(reinterpret_cast<void*>(range.base), range.bytes, access);
}

const Range* find(uint64_t address) noexcept {
  for (const Range& range : ranges)
    if (address - range.base < range.bytes) return &range;
  return nullptr;
}

bool is_worker() noexcept {
  char name[16] = {};
  ::prctl(PR_GET_NAME, name);
  return std::strcmp(name, hip::kWorkerThreadName) == 0;
}

void on_fault(int number, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  if (info->si_code > 0) {
    Guard guard;
    if (const Range* const range = find(address)) {
      if (depth > 0 || is_worker()) return set_access(*range, PROT_READ | PROT_WRITE);
      char text[128];
      const int length = std::snprintf(text, sizeof text, "The host touches memory of the card at %#lx.\n", address);
      static_cast<void>(!::write(2, text, static_cast<size_t>(length)));
      ::signal(SIGABRT, SIG_DFL);
      std::abort();
    }
  }
  if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(number, info, context);
  ::signal(number, SIG_DFL); // the instruction runs again
}

// Before all others', the engine's too, which takes closed memory for a kernel's fault.
void be_first() noexcept {
  struct sigaction now;
  ::sigaction(SIGSEGV, nullptr, &now);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return;
  previous = now;
  struct sigaction own{};
  own.sa_sigaction = on_fault;
  own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigaction(SIGSEGV, &own, nullptr);
}

} // namespace

void add(void* base, size_t bytes) {
  Guard guard;
  for (Range& range : ranges)
    if (range.bytes == 0) {
      range = {reinterpret_cast<uint64_t>(base), (bytes + kPage - 1) / kPage * kPage};
      return;
    }
  std::abort(); // too many allocations
}

void remove(void* base) {
  Guard guard;
  for (Range& range : ranges)
    if (range.bytes != 0 && range.base == reinterpret_cast<uint64_t>(base)) {
      set_access(range, PROT_READ | PROT_WRITE);
      range = {};
    }
}

bool holds(const void* address) {
  Guard guard;
  return find(reinterpret_cast<uint64_t>(address)) != nullptr;
}

Inside::Inside() noexcept { ++depth; }

Inside::~Inside() {
  if (--depth > 0) return;
  Guard guard;
  be_first();
  for (const Range& range : ranges) set_access(range, PROT_NONE);
}

} // namespace small_bar
