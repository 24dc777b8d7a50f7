#include "profiler_register/registry.h"

#include "profiler_register/tool.h"
#include "runtime/base/env.h"

#include <algorithm>
#include <dlfcn.h>
#include <string_view>

namespace hip::profiler_register {
namespace {

thread_local bool is_inside = false;

// Whether the function lies in a library of the name, which the environment may ask for.
bool address_is_valid(rocprofiler_register_import_func_t import, const Library& library) noexcept {
  if (!import || env_text(Env::ROCPROFILER_REGISTER_SECURE) == "0") return true;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(import), &info) || !info.dli_fname) return false;
  const std::string_view path(info.dli_fname);
  return path.substr(path.rfind('/') + 1).starts_with(library.file);
}

} // namespace

class Registry::Entry {
public:
  explicit Entry(std::mutex& mutex) : lock_(mutex, std::defer_lock) {
    if (is_inside) return;
    lock_.lock();
    is_inside = true;
  }
  ~Entry() {
    if (lock_) is_inside = false;
  }
  Entry(const Entry&) = delete;
  explicit operator bool() const { return lock_.owns_lock(); }

private:
  std::unique_lock<std::mutex> lock_;
};

Registry& Registry::instance() noexcept {
  static Registry* const only = new Registry;
  return *only;
}

bool Registry::hand_over(size_t library, size_t instance, Registration& registration) {
  SetApiTable* const tool = find_tool();
  if (!tool) return true;
  if (tool(kLibraries[library].name, registration.version, instance, registration.tables.data(),
           registration.tables.size()) != 0)
    return false;
  registration.is_propagated = true;
  return true;
}

rocprofiler_register_error_code_t Registry::add(const char* name, rocprofiler_register_import_func_t import,
                                                uint32_t version, void** tables, uint64_t count, uint64_t& id) {
  const Entry entry(mutex_);
  if (!entry) return ROCP_REG_DEADLOCK;
  const auto found = std::find_if(kLibraries.begin(), kLibraries.end(),
                                  [&](const Library& library) { return std::string_view(library.name) == name; });
  if (found == kLibraries.end()) return ROCP_REG_UNSUPPORTED_API;
  if (!address_is_valid(import, *found)) return ROCP_REG_INVALID_API_ADDRESS;
  const auto library = static_cast<size_t>(found - kLibraries.begin());
  std::vector<Registration>& all = registrations_[library];
  if (all.size() >= kInstancesPerLibrary) return ROCP_REG_EXCESS_API_INSTANCES;
  const size_t instance = all.size();
  all.push_back({version, std::vector<void*>(tables, tables + count)});
  id = library * kInstancesPerLibrary + instance;
  if (!hand_over(library, instance, all.back())) return ROCP_REG_ROCPROFILER_ERROR;
  return all.back().is_propagated ? ROCP_REG_SUCCESS : ROCP_REG_NO_TOOLS;
}

void Registry::each(rocprofiler_register_registration_info_cb_t callback, void* data) {
  // A copy: the callback may register or take its time.
  std::vector<rocprofiler_register_registration_info_t> infos;
  {
    // A tool asks from inside of its own function, on the thread that holds the lock.
    const Entry entry(mutex_);
    for (size_t library = 0; library < kLibraries.size(); ++library)
      for (const Registration& registration : registrations_[library])
        infos.push_back({sizeof(rocprofiler_register_registration_info_t), kLibraries[library].name,
                         registration.version, registration.tables.size()});
  }
  for (auto& info : infos)
    if (callback(&info, data) != 0) break;
}

rocprofiler_register_error_code_t Registry::propagate(Propagate which) {
  const Entry entry(mutex_);
  if (!entry) return ROCP_REG_DEADLOCK;
  for (size_t library = 0; library < kLibraries.size(); ++library)
    for (size_t instance = 0; instance < registrations_[library].size(); ++instance) {
      Registration& registration = registrations_[library][instance];
      if (registration.is_propagated && which == Propagate::New) continue;
      if (!hand_over(library, instance, registration)) return ROCP_REG_ROCPROFILER_ERROR;
    }
  return ROCP_REG_SUCCESS;
}

} // namespace hip::profiler_register
