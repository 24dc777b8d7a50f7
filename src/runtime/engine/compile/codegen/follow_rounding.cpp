// runtime/engine/compile/codegen/follow_rounding.cpp - see follow_rounding.h.
#include "runtime/engine/compile/codegen/follow_rounding.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/FPEnv.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <vector>

namespace hip::engine::compile {
namespace {

// Of what LLVM has constrained operations for: what x86 has as one operation of vectors, and takes the control word
// into account. Others round in a way that their names say, or not at all.
bool follows_control_word(const llvm::Instruction& i) {
  switch (i.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
  case llvm::Instruction::FDiv:
  case llvm::Instruction::FPTrunc:
  case llvm::Instruction::FPExt:
  case llvm::Instruction::SIToFP:
  case llvm::Instruction::UIToFP:
    return true;
  default:
    break;
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&i);
  switch (call ? call->getIntrinsicID() : llvm::Intrinsic::not_intrinsic) {
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::fmuladd:
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
    return true;
  default:
    return false;
  }
}

// Halves are computed as floats and rounded once more, as LLVM does where a host has no arithmetic of halves; of
// constrained operations it does so with conversions alone.
class Operation {
public:
  Operation(llvm::IRBuilder<>& builder, llvm::Instruction& of)
      : builder_(builder), of_(of), id_(llvm::getConstrainedIntrinsicID(of)) {
    is_half_ = of.getType()->getScalarType()->isHalfTy();
    type_ = is_half_ ? of.getType()->getWithNewType(builder.getFloatTy()) : of.getType();
  }
  // The constrained one in its place.
  llvm::Value* constrained() {
    if (llvm::isa<llvm::CastInst>(of_)) return convert();
    llvm::SmallVector<llvm::Value*, 4> operands;
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&of_);
    for (unsigned k = 0, count = call ? call->arg_size() : of_.getNumOperands(); k < count; ++k)
      operands.push_back(wide(of_.getOperand(k)));
    llvm::Value* out = call ? builder_.CreateConstrainedFPIntrinsic(id_, {type_}, operands, &of_, "")
                            : builder_.CreateConstrainedFPBinOp(id_, operands[0], operands[1], &of_);
    return is_half_ ? narrow(out) : out;
  }

private:
  llvm::Value* convert() {
    llvm::Value* from = of_.getOperand(0);
    if (is_half_ && from->getType()->getScalarType()->isFloatTy()) return narrow(from);
    if (is_half_ && from->getType()->isIntOrIntVectorTy())
      return narrow(builder_.CreateConstrainedFPCast(id_, from, type_));
    return builder_.CreateConstrainedFPCast(id_, from, of_.getType());
  }
  llvm::Value* wide(llvm::Value* v) {
    return is_half_ ? builder_.CreateConstrainedFPCast(llvm::Intrinsic::experimental_constrained_fpext, v, type_) : v;
  }
  // LLVM 22 cannot select the constrained conversion of a vector for AVX2. The host's instruction takes the control
  // word's rounding, too (immediate 4), and is not folded.
  llvm::Value* narrow(llvm::Value* v) {
    constexpr unsigned kPart = 8;
    auto* from = llvm::dyn_cast<llvm::FixedVectorType>(v->getType());
    if (!from || from->getNumElements() % kPart)
      return builder_.CreateConstrainedFPCast(llvm::Intrinsic::experimental_constrained_fptrunc, v, of_.getType());
    llvm::SmallVector<llvm::Value*, 2> parts;
    for (unsigned first = 0; first < from->getNumElements(); first += kPart) {
      const auto indices = llvm::createSequentialMask(first, kPart, 0);
      llvm::CallInst* part = builder_.CreateIntrinsic(llvm::Intrinsic::x86_vcvtps2ph_256, {},
                                                      {builder_.CreateShuffleVector(v, indices), builder_.getInt32(4)});
      parts.push_back(builder_.CreateBitCast(part, llvm::FixedVectorType::get(builder_.getHalfTy(), kPart)));
    }
    return llvm::concatenateVectors(builder_, parts);
  }

  llvm::IRBuilder<>& builder_;
  llvm::Instruction& of_;
  llvm::Intrinsic::ID id_;
  llvm::Type* type_; // in which it is computed
  bool is_half_;
};

// An instruction of the host that LLVM has no constrained operation for: its operand and its result are multiplied by
// 1, which changes nothing and keeps it where the control word is what it has to be.
void hold_in_place(llvm::IRBuilder<>& builder, llvm::CallInst& call) {
  llvm::Value* one = llvm::ConstantFP::get(call.getType(), 1);
  call.setArgOperand(
      0, builder.CreateConstrainedFPBinOp(llvm::Intrinsic::experimental_constrained_fmul, call.getArgOperand(0), one));
  builder.SetInsertPoint(call.getNextNode());
  llvm::Value* held = builder.CreateConstrainedFPBinOp(llvm::Intrinsic::experimental_constrained_fmul, &call, one);
  call.replaceUsesWithIf(held, [&](const llvm::Use& use) { return use.getUser() != held; });
}

} // namespace

llvm::PreservedAnalyses FollowRounding::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  function.addFnAttr(llvm::Attribute::StrictFP);
  llvm::IRBuilder<> builder(function.getContext());
  builder.setIsFPConstrained(true);
  builder.setDefaultConstrainedExcept(llvm::fp::ebIgnore);
  builder.setDefaultConstrainedRounding(llvm::RoundingMode::Dynamic);
  std::vector<llvm::Instruction*> replaced;
  std::vector<llvm::CallInst*> held;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    builder.SetInsertPoint(&i);
    if (follows_control_word(i)) {
      i.replaceAllUsesWith(Operation(builder, i).constrained());
      replaced.push_back(&i);
    } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) {
      call->addFnAttr(llvm::Attribute::StrictFP); // as the verifier wants every call in such a function
      if (call->getIntrinsicID() == llvm::Intrinsic::x86_avx512_mask_scalef_ps_512) held.push_back(call);
    }
  }
  for (llvm::CallInst* call : held) {
    builder.SetInsertPoint(call);
    hold_in_place(builder, *call);
  }
  for (llvm::Instruction* i : replaced) i->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace hip::engine::compile
