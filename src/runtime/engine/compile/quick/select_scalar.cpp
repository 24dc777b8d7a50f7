// runtime/engine/compile/quick/select_scalar.cpp - see select.h: numbers in general registers, conversions, loads and
// stores.
#include "runtime/engine/compile/quick/select.h"

#include <llvm/IR/IntrinsicsX86.h>

namespace hip::engine::compile::quick {

void Selector::select_scalar_binary(const llvm::BinaryOperator& i) {
  const llvm::Value &left = *i.getOperand(0), &right = *i.getOperand(1);
  const Shape shape = shape_of(*i.getType());
  const Reg def = defined(i);
  const uint32_t bytes = std::max(shape.bytes, 4u);
  const auto imm = immediate(right);
  // def = left op right, where a narrow number's upper bits do not matter.
  const auto alu = [&](Op op, Op with_imm) {
    if (imm) {
      copy(def, reg(left));
      add(with_imm, bytes, def).imm = *imm;
      return;
    }
    const Reg a = reg(left);
    const Source b = bytes == shape.bytes ? general_source(right) : Source{reg(right), {}, 0};
    copy(def, a);
    add(op, bytes, def, b);
  };
  const auto shift = [&](Op with_imm, Op by_register, Op widen8, Op widen16) {
    if (auto* number = llvm::dyn_cast<llvm::ConstantInt>(&right)) {
      Reg from = reg(left);
      if (shape.bytes < 4 && widen8 != Op::Copy) {
        const Reg wide = make(RegClass::General);
        add(shape.bytes == 1 ? widen8 : widen16, 4, wide, from);
        from = wide;
      }
      copy(def, from);
      add(with_imm, bytes, def).imm = int64_t(number->getZExtValue() & (8 * bytes - 1));
      return;
    }
    if (shape.bytes < 4 || i.getType()->isIntegerTy(1)) refuse(i);
    add(by_register, bytes, def, reg(left), reg(right));
  };
  switch (i.getOpcode()) {
  case llvm::Instruction::Add:
    return alu(Op::Add, Op::AddImm);
  case llvm::Instruction::Sub:
    return alu(Op::Sub, Op::SubImm);
  case llvm::Instruction::And:
    return alu(Op::And, Op::AndImm);
  case llvm::Instruction::Or:
    return alu(Op::Or, Op::OrImm);
  case llvm::Instruction::Xor:
    return alu(Op::Xor, Op::XorImm);
  case llvm::Instruction::Mul:
    if (imm) {
      add(Op::ImulImm, bytes, def, reg(left)).imm = *imm;
      return;
    }
    return alu(Op::Imul, Op::Imul);
  case llvm::Instruction::Shl:
    return shift(Op::ShlImm, Op::Shlx, Op::Copy, Op::Copy);
  case llvm::Instruction::LShr:
    return shift(Op::ShrImm, Op::Shrx, Op::MovZx8, Op::MovZx16);
  case llvm::Instruction::AShr:
    return shift(Op::SarImm, Op::Sarx, Op::MovSx8, Op::MovSx16);
  default:
    refuse(i);
  }
}

// Sets the flags for a condition, directly in front of what is added next.
Condition Selector::compare(const llvm::Value& condition) {
  auto* compared = llvm::dyn_cast<llvm::ICmpInst>(&condition);
  const bool here =
      compared && (compared == at_ || (compared->hasOneUse() && compared->getParent() == at_->getParent()));
  if (!here || compared->getType()->isVectorTy()) {
    const Reg bit = reg(condition);
    add(Op::Test, 4, kNoReg, bit, bit);
    return Condition::NotEqual;
  }
  const llvm::Value *left = compared->getOperand(0), *right = compared->getOperand(1);
  auto predicate = compared->getPredicate();
  if (llvm::isa<llvm::Constant>(left))
    std::swap(left, right), predicate = llvm::CmpInst::getSwappedPredicate(predicate);
  const uint32_t bytes = shape_of(*left->getType()).bytes;
  const auto imm = immediate(*right);
  if (imm && *imm == 0 && compared->isEquality()) {
    const Reg a = reg(*left);
    add(Op::Test, bytes, kNoReg, a, a);
  } else if (imm) {
    const Reg a = reg(*left);
    add(Op::CmpImm, bytes, kNoReg, a).imm = *imm;
  } else {
    const Reg a = reg(*left);
    const Source b = general_source(*right);
    add(Op::Cmp, bytes, kNoReg, a, b);
  }
  switch (predicate) {
  case llvm::CmpInst::ICMP_EQ:
    return Condition::Equal;
  case llvm::CmpInst::ICMP_NE:
    return Condition::NotEqual;
  case llvm::CmpInst::ICMP_UGT:
    return Condition::Above;
  case llvm::CmpInst::ICMP_UGE:
    return Condition::AboveEqual;
  case llvm::CmpInst::ICMP_ULT:
    return Condition::Below;
  case llvm::CmpInst::ICMP_ULE:
    return Condition::BelowEqual;
  case llvm::CmpInst::ICMP_SGT:
    return Condition::Greater;
  case llvm::CmpInst::ICMP_SGE:
    return Condition::GreaterEqual;
  case llvm::CmpInst::ICMP_SLT:
    return Condition::Less;
  case llvm::CmpInst::ICMP_SLE:
    return Condition::LessEqual;
  default:
    refuse(*compared);
  }
}

void Selector::select_scalar_select(const llvm::SelectInst& i) {
  const uint32_t bytes = std::max(shape_of(*i.getType()).bytes, 4u);
  const Reg yes = reg(*i.getTrueValue()), no = reg(*i.getFalseValue()), def = defined(i);
  // The copy lies between the comparison's operands and its user, and leaves the flags.
  const Condition condition = compare(*i.getCondition());
  copy(def, no);
  add(Op::MovIf, bytes, def, yes).condition = condition;
}

void Selector::select_cast(const llvm::CastInst& i) {
  const llvm::Value& from = *i.getOperand(0);
  const Shape to = shape_of(*i.getType()), source = shape_of(*from.getType());
  if (to.elements || source.elements) return select_vector_cast(i);
  const Reg def = defined(i);
  switch (i.getOpcode()) {
  case llvm::Instruction::ZExt:
  case llvm::Instruction::SExt: {
    const bool is_signed = i.getOpcode() == llvm::Instruction::SExt;
    if (from.getType()->isIntegerTy(1)) { // a signed one: 0 or all ones
      copy(def, reg(from));
      add(Op::Neg, 8, def);
      return;
    }
    const uint32_t bytes = to.bytes == 8 && is_signed ? 8 : 4;
    Source value;
    if (may_fold(from)) {
      value = loaded(from);
    } else {
      value.reg = reg(from);
    }
    if (source.bytes == 1)
      add(is_signed ? Op::MovSx8 : Op::MovZx8, bytes, def, value);
    else if (source.bytes == 2)
      add(is_signed ? Op::MovSx16 : Op::MovZx16, bytes, def, value);
    else if (is_signed)
      add(Op::MovSx32, 8, def, value);
    else
      add(Op::Mov, 4, def, value);
    return;
  }
  case llvm::Instruction::Trunc: { // to one bit: the others are seen through
    const Reg a = reg(from);
    copy(def, a);
    add(Op::AndImm, 4, def).imm = 1;
    return;
  }
  case llvm::Instruction::BitCast:
    if (to.reg_class == RegClass::Vector && source.reg_class == RegClass::General)
      return void(add(source.bytes == 8 ? Op::VmovqFrom : Op::VmovdFrom, 16, def, reg(from)));
    if (to.reg_class == RegClass::General && source.reg_class == RegClass::Vector)
      return void(add(to.bytes == 8 ? Op::VmovqTo : Op::VmovdTo, 16, def, reg(from)));
    refuse(i);
  // By instructions on vectors, of which lane 0 counts.
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP: {
    const bool is_double = i.getType()->isDoubleTy(), is_unsigned = i.getOpcode() == llvm::Instruction::UIToFP;
    if ((!is_double && !i.getType()->isFloatTy()) || !from.getType()->isIntegerTy(32)) refuse(i);
    const Reg number = make(RegClass::Vector);
    add(Op::VmovdFrom, 16, number, reg(from));
    add(is_double     ? (is_unsigned ? Op::Vcvtudq2pd : Op::Vcvtdq2pd)
        : is_unsigned ? Op::Vcvtudq2ps
                      : Op::Vcvtdq2ps,
        16, def, number);
    return;
  }
  case llvm::Instruction::FPToUI:
  case llvm::Instruction::FPToSI: {
    const bool is_double = from.getType()->isDoubleTy(), is_unsigned = i.getOpcode() == llvm::Instruction::FPToUI;
    if ((!is_double && !from.getType()->isFloatTy()) || !i.getType()->isIntegerTy(32)) refuse(i);
    const Reg number = make(RegClass::Vector);
    add(is_double     ? (is_unsigned ? Op::Vcvttpd2udq : Op::Vcvttpd2dq)
        : is_unsigned ? Op::Vcvttps2udq
                      : Op::Vcvttps2dq,
        16, number, reg(from));
    add(Op::VmovdTo, 16, def, number);
    return;
  }
  case llvm::Instruction::FPExt:
    if (from.getType()->isFloatTy() && i.getType()->isDoubleTy()) return void(add(Op::Vcvtps2pd, 16, def, reg(from)));
    if (from.getType()->isHalfTy() && i.getType()->isFloatTy()) return void(add(Op::Vcvtph2ps, 16, def, reg(from)));
    refuse(i);
  case llvm::Instruction::FPTrunc:
    if (from.getType()->isDoubleTy() && i.getType()->isFloatTy()) return void(add(Op::Vcvtpd2ps, 16, def, reg(from)));
    if (from.getType()->isFloatTy() && i.getType()->isHalfTy()) {
      add(Op::Vcvtps2phImm, 16, def, reg(from)).imm = 4; // as MXCSR rounds
      return;
    }
    refuse(i);
  default:
    refuse(i);
  }
}

void Selector::select_load(const llvm::LoadInst& i) {
  const Shape shape = shape_of(*i.getType());
  if (i.isAtomic() && (shape.reg_class != RegClass::General || i.getAlign().value() < shape.bytes)) refuse(i);
  if (shape.reg_class == RegClass::Mask) refuse(i);
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Memory memory = address(*i.getPointerOperand(), int64_t{part} * 64);
    const Reg def = defined(i, part);
    if (shape.reg_class == RegClass::Vector) {
      Op op = Op::Vmovdqu32;
      if (i.getType()->isHalfTy()) {
        const Reg bits = make(RegClass::General);
        add(Op::MovZx16, 4, bits).memory = memory;
        add(Op::VmovdFrom, 16, def, bits);
        continue;
      }
      if (!shape.elements) {
        op = i.getType()->isFloatTy() ? Op::VmovssLoad : Op::VmovsdLoad;
      }
      add(op, shape.bytes, def).memory = memory;
    } else if (i.getType()->isIntegerTy(1) || shape.bytes == 1) {
      add(Op::MovZx8, 4, def).memory = memory;
    } else {
      add(shape.bytes == 2 ? Op::MovZx16 : Op::Mov, std::max(shape.bytes, 4u), def).memory = memory;
    }
  }
}

void Selector::select_store(const llvm::StoreInst& i) {
  const llvm::Value& value = *i.getValueOperand();
  const Shape shape = shape_of(*value.getType());
  if (i.isAtomic() && (shape.reg_class != RegClass::General || i.getAlign().value() < shape.bytes)) refuse(i);
  const uint32_t general_bytes = value.getType()->isIntegerTy(1) ? 1 : shape.bytes;
  if (i.getOrdering() == llvm::AtomicOrdering::SequentiallyConsistent) {
    const Memory memory = address(*i.getPointerOperand());
    const Reg exchanged = make(RegClass::General), from = reg(value);
    copy(exchanged, from);
    add(Op::Xchg, general_bytes, exchanged).memory = memory;
    return;
  }
  if (shape.reg_class == RegClass::Mask) refuse(i);
  const bool streams =
      i.hasMetadata(llvm::LLVMContext::MD_nontemporal) && shape.bytes == 64 && i.getAlign().value() >= 64;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Memory memory = address(*i.getPointerOperand(), int64_t{part} * 64);
    if (shape.reg_class == RegClass::Vector) {
      Op op = streams ? Op::VmovntdqStore : Op::Vmovdqu32Store;
      if (value.getType()->isHalfTy()) {
        const Reg bits = make(RegClass::General), half = reg(value);
        add(Op::VmovdTo, 16, bits, half);
        add(Op::MovStore, 2, kNoReg, bits).memory = memory;
        continue;
      }
      if (!shape.elements) {
        op = value.getType()->isFloatTy() ? Op::VmovssStore : Op::VmovsdStore;
      }
      const Reg from = reg(value, part);
      add(op, shape.bytes, kNoReg, from).memory = memory;
      continue;
    }
    if (const auto imm = immediate(value)) {
      Inst& store = add(Op::MovStoreImm, general_bytes);
      store.memory = memory, store.imm = *imm;
      continue;
    }
    const Reg from = reg(value);
    add(Op::MovStore, general_bytes, kNoReg, from).memory = memory;
  }
}

// Intrinsics whose result lies in a general register.
void Selector::select_number_intrinsic(const llvm::IntrinsicInst& i) {
  const Shape shape = shape_of(*i.getType());
  if (i.arg_size() == 1 && i.getArgOperand(0)->getType()->isVectorTy()) return select_reduction(i);
  const Reg def = defined(i);
  const uint32_t bytes = std::max(shape.bytes, 4u);
  const auto narrow = [&](const llvm::Value& v) { // zero-extended to 32 bits
    const Reg from = reg(v);
    if (shape.bytes >= 4) return from;
    const Reg wide = make(RegClass::General);
    add(shape.bytes == 1 ? Op::MovZx8 : Op::MovZx16, 4, wide, from);
    return wide;
  };
  const auto choose = [&](Condition condition) { // def = a, or b where a stands so to it
    Reg a = reg(*i.getArgOperand(0)), b = reg(*i.getArgOperand(1));
    if (shape.bytes < 4) {
      const bool is_signed = condition == Condition::Less || condition == Condition::Greater;
      const Op widen = shape.bytes == 1 ? (is_signed ? Op::MovSx8 : Op::MovZx8) : is_signed ? Op::MovSx16 : Op::MovZx16;
      const Reg wide_a = make(RegClass::General), wide_b = make(RegClass::General);
      add(widen, 4, wide_a, a), add(widen, 4, wide_b, b);
      a = wide_a, b = wide_b;
    }
    copy(def, a);
    add(Op::Cmp, bytes, kNoReg, def, b);
    add(Op::MovIf, bytes, def, b).condition = condition;
  };
  if (i.getType()->isIntegerTy(1)) refuse(i);
  switch (i.getIntrinsicID()) {
  case llvm::Intrinsic::umax:
    return choose(Condition::Below);
  case llvm::Intrinsic::umin:
    return choose(Condition::Above);
  case llvm::Intrinsic::smax:
    return choose(Condition::Less);
  case llvm::Intrinsic::smin:
    return choose(Condition::Greater);
  case llvm::Intrinsic::usub_sat: {
    if (shape.bytes < 4) refuse(i);
    const Reg zero = number_in_register(0), a = reg(*i.getArgOperand(0)), b = reg(*i.getArgOperand(1));
    copy(def, a);
    add(Op::Sub, bytes, def, b);
    add(Op::MovIf, bytes, def, zero).condition = Condition::Below;
    return;
  }
  case llvm::Intrinsic::abs: {
    if (shape.bytes < 4) refuse(i);
    const Reg a = reg(*i.getArgOperand(0));
    copy(def, a);
    add(Op::Neg, bytes, def);
    add(Op::MovIf, bytes, def, a).condition = Condition::Negative;
    return;
  }
  case llvm::Intrinsic::ctpop:
    return void(add(Op::Popcnt, bytes, def, narrow(*i.getArgOperand(0))));
  case llvm::Intrinsic::cttz: {
    if (shape.bytes >= 4) return void(add(Op::Tzcnt, bytes, def, reg(*i.getArgOperand(0))));
    const Reg from = reg(*i.getArgOperand(0)), ended = make(RegClass::General);
    copy(ended, from);
    add(Op::OrImm, 4, ended).imm = int64_t{1} << (8 * shape.bytes);
    add(Op::Tzcnt, 4, def, ended);
    return;
  }
  case llvm::Intrinsic::ctlz: {
    const Reg from = narrow(*i.getArgOperand(0));
    if (shape.bytes >= 4) return void(add(Op::Lzcnt, bytes, def, from));
    const Reg count = make(RegClass::General);
    add(Op::Lzcnt, 4, count, from);
    copy(def, count);
    add(Op::SubImm, 4, def).imm = 32 - int64_t{8} * shape.bytes;
    return;
  }
  case llvm::Intrinsic::bswap: {
    if (shape.bytes < 4) refuse(i);
    copy(def, reg(*i.getArgOperand(0)));
    add(Op::Bswap, bytes, def);
    return;
  }
  case llvm::Intrinsic::fshl: {
    auto* amount = llvm::dyn_cast<llvm::ConstantInt>(i.getArgOperand(2));
    if (!amount || shape.bytes < 4) refuse(i);
    const auto left = int64_t(amount->getZExtValue() % (8 * bytes));
    const Reg a = reg(*i.getArgOperand(0));
    if (i.getArgOperand(0) == i.getArgOperand(1)) {
      copy(def, a);
      add(Op::RolImm, bytes, def).imm = left;
      return;
    }
    if (left == 0) return copy(def, a);
    const Reg b = reg(*i.getArgOperand(1)), low = make(RegClass::General);
    copy(low, b);
    add(Op::ShrImm, bytes, low).imm = 8 * bytes - left;
    copy(def, a);
    add(Op::ShlImm, bytes, def).imm = left;
    add(Op::Or, bytes, def, low);
    return;
  }
  default:
    refuse(i);
  }
}

} // namespace hip::engine::compile::quick
