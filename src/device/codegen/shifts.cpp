// A pass that defines shifts by the width of what is shifted and more, in device code that asks for it.
//
// C++ leaves such a shift undefined, and AMD GPUs take the low bits of the amount. CUDA's GPUs shift everything out:
// PTX says that shl and shr take an amount above the width as the width. Code that asks holds the mark of
// <hip/cuda_shifts.h>; hipcc -fcuda-shifts includes that header. The pass runs before LLVM makes anything undefined of
// a shift, and leaves the rest to the others: they find the amounts that cannot be that large once functions are
// inlined.
// For NVIDIA GPUs as well, since LLVM takes C++ by its word there, too: what is selected here becomes one shl or shr.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "passes.h"

namespace omnihip::codegen {
namespace {

constexpr llvm::StringRef kMark = "__hip_cuda_shifts"; // the variable of <hip/cuda_shifts.h>

// Takes the mark out of the module, and says whether there was one.
bool take_mark(llvm::Module& module) {
  llvm::GlobalVariable* const mark = module.getGlobalVariable(kMark, true);
  if (!mark || mark->isDeclaration()) return false;
  llvm::removeFromUsedLists(module, [&](llvm::Constant* constant) { return constant->stripPointerCasts() == mark; });
  mark->removeDeadConstantUsers();
  if (mark->use_empty()) mark->eraseFromParent();
  return true;
}

void define(llvm::BinaryOperator& shift) {
  llvm::IRBuilder<> build(&shift);
  llvm::Type* const type = shift.getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Value* const amount = shift.getOperand(1);
  if (shift.getOpcode() == llvm::Instruction::AShr) { // fills with the sign
    shift.setOperand(
        1, build.CreateBinaryIntrinsic(llvm::Intrinsic::umin, amount, llvm::ConstantInt::get(type, bits - 1)));
    return;
  }
  build.SetInsertPoint(shift.getNextNode());
  llvm::Value* const fits = build.CreateICmpULT(amount, llvm::ConstantInt::get(type, bits));
  llvm::Value* const whole = build.CreateSelect(fits, &shift, llvm::Constant::getNullValue(type));
  shift.replaceUsesWithIf(whole, [&](const llvm::Use& use) { return use.getUser() != whole; });
}

} // namespace

llvm::PreservedAnalyses ShiftsPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  const llvm::Triple& target = module.getTargetTriple();
  if (!target.isNVPTX() && !target.isAMDGCN()) return llvm::PreservedAnalyses::all();
  if (!take_mark(module)) return llvm::PreservedAnalyses::all();
  const llvm::DataLayout& layout = module.getDataLayout();
  for (llvm::Function& function : module) {
    if (function.getName().starts_with("__ocml_") || function.getName().starts_with("__ockl_"))
      continue; // the SDK's own
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
      if (!instruction.isShift()) continue;
      llvm::Value* const amount = instruction.getOperand(1);
      if (llvm::computeKnownBits(amount, layout).getMaxValue().ult(instruction.getType()->getScalarSizeInBits()))
        continue;
      define(llvm::cast<llvm::BinaryOperator>(instruction));
    }
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace omnihip::codegen
