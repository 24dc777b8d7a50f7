// runtime/api/launch_forms.h - what several launch calls and kernel nodes have in common.
#pragma once

#include "runtime/api/api.h"
#include "runtime/core/launch.h"

namespace hip::api {

// The arguments of a module launch: `params` as pointers, or `extra` as a packed block; not both.
Status take_arguments(core::LaunchRequest& request, void** params, void** extra);

} // namespace hip::api
