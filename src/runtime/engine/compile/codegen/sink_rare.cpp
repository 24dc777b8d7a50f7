// runtime/engine/compile/codegen/sink_rare.cpp - see sink_rare.h.
#include "runtime/engine/compile/codegen/sink_rare.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/BlockFrequencyInfo.h>
#include <llvm/IR/Instructions.h>

namespace hip::engine::compile {
namespace {

using llvm::BasicBlock;
using llvm::Instruction;

// Code is rare that runs once where other code runs so many times.
constexpr uint64_t kRare = 16;
constexpr size_t kMostCopies = 24;

// Whether it may be computed elsewhere, or not at all.
bool is_pure(const Instruction& i) {
  return !i.getType()->isVoidTy() && !i.isTerminator() && !i.isEHPad() &&
         !llvm::isa<llvm::PHINode, llvm::AllocaInst>(i) && !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
}

// Where a use takes its value.
BasicBlock* block_of(const llvm::Use& use) {
  auto* user = llvm::cast<Instruction>(use.getUser());
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(user)) return phi->getIncomingBlock(use);
  return user->getParent();
}

// Moves an instruction to the blocks that use it, if all of them are rare.
bool sink(Instruction& i, const llvm::BlockFrequencyInfo& frequencies) {
  llvm::MapVector<BasicBlock*, std::vector<llvm::Use*>> uses;
  for (llvm::Use& use : i.uses()) uses[block_of(use)].push_back(&use);
  if (uses.empty() || uses.size() > kMostCopies) return false;
  uint64_t runs = 0;
  for (const auto& [block, all] : uses) {
    if (block == i.getParent()) return false;
    runs += frequencies.getBlockFreq(block).getFrequency();
  }
  if (runs > frequencies.getBlockFreq(i.getParent()).getFrequency() / kRare) return false;
  for (const auto& [block, all] : uses) {
    Instruction* copy = i.clone();
    copy->insertInto(block, block->getFirstInsertionPt());
    for (llvm::Use* use : all) use->set(copy);
  }
  i.eraseFromParent();
  return true;
}

} // namespace

bool is_row(const Instruction& i) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&i);
  return load && load->isSimple() && load->hasMetadata(kRowMetadata);
}

llvm::PreservedAnalyses SinkRare::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  const auto& frequencies = analyses.getResult<llvm::BlockFrequencyAnalysis>(function);
  bool changed = false;
  for (BasicBlock* block : llvm::post_order(&function)) // users first
    for (Instruction& i : llvm::make_early_inc_range(llvm::reverse(*block)))
      if (is_pure(i) || is_row(i)) changed |= sink(i, frequencies);
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace hip::engine::compile
