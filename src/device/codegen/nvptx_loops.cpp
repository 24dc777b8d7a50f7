// A pass for device code of NVIDIA GPUs that makes loops branch back where their condition is true.
//
// LLVM likes the other form: leave where the condition is true, else go back. Where the block behind the loop is not
// the next one when instructions are selected, that becomes two branches in PTX, a conditional one that leaves and one
// that goes back always, since the code generator cannot turn conditions of NVPTX around later. ptxas then does not see
// a counted loop and does not unroll it: a loop of one multiply-add took twice as long as nvcc's.
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "passes.h"

namespace omnihip::codegen {
namespace {

// Makes the branch go to its second successor where its condition is true.
void turn_around(llvm::BranchInst& branch) {
  llvm::Value* const condition = branch.getCondition();
  auto* const comparison = llvm::dyn_cast<llvm::CmpInst>(condition);
  if (comparison && comparison->hasOneUse())
    comparison->setPredicate(comparison->getInversePredicate());
  else
    branch.setCondition(llvm::IRBuilder<>(&branch).CreateNot(condition));
  branch.swapSuccessors();
}

} // namespace

llvm::PreservedAnalyses NvptxLoopsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (const llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 2> latches;
    loop->getLoopLatches(latches);
    for (llvm::BasicBlock* latch : latches) {
      auto* const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
      if (!branch || !branch->isConditional()) continue;
      if (branch->getSuccessor(1) != loop->getHeader() || branch->getSuccessor(0) == loop->getHeader()) continue;
      turn_around(*branch);
      changed = true;
    }
  }
  return kept_with_branches(changed);
}

} // namespace omnihip::codegen
