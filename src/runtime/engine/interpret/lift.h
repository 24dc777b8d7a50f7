// runtime/engine/interpret/lift.h - turns decoded operands into fields of an Inst; the lift functions of the ALU.
#pragma once

#include "runtime/engine/interpret/op_row.h"

namespace hip::engine {

struct Operand; // decode/raw_inst.h

// Byte offset of a register operand in the wave's block; false when the operand has none (vccz, execz, …).
bool operand_offset(const Operand& operand, uint32_t& offset) noexcept;

std::string lift_valu(const OpRow& row, const RawInst& raw, Inst& out);
// Elements of matrix instructions: src[0..2] and dst are the operands' first rows, imm[1] holds cbsz, abid and blgp. Their OpRow:
// shape[0] is the number of blocks; shape[1] says whether blgp has a meaning, and how many bits a lane's index has (sparse only).
inline constexpr uint32_t kMatrixAbidShift = 4, kMatrixBlgpShift = 8;      // imm[1]
inline constexpr uint32_t kMatrixBlgp = 1, kMatrixIndexShift = 8;          // shape[1]
std::string lift_matrix(const OpRow& row, const RawInst& raw, Inst& out);
std::string lift_salu(const OpRow& row, const RawInst& raw, Inst& out);

} // namespace hip::engine
