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
    if (is_double && from.getType()->isIntegerTy(64)) {
      const Reg number = make(RegClass::Vector);
      add(Op::VmovqFrom, 16, number, reg(from));
      return void(add(is_unsigned ? Op::Vcvtuqq2pd : Op::Vcvtqq2pd, 16, def, number));
    }
    if (i.getType()->isHalfTy() && from.getType()->isIntegerTy(16)) { // by a float, which holds it exactly
      const Reg wide = make(RegClass::General), number = make(RegClass::Vector), exact = make(RegClass::Vector);
      add(is_unsigned ? Op::MovZx16 : Op::MovSx16, 4, wide, reg(from));
      add(Op::VmovdFrom, 16, number, wide);
      add(Op::Vcvtdq2ps, 16, exact, number);
      add(Op::Vcvtps2phImm, 16, def, exact).imm = 4; // as MXCSR rounds
      return;
    }
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
    const Reg number = make(RegClass::Vector);
    if (is_double && i.getType()->isIntegerTy(64)) {
      add(is_unsigned ? Op::Vcvttpd2uqq : Op::Vcvttpd2qq, 16, number, reg(from));
      return void(add(Op::VmovqTo, 16, def, number));
    }
    if (from.getType()->isHalfTy() && (i.getType()->isIntegerTy(16) || i.getType()->isIntegerTy(32))) {
      const Reg wide = make(RegClass::Vector);
      add(Op::Vcvtph2ps, 16, wide, reg(from));
      add(is_unsigned ? Op::Vcvttps2udq : Op::Vcvttps2dq, 16, number, wide);
      return void(add(Op::VmovdTo, 16, def, number));
    }
    if ((!is_double && !from.getType()->isFloatTy()) || !i.getType()->isIntegerTy(32)) refuse(i);
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
  if (shape.reg_class == RegClass::Mask) { // a bit per lane
    const uint32_t bytes = std::bit_ceil((shape.elements + 7) / 8);
    const Reg bits = make(RegClass::General);
    add(bytes == 1   ? Op::MovZx8
        : bytes == 2 ? Op::MovZx16
                     : Op::Mov,
        std::max(bytes, 4u), bits)
        .memory = address(*i.getPointerOperand());
    return void(add(Op::KmovqFrom, 8, defined(i), bits));
  }
  // A small vector; an aligned one is read with what lies behind it in its line of the cache.
  if (!fills_registers(*i.getType()) && i.getAlign().value() < shape.bytes) {
    const uint32_t bytes = shape.elements * shape.element_bits / 8;
    if (bytes != 4 && bytes != 8) refuse(i);
    const Memory memory = address(*i.getPointerOperand());
    return void(add(bytes == 8 ? Op::VmovsdLoad : Op::VmovssLoad, 16, defined(i)).memory = memory);
  }
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
  if (shape.reg_class == RegClass::Mask) {
    const uint32_t bytes = std::bit_ceil((shape.elements + 7) / 8);
    const Memory memory = address(*i.getPointerOperand());
    const Reg bits = make(RegClass::General), lanes = make(RegClass::General);
    add(Op::KmovqTo, 8, bits, reg(value));
    copy(lanes, bits);
    if (shape.elements < 8)
      add(Op::AndImm, 4, lanes).imm = (1 << shape.elements) - 1; // what lies above them has any value
    return void(add(Op::MovStore, bytes, kNoReg, lanes).memory = memory);
  }
  if (!fills_registers(*value.getType())) {
    const uint32_t bytes = shape.elements * shape.element_bits / 8;
    if (bytes != 4 && bytes != 8) refuse(i);
    const Memory memory = address(*i.getPointerOperand());
    const Reg from = reg(value);
    return void(add(bytes == 8 ? Op::VmovsdStore : Op::VmovssStore, 16, kNoReg, from).memory = memory);
  }
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

// Rotations and funnel shifts to the left (fshl) or right (fshr).
void Selector::select_number_funnel(const llvm::IntrinsicInst& i) {
  const uint32_t bytes = shape_of(*i.getType()).bytes, bits = 8 * bytes;
  if (bytes < 4) refuse(i);
  const bool is_left = i.getIntrinsicID() == llvm::Intrinsic::fshl;
  const Reg high = reg(*i.getArgOperand(0)), low = reg(*i.getArgOperand(1)), def = defined(i);
  if (auto* amount = llvm::dyn_cast<llvm::ConstantInt>(i.getArgOperand(2))) {
    const auto n = uint32_t(amount->getValue().urem(bits));
    if (n == 0) return copy(def, is_left ? high : low);
    const uint32_t left = is_left ? n : bits - n;
    if (i.getArgOperand(0) == i.getArgOperand(1)) {
      copy(def, high);
      add(Op::RolImm, bytes, def).imm = left;
      return;
    }
    const Reg down = make(RegClass::General);
    copy(down, low);
    add(Op::ShrImm, bytes, down).imm = bits - left;
    copy(def, high);
    add(Op::ShlImm, bytes, def).imm = left;
    add(Op::Or, bytes, def, down);
    return;
  }
  // Shifts take their amount modulo the bits. The other number moves by what is left of them: by one, and by the
  // complement.
  const Reg amount = reg(*i.getArgOperand(2)), rest = make(RegClass::General), once = make(RegClass::General),
            other = make(RegClass::General);
  copy(rest, amount);
  add(Op::Not, bytes, rest);
  copy(once, is_left ? low : high);
  add(is_left ? Op::ShrImm : Op::ShlImm, bytes, once).imm = 1;
  add(is_left ? Op::Shrx : Op::Shlx, bytes, other, once, rest);
  add(is_left ? Op::Shlx : Op::Shrx, bytes, def, is_left ? high : low, amount);
  add(Op::Or, bytes, def, other);
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
  case llvm::Intrinsic::sadd_sat:
  case llvm::Intrinsic::ssub_sat: { // with twice the bits, then limited to the ends of the range
    if (shape.bytes != 2 && shape.bytes != 4) refuse(i);
    const bool is_word = shape.bytes == 2;
    const int64_t most = is_word ? INT16_MAX : INT32_MAX;
    const Reg high = number_in_register(uint64_t(most)), low = number_in_register(uint64_t(-most - 1)),
              a = make(RegClass::General), b = make(RegClass::General);
    const uint32_t wide = 2 * shape.bytes;
    add(is_word ? Op::MovSx16 : Op::MovSx32, wide, a, reg(*i.getArgOperand(0)));
    add(is_word ? Op::MovSx16 : Op::MovSx32, wide, b, reg(*i.getArgOperand(1)));
    copy(def, a);
    add(i.getIntrinsicID() == llvm::Intrinsic::sadd_sat ? Op::Add : Op::Sub, wide, def, b);
    add(Op::Cmp, wide, kNoReg, def, high);
    add(Op::MovIf, wide, def, high).condition = Condition::Greater;
    add(Op::Cmp, wide, kNoReg, def, low);
    add(Op::MovIf, wide, def, low).condition = Condition::Less;
    return;
  }
  case llvm::Intrinsic::usub_sat: {
    const Reg zero = number_in_register(0), a = narrow(*i.getArgOperand(0)), b = narrow(*i.getArgOperand(1));
    copy(def, a);
    add(Op::Sub, bytes, def, b);
    add(Op::MovIf, bytes, def, zero).condition = Condition::Below;
    return;
  }
  case llvm::Intrinsic::uadd_sat: {
    const bool is_narrow = shape.bytes < 4; // a sum has no carry, but more bits than the type
    const Reg most = number_in_register(is_narrow ? (1u << 8 * shape.bytes) - 1 : ~uint64_t{0});
    const Reg a = narrow(*i.getArgOperand(0)), b = narrow(*i.getArgOperand(1));
    copy(def, a);
    add(Op::Add, bytes, def, b);
    if (is_narrow) add(Op::Cmp, bytes, kNoReg, def, most);
    add(Op::MovIf, bytes, def, most).condition = is_narrow ? Condition::Above : Condition::Below;
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
  case llvm::Intrinsic::bitreverse: {
    if (shape.bytes < 4) refuse(i);
    Reg at = make(RegClass::General);
    copy(at, reg(*i.getArgOperand(0)));
    add(Op::Bswap, bytes, at);
    // Within bytes: fours, pairs and single bits change places.
    constexpr std::pair<int64_t, uint64_t> kSteps[] = {
        {4, 0x0f0f0f0f0f0f0f0f}, {2, 0x3333333333333333}, {1, 0x5555555555555555}};
    for (const auto& [distance, lower] : kSteps) {
      const Reg places = number_in_register(lower), down = make(RegClass::General), up = make(RegClass::General),
                both = make(RegClass::General);
      copy(down, at);
      add(Op::ShrImm, bytes, down).imm = distance;
      add(Op::And, bytes, down, places);
      copy(up, at);
      add(Op::And, bytes, up, places);
      add(Op::ShlImm, bytes, up).imm = distance;
      copy(both, up);
      add(Op::Or, bytes, both, down);
      at = both;
    }
    return copy(def, at);
  }
  case llvm::Intrinsic::fshl:
  case llvm::Intrinsic::fshr:
    return select_number_funnel(i);
  default:
    refuse(i);
  }
}

} // namespace hip::engine::compile::quick
