// runtime/base/log.h - the runtime's log on standard error. Faults of kernels are always told, unless OMNIHIP_LOG is
// "off"; the rest only when asked for by OMNIHIP_LOG (fault, error, warning, info, debug) or AMD_LOG_LEVEL (0 to 5). A
// disabled message costs one load and one predicted branch. Thread safety: any thread; a message is one write.
#pragma once

#include "runtime/base/format.h"

#include <atomic>
#include <string_view>

namespace hip {

enum class LogLevel : int { Off, Fault, Error, Warning, Info, Debug };

namespace detail {
extern std::atomic<int> log_level; // -1: not read from the environment yet
int read_log_level() noexcept;
} // namespace detail

inline bool log_enabled(LogLevel level) noexcept {
  int current = detail::log_level.load(std::memory_order_relaxed);
  if (current < 0) [[unlikely]]
    current = detail::read_log_level();
  return static_cast<int>(level) <= current;
}

// The level of a number as AMD_LOG_LEVEL has it: 0 faults alone, 1 errors, 4 and more debug.
LogLevel log_level_of(size_t amd_level) noexcept;
// Replaces what the environment asks for; but "off" stays off.
void set_log_level(LogLevel level) noexcept;

// Writes "omnihip <level>: text\n" whatever the level in force is: the caller has asked log_enabled, or has a reason
// not to.
void write_log(LogLevel level, std::string_view text) noexcept;

// log(LogLevel::Info, "Loaded {} kernels.", n)
template<class... A> void log(LogLevel level, fmt::format_string<A...> text, A&&... args) {
  if (log_enabled(level)) [[unlikely]]
    write_log(level, fmt::vformat(text, fmt::make_format_args(args...)));
}

} // namespace hip
