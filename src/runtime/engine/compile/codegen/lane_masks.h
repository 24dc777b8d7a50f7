// runtime/engine/compile/codegen/lane_masks.h - lane masks in the two forms that code needs: 64 bits in a scalar register, as
// the guest sees them, and one vector of booleans per strip, as the host's compares make and its selections take them.
// Between the two lie moves from vector or mask registers to general ones and back, which LLVM's passes leave where a
// mask is used in both forms.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hip::engine::compile {

// A strip of a mask that is computed from strips is computed as a strip.
struct SplitLaneMasks : llvm::PassInfoMixin<SplitLaneMasks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// 64 bits from four strips: the strips are joined in pairs before they become numbers, and what is computed from two such
// numbers is computed strip by strip. (All four joined in one mask register, which AVX-512 can do: mandelbrot 0.93.) After
// passes that look for strips.
struct JoinLaneMasks : llvm::PassInfoMixin<JoinLaneMasks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

// For hosts without mask registers: a strip that is made of 16 bits of a number compares each lane's bit, in the block that uses it.
// LLVM takes the bits out one by one, and keeps strips as bytes between blocks. The last pass.
struct ExpandLaneMasks : llvm::PassInfoMixin<ExpandLaneMasks> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace hip::engine::compile
