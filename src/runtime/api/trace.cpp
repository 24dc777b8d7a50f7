#include "runtime/api/trace.h"

#include "runtime/api/dispatch.h"
#include "runtime/base/env.h"

#include <chrono>
#include <unistd.h>

namespace hip::api {

const char* api_name(uint32_t id) noexcept {
  static constexpr const char* kNames[] = {
      nullptr,
#define HIP_API(name, node, area, params, args, ...) #name,
#define HIP_API_BARE(name, node, area, params, args) #name,
#define HIP_API_TODO(name, node, area, params, args) #name,
#define HIP_API_RET(type, name, node, area, params, args) #name,
#define HIP_API_RET_TODO(type, name, node, area, params, args, value) #name,
#define HIP_COMPILER_API(type, name, node, params, args) #name,
#define HIP_PRIVATE_API_TODO(type, name, node, params, args, value) #name,
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
  };
  return id < static_cast<uint32_t>(ApiId::Count) ? kNames[id] : nullptr;
}

namespace detail {

constinit std::atomic<int> trace_state{-1};

int read_trace_state() noexcept {
  const int wanted = env_text(Env::OMNIHIP_TRACE) == "0" ? 0 : kTraceLines;
  int state = -1;
  // Another thread may have been quicker, and report_activity() since then.
  if (!trace_state.compare_exchange_strong(state, wanted, std::memory_order_relaxed)) return state;
  if (offer_tables()) trace_state.fetch_or(kTraceTables, std::memory_order_release);
  return trace_state.load(std::memory_order_relaxed);
}

} // namespace detail

namespace {
void set_bit(int bit, bool on) noexcept {
  if (detail::trace_state.load(std::memory_order_relaxed) < 0) detail::read_trace_state();
  if (on)
    detail::trace_state.fetch_or(bit, std::memory_order_relaxed);
  else
    detail::trace_state.fetch_and(~bit, std::memory_order_relaxed);
}
} // namespace

void report_activity(bool on) noexcept { set_bit(detail::kTraceActivity, on); }
void trace_lines(bool on) noexcept { set_bit(detail::kTraceLines, on); }
void trace_records(bool on) noexcept { set_bit(detail::kTraceRecords, on); }

uint64_t trace_clock_ns() noexcept {
  return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

namespace {

std::string text_of(const TraceArgument& a) {
  using Kind = TraceArgument::Kind;
  switch (a.kind) {
  case Kind::Signed:
    return fmt::format("{}", static_cast<int64_t>(a.bits));
  case Kind::Unsigned:
    return fmt::format("{}", a.bits);
  case Kind::Pointer:
    return a.bits ? fmt::format("{:#x}", a.bits) : "null";
  case Kind::Text:
    return a.bits ? fmt::format("\"{}\"", reinterpret_cast<const char*>(a.bits)) : "null";
  case Kind::Real: {
    double real;
    std::memcpy(&real, &a.bits, sizeof real);
    return fmt::format("{}", real);
  }
  case Kind::Shape:
    return fmt::format("{}x{}x{}", a.bits >> 32, a.bits & 0xffffffff, a.more);
  case Kind::Opaque:
    break;
  }
  return "{...}";
}

} // namespace

void write_trace(ApiId id, const char* names, std::span<const TraceArgument> arguments, const char* result,
                 uint64_t started_ns) noexcept {
  const uint64_t took_ns = trace_clock_ns() - started_ns;
  try {
    std::string line = fmt::format("omnihip trace {}: {}(", ::gettid(), api_name(static_cast<uint32_t>(id)));
    std::string_view rest(names);
    rest.remove_prefix(1);
    for (size_t i = 0; i < arguments.size(); ++i) {
      const size_t end = rest.find_first_of(",)");
      line += fmt::format("{}{} = {}", i ? ", " : "", rest.substr(0, end), text_of(arguments[i]));
      rest.remove_prefix(end + 1);
      while (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
    }
    line += fmt::format(") = {} in {}.{:03} us\n", result, took_ns / 1000, took_ns % 1000);
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  } catch (...) { // out of memory: a missing line is no reason to disturb the program
  }
}

} // namespace hip::api
