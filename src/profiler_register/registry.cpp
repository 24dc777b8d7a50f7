#include "profiler_register/registry.h"

#include "runtime/base/env.h"

#include <algorithm>
#include <dlfcn.h>
#include <span>
#include <string_view>
#include <utility>

namespace hip::profiler_register {
namespace {

thread_local bool is_inside = false; // of a tool's function

// Whether the function lies in a library of the name, which the environment may ask for.
bool address_is_valid(rocprofiler_register_import_func_t import, const Library& library) noexcept {
  if (!import || env_is_off(Env::ROCPROFILER_REGISTER_SECURE)) return true;
  Dl_info info;
  if (!dladdr(reinterpret_cast<const void*>(import), &info) || !info.dli_fname) return false;
  const std::string_view path(info.dli_fname);
  return path.substr(path.rfind('/') + 1).starts_with(library.file);
}

} // namespace

Registry& Registry::instance() noexcept {
  static Registry* const only = new Registry;
  return *only;
}

bool Registry::hand_over(SetApiTable* tool, const Offer& offer) {
  uint32_t version = 0;
  std::span<void*> tables; // stays where it is when the list of registrations grows
  {
    std::lock_guard guard(mutex_);
    Registration& registration = registrations_[offer.library][offer.instance];
    if (registration.is_at_tool || (registration.is_propagated && offer.which == Propagate::New)) return true;
    version = registration.version;
    tables = registration.tables;
    registration.is_at_tool = true;
  }
  bool is_taken = false;
  is_inside = true;
  try {
    is_taken = tool(kLibraries[offer.library].name, version, offer.instance, tables.data(), tables.size()) == 0;
  } catch (...) { // the tool's own: it has not taken the tables
  }
  is_inside = false;
  std::lock_guard guard(mutex_);
  Registration& registration = registrations_[offer.library][offer.instance];
  registration.is_at_tool = false;
  registration.is_propagated |= is_taken;
  return is_taken;
}

SetApiTable* Registry::tool_for(std::vector<Offer>& offers, std::vector<Offer>& left) {
  {
    std::lock_guard guard(mutex_);
    if (tool_) return tool_;
    if (is_searching_) {
      waiting_.insert(waiting_.end(), offers.begin(), offers.end());
      return nullptr;
    }
    is_searching_ = true;
  }
  SetApiTable* const found = find_tool();
  std::lock_guard guard(mutex_);
  is_searching_ = false;
  tool_ = found;
  left = std::exchange(waiting_, {}); // without a tool they stay as new as they are
  return found;
}

rocprofiler_register_error_code_t Registry::offer(std::vector<Offer> offers) {
  std::vector<Offer> left;
  SetApiTable* const tool = tool_for(offers, left);
  if (!tool) return ROCP_REG_NO_TOOLS;
  const bool all = std::ranges::all_of(offers, [&](const Offer& each) { return hand_over(tool, each); });
  for (const Offer& each : left) static_cast<void>(hand_over(tool, each)); // who left them has its answer
  return all ? ROCP_REG_SUCCESS : ROCP_REG_ROCPROFILER_ERROR;
}

rocprofiler_register_error_code_t Registry::add(const char* name, rocprofiler_register_import_func_t import,
                                                uint32_t version, void** tables, uint64_t count, uint64_t& id) {
  if (is_inside) return ROCP_REG_DEADLOCK;
  const auto found = std::find_if(kLibraries.begin(), kLibraries.end(),
                                  [&](const Library& library) { return std::string_view(library.name) == name; });
  if (found == kLibraries.end()) return ROCP_REG_UNSUPPORTED_API;
  if (!address_is_valid(import, *found)) return ROCP_REG_INVALID_API_ADDRESS;
  const auto library = static_cast<size_t>(found - kLibraries.begin());
  size_t instance = 0;
  {
    std::lock_guard guard(mutex_);
    std::vector<Registration>& all = registrations_[library];
    instance = all.size();
    if (instance >= kInstancesPerLibrary) return ROCP_REG_EXCESS_API_INSTANCES;
    all.push_back({version, std::vector<void*>(tables, tables + count)});
  }
  id = library * kInstancesPerLibrary + instance;
  return offer({{library, instance, Propagate::New}});
}

void Registry::each(rocprofiler_register_registration_info_cb_t callback, void* data) {
  // A copy: the callback may register or take its time.
  std::vector<rocprofiler_register_registration_info_t> infos;
  {
    std::lock_guard guard(mutex_);
    for (size_t library = 0; library < kLibraries.size(); ++library)
      for (const Registration& registration : registrations_[library])
        infos.push_back({sizeof(rocprofiler_register_registration_info_t), kLibraries[library].name,
                         registration.version, registration.tables.size()});
  }
  for (auto& info : infos)
    if (callback(&info, data) != 0) break;
}

rocprofiler_register_error_code_t Registry::propagate(Propagate which) {
  if (is_inside) return ROCP_REG_DEADLOCK;
  std::vector<Offer> offers;
  {
    std::lock_guard guard(mutex_);
    for (size_t library = 0; library < kLibraries.size(); ++library)
      for (size_t instance = 0; instance < registrations_[library].size(); ++instance)
        if (which == Propagate::All || !registrations_[library][instance].is_propagated)
          offers.push_back({library, instance, which});
  }
  const rocprofiler_register_error_code_t result = offer(std::move(offers));
  return result == ROCP_REG_NO_TOOLS ? ROCP_REG_SUCCESS : result;
}

} // namespace hip::profiler_register
