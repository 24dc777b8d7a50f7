// runtime/rtc/link_inputs.h - what is given to a link: bitcode, bare, in offload bundles, and in archives of them; or
// finished device code.
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

// A kind that CUDA has for what needs no more than loading.
bool is_finished_kind(hiprtcJITInputType type);
// A bundle, code object, cubin or PTX, bare or as text.
bool holds_device_code(const std::string& bytes);
// The code in it for a device of `target`. Errors: InvalidImage, NoBinaryForGpu.
Result<std::string> finished_code(const std::string& bytes, const std::string& target);

} // namespace hip::rtc
