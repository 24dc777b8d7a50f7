#include "runtime/base/log.h"

#include "runtime/base/env.h"

#include <algorithm>
#include <sys/uio.h>
#include <unistd.h>

namespace hip {
namespace {

constexpr const char* kNames[] = {"off", "fault", "error", "warning", "info", "debug"};

int parse_level(std::string_view text) noexcept {
  constexpr int kDebug = static_cast<int>(LogLevel::Debug);
  for (int i = 0; i <= kDebug; ++i)
    if (text == kNames[i]) return i;
  if (text.size() == 1 && text[0] >= '0' && text[0] <= '9')
    return static_cast<int>(log_level_of(static_cast<size_t>(text[0] - '0')));
  return static_cast<int>(LogLevel::Fault);
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

LogLevel log_level_of(size_t amd_level) noexcept {
  constexpr size_t kFault = static_cast<size_t>(LogLevel::Fault), kDebug = static_cast<size_t>(LogLevel::Debug);
  return static_cast<LogLevel>(kFault + std::min(amd_level, kDebug - kFault));
}

void set_log_level(LogLevel level) noexcept {
  int current = detail::log_level.load(std::memory_order_relaxed);
  if (current < 0) current = detail::read_log_level();
  if (current != static_cast<int>(LogLevel::Off))
    detail::log_level.store(static_cast<int>(level), std::memory_order_relaxed);
}

void write_log(LogLevel level, std::string_view text) noexcept {
  const char* name = kNames[static_cast<int>(level)];
  auto part = [](std::string_view t) { return iovec{const_cast<char*>(t.data()), t.size()}; };
  const iovec line[] = {part("omnihip "), part(name), part(": "), part(text), part("\n")};
  // A log that cannot be written must not disturb the program: the result is dropped.
  [[maybe_unused]] const ssize_t written = ::writev(STDERR_FILENO, line, 5);
}

} // namespace hip
