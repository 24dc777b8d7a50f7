// What hipcc adds to clang's passes for AMDGPU targets. One plug-in holds all of them (plugin.cpp).
#pragma once

#include <llvm/IR/PassManager.h>

namespace omnihip::codegen {

// Registers the pass of phi_guard.cpp with the code generator.
void add_phi_guard();

// Makes multiply-adds of products and sums that may be contracted, before the vectorizers run (contract.cpp).
class ContractPass : public llvm::PassInfoMixin<ContractPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace omnihip::codegen
