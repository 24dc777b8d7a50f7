// runtime/engine/compile/emit/side_exits.cpp - see side_exits.h.
#include "runtime/engine/compile/emit/side_exits.h"

#include "runtime/engine/compile/library/support.h"

#include <llvm/IR/Module.h>

namespace hip::engine::compile {

static_assert(sizeof(AffineRow) == 4 * sizeof(uint32_t));

// Lane 0s of those registers that facts speak of. Of a pair the low half's row takes all 64 bits: two halves would be two
// more instructions and another store.
SideExits::Table SideExits::store_affine_rows(const std::bitset<kMaxVgprs>& which, const State& state) {
  Table table;
  for (uint32_t r = 0; r < kMaxVgprs; ++r) {
    const Fact& fact = state.v[r];
    const bool is_pair = fact.is_pair_low();
    const uint32_t high = is_pair ? fact.partner() : r;
    if (fact.is_any() || fact.is_pair_high() || !(which[r] || which[high])) continue;
    if (is_pair)
      vectors_.store_pair_lanes(r, state);
    else
      vectors_.store_lanes(r, fact, state);
    table.insert(table.end(), {r, uint32_t(fact.stride()), fact.same_in_wave() ? 0u : fact.part_strips(), high});
  }
  return table;
}

llvm::Constant* SideExits::constant(const Table& table) {
  if (table.empty()) return llvm::ConstantPointerNull::get(ir_.builder().getPtrTy());
  llvm::Constant*& known = tables_[table];
  if (!known) known = ir_.constant_array(table);
  return known;
}

void SideExits::leave(uint64_t address, const std::bitset<kMaxVgprs>& which, const State& state) {
  const Table table = store_affine_rows(which, state);
  std::bitset<kMaxVgprs> others = which;
  for (uint32_t r = 0; r < kMaxVgprs; ++r)
    if (!state.v[r].is_any()) others.reset(r);
  vectors_.store(others, state);
  llvm::IRBuilder<>& builder = ir_.builder();
  if (!shared_) {
    shared_ = ir_.new_block("side_exit");
    llvm::IRBuilder<> at_start(shared_);
    rows_ = at_start.CreatePHI(at_start.getPtrTy(), 0);
    count_ = at_start.CreatePHI(ir_.i32(), 0);
    exit_ = at_start.CreatePHI(ir_.i32(), 0);
  }
  llvm::BasicBlock* from = builder.GetInsertBlock();
  rows_->addIncoming(constant(table), from);
  count_->addIncoming(ir_.constant(table.size() * sizeof(uint32_t) / sizeof(AffineRow)), from);
  exit_->addIncoming(ir_.constant(loop_.exit_number(address)), from);
  builder.CreateBr(shared_);
}

void SideExits::emit() {
  if (!shared_) return;
  llvm::IRBuilder<>& builder = ir_.builder();
  builder.SetInsertPoint(shared_);
  builder.SetCurrentDebugLocation(llvm::DebugLoc());
  auto fill_rows = module_.getOrInsertFunction("omnihip_t1_fill_rows", builder.getVoidTy(), builder.getPtrTy(),
                                               builder.getPtrTy(), ir_.i32());
  builder.CreateCall(fill_rows, {wave_.pointer(), rows_, count_});
  loop_.go_on_outside(loop_.exit_element(exit_));
}

} // namespace hip::engine::compile
