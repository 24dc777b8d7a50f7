// runtime/codeobject/target_id.h - target ids ("gfx90a:sramecc+:xnack-"): a processor and the modes that code was compiled
// for, and which code object may run on which device (AMDGPUUsage, "Target ID" and "Generic processors").
#pragma once

#include "runtime/base/status.h"
#include "runtime/codeobject/processor.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hip::codeobject {

enum class Feature : uint8_t { Unsupported, Any, Off, On };

struct TargetId {
  const Processor* processor = nullptr; // never null in a value that parse_target_id or target_id_from_elf_flags gave
  Feature sramecc = Feature::Unsupported;
  Feature xnack = Feature::Unsupported;
  uint32_t generic_version = 0; // of a generic code object, from e_flags; 0 otherwise

  // "gfx90a:sramecc+:xnack-": features in alphabetical order, those with Any left out.
  std::string to_string() const;
};

// Errors: InvalidValue for an unknown processor, an unknown, repeated or unsupported feature.
Result<TargetId> parse_target_id(std::string_view text);
// From e_flags of a code object of this version, 3 or later. Error: InvalidImage for an unknown processor number.
Result<TargetId> target_id_from_elf_flags(uint32_t e_flags, unsigned version);

// How well code compiled for `code` suits `device`: nothing when it must not run there, else higher is better (exact
// processor before generic, then more features named). A device feature of Any means "not known": only code that does
// not name the feature runs there.
std::optional<int> match_score(const TargetId& code, const TargetId& device) noexcept;

} // namespace hip::codeobject
