// runtime/engine/compile/codegen/follow_float_mode.h - arithmetic for waves whose MODE rounds otherwise than to nearest
// or flushes denormals. The host's control word (MXCSR) is as MODE wants it while such waves run (wave/run.h); LLVM
// takes it for the default one, folds and moves accordingly, and has to be told.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hip::engine::compile {

// Operations that round, or that take or give denormals, become LLVM's constrained ones, which read the control word where they stand.
// In front of everything that folds, which includes inlining. Comparisons stay, for LLVM would not keep their masks as it does
// otherwise; of two constants it compares denormals as numbers.
struct FollowFloatMode : llvm::PassInfoMixin<FollowFloatMode> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace hip::engine::compile
