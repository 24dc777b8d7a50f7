// runtime/engine/compile/quick/select_halves.cpp - see select.h: arithmetic of halves where the host has none (no
// AVX512-FP16), and of single ones. They become floats and back. A sum, difference, product or quotient of two halves
// that is rounded to a float first is the one that is rounded once, because a float has more than twice a half's
// digits.
#include "runtime/engine/compile/quick/select.h"

namespace hip::engine::compile::quick {

uint32_t Selector::pieces_of_halves(const Shape& halves) const { return std::max(1u, (halves.elements + 15) / 16); }

uint32_t Selector::bytes_of_floats(const Shape& halves) const {
  return std::clamp(std::bit_ceil(halves.elements * 4), 16u, 64u);
}

// The 16 halves from 16 * piece on as floats; or all, where there are fewer.
Reg Selector::as_floats(const llvm::Value& halves, uint32_t piece) {
  const Shape shape = shape_of(*halves.getType());
  Reg from = reg(halves, piece / 2);
  if (piece % 2) {
    const Reg high = make(RegClass::Vector);
    add(Op::Vextracti64x4, 64, high, from).imm = 1;
    from = high;
  }
  const Reg floats = make(RegClass::Vector);
  add(Op::Vcvtph2ps, bytes_of_floats(shape), floats, from);
  return floats;
}

// The instruction's halves from floats, which floats(piece) has of each 16 of them.
void Selector::from_floats(const llvm::Instruction& i, uint32_t piece_bytes,
                           const std::function<Reg(uint32_t piece)>& floats) {
  const Shape shape = shape_of(*i.getType());
  const auto one = [&](uint32_t piece, Reg def) {
    const Reg from = floats(piece);
    add(Op::Vcvtps2phImm, piece_bytes, def, from).imm = 4; // as MXCSR rounds
  };
  if (shape.bytes < 64) return one(0, defined(i));
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg low = make(RegClass::Vector), high = make(RegClass::Vector);
    one(2 * part, low), one(2 * part + 1, high);
    add(Op::Vinserti64x4, 64, defined(i, part), low, high).imm = 1;
  }
}

void Selector::select_half_binary(const llvm::BinaryOperator& i) {
  Op op = Op::Copy;
  switch (i.getOpcode()) {
  case llvm::Instruction::FAdd:
    op = Op::Vaddps;
    break;
  case llvm::Instruction::FSub:
    op = Op::Vsubps;
    break;
  case llvm::Instruction::FMul:
    op = Op::Vmulps;
    break;
  case llvm::Instruction::FDiv:
    op = Op::Vdivps;
    break;
  default:
    refuse(i);
  }
  const uint32_t bytes = bytes_of_floats(shape_of(*i.getType()));
  from_floats(i, bytes, [&](uint32_t piece) {
    const Reg a = as_floats(*i.getOperand(0), piece), b = as_floats(*i.getOperand(1), piece);
    const Reg result = make(RegClass::Vector);
    add(op, bytes, result, a, b);
    return result;
  });
}

// To whole numbers; `imm` is VRNDSCALE's. False: they are no halves, or the host has an instruction for it.
bool Selector::select_half_rounding(const llvm::IntrinsicInst& i, int64_t imm) {
  if (!i.getType()->getScalarType()->isHalfTy() || features_.fp16) return false;
  const uint32_t bytes = bytes_of_floats(shape_of(*i.getType()));
  from_floats(i, bytes, [&](uint32_t piece) {
    const Reg from = as_floats(*i.getArgOperand(0), piece), result = make(RegClass::Vector);
    add(Op::VrndscalepsImm, bytes, result, from).imm = imm;
    return result;
  });
  return true;
}

// Vectors of halves to and from those of integers of 16 bits, and to those of 32, by floats, which hold all of these
// exactly.
void Selector::select_half_cast(const llvm::CastInst& i) {
  const llvm::Value& from = *i.getOperand(0);
  const Shape to = shape_of(*i.getType()), source = shape_of(*from.getType());
  const Shape halves = i.getType()->getScalarType()->isHalfTy() ? to : source;
  if (!halves.elements || halves.bytes > 32) refuse(i);
  const uint32_t bytes = bytes_of_floats(halves);
  const Reg wide = make(RegClass::Vector);
  switch (i.getOpcode()) {
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP: {
    if (source.element_bits != 16) refuse(i);
    const bool is_signed = i.getOpcode() == llvm::Instruction::SIToFP;
    add(is_signed ? Op::Vpmovsxwd : Op::Vpmovzxwd, bytes, wide, reg(from));
    return from_floats(i, bytes, [&](uint32_t) {
      const Reg floats = make(RegClass::Vector);
      add(Op::Vcvtdq2ps, bytes, floats, wide);
      return floats;
    });
  }
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::FPToSI: {
    const bool is_signed = i.getOpcode() == llvm::Instruction::FPToSI, narrows = to.element_bits == 16;
    if (!narrows && to.element_bits != 32) refuse(i);
    const Reg floats = as_floats(from, 0), def = defined(i);
    add(is_signed ? Op::Vcvttps2dq : Op::Vcvttps2udq, bytes, narrows ? wide : def, floats);
    if (narrows) add(Op::Vpmovdw, bytes, def, wide);
    return;
  }
  default:
    refuse(i);
  }
}

} // namespace hip::engine::compile::quick
