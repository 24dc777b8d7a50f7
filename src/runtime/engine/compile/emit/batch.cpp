// runtime/engine/compile/emit/batch.cpp - how waves come into a region and leave it, and the loop over the waves of a
// group that arrive together (Region::batches, Wave::batch). Such a loop keeps in registers what is the same for all of
// its waves; a kernel without barriers is one loop that writes no wave block at all.
#include "runtime/engine/compile/emit/emit.h"

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/wave/run.h"
#include "runtime/engine/compile/codegen/sink_rare.h"
#include "runtime/engine/compile/library/support.h"
#include "runtime/engine/compile/translator.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Module.h>

namespace hip::engine::compile {
namespace {

// Bits of stops_.
constexpr uint32_t kEnded = 1, kElse = 1u << 31, kMostBarriers = 29;
constexpr uint32_t barrier_bit(uint32_t number) { return 2u << number; }

} // namespace

// VGPRs that waves which arrive at a barrier leave in their blocks as lane 0 of each strip, for that is what the code
// behind it reads.
std::bitset<kMaxVgprs> RegionEmitter::short_rows(const Place& behind) const {
  std::bitset<kMaxVgprs> out;
  const State& state = facts_.at(behind);
  if (!state.reached) return out;
  const std::bitset<kMaxVgprs>& live = liveness_.in(behind).v;
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!live[r] || state.v[r].any()) continue;
    out.set(r);
    if (state.v[r].kind == Fact::Kind::PairLo && r + 1 < kMaxVgprs) out.set(r + 1);
    if (state.v[r].kind == Fact::Kind::PairHi && r > 0) out.set(r - 1);
  }
  return out;
}

// Waves that come to a node have all lanes active: nobody looks at EXEC in their blocks.
bool RegionEmitter::always_full(uint32_t node) const {
  return !facts_.at({node, Version::Partial}).reached && !facts_.at({node, Version::Empty}).reached;
}

// Where a kernel starts the blocks of a batch's waves hold nothing: SGPRs are in the first one's, ids in a table, and
// EXEC is full. With very many registers (for code that may read all) loading them wave by wave is as good.
void RegionEmitter::find_initial() {
  for (Version v : kAllVersions)
    if (batches_) initial_.v |= short_rows({regions_.regions[number_].header, v});
  if (batches_ && always_full(regions_.regions[number_].header)) initial_.s.set(kExecLo), initial_.s.set(kExecHi);
  constexpr size_t kMostSgprs = 48;
  const Registers& live = liveness_.in({0, Version::Full});
  starts_ = batches_ && is_kernel_ && regions_.regions[number_].header == 0 && code_.nodes[0].from.empty() &&
            facts_.at({0, Version::Full}).reached && live.s.count() <= kMostSgprs;
  if (!starts_) return touched_.add(initial_);
  initial_.v.reset();
  initial_.s = live.s;
  initial_.s.reset(kScc); // undefined
  initial_.s.set(kExecLo), initial_.s.set(kExecHi);
  initial_.v[0] = live.v[0];
  touched_.add(initial_);
}

void RegionEmitter::emit_entry() {
  entry_ = new_block("entry"), begin_ = new_block("begin"), failed_ = new_block("failed");
  builder_.SetInsertPoint(failed_);
  builder_.CreateRetVoid();
  builder_.SetInsertPoint(entry_);
  // What no instruction of a wave changes, and is the same in all of a group, is read once.
  auto fixed = [&](llvm::Type* type, uint32_t offset) { return builder_.CreateLoad(type, wave_field(offset)); };
  arena_base_ = fixed(i64(), offsetof(Wave, arena_base)), arena_bytes_ = fixed(i64(), offsetof(Wave, arena_bytes));
  lds_base_ = fixed(i64(), offsetof(Wave, lds));
  lds_bytes_ = builder_.CreateZExt(fixed(i32(), offsetof(Wave, lds_bytes)), i64());
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (touched_.s[r] && r != kExecLo && r != kExecHi) sgprs_[r] = builder_.CreateAlloca(i32());
  std::array<Value*, kSgprCount> initial{};
  for (uint32_t r = 0; r < kSgprCount && starts_; ++r)
    if (sgprs_[r]) initial[r] = fixed(i32(), Wave::sgpr_offset(r));
  exec_ = builder_.CreateAlloca(i64());
  scc_ = builder_.CreateAlloca(i32());
  salu_out_ = builder_.CreateAlloca(llvm::ArrayType::get(builder_.getInt8Ty(), sizeof(library::SaluOut)));
  salu_out_->setAlignment(llvm::Align(8));
  if (batches_) {
    count_ = fixed(i32(), offsetof(Wave, batch));
    alone_ = builder_.CreateICmpEQ(count_, constant(0));
    if (starts_) item_ids_ = fixed(builder_.getPtrTy(), offsetof(Wave, item_ids));
    stops_ = builder_.CreateAlloca(i32());
    builder_.CreateStore(constant(0), stops_);
  }
  const uint32_t header = regions_.regions[number_].header;
  llvm::DebugLoc place;
  if (scope_)
    place = llvm::DILocation::get(builder_.getContext(), code_.nodes[header].first + 1, 0, function_->getSubprogram());
  builder_.SetInsertPoint(begin_);
  builder_.SetCurrentDebugLocation(place);
  begin_batch();
  if (batches_) prefetches_.begins(header, begin_, wave_);
  scratch_base_ = fixed(i64(), offsetof(Wave, scratch_base)),
  scratch_bytes_ = fixed(i64(), offsetof(Wave, scratch_bytes));
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  llvm::IRBuilder<> variables(entry_);
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    for (uint32_t q = 0; touched_.v[r] && q < kStripCount; ++q) {
      if (in_block_[r])
        strips_[r][q] = wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4);
      else
        strips_[r][q] = variables.CreateAlloca(strip);
      lanes_[r][q] = variables.CreateAlloca(i32());
      if (q == 0) patterns_[r] = variables.CreateAlloca(strip), fits_[r] = variables.CreateAlloca(builder_.getInt1Ty());
    }
  find_sums();
  if (!enters_alone_) builder_.CreateStore(inst_, wave_field(offsetof(Wave, pc)));
  Value* exec = starts_ || (batches_ && always_full(header)) ? static_cast<Value*>(builder_.getInt64(~0ull))
                                                             : fixed(i64(), Wave::sgpr_offset(kExecLo));
  builder_.CreateStore(exec, exec_);
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (sgprs_[r]) builder_.CreateStore(initial[r] ? initial[r] : fixed(i32(), Wave::sgpr_offset(r)), sgprs_[r]);
  builder_.CreateStore(fixed(i32(), offsetof(Wave, scc)), scc_);
  choose_version(
      exec, [&](Version v) { return facts_.at({header, v}).reached; }, [&](Version v) { load_place({header, v}); });

  builder_.SetInsertPoint(entry_);
  builder_.SetCurrentDebugLocation(llvm::DebugLoc());
  if (!enters_alone_) {
    builder_.CreateBr(begin_);
    return;
  }
  builder_.CreateCondBr(alone_, enters_alone_, begin_);
  builder_.SetInsertPoint(enters_alone_);
  builder_.CreateStore(inst_, builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), first_, offsetof(Wave, pc)));
  builder_.CreateBr(begin_);
}

// From here on `wave_` is one after the other. Waves that come here together from a barrier have stopped with Wave::pc
// at this region, so only a wave that comes alone stores it, and those of a kernel's start. More than the store is at
// stake: with it in the loop, loads of registers a multiple of 1 KiB behind it took some 20 ns longer (Zen 4).
void RegionEmitter::begin_batch() {
  first_ = wave_;
  if (!batches_) return;
  end_ = new_block("next");
  if (!starts_) enters_alone_ = new_block("enters_alone");
  auto one_after_the_other = [&](Value* first, uint64_t bytes) {
    llvm::PHINode* each = builder_.CreatePHI(first->getType(), 2);
    each->addIncoming(first, entry_);
    if (enters_alone_) each->addIncoming(first, enters_alone_);
    llvm::IRBuilder<> at_end(end_);
    each->addIncoming(at_end.CreateConstInBoundsGEP1_64(at_end.getInt8Ty(), each, bytes), end_);
    return each;
  };
  llvm::PHINode* items = item_ids_ ? one_after_the_other(item_ids_, kRowBytes) : nullptr;
  wave_ = one_after_the_other(first_, kWaveBytes);
  if (items) item_ids_ = items;
  builder_.CreateStore(wave_,
                       builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), first_, offsetof(Wave, current)));
}

// The rest of the loop, when everything inside is there.
void RegionEmitter::end_batch() {
  if (!batches_) return;
  {
    llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(begin_, begin_->getFirstInsertionPt());
    if (calls_handlers_) builder_.CreateStore(constant(uint32_t(Stop::None)), wave_field(offsetof(Wave, stop)));
    if (counts_turns_) {
      Value* budget = wave_field(offsetof(Wave, budget));
      builder_.CreateStore(
          builder_.CreateSelect(alone_, builder_.CreateLoad(i32(), budget), constant(kTimeSliceBranches)), budget);
    }
  }
  builder_.SetInsertPoint(begin_, begin_->begin());
  llvm::PHINode* left = builder_.CreatePHI(i32(), 2);
  builder_.SetInsertPoint(entry_->getTerminator());
  Value* waves = builder_.CreateSelect(alone_, constant(1), count_);
  left->addIncoming(waves, entry_);
  if (enters_alone_) left->addIncoming(waves, enters_alone_);
  builder_.SetInsertPoint(end_);
  Value* rest = builder_.CreateSub(left, constant(1));
  left->addIncoming(rest, end_);
  llvm::BasicBlock* done = new_block("done");
  builder_.CreateCondBr(builder_.CreateICmpEQ(rest, constant(0)), done, begin_);
  builder_.SetInsertPoint(done);
  Value* stops = builder_.CreateLoad(i32(), stops_);
  Value* together = builder_.CreateNot(alone_);
  for (uint32_t k = 0; k < barriers_.size() && k < kMostBarriers; ++k) {
    llvm::BasicBlock *go = new_block("go"), *other = new_block("other");
    builder_.CreateCondBr(builder_.CreateAnd(together, builder_.CreateICmpEQ(stops, constant(barrier_bit(k)))), go,
                          other);
    builder_.SetInsertPoint(go);
    Value* next = exit_element(barriers_[k]);
    wave_ = first_;
    jump(next);
    builder_.SetInsertPoint(other);
  }
  Value* ended = builder_.CreateICmpEQ(stops, constant(kEnded));
  builder_.CreateStore(builder_.CreateSelect(ended, constant(uint32_t(Stop::Ended)), constant(uint32_t(Stop::None))),
                       builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), first_, offsetof(Wave, batch_stop)));
  builder_.CreateRetVoid();
}

void RegionEmitter::load_place(const Place& place) {
  const State& state = facts_.at(place);
  llvm::Type* strip = llvm::FixedVectorType::get(i32(), kStripLanes);
  const bool undefined = is_kernel_ && place.node == 0 && code_.nodes[0].from.empty();
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (sgprs_[r] && state.s[r].kind == ScalarFact::Kind::Constant) builder_.CreateStore(constant(state.s[r].value), sgprs_[r]);
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!strips_[r][0]) continue;
    if (undefined && r > 0) { // 0 is as good as anything
      for (uint32_t q = 0; q < kStripCount; ++q)
        builder_.CreateStore(llvm::Constant::getNullValue(strip), strips_[r][q]);
      continue;
    }
    const Fact& fact = state.v[r];
    const bool ids = starts_ && r == 0;
    if (fact.any() && fact.pattern) load_pattern(r, fact);
    if (in_block_[r] && fact.any() && !ids) continue;
    for (uint32_t q = 0; q < kStripCount; ++q) {
      if (!fact.any() && !fact.holds(q)) continue;
      Value* from = ids ? builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), item_ids_, q * kStripLanes * 4)
                        : wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4);
      llvm::LoadInst* load =
          fact.any() ? builder_.CreateAlignedLoad(strip, from, llvm::Align(ids ? 4 : 64)) : builder_.CreateLoad(i32(), from);
      if (!calls_handlers_ && !in_block_[r] && !loaded_to_block_[r]) load->setMetadata(kRowMetadata, llvm::MDNode::get(builder_.getContext(), {}));
      builder_.CreateStore(load, fact.any() ? strips_[r][q] : lanes_[r][q]);
    }
  }
  builder_.CreateBr(block_of(place));
}

void RegionEmitter::store_changes(const Registers& live, const State& state, const Registers& changed) {
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    if (!changed.v[r] || !live.v[r] || !strips_[r][0] || (in_block_[r] && state.v[r].any()) || stored_[r]) continue;
    for (uint32_t q = 0; q < kStripCount; ++q)
      builder_.CreateAlignedStore(strip_value(r, q, state), wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4),
                                  llvm::Align(64));
  }
  for (uint32_t r = 0; r < kSgprCount; ++r)
    if (changed.s[r] && live.s[r] && sgprs_[r]) builder_.CreateStore(sgpr(r), wave_field(Wave::sgpr_offset(r)));
  if (changed.s[kScc] && live.s[kScc]) builder_.CreateStore(scc(), wave_field(offsetof(Wave, scc)));
  if (changed.s[kExecLo])
    builder_.CreateStore(builder_.CreateLoad(i64(), exec_), wave_field(Wave::sgpr_offset(kExecLo)));
}

// The element at one of the exits.
llvm::Value* RegionEmitter::exit_element(uint64_t address) {
  uint32_t exit = 0;
  while (exit < exits_.size() && exits_[exit] != address) ++exit;
  if (exit == exits_.size()) exits_.push_back(address);
  llvm::Type* pointer = builder_.getPtrTy();
  auto fixed = [&](Value* from) {
    llvm::LoadInst* load = builder_.CreateLoad(pointer, from);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
    return load;
  };
  Value* array = fixed(builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), inst_, offsetof(Inst, imm)));
  return fixed(builder_.CreateConstInBoundsGEP1_32(pointer, array, exit));
}

// Ends the function.
void RegionEmitter::jump(Value* next) {
  Value* run = builder_.CreateLoad(
      builder_.getPtrTy(), builder_.CreateConstInBoundsGEP1_32(builder_.getInt8Ty(), next, offsetof(Inst, run)));
  llvm::CallInst* jump = builder_.CreateCall(function_->getFunctionType(), run, {wave_, next});
  jump->setCallingConv(llvm::CallingConv::PreserveNone);
  jump->setTailCallKind(llvm::CallInst::TCK_MustTail);
  builder_.CreateRetVoid();
}

// The wave has stopped, and goes on at `next`.
void RegionEmitter::stop_wave(Stop why, Value* next, uint32_t how) {
  if (next) builder_.CreateStore(next, wave_field(offsetof(Wave, pc)));
  builder_.CreateStore(constant(uint32_t(why)), wave_field(offsetof(Wave, stop)));
  if (!batches_) {
    builder_.CreateRetVoid();
    return;
  }
  builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32(), stops_), constant(how)), stops_);
  builder_.CreateBr(end_);
}

void RegionEmitter::end_wave() { stop_wave(Stop::Ended, nullptr, kEnded); }

void RegionEmitter::arrive(const Place& place, const State& state) {
  Registers changed = writes_.at(place.index());
  const Node& node = code_.nodes[place.node];
  for (uint32_t k = node.first; k <= node.last; ++k) add_writes(code_.instrs[k], place.version, changed);
  const uint32_t behind = node.next;
  Registers live;
  if (behind == kNoNode) // the function ends
    live.v.set(), live.s.set();
  else
    live = liveness_.in({behind, place.version});
  if (behind != kNoNode && regions_.headed[behind] != kNoNode) {
    const Place to{behind, place.version};
    const std::bitset<kMaxVgprs> rows = short_rows(to);
    // What was short when the region was entered is not always short enough, or long enough.
    const uint32_t header = regions_.regions[number_].header;
    for (uint32_t r = 0; r < kMaxVgprs && !starts_; ++r)
      for (Version v : kAllVersions) {
        const State& entered = facts_.at({header, v});
        if (!initial_.v[r] || !entered.reached) continue;
        const Fact &before = entered.v[r], &expected = facts_.at(to).v[r];
        if (!rows[r] || before.any() || before.run != expected.run || before.wave() != expected.wave()) changed.v.set(r);
      }
    for (uint32_t r = 0; r < kMaxVgprs; ++r)
      for (uint32_t q = 0; rows[r] && changed.v[r] && q < kStripCount; ++q)
        if (facts_.at(to).v[r].holds(q))
          builder_.CreateStore(lane_value(r, q, state), wave_field(Wave::vgpr_offset(r) + q * kStripLanes * 4));
    live.v &= ~rows;
    if (always_full(behind))
      changed.s.reset(kExecLo);
    else if (initial_.s[kExecLo])
      changed.s.set(kExecLo);
  } else {
    changed.add(initial_); // tier 0 goes on there
  }
  store_changes(live, state, changed);
  const uint64_t address = behind == kNoNode ? code_.end : code_.instrs[code_.nodes[behind].first].raw.address;
  uint32_t how = kElse;
  if (behind != kNoNode && regions_.headed[behind] != kNoNode) {
    const size_t number = size_t(std::find(barriers_.begin(), barriers_.end(), address) - barriers_.begin());
    if (number == barriers_.size()) barriers_.push_back(address);
    if (number < kMostBarriers) how = barrier_bit(uint32_t(number));
  }
  stop_wave(Stop::Barrier, exit_element(address), how);
}

void RegionEmitter::leave(uint64_t address, const Registers& live, const State& state, const Registers& changed,
                          bool backward) {
  store_changes(live, state, changed);
  Value* next = exit_element(address);
  if (backward) { // others get their turn, as in tier 0
    llvm::BasicBlock *yield = new_block("yield"), *on = new_block("on");
    builder_.CreateCondBr(turn_is_over(), yield, on);
    builder_.SetInsertPoint(yield);
    stop_wave(Stop::Yield, next, kElse);
    builder_.SetInsertPoint(on);
  }
  if (!batches_) return jump(next);
  llvm::BasicBlock *alone = new_block("alone"), *apart = new_block("apart");
  builder_.CreateCondBr(builder_.CreateICmpULE(count_, constant(1)), alone, apart);
  builder_.SetInsertPoint(alone);
  builder_.CreateStore(constant(0), wave_field(offsetof(Wave, batch)));
  jump(next);
  builder_.SetInsertPoint(apart);
  auto run_apart = library_.module().getOrInsertFunction("omnihip_t1_run_apart", builder_.getVoidTy(),
                                                         builder_.getPtrTy(), builder_.getPtrTy());
  builder_.CreateCall(run_apart, {wave_, next});
  builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(i32(), stops_), constant(kElse)), stops_);
  builder_.CreateBr(end_);
}

} // namespace hip::engine::compile
