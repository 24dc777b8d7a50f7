// A pass that keeps sums of byte products 64 bits wide, which LLVM 22's AMDGPU code generator makes 32 bits wide.
//
// It recognises sums of products of bytes and makes a dot product of them (v_dot4_i32_i8 and its kin). It does so in
// sums of 64 bits as well: the dot product takes the low half of the accumulator, wraps, and is extended again. What it
// recognises is a 64-bit product that is added, so a product whose factors have 9 bits at most is made in 32 bits here,
// where it fits, and is extended then. That is also the cheaper multiplication.
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "passes.h"

namespace omnihip::codegen {

namespace {

constexpr unsigned kWidest = 9; // bits of a factor, with its sign: a signed or an unsigned byte

bool narrow(llvm::Instruction& instruction, const llvm::DataLayout& layout) {
  if (instruction.getOpcode() != llvm::Instruction::Mul) return false;
  llvm::Type* type = instruction.getType();
  const unsigned bits = type->getScalarSizeInBits();
  if (bits <= 32) return false;
  for (llvm::Value* factor : instruction.operands())
    if (bits - llvm::ComputeNumSignBits(factor, layout) + 1 > kWidest) return false;
  llvm::IRBuilder<> builder(&instruction);
  llvm::Type* half = type->getWithNewBitWidth(32);
  // Without flags that say that nothing overflows: with them, later passes would widen it again.
  llvm::Value* product = builder.CreateMul(builder.CreateTrunc(instruction.getOperand(0), half),
                                           builder.CreateTrunc(instruction.getOperand(1), half));
  llvm::Value* whole = builder.CreateSExt(product, type);
  whole->takeName(&instruction);
  instruction.replaceAllUsesWith(whole);
  instruction.eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses ByteProductsPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  if (!function.getParent()->getTargetTriple().isAMDGCN()) return llvm::PreservedAnalyses::all();
  const llvm::DataLayout& layout = function.getParent()->getDataLayout();
  bool changed = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function)))
    changed |= narrow(instruction, layout);
  return kept_with_branches(changed);
}

} // namespace omnihip::codegen
