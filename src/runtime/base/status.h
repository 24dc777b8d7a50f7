// runtime/base/status.h - how errors travel inside the SDK: a Status is success or (error number, message, place); a
// Result<T> is a value or such an error. No exceptions cross a folder's edge. Success costs one null pointer.
#pragma once

#include "runtime/base/error_code.h"
#include "runtime/base/format.h"

#include <memory>
#include <optional>
#include <source_location>
#include <string>
#include <type_traits>
#include <utility>

namespace hip {

class [[nodiscard]] Status {
public:
  Status() noexcept = default; // success
  Status(ErrorCode code, std::string message, std::source_location where = std::source_location::current())
      : error_(std::make_shared<const Error>(Error{code, std::move(message), where})) {}

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
  };
  std::shared_ptr<const Error> error_; // shared: one fault may be reported by several queues
};

template <class T> class [[nodiscard]] Result {
public:
  Result(T value) : value_(std::move(value)) {}
  Result(Status status) : status_(std::move(status)) {} // status must be an error

  bool ok() const noexcept { return value_.has_value(); }
  const Status& status() const noexcept { return status_; }
  T& value() & noexcept { return *value_; }
  const T& value() const& noexcept { return *value_; }
  T&& value() && noexcept { return std::move(*value_); }
  T* operator->() noexcept { return &*value_; }
  T& operator*() & noexcept { return *value_; }

private:
  std::optional<T> value_;
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
    if (::hip::Status rt_status_ = (__VA_ARGS__); !rt_status_.ok()) return rt_status_;                                 \
  } while (0)
// RT_TRY_ASSIGN(auto x, result expression): x is the value, or the error is returned.
#define RT_TRY_ASSIGN(decl, ...) RT_TRY_ASSIGN_(RT_CONCAT(rt_result_, __LINE__), decl, __VA_ARGS__)
#define RT_TRY_ASSIGN_(tmp, decl, ...)                                                                                 \
  auto tmp = (__VA_ARGS__);                                                                                            \
  if (!tmp.ok()) return tmp.status();                                                                                  \
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
