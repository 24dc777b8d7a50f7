// runtime/engine/translate/emit_compare.cpp - comparisons of integers that grow from lane to lane with one that is the
// same in all lanes: what holds in the first and the last lane says what holds between them. Most are a kernel's checks
// of its index, which all lanes pass.
#include "runtime/engine/translate/emit.h"

#include <llvm/IR/MDBuilder.h>

namespace hip::engine::translate {
namespace {

struct Comparison {
  llvm::CmpInst::Predicate predicate;
  bool is_signed, wide;
};

// v_cmp_<predicate>_<type> of integers of 32 and 64 bits.
std::optional<Comparison> comparison_of(std::string_view name) {
  using P = llvm::CmpInst;
  if (name.starts_with("v_cmpx_"))
    name.remove_prefix(7);
  else if (name.starts_with("v_cmp_"))
    name.remove_prefix(6);
  else
    return std::nullopt;
  const size_t at = name.find('_');
  if (at == name.npos) return std::nullopt;
  const std::string_view which = name.substr(0, at), type = name.substr(at + 1);
  if (type != "i32" && type != "u32" && type != "i64" && type != "u64") return std::nullopt;
  const bool is_signed = type[0] == 'i', wide = type.ends_with("64");
  if (which == "eq") return Comparison{P::ICMP_EQ, is_signed, wide};
  if (which == "ne" || which == "lg") return Comparison{P::ICMP_NE, is_signed, wide};
  if (which == "lt") return Comparison{is_signed ? P::ICMP_SLT : P::ICMP_ULT, is_signed, wide};
  if (which == "le") return Comparison{is_signed ? P::ICMP_SLE : P::ICMP_ULE, is_signed, wide};
  if (which == "gt") return Comparison{is_signed ? P::ICMP_SGT : P::ICMP_UGT, is_signed, wide};
  if (which == "ge") return Comparison{is_signed ? P::ICMP_SGE : P::ICMP_UGE, is_signed, wide};
  return std::nullopt;
}

// An operand as one number of so many bits.
PairFact number_fact(const State& state, const Operand& o, bool wide) {
  if (wide && (o.bank == Bank::Vgpr || o.bank == Bank::Agpr)) return pair_fact(state, o);
  const Fact f = operand_fact(state, o, 0);
  return {f.kind == Fact::Kind::Affine, f.wave(), f.span, f.stride, f.align};
}

} // namespace

// The lanes (i64) for which a comparison holds, inactive ones too, lane by lane.
llvm::Value* RegionEmitter::compare_lanes(const Instr& i, const State& before) {
  const auto [uniform, wave] = operands_of(i, before);
  Value* all = builder_.getInt64(0);
  Outcome out;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    if (!(uniform && wave && q > 0)) {
      std::vector<Value*> arguments;
      append_arguments(i, before, q, uniform, nullptr, arguments);
      out = call(uniform ? i.valu->lane : i.valu->strip, std::move(arguments), 0, true, uniform);
      if (uniform)
        out.mask = builder_.CreateSExt(builder_.CreateTrunc(out.mask, builder_.getInt1Ty()), builder_.getInt16Ty());
    }
    all = builder_.CreateOr(all, builder_.CreateShl(builder_.CreateZExt(out.mask, i64()), q * kStripLanes));
  }
  return all;
}

// The same, by the ends of what one operand runs through; null where that says nothing.
llvm::Value* RegionEmitter::compare_ends(const Instr& i, const State& before) {
  const RawInst& raw = i.raw;
  const auto comparison = comparison_of(raw.mnemonic);
  if (!comparison || raw.variant == Variant::Sdwa || raw.variant == Variant::Dpp || raw.source_count != 2)
    return nullptr;
  const bool wide = comparison->wide;
  const PairFact facts[2] = {number_fact(before, raw.src[0], wide), number_fact(before, raw.src[1], wide)};
  if (!facts[0].known || !facts[1].known || (facts[0].stride != 0) == (facts[1].stride != 0)) return nullptr;
  const uint32_t moves = facts[0].stride != 0 ? 0 : 1;
  const PairFact& fact = facts[moves];
  if (!facts[1 - moves].wave) return nullptr;

  auto number = [&](uint32_t k, uint32_t q) -> Value* {
    const Operand& o = raw.src[k];
    if (!wide) return operand_lane(o, 0, q, before);
    if (o.bank != Bank::Vgpr && o.bank != Bank::Agpr) return scalar64(o);
    return joined(operand_lane(o, 0, q, before), operand_lane(o, 1, q, before));
  };
  const uint32_t strips = fact.span || fact.wave ? 1 : kStripCount, lanes = fact.span ? kMaxLanes : kStripLanes;
  Value *fixed = number(1 - moves, 0), *everywhere = builder_.getTrue(), *nowhere = builder_.getTrue();
  for (uint32_t q = 0; q < strips; ++q) {
    Value* first = number(moves, q);
    Value* last =
        builder_.CreateAdd(first, llvm::ConstantInt::getSigned(first->getType(), int64_t(fact.stride) * (lanes - 1)));
    Value *low = fact.stride > 0 ? first : last, *high = fact.stride > 0 ? last : first;
    auto less = [&](Value* a, Value* b) {
      return comparison->is_signed ? builder_.CreateICmpSLT(a, b) : builder_.CreateICmpULT(a, b);
    };
    Value *at_first, *at_last, *decided = less(low, high); // else the numbers wrap around
    if (comparison->predicate == llvm::CmpInst::ICMP_EQ || comparison->predicate == llvm::CmpInst::ICMP_NE) {
      decided = builder_.CreateAnd(decided, builder_.CreateOr(less(fixed, low), less(high, fixed)));
      at_first = at_last = builder_.getInt1(comparison->predicate == llvm::CmpInst::ICMP_NE);
    } else {
      auto holds = [&](Value* v) {
        return builder_.CreateICmp(comparison->predicate, moves == 0 ? v : fixed, moves == 0 ? fixed : v);
      };
      at_first = holds(first), at_last = holds(last);
    }
    everywhere = builder_.CreateAnd(everywhere, builder_.CreateAnd(decided, builder_.CreateAnd(at_first, at_last)));
    nowhere = builder_.CreateAnd(nowhere,
                                 builder_.CreateAnd(decided, builder_.CreateNot(builder_.CreateOr(at_first, at_last))));
  }
  llvm::BasicBlock *other = new_block("not_all"), *slow = new_block("lanes"), *join = new_block("compared"),
                   *start = builder_.GetInsertBlock();
  llvm::MDNode* likely = llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights();
  builder_.CreateCondBr(everywhere, join, other, likely);
  builder_.SetInsertPoint(other);
  builder_.CreateCondBr(nowhere, join, slow, likely);
  builder_.SetInsertPoint(slow);
  Value* lane_by_lane = compare_lanes(i, before);
  llvm::BasicBlock* slow_end = builder_.GetInsertBlock();
  builder_.CreateBr(join);
  builder_.SetInsertPoint(join);
  llvm::PHINode* mask = builder_.CreatePHI(i64(), 3);
  mask->addIncoming(builder_.getInt64(~0ull), start);
  mask->addIncoming(builder_.getInt64(0), other);
  mask->addIncoming(lane_by_lane, slow_end);
  return mask;
}

} // namespace hip::engine::translate
