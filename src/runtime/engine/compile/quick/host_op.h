// runtime/engine/compile/quick/host_op.h - the host instructions of quick code (host_ops.def).
#pragma once

#include <cstdint>

namespace hip::engine::compile::quick {

enum class Op : uint16_t {
#define HOST_OP(name, form, map, prefix, wide, opcode, tuple) name,
#include "runtime/engine/compile/quick/host_ops.def"
  kCount
};

// Where an instruction's operands stand. `def` is Inst::def, `a` and `b` are Inst::source[0] and [1], `rm` is what
// ModRM.rm names: the last source, or Inst::memory in its place.
enum class Form : uint8_t {
  Pseudo,
  MovImm,     // def = imm
  Load,       // def = op rm
  LoadImm,    // def = op rm, imm
  Extend,     // def = rm, a narrower one
  Store,      // memory = a
  StoreImm,   // memory = imm
  Alu,        // def = def op rm (tied)
  AluImm,     // def = def op imm (tied)
  ShiftImm,   // the same with an immediate of 8 bits
  Unary,      // def = op def (tied)
  Compare,    // flags = a op rm
  CompareImm, // flags = rm op imm
  SetIf,      // the low byte of def = flags
  VexShift,   // def = rm shifted by b (a is rm's register)
  Exchange,   // def, memory = memory, def (tied)
  Touch,      // memory
  Bare,
  MaskMove,    // mask def = mask rm
  MaskStore,   // memory = mask a
  MaskFrom,    // mask def = general a
  MaskTo,      // general def = mask a
  MaskAlu,     // mask def = mask a op mask b
  MaskUnary,   // mask def = op mask a
  MaskImm,     // mask def = mask a op imm
  Vec,         // def = a op rm
  Blend,       // def = rm where mask has a bit, else a
  VecImm,      // def = a op rm, imm
  VecTied,     // def = op(def, a, rm) (tied)
  VecLoad,     // def = op rm
  VecLoadImm,  // def = op rm, imm
  VecStore,    // rm = op a, where rm is def or memory
  VecStoreImm, // rm = op a, imm
  VecShift,    // def = rm op imm
  VecFromMask, // def = op mask a
  MaskFromVec, // mask def = op a
  MaskCompare, // mask def = a op rm, imm where the opcode is of map 1 or 3
};

enum class Tuple : uint8_t {
  None,
  Full4,
  Full8,
  Whole,
  Half,
  Quarter,
  Scalar1,
  Scalar2,
  Scalar4,
  Scalar8,
  Fixed16,
  Fixed32
};

struct OpRow {
  const char* name;
  Form form;
  uint8_t map, prefix;
  bool wide;
  uint16_t opcode;
  Tuple tuple;
};
const OpRow& row_of(Op op) noexcept;

// How many bytes of memory a vector instruction reads or writes whose vectors have so many bytes.
uint32_t memory_bytes(Tuple tuple, uint32_t vector_bytes) noexcept;

// Of a jump, a move or a byte, by the flags that a comparison has left (the low bits of its opcode).
enum class Condition : uint8_t {
  Below = 2,
  AboveEqual,
  Equal,
  NotEqual,
  BelowEqual,
  Above,
  Negative,
  NotNegative,
  Parity,
  NoParity,
  Less,
  GreaterEqual,
  LessEqual,
  Greater
};
inline Condition inverse(Condition c) noexcept { return Condition(uint8_t(c) ^ 1); }

} // namespace hip::engine::compile::quick
