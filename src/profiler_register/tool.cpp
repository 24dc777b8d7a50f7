#include "profiler_register/tool.h"

#include "runtime/base/env.h"
#include "runtime/base/log.h"
#include "runtime/base/profiler.h"

#include <dlfcn.h>
#include <string>

namespace hip::profiler_register {
namespace {

constexpr const char* kEntry = "rocprofiler_set_api_table";

SetApiTable* loaded() noexcept { return reinterpret_cast<SetApiTable*>(dlsym(RTLD_DEFAULT, kEntry)); }

SetApiTable* load() {
  const std::string library(env_text(Env::ROCPROFILER_REGISTER_LIBRARY));
  // It stays loaded: what it puts into tables is called until the process ends.
  void* const handle = dlopen(library.c_str(), RTLD_GLOBAL | RTLD_LAZY);
  void* const found = handle ? dlsym(handle, kEntry) : nullptr;
  if (!found) {
    const char* const why = dlerror();
    write_log(LogLevel::Error,
              fmt::format("No profiler gets the tables of libraries: {}.", why ? why : "unknown error"));
  }
  return reinterpret_cast<SetApiTable*>(found);
}

} // namespace

SetApiTable* find_tool() noexcept try {
  static SetApiTable* tool = nullptr;
  static bool has_failed = false;
  if (tool || !profiler_is_wanted()) return tool;
  // The program may load its profiler itself after the library that the environment names could not be loaded.
  tool = loaded();
  if (tool || has_failed) return tool;
  tool = load();
  has_failed = !tool;
  return tool;
} catch (...) { // memory
  return nullptr;
}

} // namespace hip::profiler_register
