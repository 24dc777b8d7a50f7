// runtime/engine/interpret/lift.h - what rows use to turn decoded operands into an Inst, and the lift functions of the ALU.
#pragma once

#include "runtime/engine/interpret/op_row.h"

namespace hip::engine {

struct Operand; // decode/raw_inst.h

// Byte offset of a register operand in the wave's block; false when the operand has none (vccz, execz, …).
bool operand_offset(const Operand& operand, uint32_t& offset) noexcept;

std::string lift_valu(const OpRow& row, const RawInst& raw, Inst& out);
// Matrix instructions: src[0..2] and dst are first rows, imm[1] holds cbsz, abid and blgp. Of the row, shape[0] is the number
// of blocks, shape[1] says whether blgp means something and how many bits a lane's index has (sparse ones only).
inline constexpr uint32_t kMatrixAbidShift = 4, kMatrixBlgpShift = 8;      // imm[1]
inline constexpr uint32_t kMatrixBlgp = 1, kMatrixIndexShift = 8;          // shape[1]
std::string lift_matrix(const OpRow& row, const RawInst& raw, Inst& out);
std::string lift_salu(const OpRow& row, const RawInst& raw, Inst& out);

} // namespace hip::engine
