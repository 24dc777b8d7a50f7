// Entries about actions.
#include "comgr/actions.h"
#include "comgr/isa.h"
#include "comgr/objects.h"

#include "runtime/base/env.h"

#include <fcntl.h>
#include <unistd.h>

using namespace hip::comgr;

namespace {

constexpr auto kSuccess = AMD_COMGR_STATUS_SUCCESS;
constexpr auto kInvalid = AMD_COMGR_STATUS_ERROR_INVALID_ARGUMENT;

template<class F> amd_comgr_status_t with(amd_comgr_action_info_t info, F f) noexcept {
  return entry([&] {
    const auto found = Table<ActionInfo>::instance().find(info.handle);
    return found ? f(*found) : kInvalid;
  });
}

// Nothing: one of them is null.
std::optional<std::vector<std::string>> texts(const char* const* list, size_t count) {
  std::vector<std::string> out;
  if (count > 0 && !list) return std::nullopt;
  for (size_t i = 0; i < count; ++i) {
    if (!list[i]) return std::nullopt;
    out.emplace_back(list[i]);
  }
  return out;
}

amd_comgr_status_t item(const std::vector<std::string>& list, size_t index, size_t* size, char* to) {
  if (index >= list.size() || !size) return kInvalid;
  return copy_text(list[index], size, to);
}

// Whether the log has gone elsewhere than into a data object.
bool redirect(const std::string& log) {
  const std::string where(hip::env_text(hip::Env::AMD_COMGR_REDIRECT_LOGS));
  if (where.empty() || where == "0") return false;
  const bool is_stream = where == "stdout" || where == "-" || where == "stderr";
  const int file = !is_stream          ? ::open(where.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666)
                   : where == "stderr" ? STDERR_FILENO
                                       : STDOUT_FILENO;
  if (file < 0) return false;
  [[maybe_unused]] const ssize_t written = ::write(file, log.data(), log.size());
  if (!is_stream) ::close(file);
  return true;
}

} // namespace

COMGR_EXPORT amd_comgr_status_t amd_comgr_create_action_info(amd_comgr_action_info_t* info) {
  return entry([&] {
    if (!info) return kInvalid;
    info->handle = Table<ActionInfo>::instance().add(std::make_shared<ActionInfo>());
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_destroy_action_info(amd_comgr_action_info_t info) {
  return entry([&] { return Table<ActionInfo>::instance().remove(info.handle) ? kSuccess : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_isa_name(amd_comgr_action_info_t info, const char* name) {
  return with(info, [&](ActionInfo& action) {
    if (name && *name && !parse_isa_name(name).ok()) return kInvalid;
    action.isa_name = name ? name : "";
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_isa_name(amd_comgr_action_info_t info, size_t* size,
                                                                   char* name) {
  return with(info, [&](ActionInfo& action) { return size ? copy_text(action.isa_name, size, name) : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_language(amd_comgr_action_info_t info,
                                                                   amd_comgr_language_t language) {
  return with(info, [&](ActionInfo& action) {
    const int number = language;
    if (number < AMD_COMGR_LANGUAGE_NONE || number > AMD_COMGR_LANGUAGE_LLVM_IR) return kInvalid;
    action.language = language;
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_language(amd_comgr_action_info_t info,
                                                                   amd_comgr_language_t* language) {
  return with(info, [&](ActionInfo& action) {
    if (!language) return kInvalid;
    *language = action.language;
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_option_list(amd_comgr_action_info_t info,
                                                                      const char* options[], size_t count) {
  return with(info, [&](ActionInfo& action) {
    auto list = texts(options, count);
    if (!list) return kInvalid;
    action.options = std::move(*list);
    action.options_are_set = true;
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_option_list_count(amd_comgr_action_info_t info,
                                                                            size_t* count) {
  return with(info, [&](ActionInfo& action) {
    if (!count) return kInvalid;
    if (!action.options_are_set) return AMD_COMGR_STATUS_ERROR;
    *count = action.options.size();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_option_list_item(amd_comgr_action_info_t info, size_t index,
                                                                           size_t* size, char* option) {
  return with(info, [&](ActionInfo& action) {
    if (!action.options_are_set) return AMD_COMGR_STATUS_ERROR;
    return item(action.options, index, size, option);
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_bundle_entry_ids(amd_comgr_action_info_t info,
                                                                           const char* ids[], size_t count) {
  return with(info, [&](ActionInfo& action) {
    auto list = texts(ids, ids ? count : 0);
    if (!list) return kInvalid;
    action.bundle_ids = std::move(*list);
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_bundle_entry_id_count(amd_comgr_action_info_t info,
                                                                                size_t* count) {
  return with(info, [&](ActionInfo& action) {
    if (!count) return kInvalid;
    *count = action.bundle_ids.size();
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_bundle_entry_id(amd_comgr_action_info_t info, size_t index,
                                                                          size_t* size, char* id) {
  return with(info, [&](ActionInfo& action) { return item(action.bundle_ids, index, size, id); });
}

// Files lie in a temporary folder in any case; the compiler sees the same names every time.
COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_vfs(amd_comgr_action_info_t info, bool) {
  return with(info, [](ActionInfo&) { return kSuccess; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_device_lib_linking(amd_comgr_action_info_t info, bool link) {
  return with(info, [&](ActionInfo& action) {
    action.link_device_libraries = link;
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_working_directory_path(amd_comgr_action_info_t info,
                                                                                 const char* path) {
  return with(info, [&](ActionInfo& action) {
    action.working_directory = path ? path : "";
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_working_directory_path(amd_comgr_action_info_t info,
                                                                                 size_t* size, char* path) {
  return with(info,
              [&](ActionInfo& action) { return size ? copy_text(action.working_directory, size, path) : kInvalid; });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_set_logging(amd_comgr_action_info_t info, bool logging) {
  return with(info, [&](ActionInfo& action) {
    action.logging = logging;
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_action_info_get_logging(amd_comgr_action_info_t info, bool* logging) {
  return with(info, [&](ActionInfo& action) {
    if (!logging) return kInvalid;
    *logging = action.logging;
    return kSuccess;
  });
}

COMGR_EXPORT amd_comgr_status_t amd_comgr_do_action(amd_comgr_action_kind_t kind, amd_comgr_action_info_t info,
                                                    amd_comgr_data_set_t input, amd_comgr_data_set_t result) {
  return with(info, [&](ActionInfo& action) {
    const auto from = Table<DataSet>::instance().find(input.handle);
    const auto to = Table<DataSet>::instance().find(result.handle);
    if (!from || !to) return kInvalid;
    DataSet made; // the sets may be one
    std::string log;
    const amd_comgr_status_t status = run_action(kind, action, *from, made, log);
    if (!redirect(log) && action.logging) made.add_new(AMD_COMGR_DATA_KIND_LOG, "comgr.log", log);
    to->clear();
    to->members.swap(made.members);
    return status;
  });
}
