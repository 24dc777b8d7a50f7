#include "runtime/base/error_code.h"

namespace hip {

const char* error_name(ErrorCode code) noexcept {
  switch (static_cast<int>(code)) {
  case 0: return "hipSuccess";
#define HIP_ERROR(name, value, text)                                                                                   \
  case value: return "hipError" #name;
#define HIP_ERROR_ALIAS(name, value, same_as)
#include "api/errors.def"
#undef HIP_ERROR
#undef HIP_ERROR_ALIAS
  default: return nullptr;
  }
}

const char* error_text(ErrorCode code) noexcept {
  switch (static_cast<int>(code)) {
  case 0: return "no error";
#define HIP_ERROR(name, value, text)                                                                                   \
  case value: return text;
#define HIP_ERROR_ALIAS(name, value, same_as)
#include "api/errors.def"
#undef HIP_ERROR
#undef HIP_ERROR_ALIAS
  default: return nullptr;
  }
}

} // namespace hip
