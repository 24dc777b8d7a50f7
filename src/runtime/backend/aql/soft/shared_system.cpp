#include "runtime/backend/aql/soft/shared_system.h"

#include "runtime/base/log.h"

#include <dlfcn.h>
#include <link.h>

namespace hip::aql::soft {

namespace {

constexpr const char* kSymbol = "__omnihipSoftwareGpus";
constexpr std::string_view kLibraries[] = {"libamdhip64.so", "libhsa-runtime64.so"};

bool may_have_one(std::string_view path) {
  const std::string_view file = path.substr(path.rfind('/') + 1);
  return std::any_of(std::begin(kLibraries), std::end(kLibraries), [&](auto name) { return file.starts_with(name); });
}

// Without the one that this code is part of, which has nothing to tell itself.
std::vector<std::string> loaded_libraries() {
  std::vector<std::string> found;
  ::dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* data) {
        if (info->dlpi_name && may_have_one(info->dlpi_name))
          static_cast<std::vector<std::string>*>(data)->emplace_back(info->dlpi_name);
        return 0;
      },
      &found);
  if (Dl_info own; ::dladdr(&own_offer(), &own) != 0 && own.dli_fname) std::erase(found, own.dli_fname);
  return found;
}

} // namespace

Result<std::optional<std::vector<std::unique_ptr<Agent>>>> agents_of_others() {
  using Agents = std::optional<std::vector<std::unique_ptr<Agent>>>;
  for (const std::string& path : loaded_libraries()) {
    void* const library = ::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (!library) continue;
    const auto offered = reinterpret_cast<const void* (*)()>(::dlsym(library, kSymbol));
    const auto* const offer = offered ? static_cast<const Offer*>(offered()) : nullptr;
    Agents agents;
    if (offer && offer != &own_offer() && std::string_view(offer->build) == own_offer().build) {
      RT_TRY_ASSIGN(agents, offer->agents());
    }
    if (agents) {
      log(LogLevel::Info, "Software GPUs are those that {} has.", path);
      static_cast<void>(::dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE));
    }
    ::dlclose(library);
    if (agents) return agents;
  }
  return Agents();
}

} // namespace hip::aql::soft
