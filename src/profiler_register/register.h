// profiler_register/register.h - what librocprofiler-register.so.0 exports. Numbers and layouts are those of ROCm's
// rocprofiler-register 0.6.
//
// Thread safety: any thread. None waits for another's tool: threads hand their tables over side by side, and tables
// that are registered while the tool is being loaded, its constructors' among them, reach it when it is there. A thread
// that registers from inside of a tool's function gets ROCP_REG_DEADLOCK.
#pragma once

#include <cstddef>
#include <cstdint>

extern "C" {

enum rocprofiler_register_error_code_t : int {
  ROCP_REG_SUCCESS = 0,
  ROCP_REG_NO_TOOLS = 1, // registered, and nobody is there yet who wants the tables
  ROCP_REG_DEADLOCK = 2,
  ROCP_REG_BAD_API_TABLE_LENGTH = 3,
  ROCP_REG_UNSUPPORTED_API = 4,
  ROCP_REG_INVALID_API_ADDRESS = 5,
  ROCP_REG_ROCPROFILER_ERROR = 6,
  ROCP_REG_EXCESS_API_INSTANCES = 7,
  ROCP_REG_INVALID_ARGUMENT = 8,
  ROCP_REG_ATTACHMENT_NOT_AVAILABLE = 9,
};

struct rocprofiler_register_library_indentifier_t { // spelt so by ROCm
  uint64_t handle;
};

struct rocprofiler_register_registration_info_t {
  size_t size;
  const char* common_name;
  uint32_t lib_version;
  uint64_t api_table_length;
};

using rocprofiler_register_import_func_t = uint32_t (*)();
using rocprofiler_register_registration_info_cb_t = int (*)(rocprofiler_register_registration_info_t* info, void* data);

// Remembers the tables and hands them to the tool. `id` gets 8 * the library's number + how many of the name came
// before.
rocprofiler_register_error_code_t
rocprofiler_register_library_api_table(const char* name, rocprofiler_register_import_func_t import, uint32_t version,
                                       void** tables, uint64_t count, rocprofiler_register_library_indentifier_t* id);
const char* rocprofiler_register_error_string(rocprofiler_register_error_code_t code);
// In the order of libraries' numbers; another result than 0 ends it.
rocprofiler_register_error_code_t
rocprofiler_register_iterate_registration_info(rocprofiler_register_registration_info_cb_t callback, void* data);
// Hand tables to a tool that has come since: those that no tool has had, or all.
rocprofiler_register_error_code_t rocprofiler_register_invoke_nonpropagated_registrations();
rocprofiler_register_error_code_t rocprofiler_register_invoke_all_registrations();
// Not there: a debugger calls these in the process that it attaches a profiler to.
rocprofiler_register_error_code_t rocprofiler_register_attach(const char* environment, const char* tool_library);
rocprofiler_register_error_code_t rocprofiler_register_detach();
}

static_assert(sizeof(rocprofiler_register_registration_info_t) == 32 &&
              offsetof(rocprofiler_register_registration_info_t, api_table_length) == 24);
