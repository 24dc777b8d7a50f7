// runtime/engine/compile/analysis/facts_scalar.cpp - facts of SGPRs: values and alignments, and which pairs hold all lanes, as
// what s_and_saveexec saved while all were active: with it EXEC is known to be full again.
#include "runtime/engine/compile/analysis/facts.h"

#include <optional>

namespace hip::engine::compile {
namespace {

// The value of one register, or of a pair. EXEC follows from the version.
std::optional<uint64_t> known_value(const State& state, const Operand& o, uint32_t dwords, Version version) {
  if (o.bank == Bank::Sgpr && o.index == kExecLo) {
    if (version == Version::Full) return all_lanes(32 * dwords);
    if (version == Version::Empty) return 0;
    return std::nullopt;
  }
  const ScalarFact low = scalar_fact(state, o), high = dwords == 2 ? scalar_fact(state, o, 1) : ScalarFact::constant(0);
  if (!low.is_constant() || !high.is_constant()) return std::nullopt;
  return low.value() | uint64_t(high.value()) << 32;
}

struct MaskResult {
  std::optional<uint64_t> value; // of the destination
  std::optional<uint64_t> exec;  // of EXEC, where a saveexec writes it
};

// Logic on masks of lanes, as far as constants go: masks have two dwords, or one in waves of 32 lanes.
MaskResult mask_of(const Instr& i, const State& state, Version version, uint32_t dwords) {
  const RawInst& raw = i.raw;
  using Known = std::optional<uint64_t>;
  const OpcodeRow& row = row_of(raw.opcode);
  Operand exec_operand;
  exec_operand.bank = Bank::Sgpr, exec_operand.index = kExecLo;
  const uint64_t all = all_lanes(32 * dwords);
  const auto known = [&](int8_t k) { return known_value(state, k == kExec ? exec_operand : raw.src[k], dwords, version); };
  const auto both_or = [&](Known x, Known y) -> Known {
    if ((x && *x == all) || (y && *y == all)) return all;
    if (x && y) return *x | *y;
    return std::nullopt;
  };
  const auto both_and = [](Known x, Known y) -> Known {
    if ((x && *x == 0) || (y && *y == 0)) return 0;
    if (x && y) return *x & *y;
    return std::nullopt;
  };
  const auto inverted = [&](Known x) -> Known { return x ? Known(~*x & all) : std::nullopt; };
  Known result;
  if (row.steps.count() == 1) {
    const Step& step = *row.steps.begin();
    const bool one = step.op == LaneStep::Copy || step.op == LaneStep::Not;
    const Known a = known(step.a), b = one ? std::nullopt : known(step.b);
    switch (step.op) {
    case LaneStep::Copy: result = a; break;
    case LaneStep::Not: result = inverted(a); break;
    case LaneStep::Or: result = both_or(a, b); break;
    case LaneStep::OrNot: result = both_or(a, inverted(b)); break;
    case LaneStep::And: result = both_and(a, b); break;
    case LaneStep::AndNot: result = both_and(a, inverted(b)); break;
    case LaneStep::Xor: result = a && b ? Known(*a ^ *b) : std::nullopt; break;
    default: break;
    }
  }
  if (row.saves_exec) return {known(kExec), result};
  return {row.exec == ExecEffect::None ? result : std::nullopt, {}};
}

void set_mask(State& state, uint32_t first, uint32_t dwords, std::optional<uint64_t> value) {
  for (uint32_t k = 0; k < dwords && first + k < kSgprCount; ++k)
    state.s[first + k] = value ? ScalarFact::constant(uint32_t(*value >> (32 * k))) : ScalarFact::any();
}

ScalarFact dword_of(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  const Steps& steps = row_of(raw.opcode).steps;
  if (steps.count() != 1) return ScalarFact::any();
  const Step& step = *steps.begin();
  if (step.op == LaneStep::Copy) return scalar_fact(state, raw.src[step.a]);
  if (step.a < 0 || step.b < 0) return ScalarFact::any();
  const ScalarFact a = scalar_fact(state, raw.src[step.a]), b = scalar_fact(state, raw.src[step.b]);
  const bool both = a.is_constant() && b.is_constant();
  const auto aligned = [](int bits) { return ScalarFact::any(clamp_align(bits)); };
  const int lower = std::min(a.align(), b.align()), higher = std::max(a.align(), b.align());
  switch (step.op) {
  case LaneStep::And: return both ? ScalarFact::constant(a.value() & b.value()) : aligned(higher);
  case LaneStep::Or: return both ? ScalarFact::constant(a.value() | b.value()) : aligned(lower);
  case LaneStep::Add: return both ? ScalarFact::constant(a.value() + b.value()) : aligned(lower);
  case LaneStep::Mul: return both ? ScalarFact::constant(a.value() * b.value()) : aligned(a.align() + b.align());
  case LaneStep::Shr: return both ? ScalarFact::constant(a.value() >> (b.value() & 31)) : ScalarFact::any();
  case LaneStep::Shl:
    if (!b.is_constant()) return ScalarFact::any();
    return both ? ScalarFact::constant(a.value() << (b.value() & 31)) : aligned(a.align() + int(b.value() & 31));
  default: return ScalarFact::any();
  }
}

} // namespace

void Facts::step_scalar(const Instr& i, Version version, State& state) const {
  if (i.writes.s.none()) return;
  const ResolvedInst& raw = i.raw;
  const bool salu = i.kind == Kind::Salu && !(i.salu->result & kResultMaybe) && i.salu->rows() && raw.sdst.bank == Bank::Sgpr;
  const uint32_t dwords = salu ? i.salu->rows() : 0;
  const bool wide = dwords == 2;
  const ScalarFact dword = salu && !wide ? dword_of(i, state) : ScalarFact::any();
  const MaskResult mask = dwords == raw.lanes / 32u ? mask_of(i, state, version, dwords) : MaskResult{};
  uint8_t shifted_align = 0; // of the low half of s_lshl_b64
  if (wide && raw.opcode == Opcode::s_lshl_b64 && scalar_fact(state, raw.src[1]).is_constant())
    shifted_align =
        clamp_align(scalar_fact(state, raw.src[0]).align() + int(scalar_fact(state, raw.src[1]).value() & 63));
  std::array<std::optional<uint32_t>, 16> arguments;
  if (i.kind == Kind::ScalarLoad)
    for (uint32_t k = 0; k < raw.sdst.dwords && k < arguments.size(); ++k) arguments[k] = known_argument(i, state, k);
  for (uint32_t r = 0; r <= kSgprCount; ++r)
    if (i.writes.s[r]) state.s[r] = ScalarFact::any();
  for (uint32_t k = 0; k < arguments.size(); ++k)
    if (arguments[k]) state.s[raw.sdst.index + k] = ScalarFact::constant(*arguments[k]);
  if (!salu) return;
  if (wide || mask.value)
    set_mask(state, raw.sdst.index, dwords, mask.value);
  else
    state.s[raw.sdst.index] = dword;
  if (!mask.value && shifted_align) state.s[raw.sdst.index] = ScalarFact::any(shifted_align);
  if (i.writes_exec && raw.sdst.index != kExecLo) set_mask(state, kExecLo, dwords, mask.exec);
}

bool Facts::may_be(const Instr& i, const State& after, Version version) {
  const uint32_t lanes = i.raw.lanes;
  const ScalarFact low = after.s[kExecLo], high = lanes == kMaxLanes ? after.s[kExecHi] : ScalarFact::constant(0);
  if (!i.writes_exec || !low.is_constant() || !high.is_constant()) return true;
  const uint64_t exec = low.value() | uint64_t(high.value()) << 32;
  return version == (exec == all_lanes(lanes) ? Version::Full : exec == 0 ? Version::Empty : Version::Partial);
}

} // namespace hip::engine::compile
