// A pass for device code of NVIDIA GPUs that says of loads and stores of matrices (wmma.load, wmma.store) whether they
// are in shared or in global memory, where that can be seen.
//
// LLVM finds out the address space of ordinary loads and stores alone; of these it does not, and the GPU's assembler
// then cannot use the instructions that load matrices from shared memory (LDSM). The address is cast here, and LLVM's
// own pass brings what computes it into that address space. A kernel's arguments point into global memory, as LLVM's
// code generator takes for granted, too. With the address spaces, alignments become known to the pass that follows.
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

#include <optional>
#include <vector>

#include "passes.h"

namespace omnihip::codegen {
namespace {

constexpr unsigned kGeneric = 0, kGlobal = 1, kShared = 3; // address spaces

std::optional<unsigned> space_of(const llvm::Value& object) {
  if (const auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(&object)) {
    const unsigned space = variable->getAddressSpace();
    if (space == kGlobal || space == kShared) return space;
  }
  if (const auto* argument = llvm::dyn_cast<llvm::Argument>(&object))
    if (argument->getParent()->getCallingConv() == llvm::CallingConv::PTX_Kernel && !argument->hasByValAttr())
      return kGlobal;
  return std::nullopt;
}

// The one address space of everything that the address may point into.
std::optional<unsigned> common_space(const llvm::Value& address) {
  llvm::SmallVector<const llvm::Value*> objects;
  llvm::getUnderlyingObjects(&address, objects, nullptr, 0);
  std::optional<unsigned> common;
  for (const llvm::Value* object : objects) {
    const std::optional<unsigned> space = space_of(*object);
    if (!space || (common && *common != *space)) return std::nullopt;
    common = space;
  }
  return common;
}

bool moves_matrix(const llvm::IntrinsicInst& call) {
  const llvm::StringRef name = call.getCalledFunction()->getName();
  return name.starts_with("llvm.nvvm.wmma.") && (name.contains(".load.") || name.contains(".store."));
}

} // namespace

llvm::PreservedAnalyses NvptxSpacesPass::run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  if (!function.getParent()->getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  std::vector<llvm::IntrinsicInst*> calls;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    if (call && moves_matrix(*call) && call->getArgOperand(0)->getType()->getPointerAddressSpace() == kGeneric)
      calls.push_back(call);
  }
  for (llvm::IntrinsicInst* call : calls) {
    llvm::Value* const address = call->getArgOperand(0);
    const std::optional<unsigned> space = common_space(*address);
    if (!space) continue;
    auto* const type = llvm::PointerType::get(call->getContext(), *space);
    call->setCalledFunction(
        llvm::Intrinsic::getOrInsertDeclaration(function.getParent(), call->getIntrinsicID(), {type}));
    call->setArgOperand(0, llvm::IRBuilder<>(call).CreateAddrSpaceCast(address, type));
  }
  llvm::InferAddressSpacesPass().run(function, analyses);
  return kept_with_branches(true);
}

} // namespace omnihip::codegen
