// What hipcc adds to clang's passes for device code. One plug-in holds all of them (plugin.cpp), and so does hiprtc's
// compiler; each looks at the target itself.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
}

namespace omnihip::codegen {

// Adds the passes to a pipeline of LLVM's (callbacks.cpp).
void register_callbacks(llvm::PassBuilder& builder);

// Registers the pass of phi_guard.cpp with the code generator.
void add_phi_guard();

// Makes multiply-adds of products and sums that may be contracted, before the vectorizers run (contract.cpp).
class ContractPass : public llvm::PassInfoMixin<ContractPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Makes products of bytes in 32 bits where sums of 64 bits take them (byte_products.cpp). Runs behind all passes that
// would undo it.
class ByteProductsPass : public llvm::PassInfoMixin<ByteProductsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Writes printf's formats as NVIDIA's driver reads them (nvptx_printf.cpp). Wants the argument structures that clang
// made.
class NvptxPrintfPass : public llvm::PassInfoMixin<NvptxPrintfPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Gives static variables of device code that is linked across files one name (static_names.cpp).
class StaticNamesPass : public llvm::PassInfoMixin<StaticNamesPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Aligns shared memory of dynamic size, for NVIDIA GPUs (shared_alignment.cpp). Wants to run before anything takes the
// alignment of accesses from it.
class SharedAlignmentPass : public llvm::PassInfoMixin<SharedAlignmentPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

} // namespace omnihip::codegen
