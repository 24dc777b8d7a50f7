// hipGetLastError and its kind, and what error numbers are called. Sticky since HIP 7: hipSuccess and hipErrorNotReady
// never overwrite the last error; entry.cpp keeps to that.
#include "runtime/api/api.h"

#include <utility>

namespace hip::api {

const char* hipGetErrorName(hipError_t hip_error) {
  const char* name = error_name(static_cast<ErrorCode>(hip_error));
  return name ? name : "hipErrorUnknown";
}

const char* hipGetErrorString(hipError_t hipError) {
  const char* text = error_text(static_cast<ErrorCode>(hipError));
  return text ? text : error_text(ErrorCode::Unknown);
}

Status hipDrvGetErrorName(hipError_t hipError, const char** errorString) {
  *errorString = error_name(static_cast<ErrorCode>(hipError));
  if (*errorString) return {};
  return error(ErrorCode::InvalidValue, "{} is no HIP error.", static_cast<int>(hipError));
}

Status hipDrvGetErrorString(hipError_t hipError, const char** errorString) {
  *errorString = error_text(static_cast<ErrorCode>(hipError));
  if (*errorString) return {};
  return error(ErrorCode::InvalidValue, "{} is no HIP error.", static_cast<int>(hipError));
}

hipError_t hipGetLastError() { return to_hip(std::exchange(core::this_thread().last_error, ErrorCode::Success)); }

hipError_t hipPeekAtLastError() { return to_hip(core::this_thread().last_error); }

hipError_t hipExtGetLastError() { return to_hip(std::exchange(core::this_thread().last_result, ErrorCode::Success)); }

// Where debuggers stop at failing calls ("catch hiperr"); hip::api::answer calls it for each.
void __hipOnError(void* err_info) {
  // Debuggers look at the argument, and the call has to stay.
  asm volatile("" : : "r"(err_info) : "memory");
}

} // namespace hip::api
