// What LLVM and lld call by name and is not linked.
//
// lld initialises every target that LLVM has been built with. Only those for GPUs are linked here: the others'
// functions of initialisation are defined to do nothing, which keeps the code of 20 processors out of the library.

#include <llvm/Plugins/PassPlugin.h>

#define RT_NOTHING(target)
#define RT_EMPTY_TARGET(target)                                                                                        \
  extern "C" void LLVMInitialize##target##TargetInfo() {}                                                              \
  extern "C" void LLVMInitialize##target##Target() {}                                                                  \
  extern "C" void LLVMInitialize##target##TargetMC() {}                                                                \
  extern "C" void LLVMInitialize##target##AsmPrinter() {}                                                              \
  extern "C" void LLVMInitialize##target##AsmParser() {}

// The targets that are linked. (For any other target the second argument of RT_SECOND is RT_EMPTY_TARGET.)
#define RT_LINKED_AMDGPU ~, RT_NOTHING
#define RT_LINKED_NVPTX ~, RT_NOTHING
#define RT_SECOND(first, second, ...) second
#define RT_CHOOSE(...) RT_SECOND(__VA_ARGS__, ~)
#define LLVM_TARGET(target) RT_CHOOSE(RT_LINKED_##target, RT_EMPTY_TARGET)(target)
#include <llvm/Config/Targets.def>

// Debian's LLVM calls this extension for every compilation; it optimises loops of host code.
llvm::PassPluginLibraryInfo getPollyPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Polly", "none", [](llvm::PassBuilder&) {}};
}
