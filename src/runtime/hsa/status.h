// runtime/hsa/status.h - errors at HSA's edge: a status number for the caller, and a sentence in the log
// (OMNIHIP_LOG=info), for HSA has no place for one. Thread safety: any thread.
#pragma once

#include "runtime/base/log.h"
#include "runtime/base/status.h"

#include <hsa/hsa_ext_amd.h>

namespace hip::hsa {

// Values of hsa_status_t that AMD's extension adds are enumerators of another type.
constexpr hsa_status_t amd_status(int value) noexcept { return static_cast<hsa_status_t>(value); }
inline constexpr hsa_status_t kNotSupported = amd_status(HSA_STATUS_ERROR_NOT_SUPPORTED);

// The status that says what the error is; writes the error to the log.
hsa_status_t to_hsa(const Status& error);
// A fault of a kernel as a queue's error callback gets it.
hsa_status_t fault_status(const Status& fault) noexcept;

// Gives `status` back and says why in the log.
template<class... A> hsa_status_t refuse(hsa_status_t status, fmt::format_string<A...> text, A&&... args) {
  if (log_enabled(LogLevel::Info)) [[unlikely]]
    write_log(LogLevel::Info, fmt::vformat(text, fmt::make_format_args(args...)));
  return status;
}

// What goes wrong inside the library, to the caller: HSA_TRY(status expression).
#define HSA_TRY(...)                                                                                                   \
  do {                                                                                                                 \
    if (const hsa_status_t hsa_try_ = (__VA_ARGS__); hsa_try_ != HSA_STATUS_SUCCESS) [[unlikely]]                      \
      return hsa_try_;                                                                                                 \
  } while (0)

} // namespace hip::hsa
