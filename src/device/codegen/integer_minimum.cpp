// A pass for device code that computes the minimum and maximum of integers of different types as integers.
//
// HIP's min(threadIdx.x, width - 1) takes an unsigned and an int, and compares them as numbers: both become double, and
// so does the result, which the program makes an int again. Operations of 32 bits give the same, and GPUs compute with
// double in half to a sixty-fourth of the speed.
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <utility>
#include <vector>

#include "passes.h"

namespace omnihip::codegen {
namespace {

constexpr unsigned kBits = 32; // of operands and results, at most

enum class Choice { Neither, Least, Greatest };
Choice choice_of(const llvm::IntrinsicInst& call) {
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::minimumnum:
    return Choice::Least;
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::maximumnum:
    return Choice::Greatest;
  default:
    return Choice::Neither;
  }
}

// What a number was made of, in 32 bits.
struct Integer {
  llvm::Value* value = nullptr; // null: something else
  bool is_signed = false;
};
Integer integer_of(llvm::Value* number, llvm::IRBuilder<>& build) {
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantFP>(number)) {
    llvm::APSInt value(kBits + 1, false);
    bool exact = false;
    constant->getValueAPF().convertToInteger(value, llvm::APFloat::rmTowardZero, &exact);
    if (!exact || constant->isNegativeZeroValue()) return {};
    return {llvm::ConstantInt::get(build.getInt32Ty(), value.trunc(kBits)), value.isNegative()};
  }
  auto* const cast = llvm::dyn_cast<llvm::CastInst>(number);
  if (!cast || !cast->getSrcTy()->isIntegerTy() || cast->getSrcTy()->getIntegerBitWidth() > kBits) return {};
  if (llvm::isa<llvm::UIToFPInst>(cast)) return {build.CreateZExt(cast->getOperand(0), build.getInt32Ty()), false};
  if (llvm::isa<llvm::SIToFPInst>(cast)) return {build.CreateSExt(cast->getOperand(0), build.getInt32Ty()), true};
  return {};
}

llvm::Value* choose(llvm::IRBuilder<>& build, Choice choice, Integer a, Integer b) {
  using llvm::Intrinsic::smax, llvm::Intrinsic::smin, llvm::Intrinsic::umax, llvm::Intrinsic::umin;
  const bool least = choice == Choice::Least;
  if (a.is_signed && b.is_signed) return build.CreateBinaryIntrinsic(least ? smin : smax, a.value, b.value);
  llvm::Value* const as_unsigned = build.CreateBinaryIntrinsic(least ? umin : umax, a.value, b.value);
  if (!a.is_signed && !b.is_signed) return as_unsigned;
  // A negative one is less than every unsigned one.
  if (b.is_signed) std::swap(a, b);
  llvm::Value* const negative = build.CreateICmpSLT(a.value, build.getInt32(0));
  return build.CreateSelect(negative, least ? a.value : b.value, as_unsigned);
}

bool becomes_integer(const llvm::User* user) {
  return llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(user) && user->getType()->isIntegerTy() &&
         user->getType()->getIntegerBitWidth() <= kBits;
}

} // namespace

llvm::PreservedAnalyses IntegerMinimumPass::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  const llvm::Triple& target = function.getParent()->getTargetTriple();
  if (!target.isNVPTX() && !target.isAMDGPU()) return llvm::PreservedAnalyses::all();
  std::vector<llvm::IntrinsicInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call && choice_of(*call) != Choice::Neither && call->getType()->isDoubleTy() && !call->use_empty() &&
        llvm::all_of(call->users(), becomes_integer))
      calls.push_back(call);
  }
  bool changed = false;
  for (llvm::IntrinsicInst* call : calls) {
    llvm::IRBuilder<> build(call);
    const Integer a = integer_of(call->getArgOperand(0), build), b = integer_of(call->getArgOperand(1), build);
    if (!a.value || !b.value) continue;
    llvm::Value* const chosen = choose(build, choice_of(*call), a, b);
    // A number that the user's type does not hold is undefined there.
    for (llvm::User* user : llvm::make_early_inc_range(call->users())) {
      auto* const cast = llvm::cast<llvm::CastInst>(user);
      cast->replaceAllUsesWith(llvm::IRBuilder<>(cast).CreateTrunc(chosen, cast->getType()));
      cast->eraseFromParent();
    }
    call->eraseFromParent();
    changed = true;
  }
  return kept_with_branches(changed);
}

} // namespace omnihip::codegen
