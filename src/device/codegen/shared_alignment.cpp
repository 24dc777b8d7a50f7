// A pass for device code of NVIDIA GPUs that aligns shared memory of dynamic size to 16 bytes.
//
// extern __shared__ short x[] has the alignment of short, so clang copies 16 bytes of it, which a program writes as an
// int4, two bytes at a time. The memory begins at a multiple of 16 bytes anyway, as nvcc takes for granted; the driver
// is told in the PTX.
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "passes.h"

namespace omnihip::codegen {

llvm::PreservedAnalyses SharedAlignmentPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (!module.getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  constexpr unsigned kShared = 3; // the address space
  const llvm::Align least(16);
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == kShared && variable.isDeclaration() && variable.getAlign().valueOrOne() < least)
      variable.setAlignment(least);
  return llvm::PreservedAnalyses::none();
}

} // namespace omnihip::codegen
