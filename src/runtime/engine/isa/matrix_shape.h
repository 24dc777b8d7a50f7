// runtime/engine/isa/matrix_shape.h - operands of a matrix instruction: registers, blocks, and which modifiers mean
// something.
#pragma once

#include "runtime/engine/isa/opcode.h"

namespace hip::engine {

// How a wave holds matrices; WMMA's layouts are in isa/wmma.h.
enum class MatrixLayout : uint8_t { Mfma, Gfx11Wave32, Gfx11Wave64, Gfx12Wave32, Gfx12Wave64 };
enum class SumFormat : uint8_t { F32, I32, F16, Bf16 };

// A factor of a WMMA: dwords of each row, and how many in a row gfx12 has in registers of the same lanes.
struct WmmaFactor {
  uint32_t dwords = 0, run = 0;
};

struct MatrixShape {
  uint32_t registers_a = 0, registers_b = 0, registers_d = 0; // per lane; of WMMA: as its meaning has them (isa/wmma.h)
  uint32_t rows = 0, blocks = 0;
  uint32_t index_bits = 0; // of a lane's index, sparse ones only; of WMMA: as its meaning has them
  bool wide = false;       // f64, where blgp means signs
  bool blgp = false;       // whether blgp means something
  // WMMA and SWMMAC:
  uint32_t element_bits = 0; // of the factors; 0: MFMA
  SumFormat sums = SumFormat::F32;
  WmmaFactor a, b;
  bool is_wmma() const { return element_bits != 0; }
};

// Null: the opcode has no body.
const MatrixShape* matrix_shape_of(Opcode opcode) noexcept;

} // namespace hip::engine
