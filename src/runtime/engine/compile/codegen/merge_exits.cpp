// runtime/engine/compile/codegen/merge_exits.cpp - see merge_exits.h.
#include "runtime/engine/compile/codegen/merge_exits.h"

#include "runtime/engine/compile/codegen/sink_rare.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace hip::engine::compile {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

llvm::BranchInst* check_at_end(BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() && branch->hasMetadata(kExitMetadata) ? branch : nullptr;
}

// Whether it may be executed by translated code and by tier 0 once more.
bool may_be_repeated(const Instruction& i) {
  if (i.isTerminator() || i.hasMetadata(kHintMetadata)) return true;
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i))
    if (call->getIntrinsicID() == llvm::Intrinsic::prefetch || call->isAssumeLikeIntrinsic()) return true;
  if (const auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) return !load->isVolatile();
  return !i.mayHaveSideEffects();
}

// Whether it may be computed earlier, before it is known to be wanted.
bool may_be_hoisted(const Instruction& i) {
  if (llvm::isa<llvm::PHINode, llvm::AllocaInst>(i) || i.isTerminator()) return false;
  if (is_row(i)) return true;
  return !i.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&i);
}

// The check in front of `block` on the only way there, if nothing lies in between that cannot be repeated; `between`
// becomes the blocks behind it, `block` the last one.
llvm::BranchInst* check_before(BasicBlock& block, llvm::SmallVectorImpl<BasicBlock*>& between) {
  for (BasicBlock* at = &block;;) {
    if (!llvm::all_of(*at, may_be_repeated)) return nullptr;
    between.push_back(at);
    BasicBlock* before = at->getSinglePredecessor();
    if (!before || before == &block) return nullptr;
    if (llvm::BranchInst* check = check_at_end(*before)) {
      if (check->getSuccessor(0) != at) return nullptr;
      std::reverse(between.begin(), between.end());
      return check;
    }
    if (before->getUniqueSuccessor() != at) return nullptr;
    at = before;
  }
}

// What `value` is computed of in these blocks, in order. False: not all of it may be hoisted.
bool slice_of(llvm::Value* value, llvm::ArrayRef<BasicBlock*> blocks, llvm::SmallVectorImpl<Instruction*>& slice) {
  llvm::SmallPtrSet<const Instruction*, 32> wanted;
  const auto want = [&](llvm::Value* v) {
    auto* i = llvm::dyn_cast<Instruction>(v);
    if (i && llvm::is_contained(blocks, i->getParent())) wanted.insert(i);
  };
  want(value);
  for (BasicBlock* block : llvm::reverse(blocks))
    for (Instruction& i : llvm::reverse(*block)) {
      if (!wanted.contains(&i)) continue;
      if (!may_be_hoisted(i)) return false;
      slice.push_back(&i);
      for (llvm::Value* operand : i.operands()) want(operand);
    }
  std::reverse(slice.begin(), slice.end());
  return true;
}

bool merge(llvm::BranchInst& check) {
  llvm::SmallVector<BasicBlock*, 8> between;
  llvm::BranchInst* const earlier = check_before(*check.getParent(), between);
  BasicBlock* const exit = check.getSuccessor(1);
  llvm::SmallVector<Instruction*, 32> slice;
  if (!earlier || !exit->getSinglePredecessor() || !slice_of(check.getCondition(), between, slice)) return false;
  for (Instruction* i : slice) i->moveBefore(earlier->getIterator());
  llvm::IRBuilder<> builder(earlier);
  earlier->setCondition(builder.CreateLogicalAnd(earlier->getCondition(), check.getCondition()));
  BasicBlock* const on = check.getSuccessor(0);
  builder.SetInsertPoint(&check);
  builder.CreateBr(on);
  exit->removePredecessor(check.getParent());
  check.eraseFromParent();
  llvm::DeleteDeadBlock(exit);
  return true;
}

} // namespace

llvm::PreservedAnalyses MergeExits::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<BasicBlock*, 64> blocks;
  for (BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    if (check_at_end(*block)) blocks.push_back(block);
  bool changed = false;
  for (BasicBlock* block : blocks) changed |= merge(*check_at_end(*block));
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace hip::engine::compile
