// runtime/engine/compile/codegen/merge_exits.h - one side exit for checks that follow each other. A wave leaves for tier 0
// where a check fails, and tier 0 goes on at the instruction that was checked. Where nothing has been written since an
// earlier check, tier 0 may as well go on there: it executes what lies between once more. So checks that do not depend on
// what is loaded in between are made together, and their accesses become code without branches, in which loads can go
// to where they are used. The exits that are gone were stores of all registers: a third to a half of a region's code.
#pragma once

#include <llvm/IR/PassManager.h>

namespace hip::engine::compile {

// On the branch of a check, whose second way is a side exit; and on stores that only say what to fetch ahead, which may be
// executed twice.
inline constexpr char kExitMetadata[] = "omnihip.exit", kHintMetadata[] = "omnihip.hint";

struct MergeExits : llvm::PassInfoMixin<MergeExits> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace hip::engine::compile
