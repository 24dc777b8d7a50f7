// runtime/engine/compile/emit/valu.cpp - see valu.h.
#include "runtime/engine/compile/emit/valu.h"

namespace hip::engine::compile {

void ValuEmitter::begin_point(const FlowPoint& point) {
  remembered_.clear();
  calls_.forget_carries();
  const Node& node = code_.nodes[point.node];
  for (uint32_t k = node.first; k <= node.last; ++k)
    if (code_.instrs[k].instead) remembered_[code_.instrs[k].instead_from] = {};
}

void ValuEmitter::remember(uint32_t k, const State& before) {
  const auto wanted = remembered_.find(k);
  if (wanted == remembered_.end()) return;
  for (uint32_t q = 0; q < ir_.strips(); ++q)
    wanted->second[q] = vectors_.operand_strip(code_.instrs[k].raw.src[0], 0, q, before);
}

// The result of Instr::instead in the place of the instruction's own.
ValuResult ValuEmitter::instead(const Instr& i, uint32_t q, Width width) {
  Value* of = remembered_.at(i.instead_from)[q];
  if (width == Width::Lane) of = builder_.CreateExtractElement(of, uint64_t(0));
  llvm::Function* function = width == Width::Lane ? i.instead->lane : i.instead->strip;
  return calls_.call(function, {ir_.constant(0), of}, 1, false, width);
}

void ValuEmitter::write_mask(const Instr& i, Value* lanes) {
  if (i.raw.sdst) scalars_.set_lanes(i.raw.sdst.index, lanes);
  if (i.writes_exec) scalars_.set_exec(lanes);
}

ValuEmitter::Plan ValuEmitter::plan(const Instr& i, Version version, const State& before, const State& after) {
  const ResolvedInst& raw = i.raw;
  const ValuOp& op = *i.valu;
  const uint32_t rows = op.rows();
  const Operands operands = operands_of(i, before);
  Plan out{};
  out.on_lane = rows ? facts_.whole(i, version) && (!op.mask() || operands.uniform) : operands.uniform;
  out.strips = (rows && !op.mask()) || operands.same_in_wave ? kMaxStrips : operands.part_strips;
  for (uint32_t k = 0; k < rows; ++k) {
    const Fact& fact = after.v[vgpr_of(raw.vdst, k)];
    out.on_lane &= !fact.is_any();
    out.strips = std::min<uint32_t>(out.strips, fact.same_in_wave() ? kMaxStrips : fact.part_strips());
  }
  out.dpp = raw.variant == Variant::Dpp, out.sdwa = raw.variant == Variant::Sdwa;
  if (out.dpp) {
    out.on_lane = false;
    out.permuted = lanes_.permute(i, version, op.dwords(0), before);
  }
  out.to_high = !out.sdwa && rows == 1 && !(op.result & kResultCarry) && (raw.op_sel & 8);
  out.exec = version == Version::Partial ? scalars_.exec() : nullptr;
  return out;
}

// Strip q's result, without regard to EXEC and the destination.
ValuResult ValuEmitter::compute(const Instr& i, const Plan& plan, uint32_t q, const State& before) {
  if (i.instead) return instead(i, q, plan.width());
  const ValuOp& op = *i.valu;
  std::vector<Value*> arguments = calls_.arguments(i, before, q, plan.width(), plan.dpp ? &plan.permuted : nullptr);
  if (i.is_quotient) return calls_.quotient(arguments, op.rows());
  ValuResult out =
      calls_.call(plan.on_lane ? op.lane : op.strip, std::move(arguments), op.rows(), op.mask(), plan.width());
  if (i.flushes & Instr::kFlushesResult) ir_.flush(out.rows, op.float_result());
  if (out.mask && plan.on_lane)
    out.mask = builder_.CreateSExt(builder_.CreateTrunc(out.mask, builder_.getInt1Ty()), builder_.getInt16Ty());
  return out;
}

// Row k of strip q's result with what stays of the destination.
llvm::Value* ValuEmitter::merged(const Instr& i, const Plan& plan, uint32_t k, uint32_t q, Value* v,
                                 const State& before) {
  const ResolvedInst& raw = i.raw;
  const uint32_t to = vgpr_of(raw.vdst, k);
  const auto old = [&] { return plan.on_lane ? vectors_.lane(to, q, before) : vectors_.strip(to, q, before); };
  if (plan.sdwa) {
    v = calls_.placed(raw, v, raw.dst_sel == 6 ? nullptr : old());
  } else if (plan.to_high || raw.keep) {
    const uint32_t keep = plan.to_high ? 0xffffu : raw.keep;
    Value* kept = old();
    if (plan.to_high) v = builder_.CreateShl(v, 16);
    v = builder_.CreateOr(v, builder_.CreateAnd(kept, llvm::ConstantInt::get(v->getType(), keep)));
  }
  Value* active = plan.exec && !i.spreads ? ir_.bools(ir_.strip_mask(plan.exec, q)) : nullptr;
  if (Value* writable = plan.permuted.writable[q]) active = active ? builder_.CreateAnd(active, writable) : writable;
  return active ? builder_.CreateSelect(active, v, vectors_.strip(to, q, before)) : v;
}

void ValuEmitter::emit(const Instr& i, Version version, const State& before, const State& after) {
  const ResolvedInst& raw = i.raw;
  const ValuOp& op = *i.valu;
  const uint32_t rows = op.rows();
  if (version == Version::Empty) {
    if (op.mask()) write_mask(i, builder_.getInt64(0));
    return;
  }
  if (rows == 0 && raw.variant != Variant::Dpp && raw.variant != Variant::Sdwa) {
    Value* lanes = compare_.compare(i, before);
    return write_mask(i, version == Version::Partial ? builder_.CreateAnd(lanes, scalars_.exec()) : lanes);
  }
  const bool begins_sum = raw.opcode == Opcode::v_add_co_u32 && after.low_sum.known &&
                          after.low_sum.mask == raw.sdst.index && after.low_sum.vdst == vgpr_of(raw.vdst);
  if (begins_sum) remember_carries(i, before), wide_patterns_.begin_sum(i, before);
  const Plan plan = this->plan(i, version, before, after);
  const auto fact_of = [&](uint32_t k) -> const Fact& { return after.v[vgpr_of(raw.vdst, k)]; };
  Value* all_lanes = builder_.getInt64(0);
  // All strips are computed before any is written, for a source may be the destination.
  PatternedNumber patterned;
  if (rows == 1 && fact_of(0).has_pattern()) patterned = patterns_.compute(i, before);
  std::vector<Value*> results(kMaxStrips * std::max(rows, 1u));
  ValuResult out;
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    const bool computed = !plan.on_lane || q % plan.strips == 0;
    if (computed) out = compute(i, plan, q, before);
    if (out.mask && plan.permuted.writable[q])
      out.mask = builder_.CreateAnd(out.mask, builder_.CreateBitCast(plan.permuted.writable[q], builder_.getInt16Ty()));
    if (out.mask)
      all_lanes =
          builder_.CreateOr(all_lanes, builder_.CreateShl(builder_.CreateZExt(out.mask, ir_.i64()), q * kStripLanes));
    for (uint32_t k = 0; k < rows && computed; ++k) results[q * rows + k] = merged(i, plan, k, q, out.rows[k], before);
  }
  if (rows == 2 && fact_of(0).is_wide_pattern()) wide_patterns_.set_result(i, before);
  const uint32_t low = before.low_sum.vdst;
  if (raw.opcode == Opcode::v_addc_co_u32 && before.low_sum.known && after.v[low].is_wide_pattern() &&
      !before.v[low].is_wide_pattern())
    wide_patterns_.complete_sum(i, before);
  if (patterned.pattern) {
    vectors_.set_pattern(vgpr_of(raw.vdst), patterned);
    // The strips of a number with a pattern are one addition each, however many instructions computed it.
    for (uint32_t q = 0; q < ir_.strips() && !(plan.exec && !i.spreads); ++q)
      results[q] = builder_.CreateAdd(ir_.splat(patterned.first[q]), patterned.pattern);
  }
  // Where only some rows have facts (the low half of a product), their lane 0s are computed beside the strips.
  for (uint32_t k = 0; k < rows && !plan.on_lane; ++k)
    for (uint32_t q = 0; q < ir_.strips() && !fact_of(k).is_any(); ++q)
      if (fact_of(k).is_source_strip(q)) {
        ValuResult lane = calls_.call(op.lane, calls_.arguments(i, before, q, Width::Lane), rows, op.mask(), Width::Lane);
        if (i.flushes & Instr::kFlushesResult) ir_.flush(lane.rows, op.float_result());
        results[q * rows + k] = lane.rows[k];
      }
  for (uint32_t q = 0; q < ir_.strips(); q += plan.on_lane ? plan.strips : 1)
    for (uint32_t k = 0; k < rows; ++k) {
      if (fact_of(k).is_any())
        vectors_.set_strip(vgpr_of(raw.vdst, k), q, results[q * rows + k]);
      else if (fact_of(k).is_source_strip(q))
        vectors_.set_lane(vgpr_of(raw.vdst, k), q, results[q * rows + k]);
    }
  if (op.mask()) write_mask(i, plan.exec ? builder_.CreateAnd(all_lanes, plan.exec) : all_lanes);
  if (raw.opcode == Opcode::v_addc_co_u32 && before.low_sum.known) // the low half of a sum that is completed
    vectors_.hold_lanes(before.low_sum.vdst, before, after);
}

// Keeps the carries of the low half of a 64-bit sum for the instruction that completes it (LowSum). EXEC takes no part, since
// facts speak of inactive lanes, too.
void ValuEmitter::remember_carries(const Instr& i, const State& before) {
  std::array<Value*, kMaxStrips> carries{};
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    const ValuResult out = calls_.call(i.valu->lane, calls_.arguments(i, before, q, Width::Lane), 1, true, Width::Lane);
    carries[q] = builder_.CreateTrunc(out.mask, builder_.getInt1Ty());
  }
  calls_.remember_carries(i.raw.sdst.index, carries);
}

} // namespace hip::engine::compile
