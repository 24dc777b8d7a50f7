// A pass that gives static device variables one name in code that is linked across files (-fgpu-rdc).
//
// Clang appends ".static.<id of the file>" to the name of a static variable that host code uses. It learns of that use
// late: a kernel above it has been translated with the plain name, as of an external variable that nobody defines, and
// the link fails.
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

#include "passes.h"

namespace omnihip::codegen {

llvm::PreservedAnalyses StaticNamesPass::run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
  llvm::StringMap<llvm::GlobalVariable*> defined; // by the plain name
  for (llvm::GlobalVariable& variable : module.globals()) {
    const auto [plain, ending] = variable.getName().split(".static.");
    if (!variable.isDeclaration() && !ending.empty()) defined[plain] = &variable;
  }
  bool changed = false;
  for (llvm::GlobalVariable& variable : llvm::make_early_inc_range(module.globals())) {
    if (!variable.isDeclaration()) continue;
    const auto found = defined.find(variable.getName());
    if (found == defined.end() || found->second->getType() != variable.getType()) continue;
    variable.replaceAllUsesWith(found->second);
    variable.eraseFromParent();
    changed = true;
  }
  return changed ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace omnihip::codegen
