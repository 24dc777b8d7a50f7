#include "runtime/codeobject/processor.h"

namespace hip::codeobject {
namespace {

constexpr FamilyFacts kFamilies[] = {
#define AMDGPU_FAMILY(name, lanes, sizes, waves, granule, vgprs, accumulation, sgprs, domain, descriptor, items,       \
                      groups, memory)                                                                                  \
  {#name,                                                                                                              \
   lanes,                                                                                                              \
   WaveSizes::sizes,                                                                                                   \
   waves,                                                                                                              \
   granule,                                                                                                            \
   vgprs,                                                                                                              \
   AccumulationVgprs::accumulation,                                                                                    \
   sgprs,                                                                                                              \
   GroupDomain::domain,                                                                                                \
   DescriptorLayout::descriptor,                                                                                       \
   ItemIdLayout::items,                                                                                                \
   GroupIdLocation::groups,                                                                                            \
   PrivateMemory::memory},
#include "runtime/codeobject/families.def"
#undef AMDGPU_FAMILY
};

constexpr Processor kProcessors[] = {
#define AMDGPU_PROCESSOR(name, mach, family, modes, generic, capacity, software, presence, product)                    \
  {name,                                                                                                               \
   mach,                                                                                                               \
   Family::family,                                                                                                     \
   IdModes::modes,                                                                                                     \
   generic,                                                                                                            \
   Capacity capacity,                                                                                                  \
   SoftwareExecution::software,                                                                                        \
   Presence::presence,                                                                                                 \
   Product product},
#include "runtime/codeobject/processors.def"
#undef AMDGPU_PROCESSOR
};

uint32_t digit_value(char c) noexcept { return c >= 'a' ? uint32_t(c - 'a') + 10 : uint32_t(c - '0'); }

} // namespace

const FamilyFacts& facts_of(Family family) noexcept { return kFamilies[size_t(family)]; }

std::span<const Processor> processors() noexcept { return kProcessors; }

const Processor* find_processor(std::string_view name) noexcept {
  for (const Processor& p : kProcessors)
    if (name == p.name) return &p;
  return nullptr;
}

const Processor* find_processor_by_mach(uint32_t elf_mach) noexcept {
  for (const Processor& p : kProcessors)
    if (elf_mach == p.elf_mach) return &p;
  return nullptr;
}

GfxVersion Processor::version() const noexcept {
  std::string_view digits = std::string_view(name).substr(3); // behind "gfx"
  GfxVersion version;
  auto take_major = [&](std::string_view text) {
    for (char c : text) version.major = version.major * 10 + digit_value(c);
  };
  if (is_generic()) {
    digits = digits.substr(0, digits.size() - std::string_view("-generic").size());
    const size_t dash = digits.find('-');
    take_major(digits.substr(0, dash));
    if (dash != digits.npos) version.minor = digit_value(digits[dash + 1]);
    return version;
  }
  take_major(digits.substr(0, digits.size() - 2));
  version.minor = digit_value(digits[digits.size() - 2]);
  version.stepping = digit_value(digits.back());
  return version;
}

} // namespace hip::codeobject
