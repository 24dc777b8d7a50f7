#include "runtime/base/status.h"

#include "runtime/base/no_destroy.h"

#include <cstdio>
#include <cstdlib>

namespace hip {

Status Status::no_memory() noexcept {
  static const Status& made = *new Status(ErrorCode::OutOfMemory, "The host is out of memory."); // while there was some, see below
  return made;
}
Status Status::no_thread() noexcept {
  static const Status& made = *new Status(ErrorCode::OutOfMemory, "The system has no room for one more thread.");
  return made;
}
// Makes them when the library is loaded.
[[maybe_unused]] static const bool no_memory_is_made = !Status::no_memory().ok() && !Status::no_thread().ok();

Status::Status(ErrorCode code, std::string message, std::source_location where)
    : error_(new Error{code, std::move(message), where, 1}) {}

void Status::drop(const Error* error) noexcept {
  if (error->owners.fetch_sub(1, std::memory_order_acq_rel) == 1) delete error;
}

const std::string& Status::message() const noexcept {
  RT_NO_DESTROY static const std::string kEmpty;
  return error_ ? error_->message : kEmpty;
}

std::string Status::to_string() const {
  if (ok()) return "hipSuccess";
  const char* name = error_name(code());
  return fmt::format("{}: {} ({}:{})", name ? name : "unknown error", error_->message, error_->where.file_name(),
                     error_->where.line());
}

void check_failed(const char* condition, const char* why, const char* file, int line) noexcept {
  std::fprintf(stderr, "omnihip: internal check failed: %s (%s) at %s:%d\n", condition, why, file, line);
  std::abort();
}

} // namespace hip
