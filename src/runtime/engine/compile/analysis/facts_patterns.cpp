// runtime/engine/compile/analysis/facts_patterns.cpp - facts of numbers with a pattern (patterns.h), beside what facts.cpp
// finds of an instruction's result.
#include "runtime/engine/compile/analysis/patterns.h"

namespace hip::engine::compile {

// `result`, of which nothing better than Any is known, with what the instruction makes of its operands' patterns.
Fact Facts::with_pattern(const Instr& i, const State& state, const Fact& result) const {
  const uint32_t fresh = i.number + 1;
  Shape shape;
  for (const Step& step : row_of(i.raw.opcode).steps) {
    const auto of = [&](int8_t k) { return k == kPrevious ? shape : shape_of(state, i.raw.src[k]); };
    const Shape a = of(step.a);
    shape = combined(step.op, a, step.op == LaneStep::Copy ? a : of(step.b), fresh);
    if (!shape.known) return result;
  }
  if (!shape.known || shape.uniform) return result;
  return result.with_pattern({.number = shape.pattern, .align = shape.align, .mixed = shape.mixed});
}

// Of the low half of a 64-bit shift's result, or of a shift's and an addition's: an index with a pattern, or one that
// might wrap around, that is widened with zeros and added to an address that is the same in all lanes; or such an
// address and an offset.
Fact Facts::wide_pattern(const Instr& i, const State& state) const {
  const WideIndex index = wide_index(i.raw, state);
  if (!index.known) return Fact::any();
  return Fact::wide_pattern(index.wide ? state.v[vgpr_of(i.raw.src[index.operand])].pattern() : i.number + 1);
}

// What an instruction has made a pattern's number stand for before is another one from now on.
void Facts::renew_pattern(const Instr& i, uint32_t of, State& state) {
  const uint32_t fresh = i.number + 1;
  if (state.v[of].pattern() != fresh) return;
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (r != of && state.v[r].pattern() == fresh) state.v[r] = state.v[r].with_other_pattern();
}

} // namespace hip::engine::compile
