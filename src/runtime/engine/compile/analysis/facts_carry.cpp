// runtime/engine/compile/analysis/facts_carry.cpp - facts of 64-bit sums that are made of two 32-bit additions, the second one of
// which takes the first one's carries: addresses, on processors without a 64-bit addition.
#include "runtime/engine/compile/analysis/facts.h"

#include "runtime/engine/compile/analysis/number_facts.h"

namespace hip::engine::compile {

LowSum Facts::low_sum_behind(const Instr& i, const State& before) {
  const ResolvedInst& raw = i.raw;
  LowSum sum = before.low_sum;
  if (sum.known) {
    const bool mask_stays = !i.writes.s[sum.mask] && !(raw.lanes == kMaxLanes && i.writes.s[sum.mask + 1]);
    sum.known = mask_stays && !i.writes.v[sum.vdst] && i.kind != Kind::Foreign;
    for (const auto& pair : sum.pair) sum.known &= !pair || !i.writes.v[pair->high];
  }
  if (raw.opcode != Opcode::v_add_co_u32 || i.kind != Kind::Valu || !is_plain(raw) || !is_sgpr(raw.sdst) || !is_vector(raw.vdst))
    return sum;
  sum = {};
  sum.known = true, sum.mask = raw.sdst.index, sum.vdst = vgpr_of(raw.vdst);
  for (uint32_t k = 0; k < 2; ++k) {
    const Operand& operand = raw.src[k];
    sum.low[k] = operand_fact(before, operand, 0);
    if (!is_vector(operand)) continue;
    const Fact& held = before.v[vgpr_of(operand)];
    const uint32_t high = held.is_pair_low() ? held.partner() : vgpr_of(operand) + 1;
    if (high == sum.vdst) continue;
    if (held.is_pair_low()) sum.pair[k] = {high, pair_of(held, before.v[high])};
    if (held.is_wide_pattern()) sum.pair[k] = {high, std::nullopt};
  }
  return sum;
}

// Whether the instruction adds the upper halves to the carries of State::low_sum.
bool Facts::completes_sum(const Instr& i, const State& state) {
  const ResolvedInst& raw = i.raw;
  const LowSum& sum = state.low_sum;
  return raw.opcode == Opcode::v_addc_co_u32 && i.kind == Kind::Valu && sum.known && is_plain(raw) &&
         is_sgpr(raw.src[2]) && raw.src[2].index == sum.mask && is_vector(raw.vdst) && vgpr_of(raw.vdst) != sum.vdst;
}

// The sum that v_addc_co_u32 completes; State::low_sum says where its low half is. Nothing, where it is not known to be
// affine.
std::optional<PairFact> Facts::affine_sum(const Instr& i, const State& state) {
  const LowSum& sum = state.low_sum;
  if (!completes_sum(i, state) || !state.v[sum.vdst].is_affine()) return std::nullopt;
  // Either operand may be the upper half of either one.
  const auto both = [&](const Operand& of_first, const Operand& of_second) {
    const auto pair = [&](uint32_t k, const Operand& high) -> std::optional<PairFact> {
      if (sum.pair[k] && is_vector(high) && vgpr_of(high) == sum.pair[k]->high) return sum.pair[k]->affine;
      return pair_of(sum.low[k], operand_fact(state, high, 0));
    };
    return compile::sum(pair(0, of_first), pair(1, of_second));
  };
  if (const auto found = both(i.raw.src[0], i.raw.src[1])) return found;
  return both(i.raw.src[1], i.raw.src[0]);
}

// Whether that sum is one of a number with a wide pattern and one that is the same in all lanes.
bool Facts::is_wide_sum(const Instr& i, const State& state) {
  const LowSum& sum = state.low_sum;
  if (!completes_sum(i, state) || vgpr_of(i.raw.vdst) != sum.vdst + 1 || !state.v[sum.vdst].has_pattern()) return false;
  const auto is_sum = [&](uint32_t k, const Operand& high, const Operand& other) {
    return sum.pair[k] && !sum.pair[k]->affine && is_vector(high) && vgpr_of(high) == sum.pair[k]->high &&
           sum.low[1 - k].is_uniform() && operand_fact(state, other, 0).is_uniform();
  };
  const Operand &a = i.raw.src[0], &b = i.raw.src[1];
  return is_sum(0, a, b) || is_sum(0, b, a) || is_sum(1, a, b) || is_sum(1, b, a);
}

} // namespace hip::engine::compile
