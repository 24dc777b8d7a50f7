// comgr/isa.h - ISA names ("amdgcn-amd-amdhsa--gfx942:sramecc+:xnack-") and what is known of the processors behind
// them: those of processors.def.
#pragma once

#include "comgr/metadata.h"

#include "runtime/codeobject/target_id.h"

#include <string>
#include <string_view>

namespace hip::comgr {

inline constexpr std::string_view kIsaPrefix = "amdgcn-amd-amdhsa--";

// Error: InvalidValue for a name that is none.
Result<codeobject::TargetId> parse_isa_name(std::string_view name);
std::string isa_name(const codeobject::TargetId& target);
Metadata isa_metadata(const codeobject::TargetId& target);

} // namespace hip::comgr
