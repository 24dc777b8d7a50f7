// runtime/rtc/link_inputs.h - the bitcode in what is given to a link: bare, in offload bundles, and in archives of
// them.
#pragma once

#include "runtime/base/status.h"

#include <hip/hiprtc.h>

#include <string>
#include <vector>

namespace hip::rtc {

// The modules for a device of `target` ("gfx942:sramecc+:xnack-"). Errors: InvalidImage when `bytes` is not what `type`
// says, NoBinaryForGpu when it holds nothing for the target, NotSupported for a type that is no bitcode.
Result<std::vector<std::string>> bitcode_modules(hiprtcJITInputType type, const std::string& bytes,
                                                 const std::string& target);

} // namespace hip::rtc
