// The plug-in of hipcc's passes: clang loads it with -fpass-plugin, lld (-fgpu-rdc) with --load-pass-plugin.
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>

#include "passes.h"

namespace {

void register_callbacks(llvm::PassBuilder& builder) {
  builder.registerVectorizerStartEPCallback([](llvm::FunctionPassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(omnihip::codegen::ContractPass());
  });
  const auto add_byte_products = [](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    if (level != llvm::OptimizationLevel::O0)
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(omnihip::codegen::ByteProductsPass()));
  };
  builder.registerOptimizerLastEPCallback([=](llvm::ModulePassManager& passes, llvm::OptimizationLevel level,
                                              llvm::ThinOrFullLTOPhase) { add_byte_products(passes, level); });
  builder.registerFullLinkTimeOptimizationLastEPCallback(add_byte_products);
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel) {
    passes.addPass(omnihip::codegen::NvptxPrintfPass());
  });
}

} // namespace

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  omnihip::codegen::add_phi_guard();
  return {LLVM_PLUGIN_API_VERSION, "omnihip-codegen", "1", register_callbacks};
}
