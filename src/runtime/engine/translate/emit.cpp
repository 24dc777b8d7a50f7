// runtime/engine/translate/emit.cpp - see emit.h: entry, exits, and the way from place to place.
#include "runtime/engine/translate/emit.h"

#include "runtime/engine/exec/inst.h"
#include "runtime/engine/translate/translator.h"

#include <bit>

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace hip::engine::translate {

using llvm::BasicBlock;

RegionEmitter::RegionEmitter(const Code& code, const Facts& facts, const Liveness& liveness, const Regions& regions,
                             Library& library, llvm::DISubprogram* scope, bool is_kernel)
    : code_(code), facts_(facts), liveness_(liveness), regions_(regions), library_(library), scope_(scope), is_kernel_(is_kernel),
      builder_(library.module().getContext()) {}

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
  for (uint32_t n : regions_.regions[number].nodes)
    for (uint32_t k = code_.nodes[n].first; k <= code_.nodes[n].last; ++k) {
      touched_.add(code_.instrs[k].reads);
      touched_.add(code_.instrs[k].writes);
      if (code_.instrs[k].kind == Kind::Matrix) in_block_ |= code_.instrs[k].writes.v;
    }
  touch_pairs();
  find_changes();
  emit_entry();
  while (!todo_.empty()) {
    const Place place = todo_.back();
    todo_.pop_back();
    emit_place(place);
  }
  return std::move(exits_);
}

// The value of half a pair takes both.
void RegionEmitter::touch_pairs() {
  for (uint32_t n : regions_.regions[number_].nodes)
    for (Version v : kAllVersions) {
      const State& state = facts_.at({n, v});
      for (uint32_t r = 0; state.reached && r + 1 < kMaxVgprs; ++r)
        if (state.v[r].kind == Fact::Kind::PairLo && (touched_.v[r] || touched_.v[r + 1])) touched_.v.set(r), touched_.v.set(r + 1);
    }
}

// Where one half of a pair is written, the other, which goes on, stands for itself from there on.
void RegionEmitter::split_pairs(const Instr& i, const State& before, const State& after) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (strips_[r][0] && !i.writes.v[r] && !before.v[r].any() && after.v[r].any())
      for (uint32_t q = 0; q < kStripCount; ++q) set_strip(r, q, strip_value(r, q, before));
}

void RegionEmitter::find_changes() {
  const uint32_t header = regions_.regions[number_].header;
  std::vector<Place> todo;
  for (Version v : kAllVersions) {
    if (!facts_.at({header, v}).reached) continue;
    changes_[Place{header, v}.index()];
    todo.push_back({header, v});
  }
  while (!todo.empty()) {
    const Place place = todo.back();
    todo.pop_back();
    Registers out = changes_[place.index()];
    const Node& node = code_.nodes[place.node];
    for (uint32_t k = node.first; k <= node.last; ++k) {
      const Instr& i = code_.instrs[k];
      out.s |= i.writes.s;
      if (place.version != Version::Empty || i.ignores_exec()) out.v |= i.writes.v;
    }
    for_successors(code_, place, [&](const Place& to) {
      if (regions_.owner[to.node] != number_) return;
      auto [it, fresh] = changes_.try_emplace(to.index());
      const Registers before = it->second;
      it->second.add(out);
      if (fresh || it->second.v != before.v || it->second.s != before.s) todo.push_back(to);
    });
  }
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

void RegionEmitter::emit_entry() {
  entry_ = new_block("entry");
  BasicBlock* start = new_block("start");
  builder_.SetInsertPoint(entry_);
  // What no instruction of the wave changes is read once.
  auto fixed = [&](llvm::Type* type, uint32_t offset) { return builder_.CreateLoad(type, wave_field(offset)); };
  arena_base_ = fixed(i64(), offsetof(Wave, arena_base)), arena_bytes_ = fixed(i64(), offsetof(Wave, arena_bytes));
  lds_base_ = fixed(i64(), offsetof(Wave, lds));
  scratch_base_ = fixed(i64(), offsetof(Wave, scratch_base)), scratch_bytes_ = fixed(i64(), offsetof(Wave, scratch_bytes));
  lds_bytes_ = builder_.CreateZExt(fixed(i32(), offsetof(Wave, lds_bytes)), i64());
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (touched_.v[r])
      for (uint32_t q = 0; q < kStripCount; ++q) {
        if (in_block_[r])
          strips_[r][q] = wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4);
        else
          strips_[r][q] = builder_.CreateAlloca(strip);
        lanes_[r][q] = builder_.CreateAlloca(i32());
      }
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (touched_.s[r] && r != kExecLo && r != kExecHi) sgprs_[r] = builder_.CreateAlloca(i32());
  exec_ = builder_.CreateAlloca(i64());
  scc_ = builder_.CreateAlloca(i32());
  salu_out_ = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), sizeof(library::SaluOut)));
  salu_out_->setAlignment(llvm::Align(8));
  failed_ = new_block("failed");

  builder_.SetInsertPoint(failed_);
  builder_.CreateRetVoid();

  builder_.SetInsertPoint(start);
  find_sums();
  const uint32_t header = regions_.regions[number_].header;
  if (scope_)
    builder_.SetCurrentDebugLocation(
        llvm::DILocation::get(builder_.getContext(), code_.nodes[header].first + 1, 0, function_->getSubprogram()));
  builder_.CreateStore(inst_, wave_field(offsetof(Wave, pc)));
  Value* exec = builder_.CreateLoad(i64(), wave_field(Wave::sgpr_offset(kExecLo)));
  builder_.CreateStore(exec, exec_);
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (sgprs_[r]) builder_.CreateStore(builder_.CreateLoad(i32(), wave_field(Wave::sgpr_offset(r))), sgprs_[r]);
  builder_.CreateStore(builder_.CreateLoad(i32(), wave_field(offsetof(Wave, scc))), scc_);
  choose_version(exec, [&](Version v) { return facts_.at({header, v}).reached; }, [&](Version v) { load_place({header, v}); });

  builder_.SetInsertPoint(entry_);
  builder_.SetCurrentDebugLocation(llvm::DebugLoc());
  builder_.CreateBr(start);
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

void RegionEmitter::load_place(const Place& place) {
  const State& state = facts_.at(place);
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  const bool undefined = is_kernel_ && place.node == 0 && code_.nodes[0].from.empty();
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!strips_[r][0]) continue;
    if (undefined && r > 0) { // 0 is as good as anything
      for (uint32_t q = 0; q < kStripCount; ++q) builder_.CreateStore(llvm::Constant::getNullValue(strip), strips_[r][q]);
      continue;
    }
    const Fact& fact = state.v[r];
    if (in_block_[r] && fact.any()) continue;
    for (uint32_t q = 0; q < kStripCount; ++q) {
      if (!fact.any() && fact.single() && q > 0) break;
      Value* from = wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4);
      if (fact.any())
        builder_.CreateStore(builder_.CreateAlignedLoad(strip, from, llvm::Align(64)), strips_[r][q]);
      else
        builder_.CreateStore(builder_.CreateLoad(i32(), from), lanes_[r][q]);
    }
  }
  builder_.CreateBr(block_of(place));
}

void RegionEmitter::emit_place(const Place& place) {
  builder_.SetInsertPoint(blocks_.at(place.index()));
  State state = facts_.at(place);
  Registers changed = changes_.at(place.index());
  version_ = place.version;
  checked_.assign(code_.instrs.size(), false);
  drop_all_prepared();
  const Node& node = code_.nodes[place.node];
  for (uint32_t k = node.first; k <= node.last; ++k) {
    const Instr& i = code_.instrs[k];
    if (scope_)
      builder_.SetCurrentDebugLocation(llvm::DILocation::get(builder_.getContext(), k + 1, 0, function_->getSubprogram()));
    check_ahead(place, k, state, changed);
    const State before = state;
    facts_.step(i, place.version, state);
    split_pairs(i, before, state);
    if (i.kind != Kind::Matrix) add_products_of(i.reads.v | i.writes.v);
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
    case Kind::Foreign: break;
    }
    changed.s |= i.writes.s;
    if (place.version != Version::Empty || i.ignores_exec()) changed.v |= i.writes.v;
    drop_prepared(i.writes);
    if (i.kind == Kind::Memory) prepare_ahead(place, k, state);
  }
  add_all_products();
  emit_end(place, state, changed);
}

void RegionEmitter::emit_end(const Place& place, const State& state, const Registers& changed) {
  const Node& node = code_.nodes[place.node];
  const Instr& last = code_.last(node);
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
  case Condition::Scc0: condition = builder_.CreateICmpEQ(scc(), constant(0)); break;
  case Condition::Scc1: condition = builder_.CreateICmpNE(scc(), constant(0)); break;
  case Condition::Vccz: condition = builder_.CreateICmpEQ(sgpr64(kVccLo), zero); break;
  case Condition::Vccnz: condition = builder_.CreateICmpNE(sgpr64(kVccLo), zero); break;
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
  if (regions_.owner[to.node] != number_) {
    leave(code_.instrs[code_.nodes[to.node].first].raw.address, liveness_.in(to), state, changed, to.node <= from_node);
    return;
  }
  if (to.node <= from_node && code_.instrs[code_.nodes[to.node].first].counts_turns) count_turn(to, state, changed);
  join(to, state);
}

// One of the branches that a turn has.
llvm::Value* RegionEmitter::turn_is_over() {
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
  leave(code_.instrs[code_.nodes[to.node].first].raw.address, liveness_.in(to), state, changed, true);
  builder_.SetInsertPoint(on);
}

void RegionEmitter::join(const Place& to, const State& state) {
  // What the target knows less about becomes what it expects.
  const State& expected = facts_.at(to);
  const Registers& live = liveness_.in(to);
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!strips_[r][0] || state.v[r].any()) continue;
    if (!live.v[r] && !expected.v[r].any()) continue;
    if (expected.v[r].any()) {
      if (!live.v[r]) continue;
      for (uint32_t q = 0; q < kStripCount; ++q) builder_.CreateStore(strip_value(r, q, state), strips_[r][q]);
    } else if (state.v[r].single() && !expected.v[r].single()) {
      for (uint32_t q = 1; q < kStripCount; ++q) builder_.CreateStore(lane_value(r, q, state), lanes_[r][q]);
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
  leave(code_.instrs[k].raw.address | Translation::kTierZero, liveness_.before(code_, place, k), state, changed, false);
  builder_.SetInsertPoint(on);
}

void RegionEmitter::leave(uint64_t address, const Registers& live, const State& state, const Registers& changed, bool backward) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!changed.v[r] || !live.v[r] || !strips_[r][0] || (in_block_[r] && state.v[r].any())) continue;
    for (uint32_t q = 0; q < kStripCount; ++q)
      builder_.CreateAlignedStore(strip_value(r, q, state), wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4), llvm::Align(64));
  }
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (changed.s[r] && live.s[r] && sgprs_[r]) builder_.CreateStore(sgpr(r), wave_field(Wave::sgpr_offset(r)));
  if (changed.s[kScc] && live.s[kScc]) builder_.CreateStore(scc(), wave_field(offsetof(Wave, scc)));
  if (changed.s[kExecLo]) builder_.CreateStore(builder_.CreateLoad(i64(), exec_), wave_field(Wave::sgpr_offset(kExecLo)));

  uint32_t exit = 0;
  while (exit < exits_.size() && exits_[exit] != address) ++exit;
  if (exit == exits_.size()) exits_.push_back(address);
  llvm::Type* pointer = builder_.getPtrTy();
  Value* array = builder_.CreateLoad(pointer, builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), inst_, offsetof(Inst, imm)));
  Value* next = builder_.CreateLoad(pointer, builder_.CreateConstInBoundsGEP1_32(pointer, array, exit));
  if (backward) { // others get their turn, as in tier 0
    BasicBlock *yield = new_block("yield"), *on = new_block("on");
    builder_.CreateCondBr(turn_is_over(), yield, on);
    builder_.SetInsertPoint(yield);
    builder_.CreateStore(next, wave_field(offsetof(Wave, pc)));
    builder_.CreateStore(constant(uint32_t(Stop::Yield)), wave_field(offsetof(Wave, stop)));
    builder_.CreateRetVoid();
    builder_.SetInsertPoint(on);
  }
  Value* run = builder_.CreateLoad(pointer, builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), next, offsetof(Inst, run)));
  llvm::CallInst* jump = builder_.CreateCall(function_->getFunctionType(), run, {wave_, next});
  jump->setCallingConv(llvm::CallingConv::PreserveNone);
  jump->setTailCallKind(llvm::CallInst::TCK_MustTail);
  builder_.CreateRetVoid();
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
  const uint32_t held = state.v[low].single() ? 0 : strip;
  Value* base = joined(builder_.CreateLoad(i32(), lanes_[low][held]), builder_.CreateLoad(i32(), lanes_[low + 1][held]));
  const bool moves = state.v[low].span && !state.v[low].wave();
  return moves ? builder_.CreateAdd(base, builder_.getInt64(uint64_t(int64_t(state.v[low].stride) * kStripLanes * strip))) : base;
}

llvm::Value* RegionEmitter::lane_value(uint32_t v, uint32_t strip, const State& state) {
  const Fact& fact = state.v[v];
  if (fact.any()) return builder_.CreateExtractElement(strip_value(v, strip, state), uint64_t(0));
  if (!fact.single()) return builder_.CreateLoad(i32(), lanes_[v][strip]);
  if (strip == 0 || fact.wave()) return builder_.CreateLoad(i32(), lanes_[v][0]);
  if (fact.kind == Fact::Kind::PairLo) return builder_.CreateTrunc(pair_base(v, strip, state), i32());
  if (fact.kind == Fact::Kind::PairHi) return builder_.CreateTrunc(builder_.CreateLShr(pair_base(v - 1, strip, state), 32), i32());
  return builder_.CreateAdd(builder_.CreateLoad(i32(), lanes_[v][0]), constant(uint32_t(fact.stride) * kStripLanes * strip));
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

} // namespace hip::engine::translate
