// Every symbol that libamdhip64.so exports, one expansion per row of hip/api/api.def: initialise, trace, check, call
// the implementation in hip::api, and set the calling thread's last error. Nothing else in the library sets it. A
// missing implementation is a link error; a row that differs from the public header, or is in none, is a compile error.
// A call that somebody may want to see goes to a second function of the row (hip::api::direct), through a profiler's
// table if there is one.
#include "runtime/api/activity.h"
#include "runtime/api/api.h"
#include "runtime/api/dispatch.h"
#include "runtime/api/profiler.h"
#include "runtime/api/trace.h"
#include "runtime/base/log.h"

#include <array>
#include <atomic>
#include <exception>
#include <functional>
#include <new>
#include <string_view>

#pragma clang diagnostic error "-Wmissing-prototypes"
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

extern "C" void __hipOnError(void* err_info);

namespace hip::api {
namespace {

// Errors that say that a kernel went wrong while it ran: the text is all that a user has to find out why.
bool is_fault(ErrorCode code) noexcept {
  switch (code) {
  case ErrorCode::IllegalAddress:
  case ErrorCode::InvalidKernelFile:
  case ErrorCode::LaunchFailure:
  case ErrorCode::LaunchTimeOut:
  case ErrorCode::Assert:
    return true;
  default:
    return false;
  }
}

// Whether a message has been told before in this process, to which it belongs from now on; true for those that there is
// no room for.
bool told_before(std::string_view message) noexcept {
  static std::array<std::atomic<size_t>, 64> told{};
  const size_t hash = std::hash<std::string_view>()(message) | 1;
  for (std::atomic<size_t>& place : told) {
    size_t there = 0;
    if (place.compare_exchange_strong(there, hash, std::memory_order_relaxed)) return false;
    if (there == hash) return true;
  }
  return true;
}

// Faults of kernels are always told. So is, once for each message, that a file has no code for the device or that a
// part of the SDK cannot be loaded (the engine, hiprtc): libraries that do not look at a launch's error otherwise
// return success with results that nobody has written, and the code alone does not say what is missing.
LogLevel level_of(const Status& status) noexcept {
  if (is_fault(status.code())) return LogLevel::Fault;
  const bool of_files =
      status.code() == ErrorCode::NoBinaryForGpu || status.code() == ErrorCode::SharedObjectInitFailed;
  return of_files && !told_before(status.message()) ? LogLevel::Fault : LogLevel::Error;
}

} // namespace

hipError_t answer(const char* entry, const Status& status) noexcept {
  core::ThreadState& thread = core::this_thread();
  thread.last_result = status.code();
  if (status.ok()) return hipSuccess;
  if (status.code() == ErrorCode::NotReady) return hipErrorNotReady; // an answer, not an error
  thread.last_error = status.code();
  // What debuggers read at their breakpoint.
  const char *const error_is = error_name(status.code()), *const means = error_text(status.code());
  struct {
    hipError_t code;
    const char *name, *text;
  } info{to_hip(status.code()), error_is ? error_is : "", means ? means : ""};
  ::__hipOnError(&info);
  const LogLevel level = level_of(status);
  if (log_enabled(level)) {
    try {
      const char* name = error_name(status.code());
      write_log(level, fmt::format("{} returns {}: {}", entry, name ? name : "an unknown error", status.message()));
    } catch (...) { // out of memory: the caller still gets the code
    }
  }
  return to_hip(status.code());
}

namespace {

[[gnu::cold, gnu::noinline]] hipError_t fail(ApiId id, const Status& status) noexcept {
  return answer(api_name(static_cast<uint32_t>(id)), status);
}

[[gnu::cold, gnu::noinline]] hipError_t fail_with_exception(ApiId id) noexcept {
  try {
    try {
      throw;
    } catch (const std::bad_alloc&) {
      return fail(id, Status::no_memory());
    } catch (const std::exception& e) {
      return fail(id, Status(ErrorCode::Unknown, e.what()));
    } catch (...) {
      return fail(id, Status(ErrorCode::Unknown, "An unknown exception."));
    }
  } catch (...) { // not even the Status could be made
    core::this_thread().last_error = core::this_thread().last_result = ErrorCode::OutOfMemory;
    return hipErrorOutOfMemory;
  }
}

template<class F> [[gnu::always_inline]] inline hipError_t run(ApiId id, const F& body) noexcept {
  try {
    if (const Status ready = core::initialise(); !ready.ok()) [[unlikely]]
      return fail(id, ready);
    const Status status = body();
    if (!status.ok()) [[unlikely]]
      return fail(id, status);
  } catch (...) {
    return fail_with_exception(id);
  }
  core::this_thread().last_result = ErrorCode::Success;
  return hipSuccess;
}

// Who sees a call. Lines name its arguments by the row's argument list, "(ptr, size)"; a tool's callback gets them
// packed.
struct TracedCall {
  ApiId id;
  const char* names;
  std::span<const TraceArgument> arguments;
  void (*pack)(const void* packer, ActivityData& to);
  const void* packer;
};

// From here to the end of its scope a call is seen.
class CallTrace {
public:
  [[gnu::cold, gnu::noinline]] explicit CallTrace(const TracedCall& call) noexcept : call_(call), activity_(call.id) {
    if (activity_.wants_arguments()) call.pack(call.packer, activity_.data());
    activity_.enter();
    if (tracing_records()) record_.begin(call.id, call.names, call.arguments);
  }
  void set_result(hipError_t result) noexcept {
    set_value(result);
    succeeded_ = result == hipSuccess;
  }
  // Of a call that cannot fail: the error that it tells.
  void set_value(hipError_t value) noexcept {
    const char* const name = error_name(static_cast<ErrorCode>(value));
    result_ = name ? name : "?";
  }
  ~CallTrace() {
    record_.end(succeeded_);
    if (lines_) write_trace(call_.id, call_.names, call_.arguments, result_, started_);
  }

private:
  const TracedCall& call_;
  const bool lines_ = tracing_lines(); // also of the call that ends them
  const uint64_t started_ = trace_clock_ns();
  const char* result_ = "done";
  bool succeeded_ = true;
  ActivityScope activity_;
  CallRecord record_;
};

[[gnu::cold, gnu::noinline]] hipError_t traced(const TracedCall& call, Status (*body)(const void*),
                                               const void* captured) noexcept {
  if (!tracing_calls()) return run(call.id, [&] { return body(captured); }); // a table's only
  CallTrace trace(call);
  const hipError_t result = run(call.id, [&] { return body(captured); });
  trace.set_result(result);
  return result;
}

template<class P> TracedCall traced_call(ApiId id, const char* names, std::span<const TraceArgument> arguments,
                                         const P& packer) noexcept {
  return {id, names, arguments, [](const void* p, ActivityData& to) { (*static_cast<const P*>(p))(to); }, &packer};
}

template<class P, class F> [[gnu::cold, gnu::noinline]] hipError_t
traced(ApiId id, const char* names, std::span<const TraceArgument> arguments, const P& packer, const F& body) noexcept {
  return traced(
      traced_call(id, names, arguments, packer), [](const void* f) -> Status { return (*static_cast<const F*>(f))(); },
      &body);
}

template<class F> [[gnu::always_inline]] inline auto run_value(ApiId id, const F& body) noexcept {
  try {
    return body();
  } catch (...) { // only memory can be missing here
    fail_with_exception(id);
    return decltype(body())();
  }
}

template<class P, class F> [[gnu::cold, gnu::noinline]] auto traced_value(ApiId id, const char* names,
                                                                          std::span<const TraceArgument> arguments,
                                                                          const P& packer, const F& body) noexcept {
  if (!tracing_calls()) return run_value(id, body); // a table's only
  const TracedCall call = traced_call(id, names, arguments, packer);
  CallTrace trace(call);
  if constexpr (std::is_same_v<decltype(body()), hipError_t>) {
    const hipError_t value = run_value(id, body);
    trace.set_value(value);
    return value;
  } else {
    return run_value(id, body);
  }
}

// Of rows that are not done, when there are any.
[[maybe_unused]] Status not_supported(ApiId id) {
  return error(ErrorCode::NotSupported, "{} is not implemented yet.", api_name(static_cast<uint32_t>(id)));
}

[[gnu::cold]] Status null_argument(const char* name) {
  return error(ErrorCode::InvalidValue, "The argument \"{}\" is null.", name);
}

} // namespace
} // namespace hip::api

#define RT_EXPORT extern "C" __attribute__((visibility("default")))

namespace hip::api {
template<class F> struct Exported;
template<class R, class... A> struct Exported<R(A...)> { using Type = hipError_t(A...); };
} // namespace hip::api
#define RT_HOT(name) extern "C" [[gnu::hot]] hip::api::Exported<decltype(hip::api::name)>::Type name;
RT_HOT_FUNCTIONS
#undef RT_HOT

#define NONNULL(parameter)                                                                                             \
  if (parameter == nullptr) [[unlikely]]                                                                               \
    return null_argument(#parameter);

// Only the bodies capture the arguments, by value: where nothing takes an argument's address, it stays in its register.
#define RT_BODY(name, args, ...)                                                                                       \
  {                                                                                                                    \
    return traced(                                                                                                     \
        ApiId::name, #args, trace_arguments args, [=](ActivityData& to) { ArgumentPacker{ApiId::name, to} args; },     \
        [=]() -> hip::Status { __VA_ARGS__ });                                                                         \
  }
#define RT_BODY_VALUE(name, args, ...)                                                                                 \
  {                                                                                                                    \
    return traced_value(                                                                                               \
        ApiId::name, #args, trace_arguments args, [=](ActivityData& to) { ArgumentPacker{ApiId::name, to} args; },     \
        [=] { __VA_ARGS__ });                                                                                          \
  }
#define RT_FUNCTION [[gnu::cold]] static

namespace hip::api::direct {
#include "runtime/api/function_rows.h"
#define HIP_API_ALIAS(symbol, function, node)
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
} // namespace hip::api::direct
#undef RT_FUNCTION
#undef RT_BODY
#undef RT_BODY_VALUE

namespace hip::api {
constinit RuntimeTable runtime_table = {
    sizeof(RuntimeTable),
#define HIP_DISPATCH(name) &direct::name,
#define HIP_COMPILER_DISPATCH(name)
#include "api/dispatch.def"
#undef HIP_DISPATCH
#undef HIP_COMPILER_DISPATCH
};
constinit CompilerTable compiler_table = {
    sizeof(CompilerTable),
#define HIP_DISPATCH(name)
#define HIP_COMPILER_DISPATCH(name) &direct::name,
#include "api/dispatch.def"
#undef HIP_DISPATCH
#undef HIP_COMPILER_DISPATCH
};
} // namespace hip::api

#define RT_FUNCTION RT_EXPORT
#define RT_BODY(name, args, ...)                                                                                       \
  {                                                                                                                    \
    using namespace hip::api;                                                                                          \
    if (tracing()) [[unlikely]]                                                                                        \
      return dispatched<ApiId::name>(&direct::name) args;                                                              \
    return run(ApiId::name, [=]() -> hip::Status { __VA_ARGS__ });                                                     \
  }

#define RT_BODY_VALUE(name, args, ...)                                                                                 \
  {                                                                                                                    \
    using namespace hip::api;                                                                                          \
    if (tracing()) [[unlikely]]                                                                                        \
      return dispatched<ApiId::name>(&direct::name) args;                                                              \
    return run_value(ApiId::name, [=] { __VA_ARGS__ });                                                                \
  }

#include "runtime/api/function_rows.h"
#define HIP_API_ALIAS(symbol, function, node)                                                                          \
  RT_EXPORT __attribute__((alias(#function))) decltype(function) RT_CONCAT(alias_, __LINE__) __asm__(symbol);
#include "api/api.def"
#include "runtime/api/undefine_rows.h"
