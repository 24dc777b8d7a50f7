// runtime/engine/interpret/lift.h - turns decoded operands into fields of an Inst; the lift functions of the ALU.
#pragma once

#include "runtime/engine/interpret/op_row.h"

namespace hip::engine {

struct Operand; // decode/raw_inst.h

// Byte offset of a register operand in the wave's block; false when the operand has none (vccz, execz, …).
bool operand_offset(const Operand& operand, uint32_t& offset) noexcept;

// Of the scalar destination; what goes to the null register has a place in the wave's block.
bool scalar_destination(const ResolvedInst& inst, uint32_t& offset) noexcept;

std::string lift_valu(const OpRow& row, const ResolvedInst& raw, Inst& out);
// Matrix instructions: src[0..2] and dst are first rows, imm[1] holds cbsz, abid and blgp.
inline constexpr uint32_t kMatrixAbidShift = 4, kMatrixBlgpShift = 8;      // imm[1]
std::string lift_matrix(const OpRow& row, const ResolvedInst& raw, Inst& out);
std::string lift_salu(const OpRow& row, const ResolvedInst& raw, Inst& out);

} // namespace hip::engine
