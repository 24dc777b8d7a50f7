// runtime/engine/compile/emit/compare.cpp - see compare.h.
#include "runtime/engine/compile/emit/compare.h"

#include <llvm/IR/MDBuilder.h>

namespace hip::engine::compile {
namespace {

struct Comparison {
  llvm::CmpInst::Predicate predicate;
  bool is_signed, wide;
};

// The comparison of a row of the opcode table; nothing for other numbers than integers of 32 and 64 bits.
std::optional<Comparison> comparison_of(const Compare& compare) {
  using P = llvm::CmpInst;
  if (compare.kind == NumberKind::Float || compare.bits < 32) return std::nullopt;
  const bool is_signed = compare.kind == NumberKind::Signed, wide = compare.bits == 64;
  switch (compare.relation) {
  case Relation::Equal: return Comparison{P::ICMP_EQ, is_signed, wide};
  case Relation::NotEqual: return Comparison{P::ICMP_NE, is_signed, wide};
  case Relation::Less: return Comparison{is_signed ? P::ICMP_SLT : P::ICMP_ULT, is_signed, wide};
  case Relation::LessEqual: return Comparison{is_signed ? P::ICMP_SLE : P::ICMP_ULE, is_signed, wide};
  case Relation::Greater: return Comparison{is_signed ? P::ICMP_SGT : P::ICMP_UGT, is_signed, wide};
  case Relation::GreaterEqual: return Comparison{is_signed ? P::ICMP_SGE : P::ICMP_UGE, is_signed, wide};
  default: return std::nullopt;
  }
}

// The intrinsic that computes an instruction's least or greatest of integers; not_intrinsic: it computes none.
llvm::Intrinsic::ID extreme_of(Opcode opcode) {
  switch (row_of(opcode).steps.each[0].op) {
  case LaneStep::MinI: return llvm::Intrinsic::smin;
  case LaneStep::MaxI: return llvm::Intrinsic::smax;
  case LaneStep::MinU: return llvm::Intrinsic::umin;
  case LaneStep::MaxU: return llvm::Intrinsic::umax;
  default: return llvm::Intrinsic::not_intrinsic;
  }
}

// The fact of an operand as one number of 64 bits (`wide`) or 32.
std::optional<PairFact> number_fact(const State& state, const Operand& o, bool wide) {
  if (wide && (o.bank == Bank::Vgpr || o.bank == Bank::Agpr)) return pair_fact(state, o);
  const Fact f = operand_fact(state, o, 0);
  if (!f.is_affine()) return std::nullopt;
  return PairFact{f.stride(), f.align(), f.same_in_wave(), f.part_strips()};
}

} // namespace

// Compares all lanes, inactive ones too, and returns those for which the comparison holds (i64).
llvm::Value* CompareEmitter::lane_by_lane(const Instr& i, const State& before) {
  const Operands operands = operands_of(i, before);
  const bool uniform = operands.uniform;
  const uint32_t part_strips = operands.same_in_wave ? kMaxStrips : operands.part_strips;
  Value* all = builder_.getInt64(0);
  ValuResult out;
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    if (!uniform || q % part_strips == 0) {
      const Width width = uniform ? Width::Lane : Width::Strip;
      std::vector<Value*> arguments = calls_.arguments(i, before, q, width);
      out = calls_.call(uniform ? i.valu->lane : i.valu->strip, std::move(arguments), 0, true, width);
      if (uniform)
        out.mask = builder_.CreateSExt(builder_.CreateTrunc(out.mask, builder_.getInt1Ty()), builder_.getInt16Ty());
    }
    all = builder_.CreateOr(all, builder_.CreateShl(builder_.CreateZExt(out.mask, ir_.i64()), q * kStripLanes));
  }
  return all;
}

// The range of an operand as a number of 32 bits (or of 64, `wide`); nothing where the range is not known.
std::optional<CompareEmitter::Range> CompareEmitter::range_of(const Operand& o, bool is_signed, bool wide,
                                                              const State& state) {
  const bool vector = o.bank == Bank::Vgpr || o.bank == Bank::Agpr;
  if (vector && !wide) {
    const auto known = ranges_.find(vgpr_of(o));
    if (known != ranges_.end())
      return known->second.is_signed == is_signed ? std::optional(known->second) : std::nullopt;
  }
  const std::optional<PairFact> fact = number_fact(state, o, wide);
  if (!fact) return std::nullopt;
  Range out;
  out.is_signed = is_signed, out.same_in_part = fact->stride == 0;
  out.part_strips = fact->same_in_wave ? kMaxStrips : fact->part_strips;
  out.sound = builder_.getTrue();
  const int64_t reach = int64_t(fact->stride) * (fact->part_strips * kStripLanes - 1);
  for (uint32_t q = 0; q < ir_.strips(); q += out.part_strips) {
    Value* first = !wide     ? vectors_.operand_lane(o, 0, q, state)
                   : !vector ? scalars_.operand64(o)
                             : ir_.joined(vectors_.operand_lane(o, 0, q, state), vectors_.operand_lane(o, 1, q, state));
    Value* last = reach ? builder_.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), reach)) : first;
    out.low[q] = reach < 0 ? last : first, out.high[q] = reach < 0 ? first : last;
    if (reach)
      out.sound = builder_.CreateAnd(
          out.sound,
          builder_.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SLT : llvm::CmpInst::ICMP_ULT, out.low[q], out.high[q]));
  }
  return out;
}

// The range of the result of an instruction that takes the least or the greatest of its operands: kernels with several
// dimensions compare the greatest of their coordinates in place of all.
std::optional<CompareEmitter::Range> CompareEmitter::range_of_result(const Instr& i, const State& before) {
  const ResolvedInst& raw = i.raw;
  if (i.kind != Kind::Valu || raw.variant == Variant::Sdwa || raw.variant == Variant::Dpp || raw.clamp || raw.op_sel)
    return std::nullopt;
  const llvm::Intrinsic::ID chosen = extreme_of(raw.opcode);
  if (chosen == llvm::Intrinsic::not_intrinsic) return std::nullopt;
  const bool is_signed = chosen == llvm::Intrinsic::smin || chosen == llvm::Intrinsic::smax;
  std::optional<Range> out = range_of(raw.src[0], is_signed, false, before);
  for (uint32_t k = 1; out && k < raw.source_count; ++k) {
    const std::optional<Range> other = range_of(raw.src[k], is_signed, false, before);
    if (!other) return std::nullopt;
    Range both;
    both.is_signed = is_signed, both.same_in_part = out->same_in_part && other->same_in_part,
    both.part_strips = std::min(out->part_strips, other->part_strips);
    both.sound = builder_.CreateAnd(out->sound, other->sound);
    for (uint32_t q = 0; q < ir_.strips(); q += both.part_strips) {
      both.low[q] = builder_.CreateBinaryIntrinsic(chosen, out->low_of(q), other->low_of(q));
      both.high[q] = builder_.CreateBinaryIntrinsic(chosen, out->high_of(q), other->high_of(q));
    }
    out = both;
  }
  return out;
}

// The lanes for which a comparison holds, decided by its operands' ranges; null where one of them is not known.
llvm::Value* CompareEmitter::by_ranges(const Instr& i, const State& before) {
  using P = llvm::CmpInst;
  const ResolvedInst& raw = i.raw;
  const auto comparison = comparison_of(row_of(raw.opcode).compare);
  if (!comparison || raw.variant == Variant::Sdwa || raw.variant == Variant::Dpp || raw.source_count != 2)
    return nullptr;
  const auto a = range_of(raw.src[0], comparison->is_signed, comparison->wide, before),
             b = range_of(raw.src[1], comparison->is_signed, comparison->wide, before);
  if (!a || !b || a->same_in_part == b->same_in_part) return nullptr;
  const P::Predicate predicate = comparison->predicate;
  const bool equality = predicate == P::ICMP_EQ || predicate == P::ICMP_NE;
  const P::Predicate less = comparison->is_signed ? P::ICMP_SLT : P::ICMP_ULT;
  const bool upwards = P::getStrictPredicate(predicate) == less; // it holds where a is small
  // The comparison holds in all lanes if it does for the worst pair of ends, and in none if it fails for the best pair.
  const auto in_all = [&](uint32_t q) {
    if (equality)
      return builder_.CreateOr(builder_.CreateICmp(less, a->high_of(q), b->low_of(q)),
                               builder_.CreateICmp(less, b->high_of(q), a->low_of(q)));
    return upwards ? builder_.CreateICmp(predicate, a->high_of(q), b->low_of(q))
                   : builder_.CreateICmp(predicate, a->low_of(q), b->high_of(q));
  };
  const auto in_none = [&](uint32_t q) {
    return builder_.CreateNot(upwards ? builder_.CreateICmp(predicate, a->low_of(q), b->high_of(q))
                                      : builder_.CreateICmp(predicate, a->high_of(q), b->low_of(q)));
  };
  const uint32_t part_strips = std::min(a->part_strips, b->part_strips);
  Value* sound = builder_.CreateAnd(a->sound, b->sound); // else numbers wrap around
  Value *all = sound, *none = nullptr;
  for (uint32_t q = 0; q < ir_.strips(); q += part_strips) all = builder_.CreateAnd(all, in_all(q));
  llvm::BasicBlock *other = ir_.new_block("not_all"), *slow = ir_.new_block("lanes"), *join = ir_.new_block("compared"),
                   *start = builder_.GetInsertBlock();
  llvm::MDNode* likely = llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights();
  builder_.CreateCondBr(all, join, other, likely);
  builder_.SetInsertPoint(other);
  for (uint32_t q = 0; q < ir_.strips() && !equality; q += part_strips)
    none = none ? builder_.CreateAnd(none, in_none(q)) : builder_.CreateAnd(sound, in_none(q));
  if (none)
    builder_.CreateCondBr(none, join, slow, likely);
  else
    builder_.CreateBr(slow);
  builder_.SetInsertPoint(slow);
  Value* compared = lane_by_lane(i, before);
  llvm::BasicBlock* slow_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
  llvm::PHINode* mask = builder_.CreatePHI(ir_.i64(), 3);
  mask->addIncoming(predicate == P::ICMP_EQ ? builder_.getInt64(0) : ir_.all_lanes(), start);
  if (none) mask->addIncoming(builder_.getInt64(0), other);
  mask->addIncoming(compared, slow_end);
  return mask;
}

llvm::Value* CompareEmitter::compare(const Instr& i, const State& before) {
  Value* lanes = by_ranges(i, before);
  return lanes ? lanes : lane_by_lane(i, before);
}

void CompareEmitter::before(const Instr& i, Version version, const State& state) {
  result_ = version != Version::Empty ? range_of_result(i, state) : std::nullopt;
}

void CompareEmitter::behind(const Instr& i) {
  std::erase_if(ranges_, [&](const auto& known) { return i.writes.v[known.first]; });
  if (result_ && !result_->same_in_part) ranges_.emplace(vgpr_of(i.raw.vdst), *result_);
}

} // namespace hip::engine::compile
