// runtime/hsa/executable_entries.cpp - code objects and executables of the interface.
#include "runtime/hsa/entry.h"

using namespace hip::hsa;

namespace {

Executable* find(const Runtime& runtime, hsa_executable_t handle) { return runtime.find(handle); }

// Symbols live as long as their executable; a handle that is none of a live executable's is invalid.
const Symbol* find(const Runtime& runtime, hsa_executable_symbol_t handle) {
  const Symbol* found = nullptr;
  static_cast<void>(runtime.for_each_executable([&](Executable& executable) {
    for (const std::unique_ptr<Symbol>& symbol : executable.symbols())
      if (reinterpret_cast<uint64_t>(symbol.get()) == handle.handle) found = symbol.get();
    return found ? HSA_STATUS_INFO_BREAK : HSA_STATUS_SUCCESS;
  }));
  return found;
}

hsa_executable_symbol_t handle_of(const Symbol& symbol) noexcept { return {reinterpret_cast<uint64_t>(&symbol)}; }

hsa_status_t symbol_info(const Symbol& symbol, hsa_executable_symbol_info_t attribute, void* value) {
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_TYPE:
    return answer(value, symbol.is_kernel ? HSA_SYMBOL_KIND_KERNEL : HSA_SYMBOL_KIND_VARIABLE);
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH:
    return answer<uint32_t>(value, static_cast<uint32_t>(symbol.name.size()));
  case HSA_EXECUTABLE_SYMBOL_INFO_NAME:
    return answer_characters(value, symbol.name);
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME_LENGTH:
    return answer<uint32_t>(value, 0);
  case HSA_EXECUTABLE_SYMBOL_INFO_MODULE_NAME:
    return HSA_STATUS_SUCCESS; // no characters
  case HSA_EXECUTABLE_SYMBOL_INFO_AGENT:
    return answer(value, symbol.agent->handle());
  case HSA_EXECUTABLE_SYMBOL_INFO_LINKAGE:
    return answer(value, HSA_SYMBOL_LINKAGE_PROGRAM);
  case HSA_EXECUTABLE_SYMBOL_INFO_IS_DEFINITION:
    return answer(value, true);
  default:
    break;
  }
  if (symbol.is_kernel) switch (attribute) {
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT:
      return answer<uint64_t>(value, symbol.address);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE:
      return answer<uint32_t>(value, symbol.kernarg_bytes);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT:
      return answer<uint32_t>(value, symbol.kernarg_alignment);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE:
      return answer<uint32_t>(value, symbol.group_bytes);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE:
      return answer<uint32_t>(value, symbol.private_bytes);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_DYNAMIC_CALLSTACK:
      return answer(value, symbol.dynamic_stack);
    case HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_CALL_CONVENTION:
      return answer<uint32_t>(value, 0);
    default:
      return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    }
  switch (attribute) {
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS:
    return answer<uint64_t>(value, symbol.address);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SIZE:
    return answer<uint32_t>(value, static_cast<uint32_t>(symbol.bytes));
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALLOCATION:
    return answer(value, HSA_VARIABLE_ALLOCATION_AGENT);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_SEGMENT:
    return answer(value, HSA_VARIABLE_SEGMENT_GLOBAL);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ALIGNMENT:
    return answer<uint32_t>(value, 0);
  case HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_IS_CONST:
    return answer(value, false);
  default:
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  }
}

hsa_status_t create(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, hsa_executable_t* out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!out || (profile != HSA_PROFILE_BASE && profile != HSA_PROFILE_FULL)) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    *out = runtime.add(std::make_unique<Executable>(profile, rounding))->handle();
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t find_symbol(hsa_executable_t handle, const char* name, const hsa_agent_t* agent_handle,
                         hsa_executable_symbol_t* out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Executable* const executable = find(runtime, handle);
    if (!executable) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!name || !out) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    const Agent* const agent = agent_handle ? runtime.find(*agent_handle) : nullptr;
    if (agent_handle && !agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    const Symbol* const symbol = executable->find(name, agent);
    if (!symbol) return refuse(HSA_STATUS_ERROR_INVALID_SYMBOL_NAME, "The executable has no symbol \"{}\".", name);
    *out = handle_of(*symbol);
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t define(hsa_executable_t handle, const hsa_agent_t* agent_handle, const char* name, void* address) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    Executable* const executable = find(runtime, handle);
    if (!executable) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!name) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    Agent* const agent = agent_handle ? runtime.find(*agent_handle) : nullptr;
    if (agent_handle && !agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    return executable->define(agent, name, address);
  });
}

hsa_status_t validate(hsa_executable_t handle, uint32_t* result) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!find(runtime, handle)) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    return result ? answer<uint32_t>(result, 0) : HSA_STATUS_ERROR_INVALID_ARGUMENT; // what was loaded is valid
  });
}

} // namespace

// ---- readers -----------------------------------------------------------------------------------------------------

hsa_status_t hsa_code_object_reader_create_from_memory(const void* memory, size_t bytes,
                                                       hsa_code_object_reader_t* out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!memory || bytes == 0 || !out) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    auto reader = std::make_unique<Reader>(std::span(static_cast<const std::byte*>(memory), bytes));
    out->handle = reinterpret_cast<uint64_t>(runtime.add(std::move(reader)));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_code_object_reader_create_from_file(hsa_file_t file, hsa_code_object_reader_t* out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!out) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    hip::Result<std::unique_ptr<Reader>> reader = Reader::of_file(file, 0, 0);
    if (!reader.ok()) return refuse(HSA_STATUS_ERROR_INVALID_FILE, "{}", reader.status().message());
    out->handle = reinterpret_cast<uint64_t>(runtime.add(std::move(*reader)));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_code_object_reader_destroy(hsa_code_object_reader_t reader) {
  return entry([&](Runtime& runtime) { return runtime.destroy(reader); });
}

// ---- executables -------------------------------------------------------------------------------------------------

hsa_status_t hsa_executable_create_alt(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding, const char*,
                                       hsa_executable_t* executable) {
  return create(profile, rounding, executable);
}

hsa_status_t hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t state, const char*,
                                   hsa_executable_t* executable) {
  if (state != HSA_EXECUTABLE_STATE_UNFROZEN && state != HSA_EXECUTABLE_STATE_FROZEN)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  HSA_TRY(create(profile, HSA_DEFAULT_FLOAT_ROUNDING_MODE_DEFAULT, executable));
  return state == HSA_EXECUTABLE_STATE_FROZEN ? hsa_executable_freeze(*executable, nullptr) : HSA_STATUS_SUCCESS;
}

hsa_status_t hsa_executable_destroy(hsa_executable_t executable) {
  return entry([&](Runtime& runtime) { return runtime.destroy(executable); });
}

hsa_status_t hsa_executable_load_agent_code_object(hsa_executable_t handle, hsa_agent_t agent_handle,
                                                   hsa_code_object_reader_t reader_handle, const char*,
                                                   hsa_loaded_code_object_t* out) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    Executable* const executable = find(runtime, handle);
    if (!executable) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    Agent* const agent = runtime.find(agent_handle);
    if (!agent || !agent->is_gpu()) return HSA_STATUS_ERROR_INVALID_AGENT;
    const Reader* const reader = runtime.find(reader_handle);
    if (!reader) return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
    LoadedCode* loaded = nullptr;
    HSA_TRY(executable->load(*agent, *reader, &loaded));
    if (out) out->handle = reinterpret_cast<uint64_t>(loaded);
    return HSA_STATUS_SUCCESS;
  });
}

// Code objects of programs, as against agents', were of HSAIL.
hsa_status_t hsa_executable_load_program_code_object(hsa_executable_t handle, hsa_code_object_reader_t reader,
                                                     const char*, hsa_loaded_code_object_t*) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!find(runtime, handle)) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!runtime.find(reader)) return HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER;
    return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
  });
}

hsa_status_t hsa_executable_freeze(hsa_executable_t handle, const char*) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    Executable* const executable = find(runtime, handle);
    return executable ? executable->freeze() : HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  });
}

hsa_status_t hsa_executable_get_info(hsa_executable_t handle, hsa_executable_info_t attribute, void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Executable* const executable = find(runtime, handle);
    if (!executable) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!value) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    switch (attribute) {
    case HSA_EXECUTABLE_INFO_PROFILE:
      return answer(value, executable->profile());
    case HSA_EXECUTABLE_INFO_STATE:
      return answer(value, executable->frozen() ? HSA_EXECUTABLE_STATE_FROZEN : HSA_EXECUTABLE_STATE_UNFROZEN);
    case HSA_EXECUTABLE_INFO_DEFAULT_FLOAT_ROUNDING_MODE:
      return answer(value, executable->rounding());
    }
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_executable_global_variable_define(hsa_executable_t executable, const char* name, void* address) {
  return define(executable, nullptr, name, address);
}

hsa_status_t hsa_executable_agent_global_variable_define(hsa_executable_t executable, hsa_agent_t agent,
                                                         const char* name, void* address) {
  return define(executable, &agent, name, address);
}

hsa_status_t hsa_executable_readonly_variable_define(hsa_executable_t executable, hsa_agent_t agent, const char* name,
                                                     void* address) {
  return define(executable, &agent, name, address);
}

hsa_status_t hsa_executable_validate(hsa_executable_t executable, uint32_t* result) {
  return validate(executable, result);
}
hsa_status_t hsa_executable_validate_alt(hsa_executable_t executable, const char*, uint32_t* result) {
  return validate(executable, result);
}

// ---- symbols -----------------------------------------------------------------------------------------------------

hsa_status_t hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char* name, const hsa_agent_t* agent,
                                               hsa_executable_symbol_t* symbol) {
  return find_symbol(executable, name, agent, symbol);
}

hsa_status_t hsa_executable_get_symbol(hsa_executable_t executable, const char* module, const char* name,
                                       hsa_agent_t agent, int32_t, hsa_executable_symbol_t* symbol) {
  if (module && *module) return HSA_STATUS_ERROR_INVALID_SYMBOL_NAME; // modules were HSAIL's
  return find_symbol(executable, name, &agent, symbol);
}

hsa_status_t hsa_executable_symbol_get_info(hsa_executable_symbol_t handle, hsa_executable_symbol_info_t attribute,
                                            void* value) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Symbol* const symbol = find(runtime, handle);
    if (!symbol) return HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL;
    return value ? symbol_info(*symbol, attribute, value) : HSA_STATUS_ERROR_INVALID_ARGUMENT;
  });
}

hsa_status_t hsa_executable_iterate_symbols(hsa_executable_t handle,
                                            hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void*),
                                            void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Executable* const executable = find(runtime, handle);
    if (!executable) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (const std::unique_ptr<Symbol>& symbol : executable->symbols())
      HSA_TRY(callback(handle, handle_of(*symbol), data));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_executable_iterate_agent_symbols(hsa_executable_t handle, hsa_agent_t agent_handle,
                                                  hsa_status_t (*callback)(hsa_executable_t, hsa_agent_t,
                                                                           hsa_executable_symbol_t, void*),
                                                  void* data) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    const Executable* const executable = find(runtime, handle);
    if (!executable) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    const Agent* const agent = runtime.find(agent_handle);
    if (!agent) return HSA_STATUS_ERROR_INVALID_AGENT;
    if (!callback) return HSA_STATUS_ERROR_INVALID_ARGUMENT;
    for (const std::unique_ptr<Symbol>& symbol : executable->symbols())
      if (symbol->agent == agent) HSA_TRY(callback(handle, agent_handle, handle_of(*symbol), data));
    return HSA_STATUS_SUCCESS;
  });
}

hsa_status_t hsa_executable_iterate_program_symbols(
    hsa_executable_t handle, hsa_status_t (*callback)(hsa_executable_t, hsa_executable_symbol_t, void*), void*) {
  return entry([&](Runtime& runtime) -> hsa_status_t {
    if (!find(runtime, handle)) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    return callback ? HSA_STATUS_SUCCESS : HSA_STATUS_ERROR_INVALID_ARGUMENT; // all symbols are agents'
  });
}
