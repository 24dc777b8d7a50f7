// runtime/engine/compile/emit/vector_registers.cpp - see vector_registers.h.
#include "runtime/engine/compile/emit/vector_registers.h"

#include "runtime/engine/compile/codegen/sink_rare.h"

namespace hip::engine::compile {

using llvm::Value;

void VectorRegisters::allocate() {
  llvm::IRBuilder<> variables(ir_.entry());
  uint32_t first = kMaxVgprs, last = 0; // of those in the frame, one after the other as in the block
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (plan_.in_frame()[r]) first = std::min(first, r), last = r;
  if (first < kMaxVgprs) {
    first_in_frame_ = first;
    frame_rows_ = ir_.frame_slot(llvm::ArrayType::get(ir_.strip_type(), (last + 1 - first) * kMaxStrips));
  }
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    for (uint32_t q = 0; plan_.touched().v[r] && q < ir_.strips(); ++q) {
      if (plan_.in_block()[r])
        strips_[r][q] = ir_.byte_at(row(r), q * kStripLanes * 4);
      else
        strips_[r][q] = variables.CreateAlloca(ir_.strip_type());
      lanes_[r][q] = variables.CreateAlloca(ir_.i32());
      if (q == 0) {
        patterns_[r] = variables.CreateAlloca(ir_.strip_type());
        fits_[r] = variables.CreateAlloca(builder_.getInt1Ty());
      }
    }
}

Value* VectorRegisters::row(uint32_t v) {
  return plan_.in_frame()[v] ? ir_.byte_at(frame_rows_, (v - first_in_frame_) * kRowBytes) : wave_.vgpr(v, 0);
}

Value* VectorRegisters::pair_base(uint32_t low, uint32_t q, const State& state) {
  const Fact& fact = state.v[low];
  const uint32_t held = fact.source_strip(q);
  Value* low_lane = builder_.CreateLoad(ir_.i32(), lanes_[low][held]);
  Value* base = ir_.joined(low_lane, builder_.CreateLoad(ir_.i32(), lanes_[fact.partner()][held]));
  if (held == q || fact.same_in_wave()) return base;
  return builder_.CreateAdd(base, builder_.getInt64(uint64_t(int64_t(fact.stride()) * kStripLanes * (q - held))));
}

Value* VectorRegisters::lane(uint32_t v, uint32_t q, const State& state) {
  const Fact& fact = state.v[v];
  if (fact.is_any() && (fact.has_pattern() || (v > 0 && state.v[v - 1].is_wide_pattern())))
    return builder_.CreateLoad(ir_.i32(), lanes_[v][q]);
  if (fact.is_any()) return builder_.CreateExtractElement(strip(v, q, state), uint64_t(0));
  const uint32_t held = fact.source_strip(q);
  if (held == q || fact.same_in_wave()) return builder_.CreateLoad(ir_.i32(), lanes_[v][held]);
  if (fact.is_pair_low()) return builder_.CreateTrunc(pair_base(v, q, state), ir_.i32());
  if (fact.is_pair_high())
    return builder_.CreateTrunc(builder_.CreateLShr(pair_base(fact.partner(), q, state), 32), ir_.i32());
  return builder_.CreateAdd(builder_.CreateLoad(ir_.i32(), lanes_[v][held]),
                            ir_.constant(uint32_t(fact.stride()) * kStripLanes * (q - held)));
}

Value* VectorRegisters::strip(uint32_t v, uint32_t q, const State& state) {
  const Fact& fact = state.v[v];
  if (fact.is_any()) return builder_.CreateLoad(ir_.strip_type(), strips_[v][q]);
  if (fact.is_affine()) {
    Value* base = ir_.splat(lane(v, q, state));
    if (fact.stride() == 0) return base;
    Value* step = builder_.CreateMul(ir_.iota(), ir_.splat(ir_.constant(uint32_t(fact.stride()))));
    return builder_.CreateAdd(base, step);
  }
  const uint32_t low = fact.is_pair_low() ? v : fact.partner();
  Value* base = pair_base(low, q, state);
  std::vector<uint64_t> steps(kStripLanes);
  for (uint32_t l = 0; l < kStripLanes; ++l) steps[l] = uint64_t(int64_t(fact.stride()) * l);
  Value* all = builder_.CreateAdd(ir_.splat(base), llvm::ConstantDataVector::get(builder_.getContext(), steps));
  if (v != low) all = builder_.CreateLShr(all, 32);
  return builder_.CreateTrunc(all, ir_.strip_type());
}

Value* VectorRegisters::operand_strip(const Operand& o, uint32_t dword, uint32_t q, const State& state) {
  if (o.bank == Bank::Vgpr || o.bank == Bank::Agpr) return strip(vgpr_of(o, dword), q, state);
  return ir_.splat(scalars_.operand(o, dword));
}

Value* VectorRegisters::operand_lane(const Operand& o, uint32_t dword, uint32_t q, const State& state) {
  if (o.bank == Bank::Vgpr || o.bank == Bank::Agpr) return lane(vgpr_of(o, dword), q, state);
  return scalars_.operand(o, dword);
}

Value* VectorRegisters::operand_lane64(const Operand& o, uint32_t q, const State& state) {
  Value* low = operand_lane(o, 0, q, state);
  return ir_.joined(low, operand_lane(o, 1, q, state));
}

void VectorRegisters::set_strip(uint32_t v, uint32_t q, Value* value) {
  if (q == 0 && observer_) observer_->vgpr_changes(v);
  builder_.CreateStore(value, strips_[v][q]);
}

void VectorRegisters::set_lane(uint32_t v, uint32_t q, Value* value) {
  if (q == 0 && observer_) observer_->vgpr_changes(v);
  builder_.CreateStore(value, lanes_[v][q]);
}

void VectorRegisters::set_loaded(const std::vector<LoadedStrip>& loaded, const State& after) {
  for (const LoadedStrip& l : loaded) {
    if (!after.v[l.v].is_any())
      set_lane(l.v, l.strip, l.value);
    else
      set_strip(l.v, l.strip, l.value);
  }
}

Value* VectorRegisters::strip_pattern(const Fact& fact, uint32_t v) {
  if (fact.is_affine())
    return builder_.CreateMul(ir_.iota(), ir_.splat(ir_.constant(uint32_t(fact.stride()))));
  return builder_.CreateLoad(ir_.strip_type(), patterns_[v]);
}

Value* VectorRegisters::pattern_of(const Operand& o, const State& state) {
  const Fact fact = operand_fact(state, o, 0);
  return fact.is_uniform() ? nullptr : strip_pattern(fact, vgpr_of(o));
}

void VectorRegisters::set_pattern(uint32_t v, const PatternedNumber& number) {
  for (uint32_t q = 0; q < ir_.strips(); ++q) builder_.CreateStore(number.first[q], lanes_[v][q]);
  builder_.CreateStore(number.pattern, patterns_[v]);
}

void VectorRegisters::set_wide_pattern(uint32_t v, const PatternedNumber& low,
                                       const std::array<Value*, kMaxStrips>& high, Value* fits) {
  set_pattern(v, low);
  set_wide_half(v, high, fits);
}

void VectorRegisters::set_wide_half(uint32_t v, const std::array<Value*, kMaxStrips>& high, Value* fits) {
  for (uint32_t q = 0; q < ir_.strips(); ++q) builder_.CreateStore(high[q], lanes_[v + 1][q]);
  builder_.CreateStore(fits, fits_[v]);
}

void VectorRegisters::load_pattern(uint32_t v, const Fact& fact) {
  PatternedNumber number;
  for (uint32_t q = 0; q < ir_.strips(); ++q) number.first[q] = builder_.CreateLoad(ir_.i32(), wave_.vgpr(v, q));
  Value* lanes = builder_.CreateAlignedLoad(ir_.strip_type(), wave_.vgpr(v, 0), llvm::Align(64));
  number.pattern = builder_.CreateSub(lanes, ir_.splat(number.first[0]));
  set_pattern(v, number);
  if (!fact.is_wide_pattern()) return;
  for (uint32_t q = 0; q < ir_.strips(); ++q)
    builder_.CreateStore(builder_.CreateLoad(ir_.i32(), wave_.vgpr(v + 1, q)), lanes_[v + 1][q]);
  builder_.CreateStore(builder_.getFalse(), fits_[v]); // nobody has looked
}

void VectorRegisters::split_pairs(const Instr& i, const State& before, const State& after) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (exists(r) && !i.writes.v[r] && !before.v[r].is_any() && after.v[r].is_any())
      for (uint32_t q = 0; q < ir_.strips(); ++q) set_strip(r, q, strip(r, q, before));
}

void VectorRegisters::hold_lanes(uint32_t v, const State& before, const State& after) {
  const Fact &was = before.v[v], &is = after.v[v];
  if (was.is_any() || is.is_any()) return;
  for (uint32_t q = 1; q < ir_.strips(); ++q)
    if (is.is_source_strip(q) && !was.is_source_strip(q)) builder_.CreateStore(lane(v, q, before), lanes_[v][q]);
}

void VectorRegisters::convert(const State& state, const State& expected, const Registers& live) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!exists(r) || state.v[r].is_any()) continue;
    if (!live.v[r] && !expected.v[r].is_any()) continue;
    if (expected.v[r].is_any()) {
      if (!live.v[r]) continue;
      for (uint32_t q = 0; q < ir_.strips(); ++q) hold_strip(r, q, strip(r, q, state));
      if (expected.v[r].has_pattern()) {
        PatternedNumber number;
        for (uint32_t q = 0; q < ir_.strips(); ++q) number.first[q] = lane(r, q, state);
        number.pattern = strip_pattern(state.v[r], r);
        set_pattern(r, number);
      }
    } else {
      hold_lanes(r, state, expected);
    }
  }
}

void VectorRegisters::load(const FlowPoint& point, const State& state, Value* item_ids) {
  // Where a kernel starts only work-item ids are defined; the others become 0.
  const bool undefined = plan_.is_kernel_entry(point.node);
  // Whether the row does not change while the region runs, so that LLVM may load it where it is used (codegen/sink_rare.h).
  const auto stays = [&](uint32_t r) {
    return !plan_.calls_handlers() && !plan_.in_block()[r] && !plan_.loaded_to_block()[r];
  };
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!exists(r)) continue;
    if (undefined && r >= plan_.item_id_vgprs()) {
      for (uint32_t q = 0; q < ir_.strips(); ++q) hold_strip(r, q, llvm::Constant::getNullValue(ir_.strip_type()));
      continue;
    }
    const Fact& fact = state.v[r];
    const bool ids = item_ids && r < plan_.item_id_vgprs();
    if (fact.has_pattern()) load_pattern(r, fact);
    if (plan_.in_block()[r] && fact.is_any() && !ids) continue;
    for (uint32_t q = 0; q < ir_.strips(); ++q) {
      if (!fact.is_any() && !fact.is_source_strip(q)) continue;
      Value* from = ids ? ir_.byte_at(item_ids, r * kRowBytes + q * kStripLanes * 4) : wave_.vgpr(r, q);
      llvm::LoadInst* load = fact.is_any() ? builder_.CreateAlignedLoad(ir_.strip_type(), from, llvm::Align(ids ? 4 : 64))
                                        : builder_.CreateLoad(ir_.i32(), from);
      if (stays(r)) load->setMetadata(kRowMetadata, llvm::MDNode::get(builder_.getContext(), {}));
      builder_.CreateStore(load, fact.is_any() ? strips_[r][q] : lanes_[r][q]);
    }
  }
}

void VectorRegisters::store(const std::bitset<kMaxVgprs>& which, const State& state) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    for (uint32_t q = 0; which[r] && q < ir_.strips(); ++q) {
      Value* value = strip(r, q, state);
      builder_.CreateAlignedStore(value, wave_.vgpr(r, q), llvm::Align(64));
    }
}

void VectorRegisters::store_lanes(uint32_t v, const Fact& expected, const State& state) {
  for (uint32_t q = 0; q < ir_.strips(); ++q) {
    if (!expected.is_source_strip(q)) continue;
    Value* value = lane(v, q, state);
    builder_.CreateStore(value, wave_.vgpr(v, q));
  }
}

void VectorRegisters::store_pair_lanes(uint32_t low, const State& state) {
  for (uint32_t q = 0; q < ir_.strips(); ++q)
    if (state.v[low].is_source_strip(q)) builder_.CreateAlignedStore(pair_base(low, q, state), wave_.vgpr(low, q), llvm::Align(8));
}

void VectorRegisters::reload(const std::bitset<kMaxVgprs>& which) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    for (uint32_t q = 0; which[r] && q < ir_.strips(); ++q)
      set_strip(r, q, builder_.CreateAlignedLoad(ir_.strip_type(), wave_.vgpr(r, q), llvm::Align(64)));
}

} // namespace hip::engine::compile
