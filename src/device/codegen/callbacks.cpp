// Where in LLVM's pipelines the passes stand.
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include "passes.h"

namespace omnihip::codegen {

void register_callbacks(llvm::PassBuilder& builder) {
  builder.registerVectorizerStartEPCallback(
      [](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) { passes.addPass(ContractPass()); });
  const auto add_byte_products = [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    if (level != llvm::OptimizationLevel::O0)
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(ByteProductsPass()));
  };
  builder.registerOptimizerLastEPCallback([=](llvm::ModulePassManager& passes, llvm::OptimizationLevel level,
                                              llvm::ThinOrFullLTOPhase) { add_byte_products(passes, level); });
  builder.registerFullLinkTimeOptimizationLastEPCallback(add_byte_products);
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(StaticNamesPass());
    passes.addPass(NvptxPrintfPass());
    passes.addPass(SharedAlignmentPass());
  });
}

} // namespace omnihip::codegen
