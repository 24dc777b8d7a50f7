// runtime/engine/compile/analysis/facts.cpp - see facts.h.
#include "runtime/engine/compile/analysis/facts.h"

#include "runtime/engine/compile/analysis/facts_scalar.h"
#include "runtime/engine/compile/analysis/patterns.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace hip::engine::compile {
namespace {

using FactKind = Fact::Kind;
constexpr uint8_t kFactorBits = 24; // of a factor of a 24-bit product
constexpr int32_t kMaxStride = 1 << 20; // beyond that nothing is gained, and strides stay far from overflow

Fact affine(int64_t stride, int align, uint32_t varying, uint32_t run, uint32_t width = 32) {
  if (stride > kMaxStride || stride < -kMaxStride) return kAnyFact;
  if (stride == 0 && varying == 0) run = kStripCount;
  return {FactKind::Affine, varying, clamp_align(align), int32_t(stride), ~0u, uint8_t(std::min(width, 32u)), uint8_t(run), 0, false};
}
// A number of which only some bits differ between lanes, or between strips.
Fact mixture(uint32_t mixed, uint32_t varying, uint32_t width) {
  return mixed == 0 ? affine(0, 0, varying, 1, width) : Fact{FactKind::Any, varying, 0, 0, mixed, uint8_t(std::min(width, 32u)), 1, 0, false};
}
Fact uniform(bool wave, uint32_t run, int align = 0, uint32_t width = 32) { return affine(0, align, wave ? 0 : ~0u, run, width); }
Fact uniform_in_wave(int align = 0, uint32_t width = 32) { return uniform(true, kStripCount, align, width); }
// Bits of the number of a lane in its part.
int lane_bits(uint32_t run) { return 4 + std::countr_zero(run); }
// Alignment where shorter parts are made of an affine number's.
int align_in(int align, int32_t stride, uint32_t run) {
  return stride == 0 ? align : std::min(align, std::countr_zero(uint32_t(stride)) + lane_bits(run));
}
int align_in(const Fact& x, uint32_t run) { return align_in(x.align, x.stride, run); }
// The longest parts of up to `most` strips whose lanes occupy bits of their own in `x`, bits for which `holds(low, high)`
// (`high` excluded). Of strips both is said to be so.
template <class F> uint32_t longest_run(const Fact& x, uint32_t most, F holds) {
  uint32_t run = std::min<uint32_t>(x.run, most);
  if (x.stride == 0) return run;
  const int low = std::countr_zero(uint32_t(x.stride));
  for (; run > 1; run /= 2) {
    const int high = low + lane_bits(run);
    if (x.align >= high && high <= 32 && holds(low, high)) break;
  }
  return run;
}
// Bits from `low` on, `high` excluded.
uint32_t field_of(int low, int high) { return (high >= 32 ? ~0u : (1u << high) - 1) & ~((1u << low) - 1); }
// Bits that a sum may differ in where its terms differ in `bits`: carries go up.
uint32_t with_carries(uint32_t bits) { return bits ? ~0u << std::countr_zero(bits) : 0; }
Fact merged(const Fact& a, const Fact& b) {
  if (a.kind == FactKind::Top) return b;
  if (b.kind == FactKind::Top) return a;
  const bool low_halves = (a.kind == FactKind::PairLo && b.kind == FactKind::Affine) || (a.kind == FactKind::Affine && b.kind == FactKind::PairLo);
  if ((a.kind != b.kind && !low_halves) || a.stride != b.stride) return merged_patterns(a, b);
  // (Two steps at most: what grows in a loop is soon at its end.)
  const uint8_t widest = std::max(a.width, b.width), width = a.width == b.width ? widest : widest <= kFactorBits ? kFactorBits : 32;
  const uint8_t run = std::min(a.run, b.run), align = uint8_t(std::min(align_in(a, run), align_in(b, run)));
  return {low_halves ? FactKind::Affine : a.kind, a.varying | b.varying, align, a.stride, a.mixed | b.mixed, width, run,
          a.pattern == b.pattern ? a.pattern : a.pattern && b.pattern ? kSomePattern : 0, a.wide && b.wide};
}
ScalarFact merged(const ScalarFact& a, const ScalarFact& b) {
  using K = ScalarFact::Kind;
  if (a.kind == K::Top) return b;
  if (b.kind == K::Top || a == b) return a;
  auto align = [](const ScalarFact& f) { return f.kind == K::Constant ? align_of(f.value) : f.align; };
  return {K::Any, std::min(align(a), align(b)), 0};
}


// x >> by, then all but the low `width` bits cleared.
Fact shifted_right(const Fact& x, uint32_t by, uint32_t width) {
  const uint32_t varying = (x.varying >> by) & (width < 32 ? (1u << width) - 1 : ~0u);
  const uint32_t left = std::min<uint32_t>(x.width - std::min<uint32_t>(x.width, by), width);
  if (x.uniform()) return affine(0, x.align - int(by), varying, x.run, left);
  const uint32_t kept = left < 32 ? (1u << left) - 1 : ~0u;
  if (x.kind == FactKind::Any) return mixture((x.mixed >> by) & kept, varying, left);
  if (x.kind != FactKind::Affine || !x.disjoint()) return kAnyFact;
  const int from = int(by), to = int(by + width); // the bits that stay
  const int low = std::countr_zero(uint32_t(x.stride)), high = low + 4; // those that differ between lanes of a strip
  if (from >= high || low >= to) {
    const uint32_t run = longest_run(x, kStripCount, [&](int begin, int end) { return from >= end || begin >= to; });
    return affine(0, align_in(x, run) - from, varying, run, left);
  }
  if (from > low || high > to) return mixture(uint32_t(uint64_t(15) << low >> by) & kept, varying, left);
  const uint32_t run = longest_run(x, kStripCount, [&](int, int end) { return end <= to; });
  return affine(int64_t(uint32_t(x.stride) >> by), align_in(x, run) - from, varying, run, left);
}
Fact shifted_left(const Fact& x, uint32_t by) {
  if (x.kind == FactKind::Any) return mixture(x.mixed << by, x.varying << by, x.width + by);
  if (x.kind != FactKind::Affine || by > 31) return kAnyFact;
  return affine(int64_t(x.stride) << by, x.align + int(by), x.varying << by, x.run, x.width + by);
}
Fact sum(const Fact& a, const Fact& b, int sign = 1) {
  if (a.kind != FactKind::Affine || b.kind != FactKind::Affine) return kAnyFact;
  const uint32_t width = sign > 0 ? std::max(a.width, b.width) + 1u : 32, run = std::min(a.run, b.run);
  return affine(int64_t(a.stride) + sign * int64_t(b.stride), std::min(align_in(a, run), align_in(b, run)), with_carries(a.varying | b.varying), run, width);
}
// a | b where they have no bits in common that differ between lanes.
Fact united(const Fact& a, const Fact& b) {
  const uint32_t width = std::max(a.width, b.width), varying = a.varying | b.varying, shorter = std::min(a.run, b.run);
  if (a.uniform() && b.uniform()) return affine(0, std::min(a.align, b.align), varying, shorter, width);
  if (a.kind == FactKind::Affine && b.kind == FactKind::Affine && (a.width <= b.zeros() || b.width <= a.zeros()))
    return affine(int64_t(a.stride) + b.stride, std::min(align_in(a, shorter), align_in(b, shorter)), varying, shorter, width);
  const Fact& x = a.uniform() ? b : a;
  const Fact& u = a.uniform() ? a : b;
  if (!u.uniform() || x.kind != FactKind::Affine || !x.disjoint()) return kAnyFact;
  if (u.align < std::countr_zero(uint32_t(x.stride)) + 4) return kAnyFact;
  const uint32_t run = longest_run(x, u.run, [&](int, int high) { return u.align >= high; });
  return affine(x.stride, std::min<int>(align_in(x, run), u.align), varying, run, width);
}
Fact masked(const Fact& x, uint32_t mask) {
  const uint32_t width = std::min<uint32_t>(x.width, uint32_t(std::bit_width(mask)));
  if (x.uniform()) return affine(0, std::max(int(x.align), int(align_of(mask))), x.varying & mask, x.run, width);
  if (x.kind == FactKind::Any) return mixture(x.mixed & mask, x.varying & mask, width);
  if (x.kind != FactKind::Affine || !x.disjoint()) return mixture(mask, mask, width);
  const int low = std::countr_zero(uint32_t(x.stride));
  const uint32_t field = field_of(low, low + 4);
  if ((mask & field) == 0) {
    const uint32_t run = longest_run(x, kStripCount, [&](int begin, int end) { return (mask & field_of(begin, end)) == 0; });
    return affine(0, align_of(mask), x.varying & mask, run, width);
  }
  if ((mask & field) != field) return mixture(mask & field, x.varying & mask, width);
  const uint32_t run =
      longest_run(x, kStripCount, [&](int begin, int end) { return (mask & field_of(begin, end)) == field_of(begin, end); });
  return affine(x.stride, align_in(x, run), x.varying & mask, run, width);
}
Fact times(const Fact& x, uint32_t factor) {
  if (x.kind != FactKind::Affine || factor > uint32_t(kMaxStride)) return kAnyFact;
  return affine(int64_t(x.stride) * factor, x.align + align_of(factor), with_carries(x.varying << (align_of(factor) & 31)), x.run,
                x.width + uint32_t(std::bit_width(factor)));
}
// Products of which only the low 24 bits of the factors count, as numbers without a sign or with one.
bool whole_factors(const Fact& x, const Fact& y, bool has_sign) {
  const uint32_t bits = kFactorBits - has_sign;
  return x.width <= bits && y.width <= bits;
}

bool constant_operand(const State& state, const Operand& o, uint32_t& value) {
  const ScalarFact f = scalar_operand(state, o);
  if (o.bank == Bank::Vgpr || o.bank == Bank::Agpr || !is_constant(f)) return false;
  value = f.value;
  return true;
}

// A pair lives only as long as both of its halves.
void drop_broken_pairs(State& state, uint32_t first, uint32_t count) {
  if (first > 0 && state.v[first - 1].kind == FactKind::PairLo && state.v[first].kind != FactKind::PairHi)
    state.v[first - 1].kind = FactKind::Affine; // what is left of a pair is a 32-bit number
  if (first > 0) state.v[first - 1].wide = false;
  const uint32_t after = first + count;
  if (after < kMaxVgprs && state.v[after].kind == FactKind::PairHi && state.v[after - 1].kind != FactKind::PairLo) state.v[after] = kAnyFact;
}

} // namespace

bool Fact::disjoint() const {
  if (kind != FactKind::Affine) return false;
  if (stride == 0) return true;
  return stride > 0 && std::has_single_bit(uint32_t(stride)) && align >= std::countr_zero(uint32_t(stride)) + 4;
}
bool Fact::disjoint_in_part() const {
  return disjoint() && (stride == 0 || align >= std::countr_zero(uint32_t(stride)) + lane_bits(run));
}
uint8_t Fact::zeros() const { return stride == 0 ? align : std::min<uint8_t>(align, uint8_t(std::countr_zero(uint32_t(stride)))); }

namespace {

// As it is held: halves of pairs, too.
Fact held_fact(const State& state, const Operand& operand, uint32_t k) {
  switch (operand.bank) {
  case Bank::Vgpr: return operand.index + k < kFirstAccVgpr ? state.v[operand.index + k] : kAnyFact;
  case Bank::Agpr: return operand.index + k + kFirstAccVgpr < kMaxVgprs ? state.v[operand.index + k + kFirstAccVgpr] : kAnyFact;
  case Bank::Sgpr: {
    const ScalarFact f = scalar_operand(state, operand, k);
    return uniform_in_wave(scalar_align(f), is_constant(f) ? uint32_t(std::bit_width(f.value)) : 32);
  }
  case Bank::Special: return uniform_in_wave();
  case Bank::Imm:
  case Bank::Literal: {
    const uint32_t value = uint32_t(operand.imm >> (32 * k));
    return uniform_in_wave(align_of(value), uint32_t(std::bit_width(value)));
  }
  case Bank::None: break;
  }
  return kAnyFact;
}

} // namespace

Fact operand_fact(const State& state, const Operand& operand, uint32_t k) {
  Fact fact = held_fact(state, operand, k);
  if (fact.kind == FactKind::PairLo) fact.kind = FactKind::Affine;
  return fact.kind == FactKind::PairHi ? kAnyFact : fact;
}

Operands operands_of(const Instr& i, const State& state) {
  Operands all;
  for (uint32_t k = 0; k < i.valu->parameters(); ++k) {
    const uint32_t kind = i.valu->kind(k);
    if (kind == kKindMask || kind == kKindLane) {
      all.uniform = false;
      continue;
    }
    const Operand& operand = i.raw.src[k];
    for (uint32_t d = 0; d < i.valu->dwords(k); ++d) {
      const Fact fact = operand_fact(state, operand, d);
      all.uniform &= fact.uniform(), all.wave &= fact.wave();
      all.run = std::min(all.run, fact.run);
    }
  }
  return all;
}

PairFact pair_fact(const State& state, const Operand& operand) {
  const Fact lo = held_fact(state, operand, 0), hi = held_fact(state, operand, 1);
  const bool wave = lo.wave() && hi.wave();
  if (lo.kind == FactKind::PairLo && hi.kind == FactKind::PairHi && lo.stride == hi.stride) return {true, wave, std::min(lo.run, hi.run), lo.stride, lo.align};
  if (lo.kind == FactKind::Affine && lo.disjoint() && hi.uniform()) {
    const uint32_t run = longest_run(lo, hi.run, [](int, int) { return true; }); // nothing carries
    return {true, wave, uint8_t(run), lo.stride, uint8_t(align_in(lo, run))};
  }
  return {};
}

namespace {

// Bits in which the work-item ids of lane 0 differ between the strips of a wave.
uint32_t varying_ids(const std::array<uint32_t, 3>& items, uint32_t mask) {
  uint32_t varying = 0;
  const uint32_t count = items[0] * items[1] * items[2];
  auto id = [&](uint32_t n) { return n % items[0] | n / items[0] % items[1] << 10 | n / items[0] / items[1] << 20; };
  for (uint32_t wave = 0; wave < count; wave += kMaxLanes)
    for (uint32_t strip = wave; strip < wave + kMaxLanes; strip += 16) varying |= id(wave) ^ id(strip);
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
  for (Fact& f : first.v) f = kAnyFact;
  for (ScalarFact& f : first.s) f = kAnyScalar;
  if (start.kernarg_sgpr >= 0 && !start.without_facts)
    for (uint32_t k = 0; k < 2; ++k) first.s[uint32_t(start.kernarg_sgpr) + k] = {ScalarFact::Kind::Kernarg, 0, k};
  if (start.item_ids && !start.without_facts) {
    const auto& n = start.items;
    if ((n[1] == 1 && n[2] == 1) || n[0] % kStripLanes == 0) {
      // Whole waves lie in one row of the block, or halves of them, or quarters.
      const uint32_t run = n[1] == 1 && n[2] == 1 ? kStripCount : std::min(kStripCount, 1u << std::countr_zero(n[0] / kStripLanes));
      first.v[0] = affine(1, lane_bits(run), varying_ids(n, start.item_ids), run, width_of_ids(n, start.item_ids));
    }
  }
  std::vector<FlowPoint> todo;
  std::vector<bool> queued(states_.size(), false);
  auto push = [&](const FlowPoint& point) {
    if (!queued[point.index()]) queued[point.index()] = true, todo.push_back(point);
  };
  merge(states_[FlowPoint{0, start.version}.index()], first);
  push({0, start.version});
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
    const Fact f = merged(into.v[k], from.v[k]);
    if (!(f == into.v[k])) into.v[k] = f, changed = true;
  }
  for (size_t k = 0; k < into.s.size(); ++k) {
    const ScalarFact f = merged(into.s[k], from.s[k]);
    if (!(f == into.s[k])) into.s[k] = f, changed = true;
  }
  return changed;
}

void Facts::step(const Instr& i, Version version, State& state) const {
  if (start_.without_facts) return;
  step_scalar(i, version, state);
  if (version == Version::Empty && i.kind != Kind::Foreign && !i.ignores_exec()) return;
  if (whole(i, version) && i.kind == Kind::Valu && i.valu->rows() && i.raw.variant != Variant::Dpp) return step_valu(i, state);
  if (whole(i, version) && i.kind == Kind::Memory && !i.memory->stores) return step_load(i, state);
  if (i.writes.v.any())
    for (uint32_t r = 0; r < kMaxVgprs; ++r)
      if (i.writes.v[r]) state.v[r] = kAnyFact, drop_broken_pairs(state, r, 1);
}

bool Facts::known_argument(const Instr& load, const State& state, uint32_t k, uint32_t& value) const {
  const Operand& base = load.raw.sbase;
  using K = ScalarFact::Kind;
  if (base.bank != Bank::Sgpr || state.s[base.index].kind != K::Kernarg || state.s[base.index + 1].kind != K::Kernarg ||
      state.s[base.index].value != 0 || state.s[base.index + 1].value != 1)
    return false;
  if (load.raw.soffset && !load.raw.soffset.is_constant()) return false;
  const uint64_t offset = uint64_t(int64_t(load.raw.offset)) + (load.raw.soffset ? load.raw.soffset.imm : 0) + 4 * k;
  for (const KnownArgument& argument : start_.arguments)
    if (argument.offset == offset) return value = argument.value, true;
  return false;
}

namespace {

std::optional<uint32_t> constant_source(const State& state, const RawInst& raw, int8_t k) {
  uint32_t value = 0;
  if (k < 0 || !constant_operand(state, raw.src[k], value)) return std::nullopt;
  return value;
}

// What is known of x >> by, where bits of the sign come in from above.
Fact shifted_right_signed(const Fact& x, uint32_t by) {
  if (x.any()) return kAnyFact;
  const Fact out = shifted_right(x, by, 32 - by);
  if (out.any()) return kAnyFact; // bits that differ may be the sign's copies
  const bool reaches_sign = x.disjoint() && x.stride >= 1 << 27;
  return !out.uniform() && reaches_sign ? kAnyFact : out;
}

// The 32-bit result of an instruction without modifiers.
Fact computed(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  Fact value = kAnyFact;
  for (const Step& step : row_of(raw.opcode).steps) {
    const auto fact = [&](int8_t k) { return k == kPrevious ? value : operand_fact(state, raw.src[k], 0); };
    const auto number = [&](int8_t k) { return constant_source(state, raw, k); };
    // The one of two operands that is known, and what is known of the other one.
    const auto with_constant = [&](auto combine) {
      if (const auto c = number(step.a)) return combine(fact(step.b), *c);
      if (const auto c = number(step.b)) return combine(fact(step.a), *c);
      return kAnyFact;
    };
    const auto by_constant = [&](auto shift) {
      const auto c = number(step.b);
      return c ? shift(fact(step.a), *c & 31) : kAnyFact;
    };
    switch (step.op) {
    case LaneStep::Copy: value = fact(step.a); break;
    case LaneStep::Add: value = sum(fact(step.a), fact(step.b)); break;
    case LaneStep::Sub: value = sum(fact(step.a), fact(step.b), -1); break;
    case LaneStep::Or: value = united(fact(step.a), fact(step.b)); break;
    case LaneStep::And: value = with_constant(masked); break;
    case LaneStep::Mul: value = with_constant(times); break;
    case LaneStep::MulU24:
    case LaneStep::MulI24:
      value = whole_factors(fact(step.a), fact(step.b), step.op == LaneStep::MulI24) ? with_constant(times) : kAnyFact;
      break;
    case LaneStep::Shl: value = by_constant(shifted_left); break;
    case LaneStep::Shr: value = by_constant([](const Fact& x, uint32_t c) { return shifted_right(x, c, 32 - c); }); break;
    case LaneStep::Ashr: value = by_constant(shifted_right_signed); break;
    case LaneStep::Extract: {
      const auto width = number(step.c);
      value = width && (*width & 31)
                  ? by_constant([&](const Fact& x, uint32_t c) { return shifted_right(x, c, *width & 31); })
                  : kAnyFact;
      break;
    }
    default: value = kAnyFact; break;
    }
  }
  return value;
}

PairFact shifted_left(const PairFact& x, uint32_t by) {
  if (!x.known || by >= 20) return {};
  const int64_t stride = int64_t(x.stride) << by;
  if (stride > kMaxStride || stride < -kMaxStride) return {};
  return {true, x.wave, x.run, int32_t(stride), clamp_align(x.align + int(by))};
}
PairFact sum(const PairFact& a, const PairFact& b) {
  const int64_t stride = int64_t(a.stride) + b.stride;
  if (!a.known || !b.known || stride > kMaxStride || stride < -kMaxStride) return {};
  const uint8_t shorter = std::min(a.run, b.run);
  const int align = std::min(align_in(a.align, a.stride, shorter), align_in(b.align, b.stride, shorter));
  return {true, a.wave && b.wave, shorter, int32_t(stride), clamp_align(align)};
}

// The 64-bit result of an instruction without modifiers.
PairFact computed_pair(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  PairFact value;
  for (const Step& step : row_of(raw.opcode).steps) {
    const auto fact = [&](int8_t k) { return k == kPrevious ? value : pair_fact(state, raw.src[k]); };
    switch (step.op) {
    case LaneStep::Copy: value = fact(step.a); break;
    case LaneStep::Add: value = sum(fact(step.a), fact(step.b)); break;
    case LaneStep::Shl: {
      const auto c = constant_source(state, raw, step.b);
      value = c ? shifted_left(fact(step.a), *c) : PairFact{};
      break;
    }
    default: return {};
    }
  }
  return value;
}

} // namespace

void Facts::step_valu(const Instr& i, State& state) const {
  const RawInst& raw = i.raw;
  const ValuOp& op = *i.valu;
  const uint32_t rows = op.rows();
  auto src = [&](uint32_t k, uint32_t dword = 0) { return operand_fact(state, raw.src[k], dword); };
  Fact result = kAnyFact;
  PairFact pair;
  auto [all_uniform, wave, run] = operands_of(i, state);
  if (op.keep || (raw.op_sel & 8) || (raw.variant == Variant::Sdwa && raw.dst_sel != 6)) {
    const Fact old = operand_fact(state, raw.vdst, 0);
    all_uniform &= old.uniform(), wave &= old.wave(), run = std::min(run, old.run);
  }
  const bool plain = raw.variant != Variant::Sdwa && !raw.neg && !raw.abs && !raw.neg_hi && !raw.op_sel && !raw.omod && !raw.clamp;
  if (plain && rows == 1 && !op.mask())
    result = computed(i, state);
  else if (plain && rows == 2 && !op.mask())
    pair = computed_pair(i, state);
  if (raw.opcode == Opcode::v_mad_u64_u32 && plain && src(0).uniform() && src(1).uniform() && !all_uniform) {
    result = sum(uniform(src(0).wave() && src(1).wave(), std::min(src(0).run, src(1).run)), src(2)); // of the low half
    state.v[vgpr_of(raw.vdst)] = result;
    if (vgpr_of(raw.vdst) + 1 < kMaxVgprs) state.v[vgpr_of(raw.vdst) + 1] = kAnyFact;
    return drop_broken_pairs(state, vgpr_of(raw.vdst), 2);
  }
  if (i.extends_sign && src(1).kind == FactKind::Affine && !src(1).uniform()) { // the flow has checked that nothing overflows
    Fact low = src(1);
    const uint32_t at = vgpr_of(raw.vdst);
    low.kind = FactKind::PairLo;
    state.v[at - 1] = low;
    low.kind = FactKind::PairHi, low.align = 0, low.width = 32;
    state.v[at] = low;
    drop_broken_pairs(state, at - 1, 2);
    return;
  }
  if (all_uniform && result.any()) result = uniform(wave, run);
  if (all_uniform && rows > 1) pair = {};
  const uint32_t first = vgpr_of(raw.vdst);
  const Fact wide = rows == 2 ? wide_pattern(i, state) : kAnyFact;
  if (rows == 1 && plain && !op.mask() && result.any()) step_pattern(i, state, result); // before it is one of the operands
  for (uint32_t k = 0; k < rows && first + k < kMaxVgprs; ++k) state.v[first + k] = all_uniform ? result : kAnyFact;
  if (rows == 1) {
    state.v[first] = result;
    renew_pattern(i, first, state);
  } else if (pair.known && first + 1 < kMaxVgprs) {
    state.v[first] = {FactKind::PairLo, pair.wave ? 0 : ~0u, pair.align, pair.stride, ~0u, 32, pair.run, 0, false};
    state.v[first + 1] = {FactKind::PairHi, pair.wave ? 0 : ~0u, 0, pair.stride, ~0u, 32, pair.run, 0, false};
    if (pair.stride == 0) state.v[first] = uniform(pair.wave, pair.run, pair.align), state.v[first + 1] = uniform(pair.wave, pair.run);
  } else if (rows == 2 && plain && !all_uniform && first + 1 < kMaxVgprs) {
    state.v[first] = wide;
    renew_pattern(i, first, state);
  }
  drop_broken_pairs(state, first, rows);
}

void Facts::step_load(const Instr& i, State& state) const {
  const RawInst& raw = i.raw;
  const uint32_t first = vgpr_of(raw.vdst);
  bool same = false, wave = false;
  uint8_t run = 1;
  if (raw.format == Format::Ds || raw.saddr) {
    const Fact f = operand_fact(state, raw.vaddr, 0);
    same = f.uniform(), wave = f.wave(), run = f.run;
  } else {
    const PairFact f = pair_fact(state, raw.vaddr);
    same = f.known && f.stride == 0, wave = f.wave, run = f.run;
  }
  if (raw.format == Format::Flat) same = false; // one address in private memory is another place for every lane
  if (i.memory->merges) {
    const Fact old = operand_fact(state, raw.vdst, 0);
    same &= old.uniform(), wave &= old.wave(), run = std::min(run, old.run);
  }
  const uint32_t count = i.memory->dwords * i.accesses;
  for (uint32_t k = 0; k < count && first + k < kMaxVgprs; ++k) state.v[first + k] = same ? uniform(wave, run) : kAnyFact;
  drop_broken_pairs(state, first, count);
}

} // namespace hip::engine::compile
