// runtime/engine/compile/read/float_mode.cpp - see float_mode.h.
#include "runtime/engine/compile/read/float_mode.h"

#include "runtime/engine/compile/read/classify.h"
#include "runtime/engine/decode/mode_write.h"

#include <algorithm>
#include <vector>

namespace hip::engine::compile {
namespace {

// What MODE is behind an instruction that begins under `mode`.
KnownMode behind(const Instr& i, KnownMode mode) {
  const std::optional<ModeWrite> write = mode_write(i.raw);
  if (!write) return mode;
  const uint32_t bits = write->bits & kFloatMode;
  mode.unknown = (mode.unknown & ~bits) | (write->value ? 0 : bits);
  mode.value = (mode.value & ~bits) | (write->value.value_or(0) & bits);
  return mode;
}

// What of two ways by which control comes is the same.
KnownMode both(KnownMode a, KnownMode b) {
  const uint32_t unknown = a.unknown | b.unknown | (a.value ^ b.value);
  return {a.value & ~unknown, unknown};
}

void find_modes(Code& code, uint32_t at_entry) {
  std::vector<bool> reached(code.instrs.size(), false);
  std::vector<uint32_t> todo;
  const auto come = [&](uint32_t k, KnownMode mode) {
    if (k >= code.instrs.size()) return;
    KnownMode& known = code.instrs[k].mode;
    const KnownMode now = reached[k] ? both(known, mode) : mode;
    if (reached[k] && now == known) return;
    reached[k] = true, known = now;
    todo.push_back(k);
  };
  come(0, {at_entry, 0});
  while (!todo.empty()) {
    const uint32_t k = todo.back();
    todo.pop_back();
    const Instr& i = code.instrs[k];
    const KnownMode mode = behind(i, i.mode);
    if (i.target != kNoNode) come(i.target, mode);
    if (i.kind != Kind::Branch && !i.ends) come(k + 1, mode);
  }
}

// Tier 0's handler executes it, by elements that look at MODE.
void leave_to_handler(Instr& i) {
  if (i.writes_exec) return set_foreign(i);
  i.reads.add_scalars(kExecLo, 2);
  i.kind = Kind::Called;
}

void depart(Instr& i) {
  const std::optional<FloatRules> rules = float_rules(i.raw);
  if (!rules || (i.mode.unknown == 0 && i.mode.value == kUsualFloatMode)) return;
  if (i.mode.unknown != 0) return leave_to_handler(i);
  const FloatDepartures needed = departures(i.raw, *rules, i.mode.value);
  const auto quad = [&](uint32_t k) { return needed.operands >> k & 1 && rules->shape.kind(k) == kKindQuad; };
  bool strips = i.kind == Kind::Valu && !needed.others;
  for (uint32_t k = 0; k < rules->shape.parameters(); ++k) strips &= !quad(k);
  const uint8_t flushes = needed.operands | (needed.result ? Instr::kFlushesResult : 0);
  strips &= !flushes || i.raw.variant != Variant::Sdwa; // which may select parts of numbers
  if (!strips && (flushes || needed.others || needed.rounding != kRoundNearest)) return leave_to_handler(i);
  i.flushes = flushes, i.rounding = needed.rounding;
}

} // namespace

void follow_float_mode(Code& code, uint32_t at_entry) {
  const bool sets = std::ranges::any_of(code.instrs, [](const Instr& i) {
    const std::optional<ModeWrite> write = mode_write(i.raw);
    return write && write->bits & kFloatMode;
  });
  code.usual_mode = !sets && at_entry == kUsualFloatMode;
  if (sets)
    find_modes(code, at_entry);
  else
    for (Instr& i : code.instrs) i.mode = {at_entry, 0};
  if (code.usual_mode) return;
  for (Instr& i : code.instrs) {
    depart(i);
    code.rounds |= i.rounding != kRoundNearest;
  }
  // Of a dual instruction tier 0 executes both parts, and goes on from there.
  for (size_t k = 0; k < code.instrs.size();) {
    size_t last = k;
    while (last + 1 < code.instrs.size() && code.instrs[last + 1].continues) ++last;
    const auto left = [](const Instr& i) { return i.kind == Kind::Called || i.kind == Kind::Foreign; };
    if (last > k && std::any_of(code.instrs.begin() + ptrdiff_t(k), code.instrs.begin() + ptrdiff_t(last) + 1, left)) {
      set_anything(code.instrs[k]);
      code.instrs[k].ends = true;
      for (size_t part = k + 1; part <= last; ++part) code.instrs[part].kind = Kind::Nothing;
    }
    k = last + 1;
  }
}

} // namespace hip::engine::compile
