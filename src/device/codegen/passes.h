// What hipcc adds to clang's passes for device code. One plug-in holds all of them (plugin.cpp), and so does hiprtc's
// compiler; each looks at the target itself.
#pragma once

#include <llvm/IR/PassManager.h>

namespace llvm {
class PassBuilder;
}

namespace omnihip::codegen {

// What a pass keeps that changes no branches: all analyses, or where it has changed something those of the control
// flow.
inline llvm::PreservedAnalyses kept_with_branches(bool changed) {
  if (!changed) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

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

// Gives HIP's atomic functions the scope that clang forgets, for NVIDIA GPUs (nvptx_atomics.cpp). Runs before anything
// is inlined.
class NvptxScopesPass : public llvm::PassInfoMixin<NvptxScopesPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Gives read-modify-write operations their order and scope, for NVIDIA GPUs (nvptx_atomics.cpp).
class NvptxAtomicsPass : public llvm::PassInfoMixin<NvptxAtomicsPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Copies and fills structures in wide pieces, for NVIDIA GPUs (nvptx_copies.cpp). Runs behind all passes that take
// copies apart.
// With Which::Small, only copies of 12 and 16 bytes, each as one load and one store: LLVM merges branches that copy
// from several places into one copy from an address that was chosen, and takes a variable apart after that only where
// it is loaded.
class NvptxCopiesPass : public llvm::PassInfoMixin<NvptxCopiesPass> {
public:
  enum class Which { All, Small };
  explicit NvptxCopiesPass(Which which = Which::All) : which_(which) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);

private:
  Which which_;
};

// Tells the address spaces of matrices in memory, for NVIDIA GPUs (nvptx_spaces.cpp). Runs when functions are inlined.
class NvptxSpacesPass : public llvm::PassInfoMixin<NvptxSpacesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Takes constants out of indices into shared memory, for NVIDIA GPUs (nvptx_shared_index.cpp). Runs behind all passes
// that would put them together again.
class NvptxSharedIndexPass : public llvm::PassInfoMixin<NvptxSharedIndexPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Computes minimum and maximum of integers as integers, where HIP's overloads made double of them
// (integer_minimum.cpp). Runs when functions are inlined.
class IntegerMinimumPass : public llvm::PassInfoMixin<IntegerMinimumPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// Makes wide loads and stores of neighbours, for NVIDIA GPUs (nvptx_shared_index.cpp).
class NvptxWideAccessPass : public llvm::PassInfoMixin<NvptxWideAccessPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Says which loops inside others are unrolled, for NVIDIA GPUs (nvptx_loops.cpp). Runs before loops are unrolled.
class NvptxUnrollPass : public llvm::PassInfoMixin<NvptxUnrollPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Writes the ends of loops as NVIDIA's assembler understands them (nvptx_loops.cpp). Runs behind all passes that would
// undo it.
class NvptxLoopsPass : public llvm::PassInfoMixin<NvptxLoopsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Defines shifts by the width and more, where the code asks for it (shifts.cpp). Runs before anything is optimised.
class ShiftsPass : public llvm::PassInfoMixin<ShiftsPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Lets threads of a wave wait for each other's locks, or warns where it cannot, for AMD GPUs (spin_locks.cpp). Runs
// when functions are inlined.
class SpinLocksPass : public llvm::PassInfoMixin<SpinLocksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Gives static variables of device code that is linked across files one name (static_names.cpp).
class StaticNamesPass : public llvm::PassInfoMixin<StaticNamesPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

// Aligns shared memory of dynamic size, and leaves out the host's tables and the file's mark, for NVIDIA GPUs
// (shared_alignment.cpp). Wants to run before anything takes the alignment of accesses from it.
class SharedAlignmentPass : public llvm::PassInfoMixin<SharedAlignmentPass> {
public:
  static bool isRequired() { return true; } // also with -O0
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&);
};

} // namespace omnihip::codegen
