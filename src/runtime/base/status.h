// runtime/base/status.h - how errors travel inside the SDK: a Status is success or (error number, message, place); a
// Result<T> is a value or such an error. No exceptions cross a folder's edge. Success costs one null pointer, which a
// function returns in a register.
#pragma once

#include "runtime/base/error_code.h"
#include "runtime/base/format.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

// Marks a class that is passed and returned in registers although it has a destructor.
#if defined(__clang__)
#define RT_IN_REGISTERS [[clang::trivial_abi]]
#else
#define RT_IN_REGISTERS
#endif

namespace hip {

class [[nodiscard]] RT_IN_REGISTERS Status {
public:
  Status() noexcept = default; // success
  Status(ErrorCode code, std::string message, std::source_location where = std::source_location::current());
  Status(const Status& o) noexcept : error_(o.error_) {
    if (error_) [[unlikely]]
      error_->owners.fetch_add(1, std::memory_order_relaxed);
  }
  Status(Status&& o) noexcept : error_(std::exchange(o.error_, nullptr)) {}
  Status& operator=(Status o) noexcept {
    std::swap(error_, o.error_);
    return *this;
  }
  ~Status() {
    if (error_) [[unlikely]]
      drop(error_);
  }

  // OutOfMemory, made without memory.
  static Status no_memory() noexcept;
  // OutOfMemory: the system has no room for one more thread. Made without memory.
  static Status no_thread() noexcept;

  bool ok() const noexcept { return error_ == nullptr; }
  ErrorCode code() const noexcept { return error_ ? error_->code : ErrorCode::Success; }
  // A full sentence in the present tense with the object and the value; empty on success.
  const std::string& message() const noexcept;
  std::source_location where() const noexcept { return error_ ? error_->where : std::source_location(); }
  // "hipErrorInvalidValue: message (file:line)"
  std::string to_string() const;

private:
  struct Error {
    ErrorCode code;
    std::string message;
    std::source_location where;
    mutable std::atomic<uint32_t> owners; // one fault may be reported by several queues
  };
  static void drop(const Error* error) noexcept;
  const Error* error_ = nullptr;
};

// A small plain value, such as a pointer, comes back in registers, beside the Status.
template<class T> class [[nodiscard]] RT_IN_REGISTERS Result {
  static constexpr bool kPlain =
      std::is_trivially_copyable_v<T> && std::is_default_constructible_v<T> && sizeof(T) <= sizeof(void*);

public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {} // status must be an error

  bool ok() const noexcept { return status_.ok(); }
  const Status& status() const noexcept { return status_; }
  T& value() & noexcept { return get(value_); }
  const T& value() const& noexcept { return get(value_); }
  T&& value() && noexcept { return std::move(get(value_)); }
  T* operator->() noexcept { return &get(value_); }
  T& operator*() & noexcept { return get(value_); }

private:
  template<class V> static auto& get(V& value) noexcept {
    if constexpr (kPlain)
      return value;
    else
      return *value;
  }
  std::conditional_t<kPlain, T, std::optional<T>> value_{};
  Status status_;
};

// error(ErrorCode::InvalidValue, "Pitch {} is smaller than the width {}.", pitch, width)
template <class... A> struct ErrorFormat {
  fmt::format_string<A...> text;
  std::source_location where;
  template <class S>
  consteval ErrorFormat(const S& s, std::source_location w = std::source_location::current()) : text(s), where(w) {}
};
template <class... A> Status error(ErrorCode code, ErrorFormat<std::type_identity_t<A>...> text, A&&... args) {
  return Status(code, fmt::vformat(text.text, fmt::make_format_args(args...)), text.where);
}

} // namespace hip

#define RT_CONCAT2(a, b) a##b
#define RT_CONCAT(a, b) RT_CONCAT2(a, b)
// RT_TRY(status expression): returns the error from the calling function.
#define RT_TRY(...)                                                                                                    \
  do {                                                                                                                 \
    if (::hip::Status rt_status_ = (__VA_ARGS__); !rt_status_.ok()) [[unlikely]]                                       \
      return rt_status_;                                                                                               \
  } while (0)
// RT_TRY_ASSIGN(auto x, result expression): x is the value, or the error is returned.
#define RT_TRY_ASSIGN(decl, ...) RT_TRY_ASSIGN_(RT_CONCAT(rt_result_, __LINE__), decl, __VA_ARGS__)
#define RT_TRY_ASSIGN_(tmp, decl, ...)                                                                                 \
  auto tmp = (__VA_ARGS__);                                                                                            \
  if (!tmp.ok()) [[unlikely]]                                                                                          \
    return tmp.status();                                                                                               \
  decl = std::move(tmp).value()
// RT_CHECK(condition, "why it always holds"): stays on in release; prints and aborts. For broken invariants that guard
// memory, never for what a user can cause.
#define RT_CHECK(cond, why)                                                                                            \
  do {                                                                                                                 \
    if (!(cond)) [[unlikely]] ::hip::check_failed(#cond, why, __FILE__, __LINE__);                                     \
  } while (0)

namespace hip {
[[noreturn]] void check_failed(const char* condition, const char* why, const char* file, int line) noexcept;
}
