// Where in LLVM's pipelines the passes stand.
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include "passes.h"

namespace omnihip::codegen {

void register_callbacks(llvm::PassBuilder& builder) {
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(ContractPass());
    passes.addPass(NvptxUnrollPass());
  });
  builder.registerPeepholeEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel level) {
    if (level == llvm::OptimizationLevel::O0) return;
    passes.addPass(NvptxCopiesPass(NvptxCopiesPass::Which::Small));
    passes.addPass(IntegerMinimumPass());
  });
  // What is linked as bitcode is looked at when all of it is there.
  builder.registerOptimizerEarlyEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level, llvm::ThinOrFullLTOPhase phase) {
        if (level == llvm::OptimizationLevel::O0 || phase != llvm::ThinOrFullLTOPhase::None) return;
        passes.addPass(llvm::createModuleToFunctionPassAdaptor(SpinLocksPass()));
      });
  const auto add_last = [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    llvm::FunctionPassManager last;
    if (level != llvm::OptimizationLevel::O0) {
      last.addPass(ByteProductsPass());
      last.addPass(NvptxSpacesPass());
      last.addPass(NvptxCopiesPass());
      last.addPass(NvptxSharedIndexPass());
      last.addPass(NvptxWideAccessPass());
      last.addPass(NvptxLoopsPass());
    }
    last.addPass(NvptxAtomicsPass());
    passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(last)));
  };
  builder.registerOptimizerLastEPCallback([=](llvm::ModulePassManager& passes, llvm::OptimizationLevel level,
                                              llvm::ThinOrFullLTOPhase) { add_last(passes, level); });
  builder.registerFullLinkTimeOptimizationLastEPCallback(
      [=](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
        if (level != llvm::OptimizationLevel::O0)
          passes.addPass(llvm::createModuleToFunctionPassAdaptor(SpinLocksPass()));
        add_last(passes, level);
      });
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(ShiftsPass());
    passes.addPass(StaticNamesPass());
    passes.addPass(NvptxPrintfPass());
    passes.addPass(SharedAlignmentPass());
    passes.addPass(NvptxScopesPass());
  });
}

} // namespace omnihip::codegen
