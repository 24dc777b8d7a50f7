// runtime/engine/exec/lift.h - what rows use to turn decoded operands into an Inst, and the lift functions of the ALU.
#pragma once

#include "runtime/engine/exec/op_row.h"

namespace hip::engine {

struct Operand; // decode/raw_inst.h

// Byte offset of a register operand in the wave's block; false when the operand has none (vccz, execz, …).
bool operand_offset(const Operand& operand, uint32_t& offset) noexcept;

std::string lift_valu(const OpRow& row, const RawInst& raw, Inst& out);
// Matrix instructions: src[0..2] and dst are first rows, imm[1] holds cbsz, abid << 4 and blgp << 8; shape[0] is the
// number of blocks.
std::string lift_mfma(const OpRow& row, const RawInst& raw, Inst& out);
std::string lift_salu(const OpRow& row, const RawInst& raw, Inst& out);

} // namespace hip::engine
