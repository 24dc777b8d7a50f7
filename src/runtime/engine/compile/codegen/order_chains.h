// runtime/engine/compile/codegen/order_chains.h - less between the registers and the stack. A wave has four strips, and code
// makes each guest instruction for all of them before the next one: a work-item with sixteen sums wants 64 registers or
// more at once, where the host has 32. Most of a block's results have little in common. Where a block keeps more than the
// registers hold, its results are computed in groups, one group after the other, each of results that share operands
// and together fit. What several groups load, each loads for itself: a load costs less than a store and a load.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hip::engine::compile {

struct OrderChains : llvm::PassInfoMixin<OrderChains> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace hip::engine::compile
