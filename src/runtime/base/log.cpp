#include "runtime/base/log.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <sys/uio.h>
#include <unistd.h>

namespace hip {
namespace {

constexpr const char* kNames[] = {"off", "fault", "error", "warning", "info", "debug"};

int parse_level(const char* text) noexcept {
  constexpr int kFault = static_cast<int>(LogLevel::Fault), kDebug = static_cast<int>(LogLevel::Debug);
  for (int i = 0; i <= kDebug; ++i)
    if (std::strcmp(text, kNames[i]) == 0) return i;
  // AMD_LOG_LEVEL: 1 is errors, 4 and 5 are debug.
  if (text[0] >= '0' && text[0] <= '9' && text[1] == '\0') return std::min(kFault + (text[0] - '0'), kDebug);
  return kFault;
}

} // namespace

namespace detail {

constinit std::atomic<int> log_level{-1};

int read_log_level() noexcept {
  const char* text = std::getenv("OMNIHIP_LOG");
  if (!text || !*text) text = std::getenv("AMD_LOG_LEVEL");
  const int level = text && *text ? parse_level(text) : static_cast<int>(LogLevel::Fault);
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
