// runtime/engine/compile/quick/select_logic.cpp - see select.h: expressions on vectors that are one host instruction.
#include "runtime/engine/compile/quick/select.h"

#include <algorithm>

namespace hip::engine::compile::quick {
namespace {

// What the first, second and third operand of vpternlogd are in its table: bit n of the table is the result where their bits
// are those of n.
constexpr uint8_t kTables[] = {0xf0, 0xcc, 0xaa};

bool is_logic(const llvm::Value& v) {
  auto* i = llvm::dyn_cast<llvm::BinaryOperator>(&v);
  return i && i->getType()->isVectorTy() &&
         (i->getOpcode() == llvm::Instruction::And || i->getOpcode() == llvm::Instruction::Or || i->getOpcode() == llvm::Instruction::Xor);
}

} // namespace

// The table of `v`, which becomes a leaf where it is no logical operation, somebody else wants it, or its own operands are too many.
std::optional<uint8_t> Selector::truth_of(const llvm::Value& v, const llvm::Instruction& root, Logic& logic) const {
  if (auto* c = llvm::dyn_cast<llvm::Constant>(&v)) {
    if (c->isAllOnesValue()) return uint8_t(0xff);
    if (c->isNullValue()) return uint8_t(0);
  }
  auto* i = llvm::dyn_cast<llvm::Instruction>(&v);
  if (i && is_logic(v) && (i == &root || (i->hasOneUse() && i->getParent() == root.getParent()))) {
    Logic within = logic;
    ++within.operations;
    const auto left = truth_of(*i->getOperand(0), root, within);
    const auto right = left ? truth_of(*i->getOperand(1), root, within) : std::nullopt;
    if (right) {
      logic = within;
      return uint8_t(i->getOpcode() == llvm::Instruction::And ? *left & *right : i->getOpcode() == llvm::Instruction::Or ? *left | *right : *left ^ *right);
    }
    if (i == &root) return std::nullopt;
  }
  auto at = std::ranges::find(logic.leaves, &v);
  if (at == logic.leaves.end()) {
    if (logic.leaves.size() == std::size(kTables)) return std::nullopt;
    at = logic.leaves.insert(at, &v);
  }
  return kTables[at - logic.leaves.begin()];
}

// Two operations or more as one; false: it is no such expression.
bool Selector::select_logic(const llvm::BinaryOperator& i) {
  const Shape shape = shape_of(*i.getType());
  if (!is_logic(i) || shape.reg_class != RegClass::Vector) return false;
  Logic logic;
  const auto table = truth_of(i, i, logic);
  if (!table || logic.operations < 2 || logic.leaves.empty()) return false;
  // The first operand is overwritten: one that ends here, if any does; and the last may lie in memory.
  std::vector<uint32_t> order(logic.leaves.size());
  for (uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto rank = [&](uint32_t k) {
    const llvm::Value& leaf = *logic.leaves[k];
    return llvm::isa<llvm::Constant>(leaf) || may_fold(leaf) ? 2 : leaf.hasOneUse() ? 0 : 1;
  };
  std::ranges::sort(order, [&](uint32_t a, uint32_t b) { return rank(a) != rank(b) ? rank(a) < rank(b) : a < b; });
  while (order.size() < 3) order.push_back(order.back());
  uint8_t imm = 0;
  for (uint32_t row = 0; row < 8; ++row) { // the table with its operands in that order
    uint32_t from = 0;
    for (uint32_t k = 0; k < 3; ++k)
      if (row >> (2 - k) & 1) from |= 4u >> order[k];
    imm |= uint8_t((*table >> from & 1) << row);
  }
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg first = reg(*logic.leaves[order[0]], part), second = reg(*logic.leaves[order[1]], part);
    const Source third = order[2] == order[1] ? Source{second, {}, 0} : vector_source(*logic.leaves[order[2]], part, 4);
    copy(defined(i, part), first);
    add(Op::Vpternlogd, shape.bytes, defined(i, part), second, third).imm = imm;
  }
  return true;
}

// A sum or difference with a bit per lane: one more, or less, in the lanes of a mask.
bool Selector::select_count(const llvm::BinaryOperator& i) {
  const Shape shape = shape_of(*i.getType());
  const bool is_sum = i.getOpcode() == llvm::Instruction::Add;
  if ((!is_sum && i.getOpcode() != llvm::Instruction::Sub) || (shape.element_bits != 32 && shape.element_bits != 64)) return false;
  const auto bits_of = [&](const llvm::Value* v) -> const llvm::CastInst* {
    auto* cast = llvm::dyn_cast<llvm::CastInst>(v);
    const bool extends = cast && (cast->getOpcode() == llvm::Instruction::ZExt || cast->getOpcode() == llvm::Instruction::SExt);
    return extends && cast->hasOneUse() && cast->getOperand(0)->getType()->getScalarType()->isIntegerTy(1) ? cast : nullptr;
  };
  const llvm::Value *number = i.getOperand(0), *bits = i.getOperand(1);
  if (!bits_of(bits) && is_sum) std::swap(number, bits);
  const llvm::CastInst* cast = bits_of(bits);
  if (!cast) return false;
  const bool is_wide = shape.element_bits == 64;
  const bool adds = is_sum == (cast->getOpcode() == llvm::Instruction::ZExt);
  const Source more = everywhere(1, is_wide ? 8 : 4);
  const Op op = is_wide ? (adds ? Op::Vpaddq : Op::Vpsubq) : adds ? Op::Vpaddd : Op::Vpsubd;
  const Reg mask = reg(*cast->getOperand(0));
  for (uint32_t part = 0; part < shape.parts; ++part) {
    const Reg lanes = part_of_mask(mask, part, shape);
    const Reg from = reg(*number, part), def = defined(i, part);
    copy(def, from);
    add(op, shape.bytes, def, def, more).mask = lanes;
  }
  return true;
}

} // namespace hip::engine::compile::quick
