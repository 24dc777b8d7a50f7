// runtime/engine/compile/emit/wave_loop.cpp - see wave_loop.h.
#include "runtime/engine/compile/emit/wave_loop.h"

#include "runtime/engine/interpret/inst.h"
#include "runtime/engine/wave/run.h"

#include <algorithm>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

namespace hip::engine::compile {
namespace {

// Bits of stops_.
constexpr uint32_t kEnded = 1, kElse = 1u << 31, kMostBarriers = 29;
constexpr uint32_t barrier_bit(uint32_t number) { return 2u << number; }

} // namespace

using llvm::BasicBlock;
using llvm::Value;

WaveLoop::WaveLoop(FunctionBuilder& ir, WaveBlock& wave, const RegionPlan& plan, llvm::Module& module)
    : ir_(ir), builder_(ir.builder()), wave_(wave), plan_(plan), module_(module), first_(wave.pointer()) {}

void WaveLoop::load_batch() {
  if (!plan_.batches()) return;
  count_ = wave_.load(ir_.i32(), offsetof(Wave, batch));
  alone_ = builder_.CreateICmpEQ(count_, ir_.constant(0));
  if (plan_.starts()) item_ids_ = wave_.load(builder_.getPtrTy(), offsetof(Wave, item_ids));
  stops_ = builder_.CreateAlloca(ir_.i32());
  builder_.CreateStore(ir_.constant(0), stops_);
}

void WaveLoop::begin() {
  if (!plan_.batches()) return;
  end_ = ir_.new_block("next");
  if (!plan_.starts()) enters_alone_ = ir_.new_block("enters_alone");
  auto one_after_the_other = [&](Value* first, uint64_t bytes) {
    llvm::PHINode* each = builder_.CreatePHI(first->getType(), 2);
    each->addIncoming(first, ir_.entry());
    if (enters_alone_) each->addIncoming(first, enters_alone_);
    llvm::IRBuilder<> at_end(end_);
    each->addIncoming(at_end.CreateConstInBoundsGEP1_64(at_end.getInt8Ty(), each, bytes), end_);
    return each;
  };
  llvm::PHINode* items = item_ids_ ? one_after_the_other(item_ids_, plan_.item_id_vgprs() * kRowBytes) : nullptr;
  wave_.set_pointer(one_after_the_other(first_, kWaveBytes));
  if (items) item_ids_ = items;
  Value* wave = wave_.pointer();
  builder_.CreateStore(wave, ir_.byte_at(first_, offsetof(Wave, current)));
}

// Waves that come here together from a barrier have stopped with Wave::pc at this region, so only a wave that comes
// alone stores it, and those of a kernel's start. More than the store is at stake: with it in the loop, loads of
// registers a multiple of 1 KiB behind it took some 20 ns longer (Zen 4).
void WaveLoop::store_pc() {
  if (!enters_alone_) builder_.CreateStore(wave_.element(), wave_.field(offsetof(Wave, pc)));
}

void WaveLoop::end_entry() {
  builder_.SetInsertPoint(ir_.entry());
  builder_.SetCurrentDebugLocation(llvm::DebugLoc());
  if (!enters_alone_) {
    builder_.CreateBr(ir_.begin());
    return;
  }
  builder_.CreateCondBr(alone_, enters_alone_, ir_.begin());
  builder_.SetInsertPoint(enters_alone_);
  builder_.CreateStore(wave_.element(), ir_.byte_at(first_, offsetof(Wave, pc)));
  builder_.CreateBr(ir_.begin());
}

void WaveLoop::end() {
  if (!plan_.batches()) return;
  BasicBlock *entry = ir_.entry(), *begin = ir_.begin();
  {
    llvm::IRBuilder<>::InsertPointGuard guard(builder_);
    builder_.SetInsertPoint(begin, begin->getFirstInsertionPt());
    if (plan_.calls_handlers())
      builder_.CreateStore(ir_.constant(uint32_t(Stop::None)), wave_.field(offsetof(Wave, stop)));
    if (uses_budget_) {
      static_assert(sizeof(BranchBudget) == sizeof(uint64_t));
      const uint64_t first = std::bit_cast<uint64_t>(BranchBudget{int32_t(kFirstGrant), kFirstGrant});
      Value* budget = wave_.field(offsetof(Wave, budget));
      Value* own = builder_.CreateLoad(ir_.i64(), budget);
      builder_.CreateStore(builder_.CreateSelect(alone_, own, builder_.getInt64(first)), budget);
    }
  }
  builder_.SetInsertPoint(begin, begin->begin());
  llvm::PHINode* left = builder_.CreatePHI(ir_.i32(), 2);
  builder_.SetInsertPoint(entry->getTerminator());
  Value* waves = builder_.CreateSelect(alone_, ir_.constant(1), count_);
  left->addIncoming(waves, entry);
  if (enters_alone_) left->addIncoming(waves, enters_alone_);
  builder_.SetInsertPoint(end_);
  Value* rest = builder_.CreateSub(left, ir_.constant(1));
  left->addIncoming(rest, end_);
  BasicBlock* done = ir_.new_block("done");
  builder_.CreateCondBr(builder_.CreateICmpEQ(rest, ir_.constant(0)), done, begin);
  builder_.SetInsertPoint(done);
  Value* stops = builder_.CreateLoad(ir_.i32(), stops_);
  Value* together = builder_.CreateNot(alone_);
  for (uint32_t k = 0; k < barriers_.size() && k < kMostBarriers; ++k) {
    BasicBlock *go = ir_.new_block("go"), *other = ir_.new_block("other");
    Value* all_here = builder_.CreateICmpEQ(stops, ir_.constant(barrier_bit(k)));
    builder_.CreateCondBr(builder_.CreateAnd(together, all_here), go, other);
    builder_.SetInsertPoint(go);
    Value* next = element_at(barriers_[k]);
    wave_.set_pointer(first_);
    jump(next);
    builder_.SetInsertPoint(other);
  }
  Value* ended = builder_.CreateICmpEQ(stops, ir_.constant(kEnded));
  Value* stop = builder_.CreateSelect(ended, ir_.constant(uint32_t(Stop::Ended)), ir_.constant(uint32_t(Stop::None)));
  builder_.CreateStore(stop, ir_.byte_at(first_, offsetof(Wave, batch_stop)));
  builder_.CreateRetVoid();
}

Value* WaveLoop::used_up_budget() {
  uses_budget_ = true;
  Value* budget = wave_.field(offsetof(Wave, budget) + offsetof(BranchBudget, left));
  Value* left = builder_.CreateSub(builder_.CreateLoad(ir_.i32(), budget), ir_.constant(1));
  builder_.CreateStore(left, budget);
  return builder_.CreateICmpSLT(left, ir_.constant(0));
}

Value* WaveLoop::turn_is_over(const WaitingLoop* loop) {
  llvm::Constant* table = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  std::vector<uint32_t> numbers;
  static_assert(sizeof(StateRange) == 2 * sizeof(uint32_t));
  if (loop)
    for (const StateRange& range : state_of(*loop)) numbers.insert(numbers.end(), {range.offset, range.bytes});
  if (!numbers.empty()) table = ir_.constant_array(numbers);
  auto ask = module_.getOrInsertFunction("omnihip_t1_turn_is_over", builder_.getInt1Ty(), builder_.getPtrTy(),
                                         builder_.getPtrTy(), ir_.i32());
  return builder_.CreateCall(ask, {wave_.pointer(), table, ir_.constant(numbers.size() / 2)});
}

uint32_t WaveLoop::exit_number(uint64_t address) {
  const auto known = std::find(exits_.begin(), exits_.end(), address);
  if (known != exits_.end()) return uint32_t(known - exits_.begin());
  exits_.push_back(address);
  return uint32_t(exits_.size() - 1);
}

Value* WaveLoop::exit_element(Value* number) {
  llvm::Type* pointer = builder_.getPtrTy();
  auto fixed = [&](Value* from) {
    llvm::LoadInst* load = builder_.CreateLoad(pointer, from);
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(builder_.getContext(), {}));
    return load;
  };
  Value* array = fixed(ir_.byte_at(wave_.element(), offsetof(Inst, imm)));
  return fixed(builder_.CreateInBoundsGEP(pointer, array, number));
}

// Ends the function.
void WaveLoop::jump(Value* next) {
  Value* run = builder_.CreateLoad(builder_.getPtrTy(), ir_.byte_at(next, offsetof(Inst, run)));
  llvm::CallInst* jump = builder_.CreateCall(ir_.function()->getFunctionType(), run, {wave_.pointer(), next});
  jump->setCallingConv(llvm::CallingConv::PreserveNone);
  jump->setTailCallKind(llvm::CallInst::TCK_MustTail);
  builder_.CreateRetVoid();
}

// The wave has stopped, and goes on at `next`.
void WaveLoop::stop_wave(Stop why, Value* next, uint32_t how) {
  if (next) builder_.CreateStore(next, wave_.field(offsetof(Wave, pc)));
  builder_.CreateStore(ir_.constant(uint32_t(why)), wave_.field(offsetof(Wave, stop)));
  if (!plan_.batches()) {
    builder_.CreateRetVoid();
    return;
  }
  builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(ir_.i32(), stops_), ir_.constant(how)), stops_);
  builder_.CreateBr(end_);
}

void WaveLoop::end_wave() { stop_wave(Stop::Ended, nullptr, kEnded); }

void WaveLoop::stop_at_barrier(Stop why, uint64_t address, Behind behind) {
  uint32_t how = kElse;
  if (behind == Behind::Region) {
    const size_t number = size_t(std::find(barriers_.begin(), barriers_.end(), address) - barriers_.begin());
    if (number == barriers_.size()) barriers_.push_back(address);
    if (number < kMostBarriers) how = barrier_bit(uint32_t(number));
  }
  stop_wave(why, element_at(address), how);
}

void WaveLoop::leave(uint64_t address) { go_on_outside(element_at(address)); }

void WaveLoop::count_branch(uint64_t address, const WaitingLoop* loop, llvm::function_ref<void()> store_state) {
  BasicBlock *ask = ir_.new_block("ask"), *over = ir_.new_block("over"), *on = ir_.new_block("on");
  llvm::MDBuilder weights(builder_.getContext());
  builder_.CreateCondBr(used_up_budget(), ask, on, weights.createUnlikelyBranchWeights());
  builder_.SetInsertPoint(ask);
  store_state();
  builder_.CreateCondBr(turn_is_over(loop), over, on);
  builder_.SetInsertPoint(over);
  stop_wave(Stop::Yield, element_at(address), kElse);
  builder_.SetInsertPoint(on);
}

void WaveLoop::go_on_outside(Value* next) {
  if (!plan_.batches()) return jump(next);
  BasicBlock *alone = ir_.new_block("alone"), *apart = ir_.new_block("apart");
  builder_.CreateCondBr(builder_.CreateICmpULE(count_, ir_.constant(1)), alone, apart);
  builder_.SetInsertPoint(alone);
  builder_.CreateStore(ir_.constant(0), wave_.field(offsetof(Wave, batch)));
  // The batch has come from a barrier without a stop in between, and what goes on asks why handlers that it calls have stopped.
  builder_.CreateStore(ir_.constant(uint32_t(Stop::None)), wave_.field(offsetof(Wave, stop)));
  jump(next);
  builder_.SetInsertPoint(apart);
  auto run_apart = module_.getOrInsertFunction("omnihip_t1_run_apart", builder_.getVoidTy(), builder_.getPtrTy(),
                                               builder_.getPtrTy());
  builder_.CreateCall(run_apart, {wave_.pointer(), next});
  builder_.CreateStore(builder_.CreateOr(builder_.CreateLoad(ir_.i32(), stops_), ir_.constant(kElse)), stops_);
  builder_.CreateBr(end_);
}

} // namespace hip::engine::compile
