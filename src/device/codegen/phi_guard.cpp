// A pass for clang's AMDGPU back end that keeps LLVM 22's control-flow structurizer from producing wrong code.
//
// The structurizer moves free instructions (truncations, vector elements, sign changes) out of an "else" block whose value
// goes into a phi. Where that phi merges more than two paths the moved value reaches lanes of other paths too: the value
// of `return saturated ? limit : (int)x` with nested conditions is lost, for example (fixed in later LLVM versions,
// llvm/llvm-project pull request 183792). It moves an instruction only when it stands in the block that the phi names, so
// this pass moves such instructions up, next to their operands, before the structurizer runs.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>
#include <llvm/InitializePasses.h>
#include <llvm/Pass.h>
#include <llvm/PassRegistry.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <llvm/Target/TargetMachine.h>

#include "passes.h"

namespace omnihip::codegen {

namespace {

class PhiGuard : public llvm::FunctionPass {
public:
  static char ID;
  PhiGuard() : FunctionPass(ID) {}
  llvm::StringRef getPassName() const override { return "Keep merged values out of reach of the structurizer"; }
  void getAnalysisUsage(llvm::AnalysisUsage& usage) const override {
    usage.addRequired<llvm::DominatorTreeWrapperPass>();
    usage.setPreservesCFG();
  }

  bool runOnFunction(llvm::Function& function) override {
    const auto& dominators = getAnalysis<llvm::DominatorTreeWrapperPass>().getDomTree();
    bool changed = false;
    for (llvm::BasicBlock& block : function)
      for (llvm::PHINode& phi : block.phis()) {
        if (phi.getNumIncomingValues() < 3) continue;
        for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i) {
          auto* value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(i));
          if (value != nullptr && value->getParent() == phi.getIncomingBlock(i)) changed |= move_up(*value, dominators);
        }
      }
    return changed;
  }

private:
  // Moves a pure instruction behind the last of its operands, if that leaves its block.
  static bool move_up(llvm::Instruction& value, const llvm::DominatorTree& dominators) {
    if (llvm::isa<llvm::PHINode>(value) || value.mayReadOrWriteMemory() || !llvm::isSafeToSpeculativelyExecute(&value))
      return false;
    const auto* call = llvm::dyn_cast<llvm::CallBase>(&value);
    if (call != nullptr && call->isConvergent()) return false;
    // Only what the structurizer takes for free: casts, parts of vectors, changes of sign. Others keep their place.
    if (!llvm::isa<llvm::CastInst, llvm::ExtractElementInst, llvm::InsertElementInst, llvm::ShuffleVectorInst,
                   llvm::ExtractValueInst, llvm::InsertValueInst, llvm::FreezeInst, llvm::UnaryOperator,
                   llvm::GetElementPtrInst, llvm::CallBase, llvm::SelectInst>(value))
      return false;
    llvm::Instruction* last = nullptr;
    for (llvm::Value* operand : value.operands()) {
      auto* instruction = llvm::dyn_cast<llvm::Instruction>(operand);
      if (instruction == nullptr) continue;
      if (instruction->getParent() == value.getParent()) {
        // A chain of free instructions moves as a whole.
        if (!move_up(*instruction, dominators)) return false;
      }
      if (last == nullptr || dominators.dominates(last, instruction)) last = instruction;
    }
    llvm::BasicBlock::iterator place;
    if (last == nullptr) {
      place = value.getFunction()->getEntryBlock().getFirstInsertionPt();
      // Behind the allocations, which belong at the start.
      while (llvm::isa<llvm::AllocaInst>(*place)) ++place;
    } else {
      const auto after = last->getInsertionPointAfterDef();
      if (!after) return false;
      place = *after;
    }
    if (place->getParent() == value.getParent()) return false;
    value.moveBefore(*place->getParent(), place);
    return true;
  }
};

char PhiGuard::ID = 0;

void install(llvm::TargetMachine& machine, llvm::PassManagerBase&, llvm::TargetPassConfig* config) {
  if (!machine.getTargetTriple().isAMDGCN()) return;
  // The structurizer's predecessor in the pipeline. It is registered when it is first made, which may be yet to come.
  llvm::PassRegistry& registry = *llvm::PassRegistry::getPassRegistry();
  llvm::initializeUnifyLoopExitsLegacyPassPass(registry);
  const llvm::PassInfo* before = registry.getPassInfo(llvm::StringRef("unify-loop-exits"));
  if (before != nullptr) config->insertPass(before->getTypeInfo(), &PhiGuard::ID);
}

} // namespace

void add_phi_guard() {
  static const llvm::RegisterPass<PhiGuard> pass("omnihip-phi-guard",
                                                 "Keep merged values out of reach of the structurizer", true, false);
  static const llvm::RegisterTargetPassConfigCallback callback(install);
}

} // namespace omnihip::codegen
