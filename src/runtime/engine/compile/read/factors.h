// runtime/engine/compile/read/factors.h - factors of matrix instructions: their registers, and whether the library's functions multiply
// them as they are, so that nobody has to make units of them.
#pragma once

#include "runtime/engine/compile/read/code.h"

namespace hip::engine::compile {

// Of A (operand 0) or B (1).
inline std::bitset<kMaxVgprs> factor_registers(const Instr& i, uint32_t operand) {
  std::bitset<kMaxVgprs> out;
  const uint32_t count = operand == 0 ? i.raw.matrix.registers_a : i.raw.matrix.registers_b;
  for (uint32_t k = 0; k < count; ++k) out.set(vgpr_of(i.raw.src[operand], k));
  return out;
}
inline bool takes_as_it_is(const Instr& i, uint32_t operand) {
  const MatrixOp& op = *i.matrix;
  const uint32_t bytes = operand == 0 ? op.unit_bytes_a : op.unit_bytes_b;
  const bool modified = operand == 0 ? i.raw.cbsz || op.index_bits : i.raw.blgp != 0;
  return op.as_is && !op.coarse && !op.wide && !modified && bytes == factor_registers(i, operand).count() * kRowBytes;
}

} // namespace hip::engine::compile
