// A pass for device code of NVIDIA GPUs that aligns shared memory of dynamic size to 16 bytes, and leaves out tables of
// the host and clang's mark of the file.
//
// extern __shared__ short x[] has the alignment of short, so clang copies 16 bytes of it, which a program writes as an
// int4, two bytes at a time. The memory begins at a multiple of 16 bytes anyway, as nvcc takes for granted; the driver
// is told in the PTX.
//
// clang emits every variable that is const and visible to other files for the device as well, in constant memory, of
// which there are 64 KiB. One that is larger than that and that nothing of the file uses goes: no program could be
// loaded with it, and device code of other files is not linked with this one.
//
// clang marks every file by a variable __hip_cuid_<hash>, which nothing reads here. ptxas keeps a table of addresses
// for it in a constant bank of its own, which the GPU is given with each launch of each kernel of the file.
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "passes.h"

namespace omnihip::codegen {

llvm::PreservedAnalyses SharedAlignmentPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  if (!module.getTargetTriple().isNVPTX()) return llvm::PreservedAnalyses::all();
  constexpr unsigned kShared = 3, kConstant = 4; // address spaces
  constexpr uint64_t kConstantBytes = 65536;
  const llvm::Align least(16);
  const llvm::DataLayout& layout = module.getDataLayout();
  const auto may_be_aligned = [&](const llvm::GlobalVariable& variable) {
    if (variable.isDeclaration()) return true;
    const uint64_t bytes = layout.getTypeAllocSize(variable.getValueType()).getFixedValue();
    return bytes != 0 && bytes % least.value() == 0; // so that nothing is lost between variables
  };
  for (llvm::GlobalVariable& variable : module.globals())
    if (variable.getAddressSpace() == kShared && variable.getAlign().valueOrOne() < least && may_be_aligned(variable))
      variable.setAlignment(least);
  const auto marks_file = [](const llvm::Constant* constant) {
    return constant->hasName() && constant->getName().starts_with("__hip_cuid_");
  };
  const auto is_too_large = [&](const llvm::GlobalVariable& variable) {
    return variable.getAddressSpace() == kConstant && !variable.isDeclaration() &&
           layout.getTypeAllocSize(variable.getValueType()) > kConstantBytes;
  };
  llvm::removeFromUsedLists(module,
                            [&](llvm::Constant* constant) { return marks_file(constant->stripPointerCasts()); });
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (!marks_file(&variable) && !is_too_large(variable)) continue;
    variable.removeDeadConstantUsers();
    if (variable.use_empty()) variable.eraseFromParent();
  }
  return llvm::PreservedAnalyses::none();
}

} // namespace omnihip::codegen
