// A pass that makes llvm.fmuladd of products and sums that the language lets contract, before the vectorizers run.
//
// In HIP a * b + c may be rounded once, and LLVM leaves that to the code generator. The SLP vectorizer runs earlier and
// sees products and sums: of an unrolled s += a[k] * b[k] it makes v_pk_mul_f32 and lets each sum be an instruction of
// its own, which is three instructions for every two multiply-adds instead of two, and two roundings. As multiply-adds
// such chains stay what they are, and those that stand side by side become v_pk_fma_f32.
//
// Contracts only where product and sum both have the flag `contract`, the product has no other use, and the type is one
// that AMDGPU fuses as fast as it multiplies. Sums that may be reassociated (-ffast-math) are left alone: the
// vectorizer finds other ways for them.
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "passes.h"

namespace omnihip::codegen {

namespace {

bool fuses(const llvm::Type* type) {
  const llvm::Type* scalar = type->getScalarType();
  return scalar->isHalfTy() || scalar->isFloatTy() || scalar->isDoubleTy();
}

// The product that becomes part of the sum: contractible and used nowhere else. Null: not one.
llvm::BinaryOperator* product(llvm::Value* value, const llvm::Instruction& sum) {
  auto* found = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (found == nullptr || found->getOpcode() != llvm::Instruction::FMul || !found->hasOneUse()) return nullptr;
  return found->hasAllowContract() && found->getParent() == sum.getParent() ? found : nullptr;
}

bool contract(llvm::BinaryOperator& sum) {
  const bool subtracts = sum.getOpcode() == llvm::Instruction::FSub;
  if (!subtracts && sum.getOpcode() != llvm::Instruction::FAdd) return false;
  if (!sum.hasAllowContract() || sum.hasAllowReassoc() || !fuses(sum.getType())) return false;
  llvm::BinaryOperator* factors = product(sum.getOperand(0), sum);
  const bool first = factors != nullptr;
  if (!first) factors = product(sum.getOperand(1), sum);
  if (factors == nullptr) return false;

  llvm::IRBuilder<> builder(&sum);
  builder.setFastMathFlags(sum.getFastMathFlags() & factors->getFastMathFlags());
  llvm::Value* a = factors->getOperand(0);
  llvm::Value* b = factors->getOperand(1);
  llvm::Value* c = sum.getOperand(first ? 1 : 0);
  if (subtracts && first) c = builder.CreateFNeg(c);  // a * b - c
  if (subtracts && !first) a = builder.CreateFNeg(a); // c - a * b
  llvm::Value* fused = builder.CreateIntrinsic(llvm::Intrinsic::fmuladd, {sum.getType()}, {a, b, c});
  fused->takeName(&sum);
  sum.replaceAllUsesWith(fused);
  sum.eraseFromParent();
  factors->eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses ContractPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.getParent()->getTargetTriple().isAMDGCN()) return llvm::PreservedAnalyses::all();
  bool changed = false;
  // A product stands before its sum, so what is erased beside the sum is never the next one.
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) changed |= contract(*sum);
  return kept_with_branches(changed);
}

} // namespace omnihip::codegen
