// runtime/engine/compile/quick/select_vector.cpp - see select.h: vectors and masks, lane by lane.
#include "runtime/engine/compile/quick/select.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicsX86.h>

namespace hip::engine::compile::quick {
namespace {

using llvm::Instruction;

// The constant that a vector operand is in all lanes.
const llvm::ConstantInt* splat_number(const llvm::Value& v) {
  auto* c = llvm::dyn_cast<llvm::Constant>(&v);
  return c && c->getType()->isVectorTy() ? llvm::dyn_cast_or_null<llvm::ConstantInt>(c->getSplatValue()) : nullptr;
}

} // namespace

// The instruction that computes a binary operation on vectors, if one does.
std::optional<Selector::VectorOp> Selector::vector_op(const Instruction& i) const {
  const Shape shape = shape_of(*i.getType());
  const llvm::Type& element = *i.getType()->getScalarType();
  const uint32_t bits = shape.element_bits;
  const auto by_size = [&](Op byte, Op word, Op dword, Op qword, bool commutes) -> std::optional<VectorOp> {
    switch (bits) {
    case 8:
      return byte == Op::Copy ? std::nullopt : std::optional(VectorOp{byte, 0, commutes});
    case 16:
      return word == Op::Copy ? std::nullopt : std::optional(VectorOp{word, 0, commutes});
    case 32:
      return VectorOp{dword, 4, commutes};
    case 64:
      return VectorOp{qword, 8, commutes};
    default:
      return std::nullopt;
    }
  };
  const auto by_type = [&](Op half, Op single, Op twice) -> std::optional<VectorOp> {
    if (element.isFloatTy()) return VectorOp{single, 4};
    if (element.isDoubleTy()) return VectorOp{twice, 8};
    if (element.isHalfTy() && features_.fp16) return VectorOp{half, 0};
    return std::nullopt;
  };
  switch (i.getOpcode()) {
  case Instruction::Add:
    return by_size(Op::Vpaddb, Op::Vpaddw, Op::Vpaddd, Op::Vpaddq, true);
  case Instruction::Sub:
    return by_size(Op::Vpsubb, Op::Vpsubw, Op::Vpsubd, Op::Vpsubq, false);
  case Instruction::Mul: {
    if (bits == 64 && fits_32_bits(*i.getOperand(0), false) && fits_32_bits(*i.getOperand(1), false))
      return VectorOp{Op::Vpmuludq, 8, true};
    if (bits == 64 && fits_32_bits(*i.getOperand(0), true) && fits_32_bits(*i.getOperand(1), true))
      return VectorOp{Op::Vpmuldq, 8, true};
    return by_size(Op::Copy, Op::Vpmullw, Op::Vpmulld, Op::Vpmullq, true);
  }
  case Instruction::And:
    return bits == 64 ? VectorOp{Op::Vpandq, 8, true} : VectorOp{Op::Vpandd, 4, true};
  case Instruction::Or:
    return bits == 64 ? VectorOp{Op::Vporq, 8, true} : VectorOp{Op::Vpord, 4, true};
  case Instruction::Xor:
    return bits == 64 ? VectorOp{Op::Vpxorq, 8, true} : VectorOp{Op::Vpxord, 4, true};
  case Instruction::Shl:
    return by_size(Op::Copy, Op::Vpsllvw, Op::Vpsllvd, Op::Vpsllvq, false);
  case Instruction::LShr:
    return by_size(Op::Copy, Op::Vpsrlvw, Op::Vpsrlvd, Op::Vpsrlvq, false);
  case Instruction::AShr:
    return by_size(Op::Copy, Op::Vpsravw, Op::Vpsravd, Op::Vpsravq, false);
  case Instruction::FAdd:
    return by_type(Op::Vaddph, Op::Vaddps, Op::Vaddpd);
  case Instruction::FSub:
    return by_type(Op::Vsubph, Op::Vsubps, Op::Vsubpd);
  case Instruction::FMul:
    return by_type(Op::Vmulph, Op::Vmulps, Op::Vmulpd);
  case Instruction::FDiv:
    return by_type(Op::Vdivph, Op::Vdivps, Op::Vdivpd);
  default:
    return std::nullopt;
  }
}

// Whether every lane is a number of 32 bits, so that one multiplication of 32 bits gives the product.
bool Selector::fits_32_bits(const llvm::Value& v, bool is_signed) const {
  if (is_signed) return llvm::ComputeNumSignBits(&v, layout_) > 32;
  return llvm::computeKnownBits(&v, layout_).countMinLeadingZeros() >= 32;
}

// One part of a binary operation; under `mask` alone where there is one, and then def keeps its other lanes.
void Selector::vector_binary(const Instruction& i, const VectorOp& op, Reg def, uint32_t part, Reg mask) {
  const Shape shape = shape_of(*i.getType());
  const llvm::Value *left = i.getOperand(0), *right = i.getOperand(1);
  if (op.commutes && llvm::isa<llvm::Constant>(left)) std::swap(left, right);
  const auto shift = [&](Op word, Op dword, Op qword) {
    const llvm::ConstantInt* number = splat_number(*right);
    if (!number) return false;
    const Op by_imm = shape.element_bits == 16 ? word : shape.element_bits == 32 ? dword : qword;
    Inst& inst = add(by_imm, shape.bytes, def, vector_source(*left, part, op.element_bytes));
    inst.imm = int64_t(std::min<uint64_t>(number->getZExtValue(), 255)), inst.mask = mask;
    return true;
  };
  if (i.getOpcode() == Instruction::Shl && shift(Op::VpsllwImm, Op::VpslldImm, Op::VpsllqImm)) return;
  if (i.getOpcode() == Instruction::LShr && shift(Op::VpsrlwImm, Op::VpsrldImm, Op::VpsrlqImm)) return;
  if (i.getOpcode() == Instruction::AShr && shift(Op::VpsrawImm, Op::VpsradImm, Op::VpsraqImm)) return;
  const Reg a = reg(*left, part);
  const Source b = vector_source(*right, part, op.element_bytes);
  add(op.op, shape.bytes, def, a, b).mask = mask;
}

void Selector::select_vector_binary(const llvm::BinaryOperator& i) {
  const Shape shape = shape_of(*i.getType());
  if (i.getType()->getScalarType()->isHalfTy() && (!features_.fp16 || !shape.elements)) return select_half_binary(i);
  if (!shape.elements) { // one number in a vector register
    const bool is_double = i.getType()->isDoubleTy();
    if (!is_double && !i.getType()->isFloatTy()) refuse(i);
    Op op = Op::Copy;
    switch (i.getOpcode()) {
    case Instruction::FAdd:
      op = is_double ? Op::Vaddsd : Op::Vaddss;
      break;
    case Instruction::FSub:
      op = is_double ? Op::Vsubsd : Op::Vsubss;
      break;
    case Instruction::FMul:
      op = is_double ? Op::Vmulsd : Op::Vmulss;
      break;
    case Instruction::FDiv:
      op = is_double ? Op::Vdivsd : Op::Vdivss;
      break;
    default:
      refuse(i);
    }
    const Reg a = reg(*i.getOperand(0)), b = reg(*i.getOperand(1));
    add(op, 16, defined(i), a, b);
    return;
  }
  if (select_logic(i) || select_count(i)) return;
  const auto op = vector_op(i);
  if (!op) refuse(i);
  for (uint32_t part = 0; part < shape.parts; ++part) vector_binary(i, *op, defined(i, part), part, kNoReg);
}

// def = the product and sum of fma's operands. The one whose place the result takes is one that ends here, if any does.
void Selector::multiply_add(const llvm::IntrinsicInst& i, Reg def, uint32_t part) {
  const Shape shape = shape_of(*i.getType());
  const llvm::Type& element = *i.getType()->getScalarType();
  const llvm::Value *a = i.getArgOperand(0), *b = i.getArgOperand(1), *c = i.getArgOperand(2);
  const uint32_t size = element.isDoubleTy() ? 8 : element.isFloatTy() ? 4 : 0;
  const auto op = [&](Op half, Op single, Op twice) { return size == 8 ? twice : size == 4 ? single : half; };
  if (size == 0 && !features_.fp16) refuse(i);
  uint8_t rounding = 0;
  if (i.arg_size() == 4) { // of AVX-512: a direction of rounding
    const uint64_t direction = llvm::cast<llvm::ConstantInt>(i.getArgOperand(3))->getZExtValue();
    if (direction != 4) rounding = uint8_t(4 | (direction & 3));
  }
  const bool keeps_sum = c->hasOneUse() || !a->hasOneUse();
  Inst* inst = nullptr;
  if (keeps_sum) {
    if (llvm::isa<llvm::Constant>(a)) std::swap(a, b);
    const Reg sum = reg(*c, part), factor = reg(*a, part);
    const Source other = rounding ? Source{reg(*b, part), {}, 0} : vector_source(*b, part, size);
    copy(def, sum);
    inst = &add(op(Op::Vfmadd231ph, Op::Vfmadd231ps, Op::Vfmadd231pd), shape.bytes, def, factor, other);
  } else {
    const Reg factor = reg(*a, part), other = reg(*b, part);
    const Source sum = rounding ? Source{reg(*c, part), {}, 0} : vector_source(*c, part, size);
    copy(def, factor);
    inst = &add(op(Op::Vfmadd213ph, Op::Vfmadd213ps, Op::Vfmadd213pd), shape.bytes, def, other, sum);
  }
  inst->rounding = rounding;
}

void Selector::select_mask_binary(const llvm::BinaryOperator& i) {
  const Shape shape = shape_of(*i.getType());
  const bool is_wide = shape.elements > 16;
  const llvm::Value *left = i.getOperand(0), *right = i.getOperand(1);
  const Reg def = defined(i);
  // A comparison under a mask.
  if (i.getOpcode() == Instruction::And)
    for (int turn = 0; turn < 2; ++turn, std::swap(left, right)) {
      auto* compared = llvm::dyn_cast<llvm::CmpInst>(right);
      if (!compared || !compared->hasOneUse() || compared->getParent() != i.getParent()) continue;
      const Shape lanes = shape_of(*compared->getOperand(0)->getType());
      if (lanes.parts != 1 || lanes.reg_class != RegClass::Vector) continue;
      return select_vector_compare(*compared, def, reg(*left));
    }
  auto* ones = llvm::dyn_cast<llvm::Constant>(right);
  if (i.getOpcode() == Instruction::Xor && ones && ones->isAllOnesValue())
    return void(add(is_wide ? Op::Knotq : Op::Knotw, 8, def, reg(*left)));
  const Reg a = reg(*left), b = reg(*right);
  switch (i.getOpcode()) {
  case Instruction::And:
    return void(add(is_wide ? Op::Kandq : Op::Kandw, 8, def, a, b));
  case Instruction::Or:
    return void(add(is_wide ? Op::Korq : Op::Korw, 8, def, a, b));
  case Instruction::Xor:
    return void(add(is_wide ? Op::Kxorq : Op::Kxorw, 8, def, a, b));
  default:
    refuse(i);
  }
}

void Selector::select_vector_compare(const llvm::CmpInst& i, Reg def, Reg under) {
  const llvm::Value *left = i.getOperand(0), *right = i.getOperand(1);
  if (left->getType()->getScalarType()->isIntegerTy(1)) {
    const bool equal = i.getPredicate() == llvm::CmpInst::ICMP_EQ;
    if (shape_of(*left->getType()).elements > 16 || under || (!equal && i.getPredicate() != llvm::CmpInst::ICMP_NE))
      refuse(i);
    return void(add(equal ? Op::Kxnorw : Op::Kxorw, 8, def, reg(*left), reg(*right)));
  }
  const Shape shape = shape_of(*left->getType());
  const llvm::Type& element = *left->getType()->getScalarType();
  auto predicate = i.getPredicate();
  const bool widens = element.isHalfTy() && !features_.fp16; // they are compared as floats
  Op op{};
  int64_t imm = 0;
  uint32_t size = shape.elements ? shape.element_bits / 8 : 0;
  if (i.isIntPredicate()) {
    if (llvm::isa<llvm::Constant>(left))
      std::swap(left, right), predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    const bool is_unsigned = llvm::CmpInst::isUnsigned(predicate);
    op = size == 8   ? (is_unsigned ? Op::VpcmpuqImm : Op::VpcmpqImm)
         : size == 4 ? (is_unsigned ? Op::VpcmpudImm : Op::VpcmpdImm)
         : size == 2 ? (is_unsigned ? Op::VpcmpuwImm : Op::VpcmpwImm)
                     : Op::Copy;
    if (op == Op::Copy) refuse(i);
    switch (predicate) {
    case llvm::CmpInst::ICMP_EQ:
      imm = 0;
      break;
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_SLT:
      imm = 1;
      break;
    case llvm::CmpInst::ICMP_ULE:
    case llvm::CmpInst::ICMP_SLE:
      imm = 2;
      break;
    case llvm::CmpInst::ICMP_NE:
      imm = 4;
      break;
    case llvm::CmpInst::ICMP_UGE:
    case llvm::CmpInst::ICMP_SGE:
      imm = 5;
      break;
    default:
      imm = 6;
      break;
    }
    if (size == 2) size = 0;
  } else {
    if (!element.isHalfTy() && !element.isFloatTy() && !element.isDoubleTy()) refuse(i);
    op = element.isDoubleTy() ? Op::VcmppdImm : element.isFloatTy() || widens ? Op::VcmppsImm : Op::VcmpphImm;
    if (size == 2) size = 0;
    switch (predicate) {
    case llvm::CmpInst::FCMP_OEQ:
      imm = 0;
      break;
    case llvm::CmpInst::FCMP_OLT:
      imm = 1;
      break;
    case llvm::CmpInst::FCMP_OLE:
      imm = 2;
      break;
    case llvm::CmpInst::FCMP_UNO:
      imm = 3;
      break;
    case llvm::CmpInst::FCMP_UNE:
      imm = 4;
      break;
    case llvm::CmpInst::FCMP_UGE:
      imm = 5;
      break;
    case llvm::CmpInst::FCMP_UGT:
      imm = 6;
      break;
    case llvm::CmpInst::FCMP_ORD:
      imm = 7;
      break;
    case llvm::CmpInst::FCMP_UEQ:
      imm = 8;
      break;
    case llvm::CmpInst::FCMP_ULT:
      imm = 9;
      break;
    case llvm::CmpInst::FCMP_ULE:
      imm = 10;
      break;
    case llvm::CmpInst::FCMP_FALSE:
      imm = 11;
      break;
    case llvm::CmpInst::FCMP_ONE:
      imm = 12;
      break;
    case llvm::CmpInst::FCMP_OGE:
      imm = 13;
      break;
    case llvm::CmpInst::FCMP_OGT:
      imm = 14;
      break;
    default:
      imm = 15;
      break;
    }
  }
  const uint32_t parts = widens ? pieces_of_halves(shape) : shape.parts;
  if (parts > 2 || (parts == 2 && under)) refuse(i);
  const auto one = [&](uint32_t part, Reg to) {
    if (widens) {
      const Reg a = as_floats(*left, part), b = as_floats(*right, part);
      Inst& inst = add(op, bytes_of_floats(shape), to, a, b);
      inst.imm = imm, inst.mask = under;
      return;
    }
    const Reg a = reg(*left, part);
    Inst& inst = add(op, shape.bytes, to, a, vector_source(*right, part, size));
    inst.imm = imm, inst.mask = under;
  };
  if (parts == 1) return one(0, def);
  const Reg low = make(RegClass::Mask), high = make(RegClass::Mask);
  one(0, low), one(1, high);
  const uint32_t lanes = widens ? 16 : shape.elements_of_part();
  if (lanes != 8 && lanes != 16 && lanes != 32) refuse(i);
  add(lanes == 8 ? Op::Kunpckbw : lanes == 16 ? Op::Kunpckwd : Op::Kunpckdq, 8, def, high, low);
}

// A mask of all lanes or none, as a bit says.
Reg Selector::mask_of_bit(const llvm::Value& bit) {
  const Reg all = make(RegClass::General), mask = make(RegClass::Mask), from = reg(bit);
  copy(all, from);
  add(Op::Neg, 8, all);
  add(Op::KmovqFrom, 8, mask, all);
  return mask;
}

void Selector::select_vector_select(const llvm::SelectInst& i) {
  const Shape shape = shape_of(*i.getType());
  const llvm::Value &condition = *i.getCondition(), &yes = *i.getTrueValue(), &no = *i.getFalseValue();
  if (shape.reg_class == RegClass::Mask) {
    const Reg mask = condition.getType()->isVectorTy() ? reg(condition) : mask_of_bit(condition);
    const Reg taken = make(RegClass::Mask), off = make(RegClass::Mask), left = make(RegClass::Mask);
    const Reg a = reg(yes), b = reg(no);
    add(Op::Kandq, 8, taken, a, mask);
    add(Op::Knotq, 8, off, mask);
    add(Op::Kandq, 8, left, b, off);
    add(Op::Korq, 8, defined(i), taken, left);
    return;
  }
  if (!shape.elements) { // one number: its lane 0
    const Reg mask = mask_of_bit(condition);
    add(Op::Vpblendmq, 16, defined(i), reg(no), reg(yes)).mask = mask;
    return;
  }
  const bool by_lane = condition.getType()->isVectorTy();
  const Reg mask = by_lane ? reg(condition) : mask_of_bit(condition);
  const uint32_t bits = shape.element_bits;
  // An operation whose result is wanted in these lanes alone is computed in them.
  auto* operation = llvm::dyn_cast<Instruction>(&yes);
  const bool is_mine =
      by_lane && shape.parts == 1 && operation && operation->hasOneUse() && operation->getParent() == i.getParent();
  if (is_mine && llvm::isa<llvm::BinaryOperator>(operation)) {
    if (const auto op = vector_op(*operation);
        op && (op->element_bytes * 8 == bits || (bits == 16 && row_of(op->op).tuple == Tuple::Whole))) {
      const Reg def = defined(i), old = reg(no);
      // Operands come first: `def` may be written only when all are there.
      std::vector<Inst> before = std::exchange(sequence_, {});
      vector_binary(*operation, *op, def, 0, mask);
      std::vector<Inst> mine = std::exchange(sequence_, std::move(before));
      sequence_.insert(sequence_.end(), mine.begin(), mine.end() - 1);
      copy(def, old);
      sequence_.push_back(mine.back());
      return;
    }
  }
  Op op = bits == 64 ? Op::Vpblendmq : bits == 32 ? Op::Vpblendmd : bits == 16 ? Op::Vpblendmw : Op::Vpblendmb;
  const uint32_t size = bits >= 32 ? bits / 8 : 0;
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg lanes = by_lane ? part_of_mask(mask, part, shape) : mask;
    const Reg a = reg(no, part);
    add(op, shape.bytes, defined(i, part), a, vector_source(yes, part, size)).mask = lanes;
  }
}

} // namespace hip::engine::compile::quick
