// The plug-in of hipcc's passes: clang loads it with -fpass-plugin, lld (-fgpu-rdc) with --load-pass-plugin.
#include <llvm/Plugins/PassPlugin.h>

#include "passes.h"

extern "C" __attribute__((visibility("default"))) llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  omnihip::codegen::add_phi_guard();
  return {LLVM_PLUGIN_API_VERSION, "omnihip-codegen", "1", omnihip::codegen::register_callbacks};
}
