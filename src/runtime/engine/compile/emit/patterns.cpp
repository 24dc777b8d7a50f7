// runtime/engine/compile/emit/patterns.cpp - see patterns.h.
#include "runtime/engine/compile/emit/patterns.h"

namespace hip::engine::compile {

llvm::Value* PatternEmitter::apply(LaneStep op, Value* a, Value* b) {
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
}

// The result of one step of an instruction; combined() finds the same of facts.
PatternEmitter::Term PatternEmitter::combine(LaneStep op, Term a, Term b) {
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
    Value *u = ir_.splat(b.number), *bits = llvm::ConstantInt::get(u->getType(), a.shape.mixed);
    if (op == LaneStep::Or)
      out.pattern = builder_.CreateAnd(a.pattern, builder_.CreateNot(u));
    else if (op == LaneStep::Xor)
      out.pattern =
          builder_.CreateSub(builder_.CreateAnd(builder_.CreateXor(a.pattern, u), bits), builder_.CreateAnd(u, bits));
    else
      out.pattern = apply(op, a.pattern, u);
  }
  return out;
}

PatternedNumber PatternEmitter::compute(const Instr& i, const State& before) {
  Term term;
  for (const Step& step : row_of(i.raw.opcode).steps) {
    const auto of = [&](int8_t k) {
      if (k == kPrevious) return term;
      Term out{shape_of(before, i.raw.src[k])};
      out.number = out.shape.uniform ? vectors_.operand_lane(i.raw.src[k], 0, 0, before) : nullptr;
      out.pattern = vectors_.pattern_of(i.raw.src[k], before);
      return out;
    };
    const Term a = of(step.a);
    term = combine(step.op, a, step.op == LaneStep::Copy ? a : of(step.b));
  }
  PatternedNumber out;
  out.pattern = term.pattern;
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    std::vector<Value*> arguments = calls_.arguments(i, before, q, Width::Lane);
    out.first[q] = calls_.call(i.valu->lane, std::move(arguments), 1, i.valu->mask(), Width::Lane).rows[0];
  }
  return out;
}

} // namespace hip::engine::compile
