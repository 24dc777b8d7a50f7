// runtime/engine/compile/read/float_mode.cpp - see float_mode.h.
#include "runtime/engine/compile/read/float_mode.h"

#include "runtime/engine/compile/read/classify.h"
#include "runtime/engine/decode/mode_write.h"

#include <algorithm>
#include <bitset>
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

void depart(const Library& library, Instr& i) {
  const std::optional<FloatRules> rules = float_rules(i.raw);
  if (!rules || (i.mode.unknown == 0 && i.mode.value == kUsualFloatMode)) return;
  if (i.mode.unknown != 0) return leave_to_handler(i);
  const FloatDepartures needed = departures(i.raw, *rules, i.mode.value);
  const auto quad = [&](uint32_t k) { return needed.operands >> k & 1 && rules->shape.kind(k) == kKindQuad; };
  const ValuOp* const body = needed.body != Opcode::unknown ? library.valu(needed.body) : i.valu;
  bool native = !needed.others && (i.kind == Kind::Salu || (i.kind == Kind::Valu && body));
  for (uint32_t k = 0; k < rules->shape.parameters(); ++k) native &= !quad(k);
  const uint8_t flushes = needed.operands | (needed.result ? Instr::kFlushesResult : 0);
  native &= !flushes || i.raw.variant != Variant::Sdwa; // which may select parts of numbers
  // Sums of halves are made of roundings to odd, for which hosts have different ways that agree while numbers are
  // rounded to nearest.
  native &= needed.rounding == kRoundNearest || rules->shape.float_result() != FloatKind::Half;
  const bool departs = flushes || needed.others || needed.body != Opcode::unknown || needed.rounding != kRoundNearest;
  if (!native && departs) return leave_to_handler(i);
  if (native && i.kind == Kind::Valu) i.valu = body;
  i.flushes = flushes, i.rounding = needed.rounding;
}

// Leaves out what flushes a denormal that cannot be one: where an operand is what an instruction before has made, which
// flushes its results, under the same EXEC. Only numbers of one register are followed.
void leave_out_flushes(Code& code) {
  std::vector<bool> entered(code.instrs.size() + 1, false);
  for (const Instr& i : code.instrs)
    if (i.target != kNoNode) entered[i.target] = true;
  std::bitset<kMaxVgprs> flushed;
  for (uint32_t k = 0; k < code.instrs.size(); ++k) {
    Instr& i = code.instrs[k];
    if (entered[k]) flushed.reset();
    const bool lane_by_lane = i.kind == Kind::Valu && i.raw.variant != Variant::Dpp && i.raw.variant != Variant::Sdwa;
    for (uint32_t p = 0; lane_by_lane && p < i.valu->parameters(); ++p) {
      const Operand& o = i.raw.src[p];
      bool known = i.flushes >> p & 1 && is_vector(o) && i.valu->float_kind(p) == FloatKind::Single &&
                   i.valu->kind(p) != kKindMix;
      for (uint32_t d = 0; known && d < i.valu->dwords(p); ++d) known = flushed[vgpr_of(o, d)];
      if (known) i.flushes &= uint8_t(~(1u << p));
    }
    flushed &= ~i.writes.v;
    if (lane_by_lane && i.flushes & Instr::kFlushesResult && i.valu->float_result() == FloatKind::Single &&
        !i.raw.keep && !(i.raw.op_sel & 8))
      for (uint32_t d = 0; d < i.valu->rows(); ++d) flushed.set(vgpr_of(i.raw.vdst, d));
    if (i.kind == Kind::Branch || i.kind == Kind::CondBranch || i.kind == Kind::Foreign || i.kind == Kind::Barrier ||
        i.writes_exec)
      flushed.reset();
  }
}

} // namespace

void follow_float_mode(const Library& library, Code& code, uint32_t at_entry) {
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
    depart(library, i);
    code.rounds |= i.rounding != kRoundNearest;
  }
  leave_out_flushes(code);
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
