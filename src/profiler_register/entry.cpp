// Every symbol that librocprofiler-register.so exports. No exception leaves the library.
#include "profiler_register/registry.h"

#include "runtime/base/env.h"

#include <limits>

#define REGISTER_EXPORT extern "C" __attribute__((visibility("default")))

using namespace hip::profiler_register;

namespace {

template<class F> rocprofiler_register_error_code_t guarded(F f) noexcept {
  try {
    return f();
  } catch (...) { // memory
    return ROCP_REG_ROCPROFILER_ERROR;
  }
}

} // namespace

REGISTER_EXPORT rocprofiler_register_error_code_t
rocprofiler_register_library_api_table(const char* name, rocprofiler_register_import_func_t import, uint32_t version,
                                       void** tables, uint64_t count, rocprofiler_register_library_indentifier_t* id) {
  constexpr uint64_t kMostTables = std::numeric_limits<uint32_t>::max();
  if (count < 1 || count > kMostTables) return ROCP_REG_BAD_API_TABLE_LENGTH;
  if (!name || !tables || !id) return ROCP_REG_INVALID_ARGUMENT;
  if (hip::env_is_off(hip::Env::ROCPROFILER_REGISTER_ENABLED)) return ROCP_REG_NO_TOOLS;
  return guarded([&] { return Registry::instance().add(name, import, version, tables, count, id->handle); });
}

REGISTER_EXPORT const char* rocprofiler_register_error_string(rocprofiler_register_error_code_t code) {
  switch (code) {
  case ROCP_REG_SUCCESS:
    return "Success";
  case ROCP_REG_NO_TOOLS:
    return "No profiler is there to take the API tables";
  case ROCP_REG_DEADLOCK:
    return "A profiler's function registers API tables while it is given some";
  case ROCP_REG_BAD_API_TABLE_LENGTH:
    return "The number of API tables is not valid";
  case ROCP_REG_UNSUPPORTED_API:
    return "No library of this name may register API tables";
  case ROCP_REG_INVALID_API_ADDRESS:
    return "The import function lies in another library than the name says (secure mode)";
  case ROCP_REG_ROCPROFILER_ERROR:
    return "The profiler does not take the API tables";
  case ROCP_REG_EXCESS_API_INSTANCES:
    return "The library has registered its API tables too many times";
  case ROCP_REG_INVALID_ARGUMENT:
    return "An argument is not valid";
  case ROCP_REG_ATTACHMENT_NOT_AVAILABLE:
    return "A profiler cannot be attached to a process that runs";
  }
  return "rocprofiler_register_unknown_error";
}

REGISTER_EXPORT rocprofiler_register_error_code_t
rocprofiler_register_iterate_registration_info(rocprofiler_register_registration_info_cb_t callback, void* data) {
  if (!callback) return ROCP_REG_INVALID_ARGUMENT;
  return guarded([&] {
    Registry::instance().each(callback, data);
    return ROCP_REG_SUCCESS;
  });
}

REGISTER_EXPORT rocprofiler_register_error_code_t rocprofiler_register_invoke_nonpropagated_registrations() {
  return guarded([] { return Registry::instance().propagate(Propagate::New); });
}
REGISTER_EXPORT rocprofiler_register_error_code_t rocprofiler_register_invoke_all_registrations() {
  return guarded([] { return Registry::instance().propagate(Propagate::All); });
}

REGISTER_EXPORT rocprofiler_register_error_code_t rocprofiler_register_attach(const char*, const char*) {
  return ROCP_REG_ATTACHMENT_NOT_AVAILABLE;
}
// Nothing can have been attached.
REGISTER_EXPORT rocprofiler_register_error_code_t rocprofiler_register_detach() { return ROCP_REG_NO_TOOLS; }
