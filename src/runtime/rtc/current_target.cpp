#include "runtime/rtc/current_target.h"

#include "runtime/base/env.h"

#include <hip/hip_runtime_api.h>

namespace hip::rtc {

std::string current_target() {
  int device = 0;
  hipDeviceProp_t properties;
  if (hipGetDevice(&device) == hipSuccess && hipGetDeviceProperties(&properties, device) == hipSuccess)
    return properties.gcnArchName;
  return env_rows()[size_t(Env::OMNIHIP_SOFT_TARGET)].default_text;
}

} // namespace hip::rtc
