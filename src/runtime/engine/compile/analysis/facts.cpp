// runtime/engine/compile/analysis/facts.cpp - see facts.h.
#include "runtime/engine/compile/analysis/facts.h"

#include "runtime/engine/compile/analysis/number_facts.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace hip::engine::compile {
namespace {

// The value of a step's operand; nothing, where it is not known.
std::optional<uint32_t> constant_source(const State& state, const RawInst& raw, int8_t k) {
  if (k < 0 || raw.src[k].bank == Bank::Vgpr || raw.src[k].bank == Bank::Agpr) return std::nullopt;
  const ScalarFact f = scalar_fact(state, raw.src[k]);
  return f.is_constant() ? std::optional(f.value()) : std::nullopt;
}

// What is known of a register from now on. A pair lives only as long as both of its halves: of the register's old
// partner nothing is known any more but a low half's 32 bits. A wide pattern ends where its high half is written.
void set_fact(State& state, uint32_t r, const Fact& fact) {
  const Fact old = state.v[r];
  state.v[r] = fact;
  if (r > 0) state.v[r - 1] = state.v[r - 1].without_wide();
  if (old.is_pair_low() || old.is_pair_high())
    state.v[old.partner()] = old.is_pair_low() ? Fact::any() : state.v[old.partner()].as_dword();
}

// As it is held: halves of pairs, too.
Fact held_fact(const State& state, const Operand& operand, uint32_t k) {
  switch (operand.bank) {
  case Bank::Vgpr: return operand.index + k < kFirstAccVgpr ? state.v[operand.index + k] : Fact::any();
  case Bank::Agpr: return operand.index + k + kFirstAccVgpr < kMaxVgprs ? state.v[operand.index + k + kFirstAccVgpr] : Fact::any();
  case Bank::Sgpr: {
    const ScalarFact f = scalar_fact(state, operand, k);
    return Fact::uniform_in_wave(f.align(), f.is_constant() ? uint32_t(std::bit_width(f.value())) : 32);
  }
  case Bank::Special: return Fact::uniform_in_wave();
  case Bank::Imm:
  case Bank::Literal: {
    const uint32_t value = uint32_t(operand.imm >> (32 * k));
    return Fact::uniform_in_wave(align_of(value), uint32_t(std::bit_width(value)));
  }
  case Bank::None: break;
  }
  return Fact::any();
}

} // namespace

Fact operand_fact(const State& state, const Operand& operand, uint32_t k) {
  const Fact fact = held_fact(state, operand, k);
  return fact.is_pair_high() ? Fact::any() : fact.as_dword();
}

Operands operands_of(const Instr& i, const State& state) {
  Operands all;
  for (uint32_t k = 0; k < i.valu->parameters(); ++k) {
    const uint32_t kind = i.valu->kind(k);
    if (kind == kKindField) continue;
    if (kind == kKindMask || kind == kKindLane) {
      all.uniform = false;
      continue;
    }
    const Operand& operand = i.raw.src[k];
    for (uint32_t d = 0; d < i.valu->dwords(k); ++d) all.include(operand_fact(state, operand, d));
  }
  return all;
}

std::optional<PairFact> pair_fact(const State& state, const Operand& operand) {
  const Fact low = held_fact(state, operand, 0);
  if (low.is_pair_low() && low.partner() == vgpr_of(operand, 1)) return pair_of(low, held_fact(state, operand, 1));
  return pair_of(low.as_dword(), operand_fact(state, operand, 1));
}

ScalarFact scalar_fact(const State& state, const Operand& o, uint32_t k) {
  if (o.is_constant()) return ScalarFact::constant(uint32_t(o.imm >> (32 * k)));
  if (o.bank == Bank::Sgpr && o.index + k < kSgprCount) return state.s[o.index + k];
  return ScalarFact::any();
}

namespace {

// Bits in which the work-item ids of lane 0 differ between the strips of a wave.
uint32_t varying_ids(const std::array<uint32_t, 3>& items, uint32_t mask, uint32_t lanes) {
  uint32_t varying = 0;
  const uint32_t count = items[0] * items[1] * items[2];
  auto id = [&](uint32_t n) { return n % items[0] | n / items[0] % items[1] << 10 | n / items[0] / items[1] << 20; };
  for (uint32_t wave = 0; wave < count; wave += lanes)
    for (uint32_t strip = wave; strip < wave + lanes; strip += kStripLanes) varying |= id(wave) ^ id(strip);
  return varying & mask;
}

// Of packed work-item ids.
uint32_t width_of_ids(const std::array<uint32_t, 3>& items, uint32_t mask) {
  for (uint32_t k = 2; k > 0; --k)
    if (items[k] > 1 && mask >> 10 * k != 0) return 10 * k + uint32_t(std::bit_width(items[k] - 1));
  return uint32_t(std::bit_width(items[0] - 1));
}

} // namespace

Facts::Facts(const Code& code, const Start& start) : start_(start), states_(code.nodes.size() * kVersions) {
  if (code.nodes.empty()) return;
  State first;
  first.reached = true;
  for (Fact& f : first.v) f = Fact::any();
  for (ScalarFact& f : first.s) f = ScalarFact::any();
  if (start.kernarg_sgpr >= 0 && !start.without_facts)
    for (uint32_t k = 0; k < 2; ++k) first.s[uint32_t(start.kernarg_sgpr) + k] = ScalarFact::kernarg(k);
  if (start.item_ids && !start.without_facts) {
    const auto& n = start.items;
    if ((n[1] == 1 && n[2] == 1) || n[0] % kStripLanes == 0) {
      // Whole waves lie in one row of the block, or halves of them, or quarters.
      const uint32_t strips =
          n[1] == 1 && n[2] == 1 ? code.strips() : std::min(code.strips(), 1u << std::countr_zero(n[0] / kStripLanes));
      first.v[0] = Fact::affine({.stride = 1,
                                 .align = lane_bits(strips),
                                 .varying = varying_ids(n, start.item_ids, code.lanes),
                                 .part_strips = strips,
                                 .width = width_of_ids(n, start.item_ids)});
      for (uint32_t k = 1; k < start.item_id_vgprs; ++k) {
        const uint32_t varying = varying_ids(n, 0x3ffu << 10 * k, code.lanes) >> 10 * k;
        first.v[k] = Fact::uniform(varying, strips, 0, uint32_t(std::bit_width(n[k] - 1)));
      }
    }
  }
  std::vector<FlowPoint> todo;
  std::vector<bool> queued(states_.size(), false);
  auto push = [&](const FlowPoint& point) {
    if (!queued[point.index()]) queued[point.index()] = true, todo.push_back(point);
  };
  for (const Version version : kAllVersions) {
    if (version != start.version && !start.any_version) continue;
    merge(states_[FlowPoint{0, version}.index()], first);
    push({0, version});
  }
  while (!todo.empty()) {
    const FlowPoint point = todo.back();
    todo.pop_back();
    queued[point.index()] = false;
    State state = states_[point.index()];
    const Node& node = code.nodes[point.node];
    for (uint32_t k = node.first; k <= node.last; ++k) step(code.instrs[k], point.version, state);
    for_successors(code, point, [&](const FlowPoint& to) {
      if (may_be(code.last(node), state, to.version) && merge(states_[to.index()], state)) push(to);
    });
  }
}

bool Facts::merge(State& into, const State& from) const {
  bool changed = !into.reached;
  into.reached = true;
  for (size_t k = 0; k < into.v.size(); ++k) {
    const Fact f = Fact::joined(into.v[k], from.v[k]);
    if (!(f == into.v[k])) into.v[k] = f, changed = true;
  }
  for (size_t k = 0; k < into.s.size(); ++k) {
    const ScalarFact f = ScalarFact::joined(into.s[k], from.s[k]);
    if (!(f == into.s[k])) into.s[k] = f, changed = true;
  }
  return changed;
}

void Facts::step(const Instr& i, Version version, State& state) const {
  if (start_.without_facts) return;
  step_scalar(i, version, state);
  const LowSum sum = low_sum_behind(i, state);
  step_vector(i, version, state);
  state.low_sum = sum;
}

void Facts::step_vector(const Instr& i, Version version, State& state) const {
  if (version == Version::Empty && i.kind != Kind::Foreign && !i.ignores_exec()) return;
  if (whole(i, version) && i.kind == Kind::Valu && i.valu->rows() && i.raw.variant != Variant::Dpp) return step_valu(i, state);
  if (whole(i, version) && i.kind == Kind::Memory && !i.memory->stores) return step_load(i, state);
  if (i.writes.v.any())
    for (uint32_t r = 0; r < kMaxVgprs; ++r)
      if (i.writes.v[r]) set_fact(state, r, Fact::any());
}

std::optional<uint32_t> Facts::known_argument(const Instr& load, const State& state, uint32_t k) const {
  const Operand& base = load.raw.sbase;
  if (base.bank != Bank::Sgpr || !state.s[base.index].is_kernarg(0) || !state.s[base.index + 1].is_kernarg(1))
    return std::nullopt;
  if (load.raw.soffset && !load.raw.soffset.is_constant()) return std::nullopt;
  const uint64_t offset = uint64_t(int64_t(load.raw.offset)) + (load.raw.soffset ? load.raw.soffset.imm : 0) + 4 * k;
  for (const KnownArgument& argument : start_.arguments)
    if (argument.offset == offset) return argument.value;
  return std::nullopt;
}

namespace {

// The 32-bit result of an instruction without modifiers.
Fact computed(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  Fact value = Fact::any();
  for (const Step& step : row_of(raw.opcode).steps) {
    const auto fact = [&](int8_t k) { return k == kPrevious ? value : operand_fact(state, raw.src[k], 0); };
    const auto number = [&](int8_t k) { return constant_source(state, raw, k); };
    // The one of two operands that is known, and what is known of the other one.
    const auto with_constant = [&](auto combine) {
      if (const auto c = number(step.a)) return combine(fact(step.b), *c);
      if (const auto c = number(step.b)) return combine(fact(step.a), *c);
      return Fact::any();
    };
    const auto by_constant = [&](auto shift) {
      const auto c = number(step.b);
      return c ? shift(fact(step.a), *c & 31) : Fact::any();
    };
    switch (step.op) {
    case LaneStep::Copy: value = fact(step.a); break;
    case LaneStep::Add: value = sum(fact(step.a), fact(step.b)); break;
    case LaneStep::Sub: value = sum(fact(step.a), fact(step.b), Sign::Minus); break;
    case LaneStep::Or: value = united(fact(step.a), fact(step.b)); break;
    case LaneStep::And: value = with_constant(masked); break;
    case LaneStep::Mul: value = with_constant(times); break;
    case LaneStep::MulU24:
    case LaneStep::MulI24:
      value = are_whole_factors(fact(step.a), fact(step.b), step.op == LaneStep::MulI24) ? with_constant(times) : Fact::any();
      break;
    case LaneStep::Shl: value = by_constant([](const Fact& x, uint32_t c) { return shifted_left(x, c); }); break;
    case LaneStep::Shr: value = by_constant([](const Fact& x, uint32_t c) { return shifted_right(x, c, 32 - c); }); break;
    case LaneStep::Ashr: value = by_constant(shifted_right_signed); break;
    case LaneStep::Extract: {
      const auto width = number(step.c);
      value = width && (*width & 31)
                  ? by_constant([&](const Fact& x, uint32_t c) { return shifted_right(x, c, *width & 31); })
                  : Fact::any();
      break;
    }
    default: value = Fact::any(); break;
    }
  }
  return value;
}

// The 64-bit result of an instruction without modifiers.
std::optional<PairFact> computed_pair(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  std::optional<PairFact> value;
  for (const Step& step : row_of(raw.opcode).steps) {
    const auto fact = [&](int8_t k) { return k == kPrevious ? value : pair_fact(state, raw.src[k]); };
    switch (step.op) {
    case LaneStep::Copy: value = fact(step.a); break;
    case LaneStep::Add: value = sum(fact(step.a), fact(step.b)); break;
    case LaneStep::Shl: {
      const auto c = constant_source(state, raw, step.b);
      value = c ? shifted_left(fact(step.a), *c) : std::nullopt;
      break;
    }
    default: return std::nullopt;
    }
  }
  return value;
}

// Two registers are the halves of a 64-bit number.
void set_pair(State& state, uint32_t low, uint32_t high, const Fact& number) {
  set_fact(state, low, Fact::any()), set_fact(state, high, Fact::any());
  state.v[low] = Fact::pair_low(number, high), state.v[high] = Fact::pair_high(number, low);
}
void set_pair(State& state, uint32_t low, uint32_t high, const PairFact& pair) {
  const uint32_t varying = pair.same_in_wave ? kSameInWave : kVaries;
  if (pair.stride != 0)
    return set_pair(
        state, low, high,
        Fact::affine(
            {.stride = pair.stride, .align = pair.align, .varying = varying, .part_strips = pair.part_strips}));
  set_fact(state, low, Fact::uniform(varying, pair.part_strips, pair.align));
  set_fact(state, high, Fact::uniform(varying, pair.part_strips));
}

} // namespace

void Facts::step_valu(const Instr& i, State& state) const {
  const ResolvedInst& raw = i.raw;
  const ValuOp& op = *i.valu;
  const uint32_t rows = op.rows(), first = vgpr_of(raw.vdst);
  const auto src = [&](uint32_t k) { return operand_fact(state, raw.src[k], 0); };
  const auto set = [&](uint32_t r, const Fact& fact) {
    if (r < kMaxVgprs) set_fact(state, r, fact);
  };
  const std::optional<PairFact> affine = affine_sum(i, state);
  const bool wide = is_wide_sum(i, state);
  Operands operands = operands_of(i, state);
  if (raw.keep || (raw.op_sel & 8) || (raw.variant == Variant::Sdwa && raw.dst_sel != 6))
    operands.include(operand_fact(state, raw.vdst, 0));
  const bool plain = is_plain(raw);
  const bool number = plain && !raw.keep;
  if (raw.opcode == Opcode::v_mad_u64_u32 && plain && src(0).is_uniform() && src(1).is_uniform() && !operands.uniform) {
    set(first, sum(product(src(0), src(1)), src(2))); // of the low half
    return set(first + 1, Fact::any());
  }
  if (i.extends_sign && src(1).is_affine() && !src(1).is_uniform()) { // the flow has checked that nothing overflows
    const Fact low = src(1);
    return set_pair(state, first - 1, first, low);
  }
  Fact result = number && rows == 1 ? computed(i, state) : Fact::any();
  if (operands.uniform && result.is_any()) result = operands.result();
  if (rows == 1) {
    set(first, number && result.is_any() ? with_pattern(i, state, result) : result);
    renew_pattern(i, first, state);
  } else if (operands.uniform) {
    for (uint32_t k = 0; k < rows; ++k) set(first + k, result);
  } else {
    const std::optional<PairFact> pair = number && rows == 2 ? computed_pair(i, state) : std::nullopt;
    const Fact patterned = rows == 2 ? wide_pattern(i, state) : Fact::any();
    for (uint32_t k = 0; k < rows; ++k) set(first + k, Fact::any());
    if (pair && first + 1 < kMaxVgprs) {
      set_pair(state, first, first + 1, *pair);
    } else if (rows == 2 && plain && first + 1 < kMaxVgprs) {
      set(first, patterned);
      renew_pattern(i, first, state);
    }
  }
  if (affine) set_pair(state, state.low_sum.vdst, first, *affine);
  if (wide) state.v[state.low_sum.vdst] = state.v[state.low_sum.vdst].as_wide();
}

void Facts::step_load(const Instr& i, State& state) const {
  const RawInst& raw = i.raw;
  const uint32_t first = vgpr_of(raw.vdst);
  Operands address; // what is loaded from one address is the same in all lanes
  if (raw.format == Format::Ds || raw.saddr)
    address.include(operand_fact(state, raw.vaddr, 0));
  else if (const std::optional<PairFact> pair = pair_fact(state, raw.vaddr))
    address = {pair->stride == 0, pair->same_in_wave, pair->part_strips};
  else
    address.uniform = false;
  if (raw.format == Format::Flat) address.uniform = false; // one address in private memory is another one for every lane
  if (i.memory->merges) address.include(operand_fact(state, raw.vdst, 0));
  const uint32_t count = i.memory->dwords * i.accesses;
  for (uint32_t k = 0; k < count && first + k < kMaxVgprs; ++k)
    set_fact(state, first + k, address.uniform ? address.result() : Fact::any());
}

} // namespace hip::engine::compile
