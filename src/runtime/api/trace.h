// runtime/api/trace.h - one line per API call on standard error, when the environment asks for it (OMNIHIP_TRACE=1):
// the function, its arguments, its result and how long it took. And whether a tool wants to see calls (activity.h), or
// may have changed where they go (dispatch.h). Off, a call pays one load and one predicted branch for all of it.
#pragma once

#include "runtime/api/api.h"

#include <array>
#include <atomic>
#include <cstring>
#include <span>
#include <type_traits>

namespace hip::api {

struct TraceArgument {
  enum class Kind : uint8_t { Signed, Unsigned, Pointer, Text, Real, Shape, Opaque } kind;
  uint64_t bits = 0;
  uint64_t more = 0; // Shape: z
};

template<class T> TraceArgument trace_argument(const T& value) noexcept {
  using Kind = TraceArgument::Kind;
  if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, char*>) {
    return {Kind::Text, reinterpret_cast<uint64_t>(value)};
  } else if constexpr (std::is_pointer_v<T>) {
    return {Kind::Pointer, reinterpret_cast<uint64_t>(value)};
  } else if constexpr (std::is_floating_point_v<T>) {
    const double real = value;
    TraceArgument a{Kind::Real};
    std::memcpy(&a.bits, &real, sizeof real);
    return a;
  } else if constexpr (std::is_enum_v<T> || std::is_integral_v<T>) {
    return {std::is_signed_v<T> ? Kind::Signed : Kind::Unsigned, static_cast<uint64_t>(value)};
  } else if constexpr (std::is_same_v<T, dim3>) {
    return {Kind::Shape, uint64_t{value.x} << 32 | value.y, value.z};
  } else {
    return {Kind::Opaque};
  }
}

template<class... T> std::array<TraceArgument, sizeof...(T)> trace_arguments(const T&... values) noexcept {
  return {trace_argument(values)...};
}

namespace detail {
// Bits: kTraceLines, kTraceActivity, kTraceRecords, kTraceTables; negative: not read from the environment yet.
inline constexpr int kTraceLines = 1, kTraceActivity = 2, kTraceRecords = 4, kTraceTables = 8;
extern std::atomic<int> trace_state;
int read_trace_state() noexcept;
} // namespace detail

// Somebody wants to see calls, or they go through tables.
inline bool tracing() noexcept {
  const int state = detail::trace_state.load(std::memory_order_relaxed);
  return state != 0 && (state > 0 || detail::read_trace_state() > 0);
}
// Somebody wants to see calls; for calls that tracing() holds for.
inline bool tracing_calls() noexcept {
  return (detail::trace_state.load(std::memory_order_relaxed) & ~detail::kTraceTables) != 0;
}
// The tables are a profiler's to change, and what it has changed until then is seen; for calls that tracing() holds
// for.
inline bool tables_are_offered() noexcept {
  return (detail::trace_state.load(std::memory_order_acquire) & detail::kTraceTables) != 0;
}
// Lines are wanted; for calls that tracing() holds for.
inline bool tracing_lines() noexcept {
  return (detail::trace_state.load(std::memory_order_relaxed) & detail::kTraceLines) != 0;
}
// From now on a tool's callback is there, or is not; lines are wanted, or are not; calls are recorded, or are not.
void report_activity(bool on) noexcept;
void trace_lines(bool on) noexcept;
void trace_records(bool on) noexcept;

// Calls are recorded (profiler.h); for calls that tracing() holds for.
inline bool tracing_records() noexcept {
  return (detail::trace_state.load(std::memory_order_relaxed) & detail::kTraceRecords) != 0;
}

uint64_t trace_clock_ns() noexcept;
// `names` is the row's argument list, "(ptr, size)". Errors in writing are ignored.
void write_trace(ApiId id, const char* names, std::span<const TraceArgument> arguments, const char* result,
                 uint64_t started_ns) noexcept;

} // namespace hip::api
