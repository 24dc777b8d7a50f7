// runtime/engine/isa/matrix_shape.h - operands of a matrix instruction: registers, blocks, and which modifiers mean
// something.
#pragma once

#include "runtime/engine/isa/opcode.h"

namespace hip::engine {

struct MatrixShape {
  uint32_t registers_a = 0, registers_b = 0, registers_d = 0; // per lane
  uint32_t rows = 0, blocks = 0;
  uint32_t index_bits = 0; // of a lane's index, sparse ones only
  bool wide = false;       // f64, where blgp means signs
  bool blgp = false;       // whether blgp means something
};

// Null: the opcode has no body.
const MatrixShape* matrix_shape_of(Opcode opcode) noexcept;

} // namespace hip::engine
