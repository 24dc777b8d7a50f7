// runtime/codeobject/sm_target.h - NVIDIA targets ("sm_90", "sm_90a", "sm_100f") and which image may run on which
// device (CUDA programming guide, "Application compatibility"; PTX ISA, ".target"). Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace hip::codeobject {

struct SmTarget {
  // Baseline code runs on later architectures too; "f" code uses what its family has, "a" code what this one has alone.
  enum class Scope : uint8_t { Baseline, Family, Exact };
  uint32_t major = 0, minor = 0; // the compute capability: sm_103 is 10.3
  Scope scope = Scope::Baseline;

  uint32_t number() const noexcept { return major * 10 + minor; }
  std::string to_string() const; // "sm_90a"
};

enum class SmForm : uint8_t { Ptx, Cubin };

// Nothing for text that is no "sm_" target.
std::optional<SmTarget> parse_sm_target(std::string_view text) noexcept;
// The architecture in the header of a cubin: e_flags and the ABI version of e_ident.
SmTarget sm_target_from_elf(uint32_t e_flags, uint8_t abi_version) noexcept;

// How well an image for `code` suits `device`: nothing when it must not run there, else higher is better. A cubin for
// exactly this capability comes first, then cubins, then PTX, each from the highest architecture down, and at the same
// architecture the narrower scope first.
std::optional<int> match_score(const SmTarget& code, SmForm form, const SmTarget& device) noexcept;

} // namespace hip::codeobject
