// runtime/engine/compile/emit/emit.cpp - see emit.h: entry, exits, and the way from point to point.
#include "runtime/engine/compile/emit/emit.h"

#include "runtime/engine/compile/codegen/merge_exits.h"
#include "runtime/engine/compile/translator.h"

#include <llvm/IR/MDBuilder.h>

namespace hip::engine::compile {

using llvm::BasicBlock;

RegionEmitter::RegionEmitter(const FunctionAnalysis& function, uint32_t number, const std::string& name,
                             Library& library, PrefetchPlan& prefetches, llvm::DISubprogram* scope)
    : function_(function), code_(function.code), facts_(function.facts), prefetches_(prefetches),
      plan_(function, number), ir_(library.module(), name, scope, function.code.lanes), builder_(ir_.builder()),
      wave_(ir_), scalars_(ir_, wave_), vectors_(ir_, wave_, scalars_, plan_),
      loop_(ir_, wave_, plan_, library.module()), side_exits_(ir_, wave_, vectors_, loop_, library.module()),
      rows_(plan_), context_{function_, plan_, library, ir_, wave_, scalars_, vectors_}, float_control_(context_),
      tiles_(context_), addresses_(context_), handlers_(context_, tiles_), probes_(context_, handlers_),
      scratch_(context_, handlers_), checks_(context_, addresses_, scratch_), scalar_(context_, addresses_),
      valu_calls_(context_), lanes_(context_), compare_(context_, valu_calls_), patterns_(context_, valu_calls_),
      wide_patterns_(context_, valu_calls_), valu_(context_, valu_calls_, lanes_, compare_, patterns_, wide_patterns_),
      prefetcher_(context_, addresses_, prefetches), streams_(context_, addresses_, prefetcher_),
      pattern_accesses_(context_),
      memory_(context_, {addresses_, rows_, streams_, prefetcher_, tiles_, pattern_accesses_, wide_patterns_}),
      matrix_operands_(context_), coarse_sums_(context_), matrix_(context_, matrix_operands_, coarse_sums_, tiles_) {
  vectors_.set_observer(coarse_sums_);
}

EmittedRegion RegionEmitter::emit() {
  emit_entry();
  while (!todo_.empty()) {
    const FlowPoint point = todo_.back();
    todo_.pop_back();
    emit_point(point);
  }
  side_exits_.emit();
  loop_.end();
  return {loop_.take_exits(), handlers_.take_calls(), plan_.starts()};
}

void RegionEmitter::emit_entry() {
  const uint32_t header = plan_.header();
  // The entry block runs once per call, so it reads what is the same in all waves of a group.
  wave_.load_group_fields();
  scalars_.allocate(plan_.touched(), plan_.starts() ? ScalarRegisters::LoadIn::Entry : ScalarRegisters::LoadIn::Begin);
  scalar_.allocate();
  loop_.load_batch();
  builder_.SetInsertPoint(ir_.begin());
  ir_.set_instruction(code_.nodes[header].first);
  loop_.begin();
  if (plan_.batches()) prefetches_.begins(header, ir_.begin(), wave_.pointer());
  wave_.load_wave_fields();
  vectors_.allocate();
  coarse_sums_.allocate();
  loop_.store_pc();
  const bool full = plan_.starts() || (plan_.batches() && plan_.always_full(header));
  Value* exec =
      full ? static_cast<Value*>(ir_.all_lanes()) : wave_.load(ir_.i64(), Wave::sgpr_offset(kExecLo));
  scalars_.load(exec);
  choose_version(
      exec,
      [&](Version v) {
        return facts_.at({header, v}).reached;
      },
      [&](Version v) {
        const State& state = facts_.at({header, v});
        scalars_.load_constants(state);
        vectors_.load({header, v}, state, loop_.item_ids());
        builder_.CreateBr(block_of({header, v}));
      });
  loop_.end_entry();
}

BasicBlock* RegionEmitter::block_of(const FlowPoint& point) {
  BasicBlock*& block = blocks_[point.index()];
  if (!block) {
    block = ir_.new_block("place");
    todo_.push_back(point);
  }
  return block;
}

// Branches to the code that `emit` makes for each version that is possible.
void RegionEmitter::choose_version(Value* exec, llvm::function_ref<bool(Version)> possible,
                                   llvm::function_ref<void(Version)> emit) {
  std::vector<Version> left;
  for (Version v : {Version::Full, Version::Partial, Version::Empty})
    if (possible(v)) left.push_back(v);
  for (size_t k = 0; k < left.size(); ++k) {
    if (k + 1 == left.size()) return emit(left[k]);
    BasicBlock *yes = ir_.new_block("version"), *no = ir_.new_block("other");
    Value* is = nullptr;
    if (left[k] == Version::Full)
      is = builder_.CreateICmpEQ(exec, ir_.all_lanes());
    else // only Empty is left beside it
      is = builder_.CreateICmpNE(exec, builder_.getInt64(0));
    builder_.CreateCondBr(is, yes, no);
    builder_.SetInsertPoint(yes);
    emit(left[k]);
    builder_.SetInsertPoint(no);
  }
  builder_.CreateUnreachable();
}

void RegionEmitter::begin_point(const FlowPoint& point) {
  builder_.SetInsertPoint(blocks_.at(point.index()));
  scalars_.set_version(point.version);
  rows_.begin_point(point);
  tiles_.begin_point(point);
  checks_.begin_point(point);
  matrix_operands_.begin_point();
  compare_.begin_point();
  valu_.begin_point(point);
  pattern_accesses_.begin_point();
}

void RegionEmitter::emit_point(const FlowPoint& point) {
  begin_point(point);
  State state = facts_.at(point);
  const Node& node = code_.nodes[point.node];
  for (uint32_t k = node.first; k <= node.last; ++k) {
    const Instr& i = code_.instrs[k];
    ir_.set_instruction(k);
    if (Value* ok = checks_.before(point, k, state)) {
      float_control_.reset();
      side_exit_unless(ok, point, k, state);
    }
    if (i.is_ahead || (i.may_be_ahead && !plan_.starts())) {
      float_control_.reset();
      side_exit_unless(matrix_.is_expected(i), point, k, state);
      if (i.is_ahead) matrix_.pass_over(i);
    }
    if (plan_.in_block().any()) float_control_.reset(); // for matrix products that have waited
    const State before = state;
    valu_.remember(k, before);
    facts_.step(i, point.version, state);
    vectors_.split_pairs(i, before, state);
    if (i.kind != Kind::Matrix && i.kind != Kind::Barrier) matrix_.finish(i.reads.v | i.writes.v, i.writes.v);
    compare_.before(i, point.version, before);
    float_control_.before(i);
    probes_.before(k, point, before);
    emit_instruction(i, point, before, state);
    rows_.step(i, point.version);
    matrix_operands_.behind(i.writes);
    compare_.behind(i);
    if (i.kind == Kind::Memory) matrix_operands_.prepare_ahead(point, k, state);
  }
  float_control_.reset();
  matrix_.finish_all();
  emit_end(point, state);
}

void RegionEmitter::emit_instruction(const Instr& i, const FlowPoint& point, const State& before, const State& after) {
  const bool some_lanes = point.version != Version::Empty;
  switch (i.kind) {
  case Kind::Valu:
    return valu_.emit(i, point.version, before, after);
  case Kind::Salu:
    return scalar_.compute(i);
  case Kind::GetPc:
    return scalar_.get_pc(i);
  case Kind::Memory:
    if (some_lanes) memory_.emit(i, point, before, after);
    return;
  case Kind::Scratch:
    if (some_lanes) scratch_.emit(i, point.version, before);
    return;
  case Kind::Permute:
    if (some_lanes) lanes_.use_crossbar(i, point.version, before);
    return;
  case Kind::Called:
    return handlers_.emit(i, point.version, before);
  case Kind::ScalarLoad:
    if (facts_.start().without_facts) return load_from_anywhere(i, point, before);
    return scalar_.load(i, before);
  case Kind::ReadLane:
    return lanes_.read_lane(i, point.version, before);
  case Kind::WriteLane:
    return lanes_.write_lane(i, before);
  case Kind::Matrix:
    return matrix_.emit(i, before);
  case Kind::Nothing:
    // Stores in front of a release are not moved behind it, nor loads behind an invalidation in front of it.
    if (i.raw.releases || row_of(i.raw.opcode).cache == CacheEffect::Invalidates) ir_.fence();
    return;
  case Kind::Barrier:
    return matrix_.compute_ahead(code_.nodes[point.node].ahead, before);
  case Kind::Branch:
  case Kind::CondBranch:
  case Kind::End:
  case Kind::Foreign:
    return;
  }
}

// Tier 0's handler executes a scalar load from other memory than the arena.
void RegionEmitter::load_from_anywhere(const Instr& i, const FlowPoint& point, const State& before) {
  llvm::BasicBlock *inside = ir_.new_block("inside"), *outside = ir_.new_block("outside"), *loaded = ir_.new_block("loaded");
  llvm::MDNode* likely = llvm::MDBuilder(builder_.getContext()).createLikelyBranchWeights();
  builder_.CreateCondBr(checks_.loads_from_arena(i), inside, outside, likely);
  builder_.SetInsertPoint(inside);
  scalar_.load(i, before);
  builder_.CreateBr(loaded);
  builder_.SetInsertPoint(outside);
  handlers_.emit(i, point.version, before);
  builder_.CreateBr(loaded);
  builder_.SetInsertPoint(loaded);
}

void RegionEmitter::emit_end(const FlowPoint& point, const State& state) {
  const Node& node = code_.nodes[point.node];
  const Instr& last = code_.last(node);
  if (last.kind == Kind::End) return loop_.end_wave();
  if (last.kind == Kind::Barrier) return arrive_at_barrier(point, state);
  const Ways way = ways(code_, point);
  auto to_next = [&](Version version) {
    if (node.next != kNoNode) return branch_to({node.next, version}, state, point.node);
    Registers all;
    all.v.set(), all.s.set();
    store_changes(all, state, rows_.changed());
    loop_.leave(code_.end);
  };
  if (last.writes_exec) { // which version goes on
    const auto possible = [&](Version v) { return follows(last, point.version, v) && Facts::may_be(last, state, v); };
    return choose_version(scalars_.held_exec(), possible, to_next);
  }
  if (!way.taken) return to_next(point.version);
  const FlowPoint taken{node.taken, point.version};
  if (!way.next) return branch_to(taken, state, point.node);
  Value* condition = nullptr;
  Value* zero = builder_.getInt64(0);
  switch (last.condition) {
  case BranchCondition::Scc0:
    condition = builder_.CreateICmpEQ(scalars_.scc(), ir_.constant(0));
    break;
  case BranchCondition::Scc1:
    condition = builder_.CreateICmpNE(scalars_.scc(), ir_.constant(0));
    break;
  case BranchCondition::Vccz:
    condition = builder_.CreateICmpEQ(scalars_.lanes(kVccLo), zero);
    break;
  case BranchCondition::Vccnz:
    condition = builder_.CreateICmpNE(scalars_.lanes(kVccLo), zero);
    break;
  default:
    return to_next(point.version);
  }
  BasicBlock *yes = ir_.new_block("yes"), *no = ir_.new_block("no");
  builder_.CreateCondBr(condition, yes, no);
  builder_.SetInsertPoint(yes);
  branch_to(taken, state, point.node);
  builder_.SetInsertPoint(no);
  to_next(point.version);
}

void RegionEmitter::branch_to(const FlowPoint& to, const State& state, uint32_t from_node) {
  const bool backward = to.node <= from_node;
  if (!plan_.holds(to.node)) {
    store_changes(plan_.wanted(to), state, rows_.changed());
    if (backward) loop_.count_branch(address_of(to.node), waiting_loop_at(to.node), [] {});
    return loop_.leave(address_of(to.node));
  }
  if (backward && waiting_loop_at(to.node)) {
    ir_.fence(); // what is read next time is read then
    loop_.count_branch(address_of(to.node), waiting_loop_at(to.node),
                       [&] { store_changes(plan_.wanted(to), state, rows_.changed()); });
  }
  vectors_.convert(state, facts_.at(to), plan_.wanted(to));
  builder_.CreateBr(block_of(to));
}

const WaitingLoop* RegionEmitter::waiting_loop_at(uint32_t node) const {
  const auto& loop = code_.instrs[code_.nodes[node].first].waiting_loop;
  return loop ? &*loop : nullptr;
}

void RegionEmitter::side_exit_unless(Value* ok, const FlowPoint& point, uint32_t k, const State& state) {
  matrix_.finish_all(); // tier 0 wants the sums
  BasicBlock *on = ir_.new_block("on"), *side_exit = ir_.new_block("bail");
  llvm::MDBuilder weights(builder_.getContext());
  builder_.CreateCondBr(ok, on, side_exit, weights.createLikelyBranchWeights())
      ->setMetadata(kExitMetadata, llvm::MDNode::get(builder_.getContext(), {}));
  builder_.SetInsertPoint(side_exit);
  Registers live = function_.liveness.before(code_, point, k), changed = rows_.changed();
  State there = state;
  // Tier 0 executes the instructions that translated code has replaced by shorter ones, so it needs what these read.
  std::bitset<kMaxVgprs> rewritten;
  for (uint32_t later = k; later <= code_.nodes[point.node].last; ++later) {
    live.v |= code_.instrs[later].only_tier0_reads & ~rewritten;
    rewritten |= code_.instrs[later].writes.v;
  }
  // Tier 0 knows nothing of renamed registers: their values go back to the guest's registers.
  for (const Rename& rename : code_.renames) {
    if (k <= rename.first || k > rename.last || point.version == Version::Empty) continue;
    for (uint32_t q = 0; q < ir_.strips(); ++q) {
      Value* v = vectors_.strip(rename.instead, q, state);
      if (point.version == Version::Partial) {
        Value* active = ir_.bools(ir_.strip_mask(scalars_.exec(), q));
        v = builder_.CreateSelect(active, v, vectors_.strip(rename.guest, q, state));
      }
      vectors_.hold_strip(rename.guest, q, v);
    }
    there.v[rename.guest] = Fact::any();
    live.v.set(rename.guest), changed.v.set(rename.guest);
  }
  probes_.leave();
  store_scalars(live, changed);
  side_exits_.leave(code_.instrs[k].raw.address | Translation::kTierZero, changed_rows(live, there, changed), there);
  builder_.SetInsertPoint(on);
}

std::bitset<kMaxVgprs> RegionEmitter::changed_rows(const Registers& live, const State& state,
                                                   const Registers& changed) const {
  std::bitset<kMaxVgprs> rows = changed.v & live.v & ~rows_.stored();
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (!vectors_.exists(r) || (plan_.in_block()[r] && !plan_.in_frame()[r] && state.v[r].is_any())) rows.reset(r);
  return rows;
}

void RegionEmitter::store_scalars(const Registers& live, const Registers& changed) {
  scalars_.store({{}, changed.s & live.s});
  if (changed.s[kExecLo]) scalars_.store_exec();
}

void RegionEmitter::store_changes(const Registers& live, const State& state, const Registers& changed) {
  vectors_.store(changed_rows(live, state, changed), state);
  store_scalars(live, changed);
}

// The wave goes on behind the barrier when all others of its group have reached it: in a region, whose waves may arrive
// together, or in tier 0.
void RegionEmitter::arrive_at_barrier(const FlowPoint& point, const State& state) {
  Registers changed = plan_.writes(point);
  const Node& node = code_.nodes[point.node];
  for (uint32_t k = node.first; k <= node.last; ++k) RegionPlan::add_writes(code_.instrs[k], point.version, changed);
  const uint32_t behind = node.next;
  const Stop why = code_.last(node).catches_up ? Stop::CatchUp : Stop::Barrier;
  if (behind == kNoNode || function_.regions.headed[behind] == kNoNode) {
    changed.add(plan_.initial());
    Registers live;
    if (behind == kNoNode) // the function ends
      live.v.set(), live.s.set();
    else
      live = function_.liveness.in({behind, point.version});
    store_changes(live, state, changed);
    return loop_.stop_at_barrier(why, behind == kNoNode ? code_.end : address_of(behind), WaveLoop::Behind::Elsewhere);
  }
  const FlowPoint to{behind, point.version};
  Registers live = function_.liveness.in(to);
  const State& expected = facts_.at(to);
  const std::bitset<kMaxVgprs> rows = plan_.short_rows(to);
  // A row that held lane 0s when the region was entered may be expected as other lane 0s, or in full: then it is stored.
  for (uint32_t r = 0; r < kMaxVgprs && !plan_.starts(); ++r)
    for (Version v : kAllVersions) {
      const State& entered = facts_.at({plan_.header(), v});
      if (!plan_.initial().v[r] || !entered.reached) continue;
      if (!rows[r] || !entered.v[r].has_same_sources(expected.v[r])) changed.v.set(r);
    }
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (rows[r] && changed.v[r]) vectors_.store_lanes(r, expected.v[r], state);
  live.v &= ~rows;
  if (plan_.always_full(behind))
    changed.s.reset(kExecLo);
  else if (plan_.initial().s[kExecLo])
    changed.s.set(kExecLo);
  store_changes(live, state, changed);
  loop_.stop_at_barrier(why, address_of(behind), WaveLoop::Behind::Region);
}

} // namespace hip::engine::compile
