// runtime/engine/compile/codegen/block_values.h - registers as values within each block, in front of LLVM's mem2reg.
// The emitter keeps registers in allocas, and reads and writes them wherever an instruction does. For each alloca and
// each block that reads it, mem2reg walks from the block's start to the first read or write, so that a block of
// thousands of instructions over hundreds of registers costs their product: two fifths of the time that quick code of
// AMD's FFT kernels took. After this pass, which looks at every instruction once, a block reads a register once at
// most, at its start, and writes it once.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hip::engine::compile {

struct BlockValues : llvm::PassInfoMixin<BlockValues> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace hip::engine::compile
