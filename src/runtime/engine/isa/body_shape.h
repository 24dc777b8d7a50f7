// runtime/engine/isa/body_shape.h - operand kinds and widths of an ALU instruction, as the parameter types of its body
// say (isa/types.inl): what handlers fetch, what translated code passes to the library's functions, and which registers
// the resolver names (decode/resolve.h).
#pragma once

#include "runtime/engine/isa/opcode.h"

#include <cstdint>

namespace hip::engine {

enum OperandKind : uint32_t {
  kKind32 = 1,
  kKind64,
  kKind16,
  kKindPack, // two 16-bit halves
  kKindPair, // two registers, selected by op_sel
  kKindMix,  // f32 or either f16 half
  kKindQuad, // four registers
  kKindMask, // lane mask in SGPRs: a bit per lane of the wave
  kKindLane, // the lane's number; not an operand of the instruction
  kKindScc,  // SCC; not an operand of the instruction
  kKindExec, // EXEC; not an operand of the instruction
  kKindOld,   // the destination's old value, of instructions that write a part of it which op_sel chooses
  kKindField, // a field of the instruction as a number (ResolvedInst::field); not an operand
};
// Bits of BodyShape::result.
enum BodyResult : uint32_t {
  kResultRegisters = 0x7,  // dwords written to the destination
  kResultMask = 1u << 3,   // the result is a lane mask, in SGPRs
  kResultCarry = 1u << 4,  // a second result is
  kResultFloat = 1u << 5,  // clamp means [0, 1]
  kResultScc = 1u << 6,    // scalar bodies: SCC is written
  kResultExec = 1u << 7,   // scalar bodies: EXEC is written
  kParameterShift = 8,     // 4 bits: number of parameters
  kResult16 = 1u << 13,   // the result has 16 bits
  kResultMaybe = 1u << 12, // scalar bodies: the destination may keep its value
};

// What a parameter or a result is, for the fields of MODE that concern floating point.
enum class FloatKind : uint8_t { None, Single, Double, Half }; // Half: one or both 16-bit parts of a register

struct BodyShape {
  uint32_t kinds = 0;  // OperandKind of parameter k in bits 4k to 4k+3
  uint32_t floats = 0; // FloatKind of parameter k in bits 2k and 2k+1, of the result in bits 31:30
  uint32_t result = 0; // BodyResult
  uint32_t keep = 0;   // bits of the destination register that stay

  constexpr uint32_t parameters() const noexcept { return result >> kParameterShift & 15; }
  constexpr uint32_t kind(uint32_t k) const noexcept { return kinds >> (4 * k) & 15; }
  constexpr FloatKind float_kind(uint32_t k) const noexcept { return FloatKind(floats >> (2 * k) & 3); }
  constexpr FloatKind float_result() const noexcept { return float_kind(15); }
  // Dwords of parameter k, as data; a lane mask has none.
  constexpr uint32_t dwords(uint32_t k) const noexcept {
    switch (kind(k)) {
    case kKindMask:
    case kKindScc:
    case kKindExec:
      return 0;
    case kKind64:
    case kKindPair:
      return 2;
    case kKindQuad:
      return 4;
    default:
      return 1;
    }
  }
  constexpr uint32_t rows() const noexcept { return result & kResultRegisters; }
  constexpr bool mask() const noexcept { return (result & (kResultMask | kResultCarry)) != 0; }
};

// The shape of the body that computes `opcode`; null: it has no ALU body.
const BodyShape* shape_of(Opcode opcode) noexcept;

} // namespace hip::engine
