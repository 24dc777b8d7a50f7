// runtime/engine/target/target.h - the processor that guest code was compiled for: its row of codeobject/processors.def
// with what its family's instructions have in common (isa.def). Every difference between processors that the engine
// knows of is asked for here; nothing else in the engine looks at a processor's name.
#pragma once

#include "runtime/codeobject/processor.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace hip::engine {

// What FLAT's offset field holds; that of GLOBAL and SCRATCH is always signed.
enum class FlatOffset : uint8_t { Unsigned, Signed };

// What waits count: all loads, stores and samples of vector memory together, stores in a counter of their own (vscnt),
// or loads, stores, samples, LDS and scalar memory each in one.
enum class WaitCounters : uint8_t { Joint, StoresApart, EachApart };

// What descriptors of buffers say and how: formats by a number for the data and one for its kind (gfx9) or by one for
// both, of which gfx11 has fewer; elements of swizzled buffers; the rule by which an access is inside (ERRATA 34).
enum class BufferGeneration : uint8_t { Gfx9, Gfx10, Gfx11 };

// Encodings and groups of instructions that some families have.
enum class IsaFeature : uint8_t {
  Sdwa,          // sub-dword operands of VOP1, VOP2 and VOPC
  Dpp8,          // DPP with a lane number for each of 8 lanes
  Vopd,          // two operations in one instruction (waves of 32 lanes)
  True16,        // 16-bit operands name halves of VGPRs
  Vop3Literals,  // VOP3 and VOP3P take a literal
  Images,        // MIMG, or VIMAGE and VSAMPLE
  Mai,           // matrix instructions on accumulation VGPRs (MFMA)
  PackedFp32,    // v_pk_add_f32 and its like
  VgprIndexMode, // s_set_gpr_idx_on
  Movrel,        // v_movrels and its like
  ScalarFloat,   // floating-point SALU
  OcpFloats,     // 8-bit floats in the formats of the Open Compute Project; gfx942 has others (ERRATA 20)
};

// What a hardware register (s_getreg, s_setreg) holds, whatever its number.
enum class HardwareRegister : uint8_t {
  None,
  Mode,
  Status,
  HardwareId,
  Allocation,  // places of registers or LDS on the chip, which the engine has not: reading them is refused
  MemoryBases, // bits 63:48 of the private aperture in the low half, of the shared one in the high half
  FlatScratchLo,
  FlatScratchHi,
  ShaderCyclesLo,
  ShaderCyclesHi,
};

inline constexpr uint8_t kNoRegister = 0xff;
inline constexpr uint32_t kHardwareRegisters = 64; // numbers that s_getreg can name

struct IsaFacts {
  uint8_t m0, null, flat_scratch, xnack_mask; // numbers in operand encoding; kNoRegister
  uint8_t global_offset_bits;
  FlatOffset flat_offset;
  uint8_t scalar_offset_bits;
  WaitCounters wait_counters;
  BufferGeneration buffer_generation;
  uint32_t features; // bit n: IsaFeature n
  std::array<HardwareRegister, kHardwareRegisters> hardware_registers;
};

struct Target {
  const codeobject::Processor* processor;
  const codeobject::FamilyFacts* family;
  const IsaFacts* isa;

  const char* name() const noexcept { return processor->name; }
  bool executes() const noexcept { return processor->software == codeobject::SoftwareExecution::Executes; }
  bool has(IsaFeature feature) const noexcept { return isa->features >> unsigned(feature) & 1; }
  // Loads of 16 bits clear the other half of their register, as memory with ECC makes them (ERRATA 59); else it stays.
  bool clears_halves() const noexcept { return processor->has_sramecc(); }
  uint32_t lds_bytes() const noexcept { return processor->capacity.lds_kib * 1024; }
  HardwareRegister hardware_register(uint32_t number) const noexcept {
    return number < kHardwareRegisters ? isa->hardware_registers[number] : HardwareRegister::None;
  }
  // Bits of MODE that the processor has not, and that count as set (Wave::mode): DX10_CLAMP and IEEE from gfx12 on.
  uint32_t fixed_mode() const noexcept { return family->descriptor >= codeobject::DescriptorLayout::Gfx12 ? 3u << 8 : 0; }
  // Where the wave's block (wave/wave.h) keeps the scalar register with this number in operand encoding. M0 and the
  // null register have changed numbers over time; the block has one place for each.
  uint32_t sgpr_index(uint32_t number) const noexcept;
};

// Null for a name that processors.def does not have.
const Target* find_target(std::string_view name) noexcept;
// Names of the processors whose code the engine executes, with commas between them; for messages.
std::string executed_targets();

} // namespace hip::engine
