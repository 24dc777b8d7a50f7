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
// WMMA: imm[0] holds MatrixForm's flipped_a and flipped_b, imm[1] the SumForm and behind it the number of the index's first bit.
inline constexpr uint32_t kWmmaAbsolute = 1u << 8, kWmmaNegated = 1u << 9, kWmmaIndexShift = 16; // imm[1]
std::string lift_wmma(const OpRow& row, const ResolvedInst& raw, Inst& out);
// Those with formats of several widths: cbsz and blgp as above; imm[0] holds where the scales of A and B begin, 32 bits each (0:
// there are none), the byte of each scale comes behind blgp.
inline constexpr uint32_t kMatrixByteAShift = 12, kMatrixByteBShift = 16; // imm[1]
inline constexpr uint32_t kMatrixScaleAVector = 1u << 20, kMatrixScaleBVector = 1u << 21; // imm[1]: else one for all lanes
std::string lift_scaled_matrix(const OpRow& row, const ResolvedInst& raw, Inst& out);
// What crosses lanes or has more registers than a body: up to three sources, a destination, no modifiers.
std::string lift_lanes(const OpRow& row, const ResolvedInst& raw, Inst& out);
std::string lift_salu(const OpRow& row, const ResolvedInst& raw, Inst& out);

} // namespace hip::engine
