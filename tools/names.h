// tools/names.h - hipinfo under the names of ROCm's tools, for scripts that call these: each name is a link to hipinfo,
// which goes by the name that it is called with.
#pragma once

#include <span>
#include <string_view>

namespace hip::tools {

using Arguments = std::span<const std::string_view>; // without the program's name

// All return the exit code.
int rocminfo(Arguments arguments); // the devices as HSA's agents, in rocminfo's lines
int rocm_smi(Arguments arguments); // through librocm_smi64, as any program would
int amd_smi(Arguments arguments);  // likewise

} // namespace hip::tools
