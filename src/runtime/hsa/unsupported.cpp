// runtime/hsa/unsupported.cpp - a function for each row of unsupported.def. It looks at none of its arguments, which
// its caller takes back (System V ABI), so one definition without arguments stands behind each name.
#include "runtime/hsa/entry.h"

namespace {

hsa_status_t refuse_call(const char* function, int status, const char* why) noexcept {
  return hip::hsa::entry(
      [&](hip::hsa::Runtime&) { return hip::hsa::refuse(hip::hsa::amd_status(status), "{}: {}", function, why); });
}

} // namespace

// The symbols are those that implementation_names.h gives the functions. UndefinedBehaviorSanitizer does not compare
// their types with those of the pointers in tables.
#define HSA_UNSUPPORTED(function, status, why)                                                                         \
  extern "C" [[clang::no_sanitize("function")]] hsa_status_t omnihip_##function() noexcept {                           \
    return refuse_call(#function, status, why);                                                                        \
  }
#include "runtime/hsa/unsupported.def"
#undef HSA_UNSUPPORTED
