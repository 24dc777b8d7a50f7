// runtime/engine/compile/codegen/block_values.cpp - see block_values.h.
#include "runtime/engine/compile/codegen/block_values.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace hip::engine::compile {
namespace {

using llvm::AllocaInst;
using llvm::BasicBlock;

// What a block knows of an alloca: its value here, and the store that nobody has to see if another one follows.
struct Known {
  llvm::Value* value = nullptr;
  llvm::StoreInst* store = nullptr;
};

// The entry's loads stay where they are, for its allocas may stand among its instructions.
bool forward(BasicBlock& block, const llvm::DenseSet<const llvm::Value*>& registers) {
  llvm::SmallDenseMap<const llvm::Value*, Known, 64> known;
  bool changed = false;
  for (llvm::Instruction& i : llvm::make_early_inc_range(block)) {
    if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&i)) {
      if (!registers.contains(load->getPointerOperand())) continue;
      Known& here = known[load->getPointerOperand()];
      if (here.value) {
        load->replaceAllUsesWith(here.value);
        load->eraseFromParent();
        changed = true;
        continue;
      }
      here.value = load;
      if (block.isEntryBlock()) continue;
      load->moveBefore(block, block.getFirstInsertionPt());
      changed = true;
    } else if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&i)) {
      if (!registers.contains(store->getPointerOperand())) continue;
      Known& here = known[store->getPointerOperand()];
      if (here.store) here.store->eraseFromParent(), changed = true;
      here = {store->getValueOperand(), store};
    }
  }
  return changed;
}

} // namespace

llvm::PreservedAnalyses BlockValues::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  llvm::DenseSet<const llvm::Value*> registers;
  for (const llvm::Instruction& i : function.getEntryBlock())
    if (const auto* alloca = llvm::dyn_cast<AllocaInst>(&i); alloca && llvm::isAllocaPromotable(alloca))
      registers.insert(alloca);
  if (registers.empty()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  for (BasicBlock& block : function) changed |= forward(block, registers);
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace hip::engine::compile
