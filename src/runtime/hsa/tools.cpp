#include "runtime/hsa/tools.h"

#include "runtime/hsa/tables.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"

#include <algorithm>
#include <dlfcn.h>
#include <link.h>

namespace hip::hsa {

namespace {

constexpr const char* kPriority = "HSA_AMD_TOOL_PRIORITY";

using OnLoad = bool(HsaApiTable* table, uint64_t runtime_version, uint64_t failed_count, const char* const* failed);
using OnUnload = void();

void report(std::string_view text) {
  if (env_text(Env::HSA_TOOLS_REPORT_LOAD_FAILURE) == "1")
    write_log(LogLevel::Fault, text);
  else
    log(LogLevel::Error, "{}", text);
}

// The priority that a library itself has, not one that it needs; null: it is no tool.
const uint32_t* priority_of(void* library) {
  void* const priority = ::dlsym(library, kPriority);
  const link_map* map = nullptr;
  Dl_info info{};
  if (!priority || ::dlinfo(library, RTLD_DI_LINKMAP, &map) != 0 || !::dladdr(priority, &info)) return nullptr;
  return std::string_view(info.dli_fname) == map->l_name ? static_cast<const uint32_t*>(priority) : nullptr;
}

std::vector<std::string> libraries_of_process() {
  std::vector<std::string> names;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        if (info->dlpi_name && *info->dlpi_name)
          static_cast<std::vector<std::string>*>(data)->emplace_back(info->dlpi_name);
        return 0;
      },
      &names);
  return names;
}

std::vector<std::string> named_tools() {
  std::vector<std::string> names;
  const std::string text(env_text(Env::HSA_TOOLS_LIB));
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = std::min(text.find(' ', begin), text.size());
    if (end > begin) names.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return names;
}

} // namespace

void Tools::load() {
  std::vector<std::string> failed;
  const std::vector<std::string> names = named_tools();
  for (const std::string& name : names) {
    if (void* const library = ::dlopen(name.c_str(), RTLD_LAZY))
      tools_.push_back({library, name, tools_.size()});
    else {
      report(fmt::format("The tool \"{}\" of HSA_TOOLS_LIB cannot be opened: {}", name, ::dlerror()));
      failed.push_back(name);
    }
  }
  for (const std::string& name : libraries_of_process()) {
    void* const library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    const uint32_t* const priority = library ? priority_of(library) : nullptr;
    const bool known = std::any_of(tools_.begin(), tools_.end(), [&](const Tool& t) { return t.library == library; });
    if (priority && !known)
      tools_.push_back({library, name, names.size() + *priority});
    else if (library)
      ::dlclose(library);
  }
  std::sort(tools_.begin(), tools_.end(), [](const Tool& a, const Tool& b) { return a.order < b.order; });
  std::erase_if(tools_, [&](const Tool& tool) {
    std::vector<const char*> lost;
    for (const std::string& name : failed) lost.push_back(name.c_str());
    auto* const begin = reinterpret_cast<OnLoad*>(::dlsym(tool.library, "OnLoad"));
    if (!begin) {
      report(fmt::format("The tool {} has no function OnLoad; it sees no calls.", tool.name));
    } else if (begin(&api_table(), api_table().version.major_id, lost.size(), lost.data())) {
      log(LogLevel::Info, "The tool {} wraps functions of HSA.", tool.name);
      return false;
    } else {
      report(fmt::format("The tool {} does not want to be loaded (OnLoad gives false).", tool.name));
    }
    failed.push_back(tool.name);
    ::dlclose(tool.library);
    return true;
  });
}

void Tools::unload() noexcept {
  for (auto tool = tools_.rbegin(); tool != tools_.rend(); ++tool)
    if (auto* const end = reinterpret_cast<OnUnload*>(::dlsym(tool->library, "OnUnload"))) end();
  tools_.clear();
  reset_api_table();
}

} // namespace hip::hsa
