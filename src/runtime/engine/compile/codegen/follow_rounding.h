// runtime/engine/compile/codegen/follow_rounding.h - arithmetic that rounds otherwise than to nearest. Translated code sets the host's
// control word (MXCSR) around it (emit/float_control.h); LLVM takes it for the default one, folds and moves accordingly, and has
// to be told.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hip::engine::compile {

// Operations that round become LLVM's constrained ones, which read the control word where they stand. In front of everything that
// folds, which includes inlining.
struct FollowRounding : llvm::PassInfoMixin<FollowRounding> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace hip::engine::compile
