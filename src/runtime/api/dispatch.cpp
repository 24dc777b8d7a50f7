#include "runtime/api/dispatch.h"

#include "profiler_register/register.h"
#include "runtime/base/beside.h"
#include "runtime/base/log.h"
#include "runtime/base/profiler.h"

#include <dlfcn.h>

namespace hip::api {
namespace {

constexpr const char* kLibrary = "librocprofiler-register.so.0";
constexpr uint32_t kVersion = HIP_VERSION_MAJOR * 10000 + HIP_VERSION_MINOR * 100; // as HIP's library does

uint32_t version() { return kVersion; } // lies in this library, which is what the register wants to know

// Null: nobody has loaded it, and no profiler is there or asked for.
void* find_library() {
  if (void* const loaded = dlopen(kLibrary, RTLD_NOW | RTLD_NOLOAD)) return loaded;
  if (!profiler_is_wanted()) return nullptr;
  void* const library = dlopen(path_beside(reinterpret_cast<const void*>(&version), kLibrary).c_str(), RTLD_NOW);
  if (!library) {
    const char* const why = dlerror();
    write_log(LogLevel::Error, fmt::format("No profiler gets HIP's functions: {}.", why ? why : "unknown error"));
  }
  return library;
}

} // namespace

bool offer_tables() noexcept try {
  void* const library = find_library(); // it stays loaded, with its profiler
  if (!library) return false;
  auto* const add = reinterpret_cast<decltype(&rocprofiler_register_library_api_table)>(
      dlsym(library, "rocprofiler_register_library_api_table"));
  if (!add) return false;
  bool taken = false;
  const auto offer = [&](const char* name, void* table) {
    rocprofiler_register_library_indentifier_t id{};
    const auto result = add(name, version, kVersion, &table, 1, &id);
    taken |= result == ROCP_REG_SUCCESS || result == ROCP_REG_NO_TOOLS; // a tool may come later
    if (result != ROCP_REG_SUCCESS && result != ROCP_REG_NO_TOOLS)
      write_log(LogLevel::Warning,
                fmt::format("{} does not take the table \"{}\": code {}.", kLibrary, name, static_cast<int>(result)));
  };
  offer("hip", &runtime_table);
  offer("hip_compiler", &compiler_table);
  return taken;
} catch (...) { // memory
  return false;
}

} // namespace hip::api
