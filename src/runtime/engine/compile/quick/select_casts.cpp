// runtime/engine/compile/quick/select_casts.cpp - see select.h: conversions of vectors and masks.
#include "runtime/engine/compile/quick/select.h"

namespace hip::engine::compile::quick {

using llvm::Instruction;

void Selector::select_vector_cast(const llvm::CastInst& i) {
  const llvm::Value& from = *i.getOperand(0);
  const Shape to = shape_of(*i.getType()), source = shape_of(*from.getType());
  const auto op_of = i.getOpcode();
  // Masks and numbers.
  if (op_of == Instruction::BitCast) {
    if (source.reg_class == RegClass::Mask && to.reg_class == RegClass::General) {
      add(source.elements == 64   ? Op::KmovqTo
          : source.elements == 32 ? Op::KmovdTo
                                  : Op::KmovwTo,
          8, defined(i), reg(from));
      return;
    }
    if (source.reg_class == RegClass::General && to.reg_class == RegClass::Mask) {
      add(to.elements == 64   ? Op::KmovqFrom
          : to.elements == 32 ? Op::KmovdFrom
                              : Op::KmovwFrom,
          8, defined(i), reg(from));
      return;
    }
    // A small vector lies at the beginning of its register.
    if (source.reg_class == RegClass::Vector && source.parts == 1 && to.reg_class == RegClass::General && to.bytes >= 4)
      return void(add(to.bytes == 8 ? Op::VmovqTo : Op::VmovdTo, 16, defined(i), reg(from)));
    if (source.reg_class == RegClass::General && source.bytes >= 4 && to.reg_class == RegClass::Vector && to.parts == 1)
      return void(add(source.bytes == 8 ? Op::VmovqFrom : Op::VmovdFrom, 16, defined(i), reg(from)));
    refuse(i);
  }
  if (source.reg_class == RegClass::Mask && to.reg_class == RegClass::Vector) {
    if (to.element_bits < 16 || (op_of != Instruction::ZExt && op_of != Instruction::SExt)) refuse(i);
    const Reg mask = reg(from);
    for (uint32_t part = 0; part < to.parts; ++part) {
      const Reg lanes = part_of_mask(mask, part, to);
      const Op spread = to.element_bits == 64 ? Op::Vpmovm2q : to.element_bits == 32 ? Op::Vpmovm2d : Op::Vpmovm2w;
      if (op_of == Instruction::SExt) {
        add(spread, to.bytes, defined(i, part), lanes);
        continue;
      }
      const uint64_t one = to.element_bits == 16 ? 0x00010001 : 1;
      if (to.element_bits == 16) {
        const Reg all = make(RegClass::Vector);
        add(spread, to.bytes, all, lanes);
        add(Op::VpsrlwImm, to.bytes, defined(i, part), all).imm = 15;
        continue;
      }
      const uint32_t size = to.element_bits / 8;
      Inst& inst = add(size == 8 ? Op::Vpbroadcastq : Op::Vpbroadcastd, to.bytes, defined(i, part));
      inst.memory = in_pool(&one, size);
      inst.mask = lanes, inst.zeroing = true;
    }
    return;
  }
  if (to.reg_class == RegClass::Mask) { // the lowest bits
    const bool is_wide = source.element_bits == 64;
    if (op_of != Instruction::Trunc || (source.element_bits != 32 && !is_wide) || source.parts > 2) refuse(i);
    const auto one = [&](uint32_t part, Reg to) {
      add(is_wide ? Op::Vptestmq : Op::Vptestmd, source.bytes, to, reg(from, part), everywhere(1, is_wide ? 8 : 4));
    };
    if (source.parts == 1) return one(0, defined(i));
    const Reg low = make(RegClass::Mask), high = make(RegClass::Mask);
    one(0, low), one(1, high);
    add(is_wide ? Op::Kunpckbw : Op::Kunpckwd, 8, defined(i), high, low);
    return;
  }
  // Elements that keep their size.
  const llvm::Type &to_type = *i.getType()->getScalarType(), &from_type = *from.getType()->getScalarType();
  const auto same = [&](Op op, uint32_t size) {
    for (uint32_t part = 0; part < to.parts; ++part)
      add(op, to.bytes, defined(i, part), vector_source(from, part, size));
  };
  if (to_type.isHalfTy() != from_type.isHalfTy() && (to_type.isIntegerTy() || from_type.isIntegerTy()))
    return select_half_cast(i);
  const bool is_unsigned = op_of == Instruction::UIToFP || op_of == Instruction::FPToUI || op_of == Instruction::ZExt;
  if (to_type.isFloatTy() && from_type.isIntegerTy(32)) return same(is_unsigned ? Op::Vcvtudq2ps : Op::Vcvtdq2ps, 4);
  if (to_type.isIntegerTy(32) && from_type.isFloatTy()) return same(is_unsigned ? Op::Vcvttps2udq : Op::Vcvttps2dq, 4);
  if (to_type.isDoubleTy() && from_type.isIntegerTy(64)) return same(is_unsigned ? Op::Vcvtuqq2pd : Op::Vcvtqq2pd, 8);
  if (to_type.isIntegerTy(64) && from_type.isDoubleTy()) return same(is_unsigned ? Op::Vcvttpd2uqq : Op::Vcvttpd2qq, 8);
  // Elements that become twice or four times as large: each part of the result comes from a piece of a source's part.
  const auto widen = [&](Op op) {
    const uint32_t ratio = to.element_bits / source.element_bits;
    for (uint32_t part = 0; part < to.parts; ++part) {
      const uint32_t bytes_in = to.bytes / ratio, offset = part * bytes_in;
      const Reg whole = reg(from, offset / 64);
      Reg piece = whole;
      if (offset % 64) {
        piece = make(RegClass::Vector);
        if (bytes_in == 32)
          add(Op::Vextracti64x4, 64, piece, whole).imm = 1;
        else
          add(Op::Vextracti32x4, source.bytes, piece, whole).imm = offset % 64 / 16;
      }
      add(op, to.bytes, defined(i, part), piece);
    }
  };
  if (op_of == Instruction::ZExt || op_of == Instruction::SExt) {
    const bool s = op_of == Instruction::SExt;
    if (source.element_bits == 32 && to.element_bits == 64) return widen(s ? Op::Vpmovsxdq : Op::Vpmovzxdq);
    if (source.element_bits == 16 && to.element_bits == 32) return widen(s ? Op::Vpmovsxwd : Op::Vpmovzxwd);
    if (source.element_bits == 8 && to.element_bits == 32) return widen(s ? Op::Vpmovsxbd : Op::Vpmovzxbd);
    if (source.element_bits == 8 && to.element_bits == 16) return widen(s ? Op::Vpmovsxbw : Op::Vpmovzxbw);
    refuse(i);
  }
  if (op_of == Instruction::FPExt) {
    if (from_type.isFloatTy() && to_type.isDoubleTy()) return widen(Op::Vcvtps2pd);
    if (from_type.isHalfTy() && to_type.isFloatTy()) return widen(Op::Vcvtph2ps);
    refuse(i);
  }
  if (to_type.isDoubleTy() && from_type.isIntegerTy(32)) return widen(is_unsigned ? Op::Vcvtudq2pd : Op::Vcvtdq2pd);
  // Elements that become half as large, or less: several parts come together.
  const auto narrow = [&](Op op, bool has_imm) {
    const uint32_t ratio = source.element_bits / to.element_bits;
    if (ratio != 2 && !(source.parts == 1)) refuse(i);
    for (uint32_t part = 0; part < to.parts; ++part) {
      const bool joins = to.bytes == 64 && source.parts > part * 2 + 1;
      if (!joins) {
        add(op, source.bytes, defined(i, part), reg(from, part)).imm = has_imm ? 4 : 0;
        continue;
      }
      const Reg low = make(RegClass::Vector), high = make(RegClass::Vector);
      add(op, 64, low, reg(from, 2 * part)).imm = has_imm ? 4 : 0;
      add(op, 64, high, reg(from, 2 * part + 1)).imm = has_imm ? 4 : 0;
      add(Op::Vinserti64x4, 64, defined(i, part), low, high).imm = 1;
    }
  };
  if (op_of == Instruction::Trunc) {
    if (source.element_bits == 64 && to.element_bits == 32) return narrow(Op::Vpmovqd, false);
    if (source.element_bits == 32 && to.element_bits == 16) return narrow(Op::Vpmovdw, false);
    if (source.element_bits == 32 && to.element_bits == 8) return narrow(Op::Vpmovdb, false);
    if (source.element_bits == 16 && to.element_bits == 8) return narrow(Op::Vpmovwb, false);
    refuse(i);
  }
  if (op_of == Instruction::FPTrunc) {
    if (from_type.isDoubleTy() && to_type.isFloatTy()) return narrow(Op::Vcvtpd2ps, false);
    if (from_type.isFloatTy() && to_type.isHalfTy()) return narrow(Op::Vcvtps2phImm, true); // 4: as MXCSR rounds
    refuse(i);
  }
  if (from_type.isDoubleTy() && to_type.isIntegerTy(32))
    return narrow(is_unsigned ? Op::Vcvttpd2udq : Op::Vcvttpd2dq, false);
  refuse(i);
}

} // namespace hip::engine::compile::quick
