// runtime/engine/compile/analysis/held_lanes.cpp - see held_lanes.h.
#include "runtime/engine/compile/analysis/held_lanes.h"

#include <algorithm>

namespace hip::engine::compile {
namespace {

bool is_exec(const Operand& o) { return o.bank == Bank::Sgpr && o.index == kExecLo; }
bool is_zero(const Operand& o) { return o.is_constant() && o.imm == 0; }

// Calls f for operands that together have every lane of the mask that a scalar operation makes: for AND one of both is enough, for OR
// it takes both. An EXEC that the operation reads without naming it is null. False: the operation is none that is known.
template <class F> bool for_supersets(const ResolvedInst& raw, F f) {
  const OpcodeRow& row = row_of(raw.opcode);
  if (row.unit != Unit::ScalarAlu || row.steps.count() != 1) return false;
  const Step& step = *row.steps.begin();
  auto operand = [&](int8_t k) -> const Operand* { return k == kExec ? nullptr : &raw.src[k]; };
  auto counts_as_exec = [&](int8_t k) { return k == kExec || (k >= 0 && is_exec(raw.src[k])); };
  if (step.a == kPrevious || step.b == kPrevious) return false;
  switch (step.op) {
  case LaneStep::Copy:
  case LaneStep::AndNot: f(operand(step.a)); return true;
  case LaneStep::And: f(operand(counts_as_exec(step.b) ? step.b : step.a)); return true;
  case LaneStep::Or:
  case LaneStep::Xor:
    f(operand(step.a));
    f(operand(step.b));
    return true;
  default: return false;
  }
}

} // namespace

HeldLanes::Vgprs HeldLanes::all() const {
  Vgprs out = always_;
  for (const auto& [sgpr, vgprs] : through_) out |= vgprs;
  return out;
}

void HeldLanes::add(const HeldLanes& other) {
  always_ |= other.always_;
  for (const auto& [sgpr, vgprs] : other.through_) add_through(sgpr, vgprs);
}

void HeldLanes::remove(const Vgprs& vgprs) {
  always_ &= ~vgprs;
  for (auto& [sgpr, held] : through_) held &= ~vgprs;
  std::erase_if(through_, [](const auto& entry) { return entry.second.none(); });
}

void HeldLanes::add_through(uint32_t sgpr, const Vgprs& vgprs) {
  if (vgprs.none()) return;
  const auto at = std::ranges::lower_bound(through_, sgpr, {}, [](const auto& entry) { return entry.first; });
  if (at != through_.end() && at->first == sgpr)
    at->second |= vgprs;
  else
    through_.insert(at, {sgpr, vgprs});
}

// Lanes of `vgprs` outside of what `mask` is at this point are not held.
void HeldLanes::add_through(const Operand& mask, const Vgprs& vgprs, uint32_t lanes) {
  if (is_exec(mask) || is_zero(mask)) return; // active lanes, or none
  const bool whole = is_sgpr(mask) && mask.index + lanes / 32 <= kExecLo && mask.dwords == lanes / 32;
  if (whole)
    add_through(mask.index, vgprs);
  else
    always_ |= vgprs;
}

void HeldLanes::step_back_masks(const Instr& i, uint32_t lanes) {
  if (through_.empty() || i.writes.s.none()) return;
  const ResolvedInst& raw = i.raw;
  const uint32_t dwords = lanes / 32;
  std::vector<std::pair<uint32_t, Vgprs>> written;
  std::erase_if(through_, [&](auto& entry) {
    bool touched = false;
    for (uint32_t k = 0; k < dwords; ++k) touched |= i.writes.s[entry.first + k];
    if (touched) written.push_back(std::move(entry));
    return touched;
  });
  for (const auto& [sgpr, vgprs] : written) {
    const bool exact = i.kind != Kind::Foreign && raw.sdst.bank == Bank::Sgpr && raw.sdst.index == sgpr;
    const OpcodeRow& row = row_of(raw.opcode);
    if (exact && (row.saves_exec || row.compare.relation != Relation::None)) continue; // EXEC, or some of its lanes
    const bool known = exact && raw.sdst.dwords == dwords && for_supersets(raw, [&, &held = vgprs](const Operand* mask) {
      if (mask) add_through(*mask, held, lanes);
    });
    if (!known) always_ |= vgprs;
  }
}

void HeldLanes::add_woken(const Instr& i, const Vgprs& live, uint32_t lanes) {
  const bool known = i.kind != Kind::Foreign && for_supersets(i.raw, [&](const Operand* mask) {
    if (mask) add_through(*mask, live, lanes);
  });
  if (!known) always_ |= live;
}

} // namespace hip::engine::compile
