// runtime/engine/compile/emit/matrix.cpp - see matrix.h.
#include "runtime/engine/compile/emit/matrix.h"

#include "runtime/engine/compile/read/factors.h"

#include <algorithm>

namespace hip::engine::compile {

// What the products are added to.
const Operand& MatrixEmitter::addend(const Instr& i) { return i.matrix->index_bits ? i.raw.vdst : i.raw.src[2]; }
bool MatrixEmitter::moves(const Instr& i) {
  return addend(i).is_constant() || vgpr_of(addend(i)) != vgpr_of(i.raw.vdst);
}
bool MatrixEmitter::flips(const Instr& i) {
  return (i.matrix->wide && i.raw.blgp & 4) || i.raw.matrix.negated || i.raw.matrix.absolute;
}

bool MatrixEmitter::changes(const Instr& i, uint32_t k) {
  return flips(i) && (k % 2 || i.matrix->is_wmma()); // (a double's sign is in its upper half)
}

// Strip q of register k of the addend, as it is added.
llvm::Value* MatrixEmitter::addend_strip(const Instr& i, uint32_t k, uint32_t q, const State& state) {
  const MatrixOp& op = *i.matrix;
  const MatrixForm& form = i.raw.matrix;
  const Operand& c = addend(i);
  const auto constant = [&](uint32_t v) { return llvm::ConstantInt::get(ir_.strip_type(), v); };
  if (!op.is_wmma()) {
    Value* v = vectors_.operand_strip(c, c.is_constant() ? (op.wide ? k % 2 : 0) : k, q, state);
    return changes(i, k) ? builder_.CreateXor(v, constant(0x80000000u)) : v;
  }
  Value* v = c.is_constant() ? constant(form.sums.constant(c.imm)) : vectors_.operand_strip(c, k, q, state);
  if (form.absolute) v = builder_.CreateAnd(v, constant(~form.sums.sign()));
  if (form.negated) v = builder_.CreateXor(v, constant(form.sums.sign()));
  const uint32_t mask = form.sums.mask();
  if (mask == ~0u) return v;
  Value* old = vectors_.strip(vgpr_of(i.raw.vdst, k), q, state);
  return builder_.CreateOr(builder_.CreateAnd(v, constant(mask)), builder_.CreateAnd(old, constant(~mask)));
}

// Writes the addend to the sums' registers, where it does not lie there yet. Whether it wrote any.
bool MatrixEmitter::set_sums(const Instr& i, const State& state) {
  const uint32_t d = vgpr_of(i.raw.vdst);
  std::vector<LoadedStrip> stores; // after all are read, for C may overlap D
  for (uint32_t k = 0; k < i.raw.matrix.registers_d; ++k) {
    for (uint32_t q = 0; q < ir_.strips() && (moves(i) || changes(i, k) || !state.v[d + k].is_any()); ++q)
      stores.push_back({d + k, q, addend_strip(i, k, q, state)});
  }
  for (const LoadedStrip& s : stores) vectors_.hold_strip(s.v, s.strip, s.value);
  return !stores.empty();
}

void MatrixEmitter::emit(const Instr& i, const State& state) {
  const ResolvedInst& raw = i.raw;
  const MatrixOp& op = *i.matrix;
  const uint32_t d = vgpr_of(raw.vdst);
  // Sums that are factors of this instruction are wanted now, and its registers, unless it adds to the same sums.
  Registers factors;
  factors.v = factor_registers(i, 0) | factor_registers(i, 1);
  if (op.index_bits) factors.v.set(vgpr_of(raw.src[2]));
  finish(factors.v);
  const bool continues = !moves(i) && !flips(i) && std::any_of(pending_.begin(), pending_.end(), [&](const Pending& w) {
    return w.d == d && w.op == &op && w.form == raw.matrix.sums.word();
  });
  if (!continues) finish(i.reads.v | i.writes.v, i.writes.v);
  Value *a = operands_.prepared(i, 0, state), *b = operands_.prepared(i, 1, state);
  operands_.keep(a), operands_.keep(b);
  if (set_sums(i, state)) sums_.set_unknown(d, raw.matrix.registers_d);
  if (!continues) pending_.push_back({&op, d, raw.matrix.registers_d, raw.matrix.sums.word(), {}, {}});
  Pending& pending = *std::find_if(pending_.begin(), pending_.end(), [&](const Pending& w) { return w.d == d; });
  pending.factors.push_back({a, b});
  for (uint32_t operand = 0; operand < 2; ++operand)
    if (operands_.lies_in_block(i, operand, state)) pending.in_block |= factor_registers(i, operand);
  if (pending.factors.size() == kMostProducts) finish(i.writes.v);
}

void MatrixEmitter::compute_ahead(const std::vector<Instr>& instructions, const State& state) {
  if (instructions.empty()) return;
  for (const Instr& i : instructions) emit(i, state);
  builder_.CreateStore(ir_.constant(uint32_t(instructions.size())), wave_.field(offsetof(Wave, products_ahead)));
}

llvm::Value* MatrixEmitter::is_expected(const Instr& i) {
  Value* ahead = wave_.load(ir_.i32(), offsetof(Wave, products_ahead));
  return i.is_ahead ? builder_.CreateICmpNE(ahead, ir_.constant(0)) : builder_.CreateICmpEQ(ahead, ir_.constant(0));
}

void MatrixEmitter::pass_over(const Instr& i) {
  Value* ahead = wave_.load(ir_.i32(), offsetof(Wave, products_ahead));
  builder_.CreateStore(builder_.CreateSub(ahead, ir_.constant(1)), wave_.field(offsetof(Wave, products_ahead)));
  tiles_.pass_over(i);
}

void MatrixEmitter::add_products(const Pending& pending) {
  const MatrixOp& op = *pending.op;
  llvm::AllocaInst* flag = op.coarse ? sums_.flag_of(pending.d, pending.registers_d) : nullptr;
  Value* coarse = flag ? static_cast<Value*>(builder_.CreateLoad(ir_.i32(), flag)) : ir_.constant(op.is_wmma() ? pending.form : 0);
  const uint32_t count = uint32_t(pending.factors.size());
  llvm::Type* type = llvm::ArrayType::get(builder_.getPtrTy(), 2 * count);
  llvm::AllocaInst* all = ir_.frame_slot(type);
  for (uint32_t k = 0; k < count; ++k) {
    builder_.CreateStore(pending.factors[k].first, builder_.CreateConstInBoundsGEP2_32(type, all, 0, 2 * k));
    builder_.CreateStore(pending.factors[k].second, builder_.CreateConstInBoundsGEP2_32(type, all, 0, 2 * k + 1));
  }
  tiles_.fetch_part();
  coarse = ir_.call(op.multiply, all, ir_.constant(count), wave_.vgpr(pending.d, 0), coarse);
  sums_.set_unknown(pending.d, pending.registers_d);
  if (flag) builder_.CreateStore(coarse, flag);
}

void MatrixEmitter::finish(const std::bitset<kMaxVgprs>& sums, const std::bitset<kMaxVgprs>& factors) {
  if (pending_.empty()) return;
  std::erase_if(pending_, [&](const Pending& p) {
    bool wanted = (p.in_block & factors).any();
    for (uint32_t k = 0; k < p.registers_d; ++k) wanted |= sums[p.d + k];
    if (wanted) add_products(p);
    return wanted;
  });
  // Units that no pending product refers to may be overwritten.
  operands_.release_all();
  for (const Pending& p : pending_)
    for (auto [a, b] : p.factors) operands_.keep(a), operands_.keep(b);
}

} // namespace hip::engine::compile
