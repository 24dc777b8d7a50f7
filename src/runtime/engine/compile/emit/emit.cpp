// runtime/engine/compile/emit/emit.cpp - see emit.h: entry, exits, and the way from place to place.
#include "runtime/engine/compile/emit/emit.h"

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/compile/translator.h"

#include <bit>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace hip::engine::compile {

using llvm::BasicBlock;

RegionEmitter::RegionEmitter(const Code& code, const Facts& facts, const Liveness& liveness, const Regions& regions,
                             Library& library, PrefetchPlan& prefetches, llvm::DISubprogram* scope, bool is_kernel)
    : code_(code), facts_(facts), liveness_(liveness), regions_(regions), library_(library), prefetches_(prefetches), scope_(scope),
      is_kernel_(is_kernel), builder_(library.module().getContext()) {}

Exits RegionEmitter::emit(uint32_t number, const std::string& name) {
  number_ = number;
  llvm::Module& module = library_.module();
  llvm::Type* pointer = builder_.getPtrTy();
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {pointer, pointer}, false);
  function_ = llvm::Function::Create(type, llvm::Function::ExternalLinkage, name, module);
  function_->setCallingConv(llvm::CallingConv::PreserveNone);
  function_->addFnAttr(llvm::Attribute::NoUnwind);
  wave_ = function_->getArg(0), inst_ = function_->getArg(1);
  if (scope_) {
    // One subprogram per function, all in one "file"; a line is an instruction's number.
    auto* sub = llvm::DISubprogram::getDistinct(
        module.getContext(), scope_->getScope(), name, name, scope_->getFile(), 1, scope_->getType(), 1, nullptr, 0, 0,
        llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized, scope_->getUnit());
    function_->setSubprogram(sub);
  }
  batches_ = regions_.regions[number].batches;
  inside_.assign(code_.nodes.size(), false);
  for (uint32_t n : regions_.regions[number].nodes) {
    inside_[n] = true;
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      const Instr& i = code_.instrs[k];
      touched_.add(i.reads);
      touched_.add(i.writes);
      if (i.kind == Kind::Matrix) in_block_ |= i.writes.v;
      if (i.kind == Kind::Memory && code_.last(code_.nodes[n]).kind == Kind::Barrier) loaded_to_block_ |= i.writes.v;
      calls_handlers_ |= i.kind == Kind::Called || i.kind == Kind::Scratch;
    }
  }
  find_initial();
  plan_prefetches();
  plan_lines();
  plan_streams();
  touch_pairs();
  changes_ = find_changes(initial_);
  writes_ = starts_ ? changes_ : find_changes({});
  emit_entry();
  while (!todo_.empty()) {
    const Place place = todo_.back();
    todo_.pop_back();
    emit_place(place);
  }
  end_batch();
  return std::move(exits_);
}

// The value of half a pair takes both.
void RegionEmitter::touch_pairs() {
  for (uint32_t n : regions_.regions[number_].nodes)
    for (Version v : kAllVersions) {
      const State& state = facts_.at({n, v});
      for (uint32_t r = 0; state.reached && r + 1 < kMaxVgprs; ++r)
        if ((state.v[r].kind == Fact::Kind::PairLo || state.v[r].wide) && (touched_.v[r] || touched_.v[r + 1])) touched_.v.set(r), touched_.v.set(r + 1);
    }
}

// Where one half of a pair is written, the other, which goes on, stands for itself from there on.
void RegionEmitter::split_pairs(const Instr& i, const State& before, const State& after) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (strips_[r][0] && !i.writes.v[r] && !before.v[r].any() && after.v[r].any())
      for (uint32_t q = 0; q < kStripCount; ++q) set_strip(r, q, strip_value(r, q, before));
}

void RegionEmitter::add_writes(const Instr& i, Version version, Registers& changed) {
  changed.s |= i.writes.s;
  if (version != Version::Empty || i.ignores_exec()) changed.v |= i.writes.v;
}

std::map<uint32_t, Registers> RegionEmitter::find_changes(const Registers& before) const {
  std::map<uint32_t, Registers> changes;
  const uint32_t header = regions_.regions[number_].header;
  std::vector<Place> todo;
  for (Version v : kAllVersions) {
    if (!facts_.at({header, v}).reached) continue;
    changes[Place{header, v}.index()] = before;
    todo.push_back({header, v});
  }
  while (!todo.empty()) {
    const Place place = todo.back();
    todo.pop_back();
    Registers out = changes[place.index()];
    const Node& node = code_.nodes[place.node];
    for (uint32_t k = node.first; k <= node.last; ++k) add_writes(code_.instrs[k], place.version, out);
    for_successors(code_, place, [&](const Place& to) {
      if (!holds(to.node) || code_.last(node).kind == Kind::Barrier) return;
      auto [it, fresh] = changes.try_emplace(to.index());
      const Registers known = it->second;
      it->second.add(out);
      if (fresh || it->second.v != known.v || it->second.s != known.s) todo.push_back(to);
    });
  }
  return changes;
}

BasicBlock* RegionEmitter::new_block(const char* name) {
  return BasicBlock::Create(builder_.getContext(), name, function_);
}

BasicBlock* RegionEmitter::block_of(const Place& place) {
  BasicBlock*& block = blocks_[place.index()];
  if (!block) {
    block = new_block("place");
    todo_.push_back(place);
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
    BasicBlock *yes = new_block("version"), *no = new_block("other");
    Value* is = nullptr;
    if (left[k] == Version::Full) {
      is = builder_.CreateICmpEQ(exec, builder_.getInt64(~0ull));
    } else { // only Empty is left beside it
      is = builder_.CreateICmpNE(exec, builder_.getInt64(0));
    }
    builder_.CreateCondBr(is, yes, no);
    builder_.SetInsertPoint(yes);
    emit(left[k]);
    builder_.SetInsertPoint(no);
  }
  builder_.CreateUnreachable();
}

void RegionEmitter::emit_place(const Place& place) {
  builder_.SetInsertPoint(blocks_.at(place.index()));
  State state = facts_.at(place);
  Registers changed = changes_.at(place.index());
  changed_ = &changed;
  count_sums(place.node);
  stored_.reset();
  version_ = place.version, node_ = place.node;
  checked_.assign(code_.instrs.size(), false);
  drop_all_prepared();
  ranges_.clear();
  remembered_.clear();
  ahead_.at = {};
  const Node& node = code_.nodes[place.node];
  for (uint32_t k = node.first; k <= node.last; ++k)
    if (code_.instrs[k].instead) remembered_[code_.instrs[k].instead_from] = {};
  for (uint32_t k = node.first; k <= node.last; ++k) {
    const Instr& i = code_.instrs[k];
    if (scope_)
      builder_.SetCurrentDebugLocation(llvm::DILocation::get(builder_.getContext(), k + 1, 0, function_->getSubprogram()));
    check_ahead(place, k, state, changed);
    const State before = state;
    remember(k, before);
    facts_.step(i, place.version, state);
    split_pairs(i, before, state);
    if (i.kind != Kind::Matrix) add_products_of(i.reads.v | i.writes.v);
    const std::optional<Range> range = place.version != Version::Empty ? range_of_result(i, before) : std::nullopt;
    switch (i.kind) {
    case Kind::Valu: emit_valu(i, place.version, before, state); break;
    case Kind::Salu: emit_salu(i); break;
    case Kind::GetPc: set_sgpr64(i.raw.sdst.index, builder_.CreateAdd(guest_begin(), builder_.getInt64(i.raw.address + 4))); break;
    case Kind::Memory:
      if (place.version != Version::Empty) emit_memory(i, place.version, before, state);
      break;
    case Kind::Scratch:
      if (place.version != Version::Empty) emit_scratch(i, place.version, before);
      break;
    case Kind::Permute:
      if (place.version != Version::Empty) emit_permute(i, place.version, before);
      break;
    case Kind::Called: emit_called(i, place.version, before); break;
    case Kind::ScalarLoad: emit_scalar_load(i, before); break;
    case Kind::ReadLane: emit_read_lane(i, before); break;
    case Kind::WriteLane: emit_write_lane(i, before); break;
    case Kind::Matrix: emit_matrix(i, before); break;
    case Kind::Nothing:
    case Kind::Branch:
    case Kind::CondBranch:
    case Kind::Barrier:
    case Kind::End:
    case Kind::Foreign: break;
    }
    add_writes(i, place.version, changed);
    drop_prepared(i.writes);
    stored_ = (stored_ & ~i.writes.v) | std::exchange(stored_next_, {});
    std::erase_if(ranges_, [&](const auto& known) { return i.writes.v[known.first]; });
    if (range && !range->same) ranges_.emplace(vgpr_of(i.raw.vdst), *range);
    if (i.kind == Kind::Memory) prepare_ahead(place, k, state);
  }
  add_all_products();
  emit_end(place, state, changed);
}

void RegionEmitter::emit_end(const Place& place, const State& state, const Registers& changed) {
  const Node& node = code_.nodes[place.node];
  const Instr& last = code_.last(node);
  if (last.kind == Kind::End) return end_wave();
  if (last.kind == Kind::Barrier) return arrive(place, state);
  const Ways way = ways(code_, place);
  auto to_next = [&](Version version) {
    if (node.next == kNoNode) {
      Registers all;
      all.v.set(), all.s.set();
      leave(code_.end, all, state, changed, false);
    } else {
      go({node.next, version}, state, changed, place.node);
    }
  };
  if (last.writes_exec) { // which version goes on
    Value* exec = builder_.CreateLoad(i64(), exec_);
    choose_version(exec, [&](Version v) { return follows(last, place.version, v) && Facts::may_be(last, state, v); }, to_next);
    return;
  }
  if (!way.taken) return to_next(place.version);
  const Place taken{node.taken, place.version};
  if (!way.next) return go(taken, state, changed, place.node);
  Value* condition = nullptr;
  Value* zero = builder_.getInt64(0);
  switch (last.condition) {
  case BranchCondition::Scc0: condition = builder_.CreateICmpEQ(scc(), constant(0)); break;
  case BranchCondition::Scc1: condition = builder_.CreateICmpNE(scc(), constant(0)); break;
  case BranchCondition::Vccz: condition = builder_.CreateICmpEQ(sgpr64(kVccLo), zero); break;
  case BranchCondition::Vccnz: condition = builder_.CreateICmpNE(sgpr64(kVccLo), zero); break;
  default: return to_next(place.version);
  }
  BasicBlock *yes = new_block("yes"), *no = new_block("no");
  builder_.CreateCondBr(condition, yes, no);
  builder_.SetInsertPoint(yes);
  go(taken, state, changed, place.node);
  builder_.SetInsertPoint(no);
  to_next(place.version);
}

void RegionEmitter::go(const Place& to, const State& state, const Registers& changed, uint32_t from_node) {
  if (!holds(to.node)) {
    leave(code_.instrs[code_.nodes[to.node].first].raw.address, wanted(to), state, changed, to.node <= from_node);
    return;
  }
  if (to.node <= from_node && code_.instrs[code_.nodes[to.node].first].counts_turns) count_turn(to, state, changed);
  join(to, state);
}

// One of the branches that a turn has.
llvm::Value* RegionEmitter::turn_is_over() {
  counts_turns_ = true;
  Value* budget = wave_field(offsetof(Wave, budget));
  Value* left = builder_.CreateSub(builder_.CreateLoad(i32(), budget), constant(1));
  builder_.CreateStore(left, budget);
  return builder_.CreateICmpSLT(left, constant(0));
}

// Before going back to the region's start: when the turn is over, the wave leaves and comes in there again.
void RegionEmitter::count_turn(const Place& to, const State& state, const Registers& changed) {
  fence(); // what is read next time is read then
  BasicBlock *over = new_block("over"), *on = new_block("on");
  builder_.CreateCondBr(turn_is_over(), over, on);
  builder_.SetInsertPoint(over);
  leave(code_.instrs[code_.nodes[to.node].first].raw.address, wanted(to), state, changed, true);
  builder_.SetInsertPoint(on);
}

// What is live at a place; of a pair's halves both, for the value of one may take the other.
Registers RegionEmitter::wanted(const Place& to) const {
  Registers out = liveness_.in(to);
  const State& state = facts_.at(to);
  for (uint32_t r = 0; state.reached && r + 1 < kMaxVgprs; ++r)
    if (state.v[r].kind == Fact::Kind::PairLo && (out.v[r] || out.v[r + 1])) out.v.set(r), out.v.set(r + 1);
  return out;
}

void RegionEmitter::join(const Place& to, const State& state) {
  // What the target knows less about becomes what it expects.
  const State& expected = facts_.at(to);
  const Registers live = wanted(to);
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!strips_[r][0] || state.v[r].any()) continue;
    if (!live.v[r] && !expected.v[r].any()) continue;
    if (expected.v[r].any()) {
      if (!live.v[r]) continue;
      for (uint32_t q = 0; q < kStripCount; ++q) builder_.CreateStore(strip_value(r, q, state), strips_[r][q]);
      if (expected.v[r].pattern) {
        Patterned number;
        for (uint32_t q = 0; q < kStripCount; ++q) number.first[q] = lane_value(r, q, state);
        number.pattern = strip_pattern(state.v[r], r);
        set_pattern(r, number);
      }
    } else {
      for (uint32_t q = 1; q < kStripCount; ++q)
        if (expected.v[r].holds(q) && !state.v[r].holds(q)) builder_.CreateStore(lane_value(r, q, state), lanes_[r][q]);
    }
  }
  builder_.CreateBr(block_of(to));
}

void RegionEmitter::bail_unless(Value* ok, const Place& place, uint32_t k, const State& state, const Registers& changed) {
  add_all_products(); // tier 0 wants the sums
  BasicBlock *on = new_block("on"), *bail = new_block("bail");
  llvm::MDBuilder weights(builder_.getContext());
  builder_.CreateCondBr(ok, on, bail, weights.createLikelyBranchWeights());
  builder_.SetInsertPoint(bail);
  Registers live = liveness_.before(code_, place, k), altered = changed;
  State there = state;
  // What tier 0 goes on with it executes step by step.
  std::bitset<kMaxVgprs> rewritten;
  for (uint32_t later = k; later <= code_.nodes[place.node].last; ++later) {
    live.v |= code_.instrs[later].only_tier0_reads & ~rewritten;
    rewritten |= code_.instrs[later].writes.v;
  }
  // It knows nothing of other names.
  for (const Rename& rename : code_.renames) {
    if (k <= rename.first || k > rename.last || place.version == Version::Empty) continue;
    for (uint32_t q = 0; q < kStripCount; ++q) {
      Value* v = strip_value(rename.instead, q, state);
      if (place.version == Version::Partial)
        v = builder_.CreateSelect(bools(strip_mask(sgpr64(kExecLo), q)), v, strip_value(rename.guest, q, state));
      builder_.CreateStore(v, strips_[rename.guest][q]);
    }
    there.v[rename.guest] = kAnyFact;
    live.v.set(rename.guest), altered.v.set(rename.guest);
  }
  leave(code_.instrs[k].raw.address | Translation::kTierZero, live, there, altered, false);
  builder_.SetInsertPoint(on);
}

// The function's address, which a translation does not know: its elements do (imm[1]).
llvm::Value* RegionEmitter::guest_begin() {
  constexpr uint32_t kOffset = offsetof(Inst, imm) + sizeof(uint64_t);
  llvm::LoadInst* begin = builder_.CreateLoad(i64(), builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), inst_, kOffset));
  begin->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
  return begin;
}

// --- registers
llvm::Value* RegionEmitter::wave_field(uint32_t offset) {
  return builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), wave_, offset);
}
llvm::Value* RegionEmitter::iota() {
  std::vector<uint32_t> numbers(kStripLanes);
  for (uint32_t l = 0; l < kStripLanes; ++l) numbers[l] = l;
  return llvm::ConstantDataVector::get(builder_.getContext(), numbers);
}
llvm::AllocaInst* RegionEmitter::place_for(llvm::Type* type) {
  llvm::IRBuilderBase::InsertPointGuard guard(builder_);
  builder_.SetInsertPoint(entry_, entry_->begin());
  llvm::AllocaInst* place = builder_.CreateAlloca(type);
  place->setAlignment(llvm::Align(64));
  return place;
}

llvm::Value* RegionEmitter::pair_base(uint32_t low, uint32_t strip, const State& state) {
  const Fact& fact = state.v[low];
  const uint32_t held = fact.held(strip);
  Value* base = joined(builder_.CreateLoad(i32(), lanes_[low][held]), builder_.CreateLoad(i32(), lanes_[low + 1][held]));
  if (held == strip || fact.wave()) return base;
  return builder_.CreateAdd(base, builder_.getInt64(uint64_t(int64_t(fact.stride) * kStripLanes * (strip - held))));
}

llvm::Value* RegionEmitter::lane_value(uint32_t v, uint32_t strip, const State& state) {
  const Fact& fact = state.v[v];
  if (fact.any() && (fact.pattern || (v > 0 && state.v[v - 1].wide))) return builder_.CreateLoad(i32(), lanes_[v][strip]);
  if (fact.any()) return builder_.CreateExtractElement(strip_value(v, strip, state), uint64_t(0));
  const uint32_t held = fact.held(strip);
  if (held == strip || fact.wave()) return builder_.CreateLoad(i32(), lanes_[v][held]);
  if (fact.kind == Fact::Kind::PairLo) return builder_.CreateTrunc(pair_base(v, strip, state), i32());
  if (fact.kind == Fact::Kind::PairHi) return builder_.CreateTrunc(builder_.CreateLShr(pair_base(v - 1, strip, state), 32), i32());
  return builder_.CreateAdd(builder_.CreateLoad(i32(), lanes_[v][held]), constant(uint32_t(fact.stride) * kStripLanes * (strip - held)));
}

llvm::Value* RegionEmitter::strip_value(uint32_t v, uint32_t strip, const State& state) {
  llvm::Type* type = llvm::FixedVectorType::get(i32(), kStripLanes);
  const Fact& fact = state.v[v];
  if (fact.any()) return builder_.CreateLoad(type, strips_[v][strip]);
  if (fact.kind == Fact::Kind::Affine) {
    Value* base = builder_.CreateVectorSplat(kStripLanes, lane_value(v, strip, state));
    if (fact.stride == 0) return base;
    Value* step = builder_.CreateMul(iota(), builder_.CreateVectorSplat(kStripLanes, constant(uint32_t(fact.stride))));
    return builder_.CreateAdd(base, step);
  }
  const uint32_t low = fact.kind == Fact::Kind::PairLo ? v : v - 1;
  Value* base = pair_base(low, strip, state);
  std::vector<uint64_t> steps(kStripLanes);
  for (uint32_t l = 0; l < kStripLanes; ++l) steps[l] = uint64_t(int64_t(fact.stride) * l);
  Value* all = builder_.CreateAdd(builder_.CreateVectorSplat(kStripLanes, base),
                                  llvm::ConstantDataVector::get(builder_.getContext(), steps));
  if (v != low) all = builder_.CreateLShr(all, 32);
  return builder_.CreateTrunc(all, type);
}

llvm::Value* RegionEmitter::scalar(const Operand& o, uint32_t dword) {
  switch (o.bank) {
  case Bank::Sgpr: return sgpr(o.index + dword);
  case Bank::Special:
    if (o.index == kSccSource) return scc();
    return builder_.CreateLoad(i32(), wave_field((o.index == kSharedBaseSource ? offsetof(Wave, shared_aperture)
                                                                              : offsetof(Wave, private_aperture)) + 4 * dword));
  default: return constant(uint32_t(o.imm >> (32 * dword)));
  }
}
llvm::Value* RegionEmitter::scalar64(const Operand& o) {
  if (o.is_constant()) return builder_.getInt64(o.imm);
  if (o.bank == Bank::Sgpr) return sgpr64(o.index);
  if (o.index == kSccSource) return builder_.CreateZExt(scc(), i64());
  return joined(scalar(o, 0), scalar(o, 1));
}
llvm::Value* RegionEmitter::operand_strip(const Operand& o, uint32_t dword, uint32_t strip, const State& state) {
  if (o.bank == Bank::Vgpr || o.bank == Bank::Agpr) return strip_value(vgpr_of(o, dword), strip, state);
  return builder_.CreateVectorSplat(kStripLanes, scalar(o, dword));
}
llvm::Value* RegionEmitter::operand_lane(const Operand& o, uint32_t dword, uint32_t strip, const State& state) {
  if (o.bank == Bank::Vgpr || o.bank == Bank::Agpr) return lane_value(vgpr_of(o, dword), strip, state);
  return scalar(o, dword);
}

llvm::Value* RegionEmitter::sgpr(uint32_t n) {
  if (n == kExecLo || n == kExecHi) {
    Value* exec = version_ == Version::Full    ? static_cast<Value*>(builder_.getInt64(~0ull))
                  : version_ == Version::Empty ? static_cast<Value*>(builder_.getInt64(0))
                                               : builder_.CreateLoad(i64(), exec_);
    return builder_.CreateTrunc(n == kExecHi ? builder_.CreateLShr(exec, 32) : exec, i32());
  }
  return builder_.CreateLoad(i32(), sgprs_[n]);
}
void RegionEmitter::set_sgpr(uint32_t n, Value* v) { builder_.CreateStore(v, sgprs_[n]); }
llvm::Value* RegionEmitter::sgpr64(uint32_t n) {
  if (n == kExecLo) {
    if (version_ == Version::Full) return builder_.getInt64(~0ull);
    if (version_ == Version::Empty) return builder_.getInt64(0);
    return builder_.CreateLoad(i64(), exec_);
  }
  return joined(sgpr(n), sgpr(n + 1));
}
void RegionEmitter::set_sgpr64(uint32_t n, Value* v) {
  if (n == kExecLo) return set_exec(v);
  set_sgpr(n, builder_.CreateTrunc(v, i32()));
  set_sgpr(n + 1, builder_.CreateTrunc(builder_.CreateLShr(v, 32), i32()));
}
void RegionEmitter::set_exec(Value* v) { builder_.CreateStore(v, exec_); }
llvm::Value* RegionEmitter::scc() { return builder_.CreateLoad(i32(), scc_); }
llvm::Value* RegionEmitter::strip_mask(Value* mask64, uint32_t strip) {
  return builder_.CreateTrunc(builder_.CreateLShr(mask64, strip * kStripLanes), builder_.getInt16Ty());
}
llvm::Value* RegionEmitter::bools(Value* mask16) {
  return builder_.CreateBitCast(mask16, llvm::FixedVectorType::get(builder_.getInt1Ty(), kStripLanes));
}
void RegionEmitter::set_strip(uint32_t v, uint32_t strip, Value* value) {
  if (strip == 0) drop_sums(v, 1);
  builder_.CreateStore(value, strips_[v][strip]);
}
void RegionEmitter::set_lane(uint32_t v, uint32_t strip, Value* value) {
  if (strip == 0) drop_sums(v, 1);
  builder_.CreateStore(value, lanes_[v][strip]);
}

} // namespace hip::engine::compile
