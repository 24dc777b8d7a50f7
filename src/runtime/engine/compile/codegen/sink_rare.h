// runtime/engine/compile/codegen/sink_rare.h - what only rare code wants is computed there. Where a wave leaves for tier 0,
// or a comparison has to look at every lane, code needs registers in full, of which the usual way knows and needs less;
// LLVM computes them on the usual way, for some other rare place wants them, too.
#pragma once

#include <llvm/IR/Instruction.h>
#include <llvm/IR/PassManager.h>

namespace hip::engine::compile {

// On loads from the wave's block that give the same wherever the region uses them.
inline constexpr char kRowMetadata[] = "omnihip.row";
// Such a load: nobody else writes there, and the region itself on its ways out.
bool is_row(const llvm::Instruction& i);

struct SinkRare : llvm::PassInfoMixin<SinkRare> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace hip::engine::compile
