#include "runtime/base/log.h"

#include "runtime/base/env.h"

#include <algorithm>
#include <sys/uio.h>
#include <unistd.h>

namespace hip {
namespace {

constexpr const char* kNames[] = {"off", "fault", "error", "warning", "info", "debug"};

int parse_level(std::string_view text) noexcept {
  constexpr int kFault = static_cast<int>(LogLevel::Fault), kDebug = static_cast<int>(LogLevel::Debug);
  for (int i = 0; i <= kDebug; ++i)
    if (text == kNames[i]) return i;
  // AMD_LOG_LEVEL: 1 is errors, 4 and 5 are debug.
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9') return std::min(kFault + (text[0] - '0'), kDebug);
  return kFault;
}

} // namespace

namespace detail {

constinit std::atomic<int> log_level{-1};

int read_log_level() noexcept {
  const int level = parse_level(env_text(env_is_set(Env::OMNIHIP_LOG) ? Env::OMNIHIP_LOG : Env::AMD_LOG_LEVEL));
  log_level.store(level, std::memory_order_relaxed);
  return level;
}

} // namespace detail

void write_log(LogLevel level, std::string_view text) noexcept {
  const char* name = kNames[static_cast<int>(level)];
  auto part = [](std::string_view t) { return iovec{const_cast<char*>(t.data()), t.size()}; };
  const iovec line[] = {part("omnihip "), part(name), part(": "), part(text), part("\n")};
  // A log that cannot be written must not disturb the program: the result is dropped.
  [[maybe_unused]] const ssize_t written = ::writev(STDERR_FILENO, line, 5);
}

} // namespace hip
