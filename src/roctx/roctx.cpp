#include "roctx/roctx.h"

#include "runtime/base/env.h"
#include "runtime/base/format.h"

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <unistd.h>

#define ROCTX_EXPORT extern "C" __attribute__((visibility("default")))

namespace hip::roctx {
namespace {

std::atomic<int (*)(int, uint32_t, void*)> callback{nullptr};

bool tracing() noexcept {
  static const bool on = env_text(Env::OMNIHIP_TRACE) != "0";
  return on;
}

void report(Operation operation, const char* message, uint64_t id) noexcept {
  auto* const function = callback.load(std::memory_order_acquire);
  if (!function) return;
  CallbackData data{message, id};
  function(kActivityDomain, operation, &data);
}

// One write per line, so that lines of threads do not mix.
template<class... A> void trace(fmt::format_string<A...> text, A&&... args) noexcept try {
  std::string line = fmt::format("omnihip trace {}: ", ::gettid());
  line += fmt::vformat(text, fmt::make_format_args(args...));
  line += '\n';
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
} catch (...) { // out of memory: a missing line is no reason to disturb the program
}

// For an argument of trace().
std::string shown(const char* message) { return message ? fmt::format("\"{}\"", message) : "null"; }

uint64_t clock_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

// The nested ranges of this thread. When the outermost ones began is kept for the trace.
struct Nesting {
  int level = 0;
  std::array<uint64_t, 64> began_ns{};
};
thread_local Nesting nesting;

} // namespace
} // namespace hip::roctx

using namespace hip::roctx;

ROCTX_EXPORT uint32_t roctx_version_major() { return 4; }
ROCTX_EXPORT uint32_t roctx_version_minor() { return 1; }

ROCTX_EXPORT void roctxMarkA(const char* message) {
  report(kMark, message, 0);
  if (tracing()) trace("roctxMarkA(message = {})", shown(message));
}

ROCTX_EXPORT int roctxRangePushA(const char* message) {
  report(kRangePush, message, 0);
  const int level = nesting.level++;
  if (tracing()) {
    trace("roctxRangePushA(message = {}) = {}", shown(message), level);
    if (level < static_cast<int>(nesting.began_ns.size())) nesting.began_ns[static_cast<size_t>(level)] = clock_ns();
  }
  return level;
}

ROCTX_EXPORT int roctxRangePop() {
  report(kRangePop, nullptr, 0);
  const int level = nesting.level == 0 ? -1 : --nesting.level;
  if (!tracing()) return level;
  if (level < 0 || level >= static_cast<int>(nesting.began_ns.size())) {
    trace("roctxRangePop() = {}", level);
  } else {
    const uint64_t took_ns = clock_ns() - nesting.began_ns[static_cast<size_t>(level)];
    trace("roctxRangePop() = {}, a range of {}.{:03} us", level, took_ns / 1000, took_ns % 1000);
  }
  return level;
}

ROCTX_EXPORT uint64_t roctxRangeStartA(const char* message) {
  static std::atomic<uint64_t> next{1};
  const uint64_t id = next.fetch_add(1, std::memory_order_relaxed);
  report(kRangeStart, message, id);
  if (tracing()) trace("roctxRangeStartA(message = {}) = {}", shown(message), id);
  return id;
}

ROCTX_EXPORT void roctxRangeStop(uint64_t id) {
  report(kRangeStop, nullptr, id);
  if (tracing()) trace("roctxRangeStop(id = {})", id);
}

ROCTX_EXPORT void roctxRegisterTracerCallback(int (*function)(int domain, uint32_t operation, void* data)) {
  callback.store(function, std::memory_order_release);
}
