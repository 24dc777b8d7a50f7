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
    if (held.is_pair_low() && held.partner() != sum.vdst)
      sum.pair[k] = {held.partner(), pair_of(held, before.v[held.partner()])};
  }
  return sum;
}

// The sum that v_addc_co_u32 completes; State::low_sum says where its low half is. Nothing, where it is not known to be
// affine.
std::optional<PairFact> Facts::whole_sum(const Instr& i, const State& state) {
  const ResolvedInst& raw = i.raw;
  const LowSum& sum = state.low_sum;
  if (raw.opcode != Opcode::v_addc_co_u32 || !sum.known || !is_plain(raw) || !is_sgpr(raw.src[2]) ||
      raw.src[2].index != sum.mask || !is_vector(raw.vdst) || vgpr_of(raw.vdst) == sum.vdst ||
      !state.v[sum.vdst].is_affine())
    return std::nullopt;
  // Either operand may be the upper half of either one.
  const auto both = [&](const Operand& of_first, const Operand& of_second) {
    const auto pair = [&](uint32_t k, const Operand& high) -> std::optional<PairFact> {
      if (sum.pair[k] && is_vector(high) && vgpr_of(high) == sum.pair[k]->high) return sum.pair[k]->number;
      return pair_of(sum.low[k], operand_fact(state, high, 0));
    };
    return compile::sum(pair(0, of_first), pair(1, of_second));
  };
  if (const auto found = both(raw.src[0], raw.src[1])) return found;
  return both(raw.src[1], raw.src[0]);
}

} // namespace hip::engine::compile
