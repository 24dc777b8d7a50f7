// runtime/engine/compile/analysis/patterns.cpp - see patterns.h.
#include "runtime/engine/compile/analysis/patterns.h"

#include <algorithm>
#include <bit>

namespace hip::engine::compile {
namespace {

using Op = LaneStep;

Shape patterned(uint32_t mixed, uint8_t align, uint32_t pattern) {
  return {true, false, false, mixed, align, pattern, std::nullopt};
}
uint8_t as_align(uint32_t bits) { return uint8_t(std::min(bits, 32u)); }

} // namespace

Shape shape_of(const State& state, const Operand& operand) {
  const Fact f = operand_fact(state, operand, 0);
  if (f.is_uniform()) {
    const bool vector = operand.bank == Bank::Vgpr || operand.bank == Bank::Agpr;
    const ScalarFact scalar = vector ? ScalarFact::any() : scalar_fact(state, operand);
    return {true, true, f.same_in_wave(), 0, f.align(), 0, scalar.is_constant() ? std::optional(scalar.value()) : std::nullopt};
  }
  if (f.is_affine()) {
    const uint32_t mixed = f.is_disjoint() ? 15u << std::countr_zero(uint32_t(f.stride())) : ~0u;
    return patterned(mixed, f.strip_align(), kSomePattern);
  }
  if (f.has_pattern()) return patterned(f.mixed(), f.align(), f.pattern());
  return {};
}

bool keeps_pattern(LaneStep op, const Shape& a, const Shape& b) {
  if (op == Op::Add || op == Op::Sub || op == Op::Copy) return true;
  // It has zeros where lanes differ.
  return (op == Op::Or || op == Op::Xor) && a.disjoint() && b.align >= std::bit_width(a.mixed);
}

Shape combined(LaneStep op, const Shape& a, const Shape& b, uint32_t fresh) {
  if (op == Op::Copy) return a;
  if (!a.known || !b.known) return {};
  const bool commutes = op == Op::Add || op == Op::And || op == Op::Or || op == Op::Xor || op == Op::Mul;
  if (commutes && a.uniform && !b.uniform) return combined(op, b, a, fresh);
  if (a.uniform && b.uniform) return {true, true, a.wave && b.wave, 0, 0, 0, std::nullopt};
  const uint8_t lower = std::min(a.align, b.align);
  const uint32_t bits = uint32_t(std::bit_width(a.mixed));
  switch (op) {
  case Op::Copy:
    break;
  case Op::Add:
  case Op::Sub: {
    const bool apart = b.uniform && a.disjoint() && b.align >= bits; // nothing carries
    return patterned(apart ? a.mixed : ~0u, lower, b.uniform ? a.pattern : fresh);
  }
  case Op::Or:
  case Op::Xor:
    if (b.uniform && keeps_pattern(op, a, b)) return patterned(a.mixed, lower, a.pattern);
    [[fallthrough]];
  case Op::And:
    if (b.uniform) {
      if (!a.disjoint() || !b.wave) return {};
      if (op != Op::And) return patterned(a.mixed, lower, fresh);
      return patterned(a.mixed & b.value.value_or(~0u), std::max(a.align, b.align), fresh);
    }
    if (lower < std::max(bits, uint32_t(std::bit_width(b.mixed)))) return {};
    return patterned(op == Op::And ? a.mixed & b.mixed : a.mixed | b.mixed, lower, fresh);
  case Op::Shl:
    if (!b.wave) return {};
    if (b.value) return patterned(a.mixed << (*b.value & 31), as_align(a.align + (*b.value & 31)), fresh);
    return patterned(~0u, a.align, fresh);
  case Op::Shr:
    if (!b.wave || !a.disjoint()) return {};
    if (b.value)
      return patterned(a.mixed >> (*b.value & 31), uint8_t(std::max(int(a.align) - int(*b.value & 31), 0)), fresh);
    return patterned(bits == 32 ? ~0u : (1u << bits) - 1, 0, fresh);
  case Op::Mul:
    if (!b.wave) return {};
    return patterned(~0u, as_align(a.align + b.align), fresh);
  default: break; // the other steps make no patterns
  }
  return {};
}

WideIndex wide_index(const RawInst& raw, const State& state) {
  constexpr uint64_t kMostShift = 7; // of a pattern that has been looked at (emit/wide_patterns.cpp)
  const bool adds = raw.opcode == Opcode::v_lshl_add_u64;
  if (!adds && raw.opcode != Opcode::v_lshlrev_b64) return {};
  const uint32_t operand = adds ? 0 : 1;
  const Operand &index = raw.src[operand], &amount = raw.src[1 - operand];
  if (!is_vector(index) || !amount.is_constant()) return {};
  const uint64_t shift = amount.imm & (adds ? 7 : 63);
  if (shift > kMostShift) return {};
  if (adds && (!operand_fact(state, raw.src[2], 0).is_uniform() || !operand_fact(state, raw.src[2], 1).is_uniform()))
    return {};
  if (state.v[vgpr_of(index)].is_wide_pattern()) return {shift == 0, true, operand, 0};
  const Shape low = shape_of(state, index);
  const Fact high = operand_fact(state, index, 1);
  return {low.known && !low.uniform && high.is_uniform() && high.width() == 0, false, operand, uint32_t(shift)};
}

} // namespace hip::engine::compile
