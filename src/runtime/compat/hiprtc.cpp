// hiprtc, in libamdhip64.so.6 and .so.5 and in libhiprtc of these numbers: before HIP 7 every program could use
// integers of fixed width and some of the standard type traits without an include. Everything else is found in
// libhiprtc.so.7.
#include "runtime/compat/compat.h"

#include <hip/hiprtc.h>

#include <string>

namespace hip::compat {
namespace {

// What programs of that time begin with. Their lines keep their numbers, and the warnings that they ask for are not for
// this.
constexpr char kPrelude[] = R"(
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Weverything"
#if !__HIP_NO_STD_DEFS__
using int32_t = __hip_internal::int32_t;
using int64_t = __hip_internal::int64_t;
using uint32_t = __hip_internal::uint32_t;
using uint64_t = __hip_internal::uint64_t;
namespace std {
using ::int32_t;
using ::int64_t;
using ::size_t;
using ::uint32_t;
using ::uint64_t;
using __hip_internal::conditional;
using __hip_internal::enable_if;
using __hip_internal::false_type;
using __hip_internal::integral_constant;
using __hip_internal::is_arithmetic;
using __hip_internal::is_convertible;
using __hip_internal::is_floating_point;
using __hip_internal::is_integral;
using __hip_internal::is_same;
using __hip_internal::is_signed;
using __hip_internal::true_type;
template <class T> struct is_scalar : integral_constant<bool, __is_scalar(T)> {};
}
#endif
#pragma clang diagnostic pop
#line 1
)";

} // namespace
} // namespace hip::compat

RT_SHIM hiprtcResult hiprtcCreateProgram(hiprtcProgram* prog, const char* src, const char* name, int numHeaders,
                                         const char* const* headers, const char* const* includeNames) {
  static void* const address = hip::compat::entry_of("libhiprtc.so.7", "hiprtcCreateProgram");
  const auto create = reinterpret_cast<decltype(&hiprtcCreateProgram)>(address);
  if (!src) return create(prog, src, name, numHeaders, headers, includeNames);
  try {
    return create(prog, (hip::compat::kPrelude + std::string(src)).c_str(), name, numHeaders, headers, includeNames);
  } catch (...) { // no memory for the text
    return HIPRTC_ERROR_OUT_OF_MEMORY;
  }
}
