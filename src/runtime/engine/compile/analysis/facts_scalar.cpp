// runtime/engine/compile/analysis/facts_scalar.cpp - facts of SGPRs: values and alignments, and which pairs hold all lanes, as
// what s_and_saveexec saved while all were active: with it EXEC is known to be full again.
#include "runtime/engine/compile/analysis/facts_scalar.h"

#include <optional>

namespace hip::engine::compile {
namespace {

using K = ScalarFact::Kind;

// A pair's value. EXEC follows from the version.
std::optional<uint64_t> known_pair(const State& state, const Operand& o, Version version) {
  if (o.bank == Bank::Sgpr && o.index == kExecLo) {
    if (version == Version::Full) return ~0ull;
    if (version == Version::Empty) return 0;
    return std::nullopt;
  }
  const ScalarFact low = scalar_operand(state, o), high = scalar_operand(state, o, 1);
  if (!is_constant(low) || !is_constant(high)) return std::nullopt;
  return low.value | uint64_t(high.value) << 32;
}

struct Pair {
  std::optional<uint64_t> value; // of the destination
  std::optional<uint64_t> exec;  // of EXEC, where a saveexec writes it
};

// 64-bit logic, as far as constants go.
Pair pair_of(const Instr& i, const State& state, Version version) {
  const RawInst& raw = i.raw;
  const std::string_view name = raw.mnemonic;
  using Known = std::optional<uint64_t>;
  const Known a = raw.source_count > 0 ? known_pair(state, raw.src[0], version) : std::nullopt;
  const Known b = raw.source_count > 1 ? known_pair(state, raw.src[1], version) : std::nullopt;
  auto both_or = [](Known x, Known y) -> Known {
    if ((x && *x == ~0ull) || (y && *y == ~0ull)) return ~0ull;
    if (x && y) return *x | *y;
    return std::nullopt;
  };
  auto both_and = [](Known x, Known y) -> Known {
    if ((x && *x == 0) || (y && *y == 0)) return 0;
    if (x && y) return *x & *y;
    return std::nullopt;
  };
  auto inverted = [](Known x) -> Known { return x ? Known(~*x) : std::nullopt; };
  if (name == "s_mov_b64") return {a, {}};
  if (name == "s_or_b64") return {both_or(a, b), {}};
  if (name == "s_and_b64") return {both_and(a, b), {}};
  if (name == "s_andn2_b64") return {both_and(a, inverted(b)), {}};
  if (name == "s_orn2_b64") return {both_or(a, inverted(b)), {}};
  if (name == "s_not_b64") return {inverted(a), {}};
  if (name == "s_xor_b64") return {a && b ? Known(*a ^ *b) : std::nullopt, {}};
  Operand exec_operand;
  exec_operand.bank = Bank::Sgpr, exec_operand.index = kExecLo;
  const Known exec = known_pair(state, exec_operand, version);
  if (name == "s_and_saveexec_b64") return {exec, both_and(a, exec)};
  if (name == "s_or_saveexec_b64") return {exec, both_or(a, exec)};
  if (name == "s_andn2_saveexec_b64") return {exec, both_and(a, inverted(exec))};
  if (name.ends_with("_saveexec_b64")) return {exec, {}};
  return {};
}

void set_pair(State& state, uint32_t first, std::optional<uint64_t> value) {
  for (uint32_t k = 0; k < 2 && first + k < kSgprCount; ++k)
    state.s[first + k] = value ? constant(uint32_t(*value >> (32 * k))) : kAnyScalar;
}

ScalarFact dword_of(const Instr& i, const State& state) {
  const RawInst& raw = i.raw;
  const std::string_view name = raw.mnemonic;
  const ScalarFact a = raw.source_count > 0 ? scalar_operand(state, raw.src[0]) : kAnyScalar;
  const ScalarFact b = raw.source_count > 1 ? scalar_operand(state, raw.src[1]) : kAnyScalar;
  const bool both = is_constant(a) && is_constant(b);
  auto aligned = [](int bits) { return ScalarFact{K::Any, clamp_align(bits), 0}; };
  const int lower = std::min(scalar_align(a), scalar_align(b)), higher = std::max(scalar_align(a), scalar_align(b));
  if (name == "s_mov_b32") return a;
  if (name == "s_movk_i32") return constant(uint32_t(raw.simm16));
  if (name == "s_and_b32") return both ? constant(a.value & b.value) : aligned(higher);
  if (name == "s_lshr_b32" && both) return constant(a.value >> (b.value & 31));
  if (name == "s_lshl_b32" && is_constant(b))
    return both ? constant(a.value << (b.value & 31)) : aligned(scalar_align(a) + int(b.value & 31));
  if (name == "s_mul_i32") return both ? constant(a.value * b.value) : aligned(scalar_align(a) + scalar_align(b));
  if (name == "s_add_i32" || name == "s_add_u32") return both ? constant(a.value + b.value) : aligned(lower);
  if (name == "s_or_b32") return both ? constant(a.value | b.value) : aligned(lower);
  return kAnyScalar;
}

} // namespace

void Facts::step_scalar(const Instr& i, Version version, State& state) const {
  if (i.writes.s.none()) return;
  const RawInst& raw = i.raw;
  const bool salu = i.kind == Kind::Salu && !(i.salu->writes & library::kWritesMaybe) &&
                    i.salu->writes & library::kWritesValue && raw.sdst.bank == Bank::Sgpr;
  const bool wide = salu && i.salu->writes & library::kWritesValue64;
  const ScalarFact dword = salu && !wide ? dword_of(i, state) : kAnyScalar;
  const Pair pair = wide ? pair_of(i, state, version) : Pair{};
  ScalarFact shifted = kAnyScalar; // the low half of s_lshl_b64
  if (wide && raw.mnemonic == "s_lshl_b64" && is_constant(scalar_operand(state, raw.src[1])))
    shifted.align = clamp_align(scalar_align(scalar_operand(state, raw.src[0])) +
                                int(scalar_operand(state, raw.src[1]).value & 63));
  std::array<std::optional<uint32_t>, 16> arguments;
  if (i.kind == Kind::ScalarLoad)
    for (uint32_t k = 0; k < raw.sdst.dwords && k < arguments.size(); ++k) {
      uint32_t value;
      if (known_argument(i, state, k, value)) arguments[k] = value;
    }
  for (uint32_t r = 0; r <= kSgprCount; ++r)
    if (i.writes.s[r]) state.s[r] = kAnyScalar;
  for (uint32_t k = 0; k < arguments.size(); ++k)
    if (arguments[k]) state.s[raw.sdst.index + k] = constant(*arguments[k]);
  if (!salu) return;
  if (!wide) {
    state.s[raw.sdst.index] = dword;
    return;
  }
  set_pair(state, raw.sdst.index, pair.value);
  if (!pair.value && shifted.align) state.s[raw.sdst.index] = shifted;
  if (i.writes_exec && raw.sdst.index != kExecLo) set_pair(state, kExecLo, pair.exec);
}

bool Facts::may_be(const Instr& i, const State& after, Version version) {
  if (!i.writes_exec || !is_constant(after.s[kExecLo]) || !is_constant(after.s[kExecHi])) return true;
  const uint64_t exec = after.s[kExecLo].value | uint64_t(after.s[kExecHi].value) << 32;
  return version == (exec == ~0ull ? Version::Full : exec == 0 ? Version::Empty : Version::Partial);
}

} // namespace hip::engine::compile
