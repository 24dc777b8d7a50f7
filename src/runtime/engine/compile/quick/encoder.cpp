// runtime/engine/compile/quick/encoder.cpp - see encoder.h. Source: Intel's manual, volume 2, chapter 2 (prefixes,
// ModRM and SIB, VEX, EVEX).
#include "runtime/engine/compile/quick/encoder.h"

#include <cstring>

namespace hip::engine::compile::quick {
namespace {

constexpr OpRow kRows[] = {
#define HOST_OP(name, form, map, prefix, wide, opcode, tuple)                                                          \
  {#name, Form::form, map, prefix, wide != 0, opcode, Tuple::tuple},
#include "runtime/engine/compile/quick/host_ops.def"
};

constexpr uint32_t kPrefixes[] = {0, 0x66, 0xf3, 0xf2};

bool is_byte(int64_t value) { return value == int8_t(value); }

} // namespace

const OpRow& row_of(Op op) noexcept { return kRows[size_t(op)]; }

uint32_t memory_bytes(Tuple tuple, uint32_t vector_bytes) noexcept {
  switch (tuple) {
  case Tuple::Half:
    return vector_bytes / 2;
  case Tuple::Quarter:
    return vector_bytes / 4;
  case Tuple::Scalar1:
    return 1;
  case Tuple::Scalar2:
    return 2;
  case Tuple::Scalar4:
    return 4;
  case Tuple::Scalar8:
    return 8;
  case Tuple::Fixed16:
    return 16;
  case Tuple::Fixed32:
    return 32;
  default:
    return vector_bytes;
  }
}

void Encoder::dword(uint32_t value) {
  for (uint32_t k = 0; k < 4; ++k) byte((value >> (8 * k)) & 255);
}

void Encoder::patch(uint32_t at, uint32_t value) { std::memcpy(code.data() + at, &value, sizeof value); }

// ModRM, SIB and displacement. A displacement of one byte counts in units of `scale_of_byte` bytes. `imm_bytes` follow.
void Encoder::modrm(uint32_t reg, const Rm& rm, uint32_t scale_of_byte, uint32_t imm_bytes) {
  reg = (reg & 7) << 3;
  if (!rm.memory) return byte(0xc0 | reg | (rm.reg & 7));
  const Memory& m = *rm.memory;
  if (m.kind == Memory::Kind::Constant) {
    byte(reg | 5);
    const uint32_t at = size();
    dword(0);
    distances.push_back({at, at + 4 + imm_bytes, false, uint32_t(m.displacement)});
    return;
  }
  const int64_t displacement = int64_t{m.displacement} + rm.frame;
  const bool has_index = m.index != kNoReg, has_base = m.kind != Memory::Kind::Address || m.base != kNoReg;
  const uint32_t scale = m.scale == 8 ? 3 : m.scale == 4 ? 2 : m.scale == 2 ? 1 : 0;
  if (!has_base) { // disp32 alone, or with an index
    byte(reg | 4);
    byte(scale << 6 | (has_index ? rm.index & 7 : 4) << 3 | 5);
    return dword(uint32_t(displacement));
  }
  const bool fits = displacement % scale_of_byte == 0 && is_byte(displacement / scale_of_byte);
  const uint32_t mod = displacement == 0 && (rm.base & 7) != 5 ? 0 : fits ? 1 : 2;
  if (has_index || (rm.base & 7) == 4) {
    byte(mod << 6 | reg | 4);
    byte(scale << 6 | (has_index ? rm.index & 7 : 4) << 3 | (rm.base & 7));
  } else {
    byte(mod << 6 | reg | (rm.base & 7));
  }
  if (mod == 1) byte(uint32_t(displacement / scale_of_byte) & 255);
  if (mod == 2) dword(uint32_t(displacement));
}

void Encoder::legacy(const OpRow& row, uint32_t bytes, uint32_t reg, const Rm& rm, bool byte_registers,
                     uint32_t imm_bytes) {
  if (bytes == 2) byte(0x66);
  if (row.prefix) byte(kPrefixes[row.prefix]);
  const uint32_t b = rm.memory ? rm.base : rm.reg, x = rm.memory ? rm.index : 0;
  const uint32_t rex = (bytes == 8) << 3 | ((reg >> 3) & 1) << 2 | ((x >> 3) & 1) << 1 | ((b >> 3) & 1);
  if (rex || byte_registers) byte(0x40 | rex);
  if (row.map == 1) byte(0x0f);
  uint32_t opcode = row.opcode & 255;
  // The forms for bytes have the number below.
  if (bytes == 1 && row.form != Form::Extend && row.form != Form::SetIf) opcode &= ~1u;
  byte(opcode);
  modrm(reg, rm, 1, imm_bytes);
}

void Encoder::vex(const OpRow& row, bool wide, uint32_t l, uint32_t reg, uint32_t vvvv, const Rm& rm,
                  uint32_t imm_bytes) {
  constexpr uint32_t kPp[] = {0, 1, 2, 3};
  const uint32_t b = rm.memory ? rm.base : rm.reg, x = rm.memory ? rm.index : 0;
  byte(0xc4);
  byte((~reg >> 3 & 1) << 7 | (~x >> 3 & 1) << 6 | (~b >> 3 & 1) << 5 | row.map);
  byte(uint32_t(wide) << 7 | (~vvvv & 15) << 3 | l << 2 | kPp[row.prefix]);
  byte(row.opcode & 255);
  modrm(reg, rm, 1, imm_bytes);
}

void Encoder::evex(const Inst& inst, uint32_t reg, uint32_t vvvv, const Rm& rm, uint32_t mask, uint32_t imm_bytes) {
  const OpRow& row = row_of(inst.op);
  const uint32_t b = rm.memory ? rm.base : rm.reg, x = rm.memory ? rm.index >> 3 : rm.reg >> 4;
  uint32_t l = inst.bytes == 64 ? 2 : inst.bytes == 32 ? 1 : 0;
  bool bit = rm.memory && rm.memory->broadcast;
  if (inst.rounding) l = inst.rounding & 3, bit = true;
  byte(0x62);
  byte((~reg >> 3 & 1) << 7 | (~x & 1) << 6 | (~b >> 3 & 1) << 5 | (~reg >> 4 & 1) << 4 | row.map);
  byte(uint32_t(row.wide) << 7 | (~vvvv & 15) << 3 | 4 | row.prefix);
  byte(uint32_t(inst.zeroing) << 7 | l << 5 | uint32_t(bit) << 4 | (~vvvv >> 4 & 1) << 3 | mask);
  byte(row.opcode & 255);
  const uint32_t unit = bit ? (row.tuple == Tuple::Full8 ? 8 : 4) : memory_bytes(row.tuple, inst.bytes);
  modrm(reg, rm, unit, imm_bytes);
}

void Encoder::encode(const Inst& inst, const PhysicalOperands& at, uint32_t frame) {
  const OpRow& row = row_of(inst.op);
  Rm rm;
  const bool in_memory = inst.memory.kind != Memory::Kind::None;
  if (in_memory) {
    rm.memory = &inst.memory;
    rm.base = inst.memory.kind == Memory::Kind::Slot ? uint32_t(phys::rsp) : inst.memory.base ? at.base : 0;
    rm.index = inst.memory.index ? at.index : 0;
    rm.frame = inst.memory.kind == Memory::Kind::Slot ? int32_t(frame) : 0;
  }
  const auto with_rm = [&](uint32_t reg) -> const Rm& {
    rm.reg = reg;
    return rm;
  };
  const auto immediate = [&](uint32_t count) {
    for (uint32_t k = 0; k < count; ++k) byte(uint32_t(inst.imm >> (8 * k)) & 255);
  };
  const auto ext = uint32_t(row.opcode) >> 8;
  const uint32_t wide_imm = inst.bytes == 1 ? 1 : inst.bytes == 2 ? 2 : 4;
  switch (row.form) {
  case Form::Pseudo:
    break;
  case Form::MovImm:
    if (inst.imm == int64_t(uint32_t(inst.imm))) {
      if (at.def >= 8) byte(0x41);
      byte(0xb8 | (at.def & 7)), immediate(4);
    } else if (inst.imm == int32_t(inst.imm)) {
      byte(0x48 | at.def >> 3), byte(0xc7), byte(0xc0 | (at.def & 7)), immediate(4);
    } else {
      byte(0x48 | at.def >> 3), byte(0xb8 | (at.def & 7)), immediate(8);
    }
    break;
  case Form::Load:
    legacy(row, inst.bytes, at.def, with_rm(at.a), inst.bytes == 1, 0);
    break;
  case Form::LoadImm:
    legacy(row, inst.bytes, at.def, with_rm(at.a), false, wide_imm), immediate(wide_imm);
    break;
  case Form::Extend:
    legacy(row, inst.bytes, at.def, with_rm(at.a), (row.opcode & 0xf7) == 0xb6, 0);
    break;
  case Form::Store:
    legacy(row, inst.bytes, at.a, rm, inst.bytes == 1, 0);
    break;
  case Form::StoreImm:
    legacy(row, inst.bytes, 0, rm, false, wide_imm), immediate(wide_imm);
    break;
  case Form::Alu: {
    if (inst.op == Op::MovIf) {
      OpRow mine = row;
      mine.opcode = uint16_t(row.opcode | uint32_t(inst.condition));
      legacy(mine, inst.bytes, at.def, with_rm(at.a), false, 0);
      break;
    }
    legacy(row, inst.bytes, at.def, with_rm(at.a), inst.bytes == 1, 0);
    break;
  }
  case Form::AluImm:
  case Form::CompareImm: {
    const uint32_t reg = row.form == Form::AluImm ? at.def : at.a;
    if (inst.op != Op::TestImm && inst.bytes != 1 && is_byte(inst.imm)) {
      OpRow mine = row;
      mine.opcode = uint16_t((row.opcode & 0x700) | 0x83);
      legacy(mine, inst.bytes, ext, with_rm(reg), false, 1), immediate(1);
    } else {
      legacy(row, inst.bytes, ext, with_rm(reg), inst.bytes == 1, wide_imm), immediate(wide_imm);
    }
    break;
  }
  case Form::ShiftImm:
    legacy(row, inst.bytes, ext, with_rm(at.def), inst.bytes == 1, 1), immediate(1);
    break;
  case Form::Unary:
    if (inst.op == Op::Bswap) {
      const uint32_t rex = (inst.bytes == 8) << 3 | at.def >> 3;
      if (rex) byte(0x40 | rex);
      byte(0x0f), byte(0xc8 | (at.def & 7));
    } else {
      legacy(row, inst.bytes, ext, with_rm(at.def), inst.bytes == 1, 0);
    }
    break;
  case Form::Compare:
    legacy(row, inst.bytes, at.a, with_rm(at.b), inst.bytes == 1, 0);
    break;
  case Form::SetIf: {
    OpRow mine = row;
    mine.opcode = uint16_t(row.opcode | uint32_t(inst.condition));
    legacy(mine, 1, 0, with_rm(at.def), true, 0);
    break;
  }
  case Form::VexShift:
    vex(row, inst.bytes == 8, 0, at.def, at.b, with_rm(at.a), 0);
    break;
  case Form::Touch:
    legacy(row, 4, uint32_t(inst.imm), rm, false, 0);
    break;
  case Form::Bare:
    byte(0x0f), byte(0xae), byte(row.opcode);
    break;
  case Form::Exchange:
    legacy(row, inst.bytes, at.def, rm, inst.bytes == 1, 0);
    break;
  case Form::MaskMove:
    vex(row, row.wide, 0, at.def, 0, with_rm(at.a), 0);
    break;
  case Form::MaskStore:
    vex(row, row.wide, 0, at.a, 0, rm, 0);
    break;
  case Form::MaskFrom:
  case Form::MaskTo:
    vex(row, row.wide, 0, at.def, 0, with_rm(at.a), 0);
    break;
  case Form::MaskAlu:
    vex(row, row.wide, 1, at.def, at.a, with_rm(at.b), 0);
    break;
  case Form::MaskUnary:
    vex(row, row.wide, 0, at.def, 0, with_rm(at.a), 0);
    break;
  case Form::MaskImm:
    vex(row, row.wide, 0, at.def, 0, with_rm(at.a), 1), immediate(1);
    break;
  case Form::Vec:
  case Form::Blend:
    evex(inst, at.def, at.a, with_rm(at.b), at.mask, 0);
    break;
  case Form::VecImm:
    evex(inst, at.def, at.a, with_rm(at.b), at.mask, 1), immediate(1);
    break;
  case Form::VecTied: {
    const uint32_t imm = row.map == 3;
    evex(inst, at.def, at.a, with_rm(at.b), at.mask, imm), immediate(imm);
    break;
  }
  case Form::VecLoad:
    evex(inst, at.def, 0, with_rm(at.a), at.mask, 0);
    break;
  case Form::VecLoadImm:
    evex(inst, at.def, 0, with_rm(at.a), at.mask, 1), immediate(1);
    break;
  case Form::VecStore:
    evex(inst, at.a, 0, with_rm(at.def), at.mask, 0);
    break;
  case Form::VecStoreImm:
    evex(inst, at.a, 0, with_rm(at.def), at.mask, 1), immediate(1);
    break;
  case Form::VecShift:
    evex(inst, ext, at.def, with_rm(at.a), at.mask, 1), immediate(1);
    break;
  case Form::VecFromMask:
  case Form::MaskFromVec:
    evex(inst, at.def, 0, with_rm(at.a), 0, 0);
    break;
  case Form::MaskCompare: {
    const uint32_t imm = row.map != 2;
    evex(inst, at.def, at.a, with_rm(at.b), at.mask, imm), immediate(imm);
    break;
  }
  }
}

void Encoder::address(uint32_t to, const Memory& memory, uint32_t base, uint32_t index) {
  constexpr OpRow kLea{"lea", Form::Load, 0, 0, false, 0x8d, Tuple::None};
  Rm rm;
  rm.memory = &memory;
  rm.base = memory.kind == Memory::Kind::Slot ? uint32_t(phys::rsp) : memory.base ? base : 0;
  rm.index = memory.index ? index : 0;
  legacy(kLea, 8, to, rm, false, 0);
}

void Encoder::jump(uint32_t block) {
  byte(0xe9);
  distances.push_back({size(), size() + 4, true, block});
  dword(0);
}

void Encoder::jump_if(Condition condition, uint32_t block) {
  byte(0x0f), byte(0x80 | uint32_t(condition));
  distances.push_back({size(), size() + 4, true, block});
  dword(0);
}

namespace {

Inst simple(Op op, uint8_t bytes) {
  Inst inst;
  inst.op = op, inst.bytes = bytes;
  return inst;
}

Inst at_memory(Op op, uint8_t bytes, int32_t displacement) {
  Inst inst = simple(op, bytes);
  inst.memory.kind = Memory::Kind::Address;
  inst.memory.base = 1; // any: PhysicalOperands says which
  inst.memory.displacement = displacement;
  return inst;
}

} // namespace

void Encoder::move_general(uint32_t to, uint32_t from) { encode(simple(Op::Mov, 8), {.def = to, .a = from}, 0); }
void Encoder::exchange_general(uint32_t a, uint32_t b) {
  byte(0x48 | (a >> 3) << 2 | b >> 3), byte(0x87), byte(0xc0 | (a & 7) << 3 | (b & 7));
}
void Encoder::move_vector(uint32_t to, uint32_t from) { encode(simple(Op::Vmovdqa32, 64), {.def = to, .a = from}, 0); }
void Encoder::move_mask(uint32_t to, uint32_t from) { encode(simple(Op::Kmovq, 8), {.def = to, .a = from}, 0); }
void Encoder::load_general(uint32_t to, uint32_t base, int32_t displacement) {
  encode(at_memory(Op::Mov, 8, displacement), {.def = to, .base = base}, 0);
}
void Encoder::store_general(uint32_t base, int32_t displacement, uint32_t from) {
  encode(at_memory(Op::MovStore, 8, displacement), {.a = from, .base = base}, 0);
}
void Encoder::load_vector(uint32_t to, uint32_t base, int32_t displacement) {
  encode(at_memory(Op::Vmovdqu32, 64, displacement), {.def = to, .base = base}, 0);
}
void Encoder::store_vector(uint32_t base, int32_t displacement, uint32_t from) {
  encode(at_memory(Op::Vmovdqu32Store, 64, displacement), {.a = from, .base = base}, 0);
}
void Encoder::load_mask(uint32_t to, uint32_t base, int32_t displacement) {
  encode(at_memory(Op::Kmovq, 8, displacement), {.def = to, .base = base}, 0);
}
void Encoder::store_mask(uint32_t base, int32_t displacement, uint32_t from) {
  encode(at_memory(Op::KmovqStore, 8, displacement), {.a = from, .base = base}, 0);
}
void Encoder::add_to_general(uint32_t to, int32_t number) {
  Inst inst = simple(Op::AddImm, 8);
  inst.imm = number;
  encode(inst, {.def = to}, 0);
}
void Encoder::align_general(uint32_t reg, int8_t mask) {
  Inst inst = simple(Op::AndImm, 8);
  inst.imm = mask;
  encode(inst, {.def = reg}, 0);
}
void Encoder::push(uint32_t reg) {
  if (reg >= 8) byte(0x41);
  byte(0x50 | (reg & 7));
}
void Encoder::pop(uint32_t reg) {
  if (reg >= 8) byte(0x41);
  byte(0x58 | (reg & 7));
}
uint32_t Encoder::call() {
  byte(0xe8);
  dword(0);
  return size() - 4;
}
void Encoder::call_general(uint32_t reg) {
  if (reg >= 8) byte(0x41);
  byte(0xff), byte(0xd0 | (reg & 7));
}
void Encoder::jump_general(uint32_t reg) {
  if (reg >= 8) byte(0x41);
  byte(0xff), byte(0xe0 | (reg & 7));
}

} // namespace hip::engine::compile::quick
