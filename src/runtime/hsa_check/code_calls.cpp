// runtime/hsa_check/code_calls.cpp - executables, and the kernels that packets may name.
#include "runtime/hsa_check/book.h"

#include <algorithm>

namespace hip::hsa_check {

namespace {

hsa_status_t note_created(hsa_status_t status, const hsa_executable_t* executable) {
  if (status != HSA_STATUS_SUCCESS) return status;
  auto guard = book().lock();
  book().executables[executable->handle] = false;
  return status;
}

template<class T> T symbol_info(hsa_executable_symbol_t symbol, hsa_executable_symbol_info_t attribute) {
  T value{};
  return next.hsa_executable_symbol_get_info(symbol, attribute, &value) == HSA_STATUS_SUCCESS ? value : T{};
}

hsa_status_t note_kernel(hsa_executable_t executable, hsa_agent_t agent, hsa_executable_symbol_t symbol, void*) {
  if (symbol_info<hsa_symbol_kind_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_TYPE) != HSA_SYMBOL_KIND_KERNEL)
    return HSA_STATUS_SUCCESS;
  Kernel kernel;
  kernel.name.resize(symbol_info<uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME_LENGTH));
  next.hsa_executable_symbol_get_info(symbol, HSA_EXECUTABLE_SYMBOL_INFO_NAME, kernel.name.data());
  if (kernel.name.ends_with(".kd")) kernel.name.resize(kernel.name.size() - 3);
  kernel.agent = agent.handle;
  kernel.executable = executable.handle;
  kernel.kernarg_bytes = symbol_info<uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE);
  kernel.kernarg_alignment = symbol_info<uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_ALIGNMENT);
  kernel.group_bytes = symbol_info<uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_GROUP_SEGMENT_SIZE);
  kernel.private_bytes = symbol_info<uint32_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE);
  book().kernels[symbol_info<uint64_t>(symbol, HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT)] = std::move(kernel);
  return HSA_STATUS_SUCCESS;
}

// The book is locked. Null: there is no such executable, which a finding says.
bool* find(hsa_executable_t executable, std::string_view where) {
  const auto found = book().executables.find(executable.handle);
  if (found != book().executables.end()) return &found->second;
  report(Rule::ExecutableState, where, "{:#x} is no executable, or one that was destroyed.", executable.handle);
  return nullptr;
}

} // namespace

hsa_status_t calls::hsa_executable_create(hsa_profile_t profile, hsa_executable_state_t state, const char* options,
                                          hsa_executable_t* executable) {
  return note_created(next.hsa_executable_create(profile, state, options, executable), executable);
}

hsa_status_t calls::hsa_executable_create_alt(hsa_profile_t profile, hsa_default_float_rounding_mode_t rounding,
                                              const char* options, hsa_executable_t* executable) {
  return note_created(next.hsa_executable_create_alt(profile, rounding, options, executable), executable);
}

hsa_status_t calls::hsa_executable_load_agent_code_object(hsa_executable_t executable, hsa_agent_t agent,
                                                          hsa_code_object_reader_t reader, const char* options,
                                                          hsa_loaded_code_object_t* loaded) {
  constexpr std::string_view where = "hsa_executable_load_agent_code_object";
  {
    auto guard = book().lock();
    const bool* const frozen = find(executable, where);
    if (!frozen) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (*frozen) report(Rule::ExecutableState, where, "the executable {:#x} is frozen.", executable.handle);
  }
  return next.hsa_executable_load_agent_code_object(executable, agent, reader, options, loaded);
}

hsa_status_t calls::hsa_executable_freeze(hsa_executable_t executable, const char* options) {
  auto guard = book().lock();
  bool* const frozen = find(executable, "hsa_executable_freeze");
  if (!frozen) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
  const hsa_status_t status = next.hsa_executable_freeze(executable, options);
  if (status != HSA_STATUS_SUCCESS) return status;
  *frozen = true;
  for (const auto& [agent, facts] : book().agents)
    next.hsa_executable_iterate_agent_symbols(executable, {agent}, note_kernel, nullptr);
  return status;
}

hsa_status_t calls::hsa_executable_get_symbol_by_name(hsa_executable_t executable, const char* name,
                                                      const hsa_agent_t* agent, hsa_executable_symbol_t* symbol) {
  constexpr std::string_view where = "hsa_executable_get_symbol_by_name";
  {
    auto guard = book().lock();
    const bool* const frozen = find(executable, where);
    if (!frozen) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    if (!*frozen) report(Rule::ExecutableState, where, "the executable {:#x} is not frozen.", executable.handle);
  }
  return next.hsa_executable_get_symbol_by_name(executable, name, agent, symbol);
}

hsa_status_t calls::hsa_executable_destroy(hsa_executable_t executable) {
  constexpr std::string_view where = "hsa_executable_destroy";
  {
    auto guard = book().lock();
    if (!find(executable, where)) return HSA_STATUS_ERROR_INVALID_EXECUTABLE;
    book().sweep();
    for (const Work& work : book().under_way())
      if (work.executable == executable.handle)
        report(Rule::ExecutableInUse, where, "{} executes a kernel of {:#x}.", work.what, executable.handle);
    std::erase_if(book().kernels, [&](const auto& each) { return each.second.executable == executable.handle; });
    book().executables.erase(executable.handle);
  }
  return next.hsa_executable_destroy(executable);
}

} // namespace hip::hsa_check
