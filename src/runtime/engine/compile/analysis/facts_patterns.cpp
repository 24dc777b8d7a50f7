// runtime/engine/compile/analysis/facts_patterns.cpp - facts of numbers with a pattern (patterns.h), beside what facts.cpp
// finds of an instruction's result.
#include "runtime/engine/compile/analysis/patterns.h"

namespace hip::engine::compile {

// Adds to `result`, of which nothing better than Any is known, what the instruction makes of its operands' patterns.
void Facts::step_pattern(const Instr& i, const State& state, Fact& result) const {
  const uint32_t fresh = uint32_t(i.raw.address) / 4 + 1;
  Shape shape;
  for (const Step& step : row_of(i.raw.opcode).steps) {
    const auto of = [&](int8_t k) { return k == kPrevious ? shape : shape_of(state, i.raw.src[k]); };
    const Shape a = of(step.a);
    shape = combined(step.op, a, step.op == LaneStep::Copy ? a : of(step.b), fresh);
    if (!shape.known) return;
  }
  if (!shape.known || shape.uniform) return;
  result.pattern = shape.pattern, result.align = shape.align, result.mixed &= shape.mixed;
}

// Of the low half of v_lshl_add_u64's result: an index with a pattern, or one that might wrap around, that is widened
// with zeros and added to an address that is the same in all lanes; or such an address and an offset.
Fact Facts::wide_pattern(const Instr& i, const State& state) const {
  const RawInst& raw = i.raw;
  if (raw.opcode != Opcode::v_lshl_add_u64) return kAnyFact;
  const WideIndex index = wide_index(raw, state);
  if (!index.known) return kAnyFact;
  Fact out = kAnyFact;
  out.pattern = index.wide && index.shift == 0 ? state.v[vgpr_of(raw.src[0])].pattern : uint32_t(raw.address) / 4 + 1;
  out.wide = true;
  return out;
}

// What an instruction has made a pattern's number stand for before is another one from now on.
void Facts::renew_pattern(const Instr& i, uint32_t of, State& state) {
  const uint32_t fresh = uint32_t(i.raw.address) / 4 + 1;
  if (state.v[of].pattern != fresh) return;
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (r != of && state.v[r].pattern == fresh) state.v[r].pattern = kSomePattern;
}

// Where ways meet on which a register has a pattern: those that are known before are some, too.
Fact merged_patterns(const Fact& a, const Fact& b) {
  const auto bits = [](const Fact& f) {
    return f.kind == Fact::Kind::Any ? f.mixed
           : f.uniform()             ? 0
           : f.disjoint()            ? 15u << std::countr_zero(uint32_t(f.stride))
                                     : ~0u;
  };
  const auto is_some = [](const Fact& f) {
    return f.kind == Fact::Kind::Any ? f.pattern != 0 : f.kind == Fact::Kind::Affine;
  };
  if (!is_some(a) || !is_some(b) || (!a.pattern && !b.pattern)) return kAnyFact;
  Fact out = kAnyFact;
  out.varying = a.varying | b.varying, out.align = std::min(strip_align(a), strip_align(b)),
  out.mixed = bits(a) | bits(b);
  out.pattern = a.pattern == b.pattern ? a.pattern : kSomePattern;
  return out;
}

} // namespace hip::engine::compile
