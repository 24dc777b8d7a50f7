// runtime/base/profiler.h - whether this process has a profiler that wants tables of functions, or is asked to have
// one.
#pragma once

#include "runtime/base/env.h"

#include <dlfcn.h>

namespace hip {

// The program brings a tool for AMD's rocprofiler, or the environment names one.
inline bool profiler_is_wanted() noexcept {
  if (dlsym(RTLD_DEFAULT, "rocprofiler_configure")) return true;
  if (env_is_set(Env::ROCPROFILER_REGISTER_FORCE_LOAD)) return !env_is_off(Env::ROCPROFILER_REGISTER_FORCE_LOAD);
  return env_is_set(Env::ROCP_TOOL_LIBRARIES) || env_is_set(Env::ROCPROFILER_REGISTER_LIBRARY);
}

} // namespace hip
