// runtime/engine/compile/emit/patterns.h - numbers with a pattern (analysis/patterns.h) as VALU instructions compute
// them. Such a register is kept three ways: its strips, as any other, lane 0 of each strip as a scalar, and the pattern
// as one vector; of these LLVM keeps what is used.
#pragma once

#include "runtime/engine/compile/analysis/patterns.h"
#include "runtime/engine/compile/emit/valu_calls.h"

namespace hip::engine::compile {

class PatternEmitter : InstructionEmitter {
public:
  PatternEmitter(const EmitContext& context, ValuCalls& calls) : InstructionEmitter(context), calls_(calls) {}

  // What the instruction's result is as a number with a pattern, step by step as the facts have it.
  PatternedNumber compute(const Instr& i, const State& before);

private:
  struct Term {
    Shape shape;
    Value *number = nullptr, *pattern = nullptr; // of uniform ones; of others
  };
  Value* apply(LaneStep op, Value* a, Value* b);
  Term combine(LaneStep op, Term a, Term b);

  ValuCalls& calls_;
};

} // namespace hip::engine::compile
