// runtime/engine/compile/codegen/follow_float_mode.cpp - see follow_float_mode.h.
#include "runtime/engine/compile/codegen/follow_float_mode.h"

#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsX86.h>

#include <optional>
#include <vector>

namespace hip::engine::compile {
namespace {

using llvm::Intrinsic::ID;

std::optional<ID> constrained_binary(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::FAdd:
    return llvm::Intrinsic::experimental_constrained_fadd;
  case llvm::Instruction::FSub:
    return llvm::Intrinsic::experimental_constrained_fsub;
  case llvm::Instruction::FMul:
    return llvm::Intrinsic::experimental_constrained_fmul;
  case llvm::Instruction::FDiv:
    return llvm::Intrinsic::experimental_constrained_fdiv;
  default:
    return std::nullopt;
  }
}

std::optional<ID> constrained_cast(unsigned opcode) {
  switch (opcode) {
  case llvm::Instruction::FPTrunc:
    return llvm::Intrinsic::experimental_constrained_fptrunc;
  case llvm::Instruction::FPExt:
    return llvm::Intrinsic::experimental_constrained_fpext;
  case llvm::Instruction::SIToFP:
    return llvm::Intrinsic::experimental_constrained_sitofp;
  case llvm::Instruction::UIToFP:
    return llvm::Intrinsic::experimental_constrained_uitofp;
  default:
    return std::nullopt;
  }
}

// Those that x86 has as one operation of vectors; others round in a way that their names say, or not at all.
std::optional<ID> constrained_call(ID id) {
  switch (id) {
  case llvm::Intrinsic::fma:
    return llvm::Intrinsic::experimental_constrained_fma;
  case llvm::Intrinsic::fmuladd:
    return llvm::Intrinsic::experimental_constrained_fmuladd;
  case llvm::Intrinsic::sqrt:
    return llvm::Intrinsic::experimental_constrained_sqrt;
  case llvm::Intrinsic::rint:
    return llvm::Intrinsic::experimental_constrained_rint;
  case llvm::Intrinsic::nearbyint:
    return llvm::Intrinsic::experimental_constrained_nearbyint;
  default:
    return std::nullopt;
  }
}

// Halves are computed as floats and rounded once more, as LLVM does where a host has no arithmetic of halves; of
// constrained operations it does so with conversions alone.
class Operation {
public:
  Operation(llvm::IRBuilder<>& builder, llvm::Instruction& of) : builder_(builder), of_(of) {
    is_half_ = of.getType()->getScalarType()->isHalfTy();
    type_ = is_half_ ? of.getType()->getWithNewType(builder.getFloatTy()) : of.getType();
  }
  // Null: the instruction is none of them.
  llvm::Value* constrained() {
    llvm::Value* out = nullptr;
    if (const auto id = constrained_binary(of_.getOpcode()))
      out = builder_.CreateConstrainedFPBinOp(*id, wide(of_.getOperand(0)), wide(of_.getOperand(1)), &of_);
    else if (const auto cast = constrained_cast(of_.getOpcode()))
      return convert(*cast);
    else if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&of_))
      out = intrinsic(*call);
    return out && is_half_ ? narrow(out) : out;
  }

private:
  llvm::Value* intrinsic(llvm::IntrinsicInst& call) {
    const auto id = constrained_call(call.getIntrinsicID());
    if (!id) return nullptr;
    llvm::SmallVector<llvm::Value*, 4> arguments;
    for (llvm::Value* v : call.args()) arguments.push_back(wide(v));
    return builder_.CreateConstrainedFPIntrinsic(*id, {type_}, arguments, &call, "");
  }
  llvm::Value* convert(ID id) {
    llvm::Type* from = of_.getOperand(0)->getType();
    if (is_half_ && from->getScalarType()->isFloatTy()) return narrow(of_.getOperand(0));
    if (is_half_ && from->isIntOrIntVectorTy())
      return narrow(builder_.CreateConstrainedFPCast(id, of_.getOperand(0), type_));
    return builder_.CreateConstrainedFPCast(id, of_.getOperand(0), of_.getType());
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
  llvm::Type* type_; // in which it is computed
  bool is_half_;
};

} // namespace

llvm::PreservedAnalyses FollowFloatMode::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  function.addFnAttr(llvm::Attribute::StrictFP);
  function.addFnAttr("denormal-fp-math", "dynamic,dynamic");
  llvm::IRBuilder<> builder(function.getContext());
  builder.setIsFPConstrained(true);
  builder.setDefaultConstrainedExcept(llvm::fp::ebIgnore);
  builder.setDefaultConstrainedRounding(llvm::RoundingMode::Dynamic);
  std::vector<llvm::Instruction*> replaced;
  for (llvm::Instruction& i : llvm::instructions(function)) {
    builder.SetInsertPoint(&i);
    if (llvm::Value* instead = Operation(builder, i).constrained()) {
      i.replaceAllUsesWith(instead);
      replaced.push_back(&i);
    } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&i)) {
      call->addFnAttr(llvm::Attribute::StrictFP); // as the verifier wants every call in such a function
    }
  }
  for (llvm::Instruction* i : replaced) i->eraseFromParent();
  return llvm::PreservedAnalyses::none();
}

} // namespace hip::engine::compile
