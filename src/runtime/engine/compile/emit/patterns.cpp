// runtime/engine/compile/emit/patterns.cpp - numbers with a pattern (patterns.h). Such a register is kept three ways:
// its strips, as any other, lane 0 of each strip as a scalar, and the pattern as one vector; of these LLVM keeps what
// is used. Accesses to LDS by such addresses look at the pattern alone; two in a row with the same one are one call of
// the library, which finds them in one window more often than not.
#include "runtime/engine/compile/emit/emit.h"
#include "runtime/engine/compile/analysis/patterns.h"

namespace hip::engine::compile {

// What a number's lanes are above lane 0 (<16 x i32>); null: nothing, it is uniform. `v` is the register that holds it.
llvm::Value* RegionEmitter::strip_pattern(const Fact& fact, uint32_t v) {
  if (fact.kind == Fact::Kind::Affine)
    return builder_.CreateMul(iota(), builder_.CreateVectorSplat(kStripLanes, constant(uint32_t(fact.stride))));
  return builder_.CreateLoad(llvm::FixedVectorType::get(i32(), kStripLanes), patterns_[v]);
}
llvm::Value* RegionEmitter::pattern_of(const Operand& o, const State& state) {
  const Fact fact = operand_fact(state, o, 0);
  return fact.uniform() ? nullptr : strip_pattern(fact, vgpr_of(o));
}

void RegionEmitter::set_pattern(uint32_t v, const Patterned& number) {
  for (uint32_t q = 0; q < kStripCount; ++q) builder_.CreateStore(number.first[q], lanes_[v][q]);
  builder_.CreateStore(number.pattern, patterns_[v]);
}

void RegionEmitter::load_pattern(uint32_t v, const Fact& fact) {
  Patterned number;
  for (uint32_t q = 0; q < kStripCount; ++q)
    number.first[q] = builder_.CreateLoad(i32(), wave_field(Wave::vgpr_offset(v) + q * kStripLanes * 4));
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  Value* lanes = builder_.CreateAlignedLoad(strip, wave_field(Wave::vgpr_offset(v)), llvm::Align(64));
  number.pattern = builder_.CreateSub(lanes, builder_.CreateVectorSplat(kStripLanes, number.first[0]));
  set_pattern(v, number);
  if (!fact.wide) return;
  for (uint32_t q = 0; q < kStripCount; ++q)
    builder_.CreateStore(builder_.CreateLoad(i32(), wave_field(Wave::vgpr_offset(v + 1) + q * kStripLanes * 4)),
                         lanes_[v + 1][q]);
  builder_.CreateStore(builder_.getFalse(), fits_[v]); // nobody has looked
}

// The pattern of what an instruction computes, step by step as the facts have it.
RegionEmitter::Patterned RegionEmitter::compute_pattern(const Instr& i, const State& before) {
  struct Term {
    Shape shape;
    Value *number = nullptr, *pattern = nullptr; // of uniform ones; of others
  };
  const auto splat = [&](Value* v) { return builder_.CreateVectorSplat(kStripLanes, v); };
  const auto apply = [&](LaneStep op, Value* a, Value* b) -> Value* {
    switch (op) {
    case LaneStep::Copy:
      return a;
    case LaneStep::Add:
      return builder_.CreateAdd(a, b);
    case LaneStep::Sub:
      return builder_.CreateSub(a, b);
    case LaneStep::And:
      return builder_.CreateAnd(a, b);
    case LaneStep::Or:
      return builder_.CreateOr(a, b);
    case LaneStep::Xor:
      return builder_.CreateXor(a, b);
    case LaneStep::Shl:
      return builder_.CreateShl(a, builder_.CreateAnd(b, llvm::ConstantInt::get(b->getType(), 31)));
    case LaneStep::Shr:
      return builder_.CreateLShr(a, builder_.CreateAnd(b, llvm::ConstantInt::get(b->getType(), 31)));
    case LaneStep::Mul:
      return builder_.CreateMul(a, b);
    default: // makes no pattern
      return nullptr;
    }
  };
  const auto combine = [&](LaneStep op, Term a, Term b) {
    Term out{combined(op, a.shape, b.shape, kSomePattern)};
    if (out.shape.uniform) {
      out.number = apply(op, a.number, b.number);
      return out;
    }
    if (a.shape.uniform && !b.shape.uniform && op != LaneStep::Sub) std::swap(a, b);
    if (op == LaneStep::Copy) {
      out.pattern = a.pattern;
    } else if (!b.shape.uniform) { // Sub, of a uniform number, too
      Value* zero = llvm::Constant::getNullValue(b.pattern->getType());
      out.pattern = apply(op, a.pattern ? a.pattern : zero, b.pattern);
    } else if (keeps_pattern(op, a.shape, b.shape)) {
      out.pattern = a.pattern;
    } else {
      Value *u = splat(b.number), *bits = llvm::ConstantInt::get(u->getType(), a.shape.mixed);
      if (op == LaneStep::Or)
        out.pattern = builder_.CreateAnd(a.pattern, builder_.CreateNot(u));
      else if (op == LaneStep::Xor)
        out.pattern =
            builder_.CreateSub(builder_.CreateAnd(builder_.CreateXor(a.pattern, u), bits), builder_.CreateAnd(u, bits));
      else
        out.pattern = apply(op, a.pattern, u);
    }
    return out;
  };
  Term term;
  for (const Step& step : row_of(i.raw.opcode).steps) {
    const auto of = [&](int8_t k) {
      if (k == kPrevious) return term;
      Term out{shape_of(before, i.raw.src[k])};
      out.number = out.shape.uniform ? operand_lane(i.raw.src[k], 0, 0, before) : nullptr;
      out.pattern = pattern_of(i.raw.src[k], before);
      return out;
    };
    const Term a = of(step.a);
    term = combine(step.op, a, step.op == LaneStep::Copy ? a : of(step.b));
  }
  Patterned out;
  out.pattern = term.pattern;
  for (uint32_t q = 0; q < kStripCount; ++q) {
    std::vector<Value*> arguments;
    append_arguments(i, before, q, true, nullptr, arguments);
    out.first[q] = call(i.valu->lane, std::move(arguments), 1, false, true).rows[0];
  }
  return out;
}

bool RegionEmitter::by_pattern(const Instr& i, Version version, const State& state) const {
  if (i.kind != Kind::Memory || !i.memory->pattern || version == Version::Empty) return false;
  const Fact fact = operand_fact(state, i.raw.vaddr, 0);
  return fact.kind == Fact::Kind::Any && fact.pattern != 0;
}

// The access that comes next, if it can be made together with access `which` of i: no instruction: there is none.
RegionEmitter::PatternAccess RegionEmitter::next_by_pattern(const Instr& i, uint32_t which, Version version,
                                                            const State& state) const {
  if (which + 1 < i.accesses) return {&i, which + 1};
  const uint32_t last = code_.nodes[node_].last;
  uint32_t k = uint32_t(&i - code_.instrs.data()) + 1;
  while (k <= last && code_.instrs[k].kind == Kind::Nothing) ++k;
  if (k > last) return {};
  const Instr& next = code_.instrs[k];
  if (next.memory != i.memory || !by_pattern(next, version, state) || (next.reads.v & i.writes.v).any()) return {};
  const uint32_t pattern = operand_fact(state, i.raw.vaddr, 0).pattern;
  if (pattern == kSomePattern || pattern != operand_fact(state, next.raw.vaddr, 0).pattern) return {};
  return {&next, 0};
}

// Access `which` of i, and the next one if it may.
void RegionEmitter::emit_pattern_access(const Instr& i, uint32_t which, Version version, const State& before,
                                        std::vector<Loaded>& loaded) {
  const MemoryOp& op = *i.memory;
  llvm::Type* strip_type = llvm::FixedVectorType::get(i32(), kStripLanes);
  std::array<Value*, kStripCount> values{};
  if (ahead_.at.instr == &i && ahead_.at.which == which) {
    values = ahead_.loaded; // (of a store nothing)
    ahead_.at = {};
  } else {
    const PatternAccess next = next_by_pattern(i, which, version, before);
    const uint32_t count = next.instr ? 2 : 1;
    const PatternAccess accesses[2] = {{&i, which}, next};
    const uint32_t kept = count == 2 ? library::kKeptRows : 0;
    llvm::Type* buffer_type = llvm::ArrayType::get(strip_type, count * kStripCount + kept);
    llvm::AllocaInst* buffer = place_for(buffer_type);
    auto slot = [&](uint32_t k, uint32_t q) {
      return builder_.CreateConstInBoundsGEP2_32(buffer_type, buffer, 0, k * kStripCount + q);
    };
    if (kept) { // from wave to wave
      llvm::IRBuilderBase::InsertPointGuard guard(builder_);
      builder_.SetInsertPoint(entry_->getTerminator());
      for (uint32_t q = 0; q < kept; ++q) builder_.CreateStore(llvm::Constant::getAllOnesValue(strip_type), slot(count, q));
    }
    std::vector<Value*> arguments{wave_, lds_base_, lds_bytes_};
    for (uint32_t k = 0; k < count; ++k) {
      const Instr& access = *accesses[k].instr;
      for (uint32_t q = 0; q < kStripCount; ++q) {
        arguments.push_back(builder_.CreateAdd(operand_lane(access.raw.vaddr, 0, q, before),
                                               constant(access.offset[accesses[k].which])));
        if (op.stores)
          builder_.CreateStore(operand_strip(accesses[k].which ? access.raw.data1 : access.raw.vdata, 0, q, before),
                               slot(k, q));
      }
    }
    arguments.insert(arguments.end(), {pattern_of(i.raw.vaddr, before), sgpr64(kExecLo), buffer});
    builder_.CreateCall(count == 2 ? op.pattern_two : op.pattern, arguments);
    for (uint32_t q = 0; !op.stores && q < kStripCount; ++q) {
      values[q] = builder_.CreateLoad(strip_type, slot(0, q));
      if (count == 2) ahead_.loaded[q] = builder_.CreateLoad(strip_type, slot(1, q));
    }
    ahead_.at = next;
  }
  if (op.stores) return;
  const uint32_t vdst = vgpr_of(i.raw.vdst, which);
  for (uint32_t q = 0; q < kStripCount; ++q) {
    Value* v = values[q];
    if (version == Version::Partial && !facts_.whole(i, version))
      v = builder_.CreateSelect(bools(strip_mask(sgpr64(kExecLo), q)), v, strip_value(vdst, q, before));
    loaded.push_back({vdst, q, v});
  }
}

} // namespace hip::engine::compile
