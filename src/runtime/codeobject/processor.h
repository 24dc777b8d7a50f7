// runtime/codeobject/processor.h - AMDGPU processors and their families as data: the rows of processors.def and
// families.def. Whoever needs to know something about a processor asks here instead of comparing names.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace hip::codeobject {

enum class Family : uint8_t {
#define AMDGPU_FAMILY(name, ...) name,
#include "runtime/codeobject/families.def"
#undef AMDGPU_FAMILY
};

enum class WaveSizes : uint8_t { Only32, Only64, Both };
// Where the accumulation registers (a0, a1, ...) of matrix instructions lie: beside the VGPRs, or behind them in one
// file.
enum class AccumulationVgprs : uint8_t { None, Separate, Unified };
// What a work-group is confined to, so that its waves share LDS. On a work-group processor (two compute units) it is
// what HIP calls a multiprocessor.
enum class GroupDomain : uint8_t { ComputeUnit, WorkGroupProcessor };
// How the bits of a kernel descriptor are laid out (kernel_descriptor.h).
enum class DescriptorLayout : uint8_t { Gfx9, Gfx90a, Gfx10, Gfx11, Gfx12, Gfx125 };
// Where a wave finds its work-item ids when it starts: v0, v1 and v2, or 10 bits each in v0.
enum class ItemIdLayout : uint8_t { Vgprs, Packed };
// Where a wave finds its work-group's id: in SGPRs behind the user SGPRs, or in trap temporaries (x in ttmp9, y and z
// in the halves of ttmp7).
enum class GroupIdLocation : uint8_t { Sgprs, Ttmps };
// How code reaches private memory: through a swizzled buffer resource in SGPRs, or with SCRATCH instructions whose base
// the hardware sets up.
enum class PrivateMemory : uint8_t { Buffer, Architected };

struct FamilyFacts {
  const char* name;   // "Gfx11"
  uint8_t wave_lanes; // lanes of a wave of the default size
  WaveSizes wave_sizes;
  uint8_t waves_per_simd;
  uint8_t vgpr_granule;    // descriptors count VGPRs in this at the default wave size, in half of it at twice that
  uint16_t vgprs_per_item; // v0 and its like, and accumulation VGPRs
  AccumulationVgprs accumulation_vgprs;
  uint8_t sgprs; // SGPRs that code can name besides VCC
  GroupDomain group_domain;
  DescriptorLayout descriptor;
  ItemIdLayout item_ids;
  GroupIdLocation group_ids;
  PrivateMemory private_memory;
  // Work-groups that a grid can have in y, and in z: half a register holds 16 bits of an id.
  uint32_t most_groups_in_y_and_z() const noexcept { return group_ids == GroupIdLocation::Ttmps ? 65536 : UINT32_MAX; }
  bool has_waves_of(uint32_t lanes) const noexcept {
    return lanes == wave_lanes || (wave_sizes == WaveSizes::Both && (lanes == 32 || lanes == 64));
  }
};
const FamilyFacts& facts_of(Family family) noexcept;

// Modes of a processor that a target id may name.
enum class IdModes : uint8_t { NoModes, Xnack, XnackSramecc };
// Whether the software GPU executes a processor's code.
enum class SoftwareExecution : uint8_t { NotYet, Executes };
// Whether programs that are built for "all" processors are built for this one.
enum class Presence : uint8_t { Rare, Common };

struct Capacity {
  uint32_t lds_kib;           // that one work-group can have
  uint32_t lds_granule_bytes; // LDS is handed out in multiples of this
  uint32_t vgprs_per_lane;    // that a SIMD has for each lane of a wave of the default size; a separate file of
                              // accumulation VGPRs is not counted
  uint32_t vgpr_granule;      // they are handed out in multiples of this
};

// One product with the processor; 0 where a value is not known, or is the host's.
struct Product {
  const char* name;
  uint32_t l2_kib, core_mhz, memory_mhz, memory_bus_bits;
};

// Major version, minor version and stepping: 9, 0 and 10 for gfx90a. A generic processor has those that the first
// processor of its kind would have: 9, 4 and 0 for gfx9-4-generic.
struct GfxVersion {
  uint32_t major = 0, minor = 0, stepping = 0;
};

struct Processor {
  const char* name;  // "gfx942", "gfx9-4-generic"
  uint32_t elf_mach; // EF_AMDGPU_MACH_* in e_flags
  Family family;
  IdModes modes;
  const char* generic; // generic processor whose code runs here; "" when none
  Capacity capacity;
  SoftwareExecution software;
  Presence presence;
  Product product;

  bool has_xnack() const noexcept { return modes != IdModes::NoModes; }
  bool has_sramecc() const noexcept { return modes == IdModes::XnackSramecc; }
  bool is_generic() const noexcept { return std::string_view(name).ends_with("-generic"); }
  const FamilyFacts& facts() const noexcept { return facts_of(family); }
  GfxVersion version() const noexcept;
};

std::span<const Processor> processors() noexcept;
const Processor* find_processor(std::string_view name) noexcept;
const Processor* find_processor_by_mach(uint32_t elf_mach) noexcept;

} // namespace hip::codeobject
