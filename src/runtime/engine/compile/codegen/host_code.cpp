// runtime/engine/compile/codegen/host_code.cpp - see host_code.h.
#include "runtime/engine/compile/codegen/host_code.h"

#include "runtime/engine/compile/codegen/block_values.h"
#include "runtime/engine/compile/codegen/follow_rounding.h"
#include "runtime/engine/compile/codegen/keep_order.h"
#include "runtime/engine/compile/codegen/lane_masks.h"
#include "runtime/engine/compile/codegen/merge_exits.h"
#include "runtime/engine/compile/codegen/order_chains.h"
#include "runtime/engine/compile/codegen/sink_rare.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/TargetPassConfig.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/RegisterTargetPassConfigCallback.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/InstSimplifyPass.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/Mem2Reg.h>

namespace hip::engine::compile {
namespace {

// Once per process: LLVM's target, and what of its code generator is left out. Translations have lines but no variables,
// which LiveDebugValues looks for in every instruction.
void initialise_target() {
  static const bool once = [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    keep_order_under_pressure();
    new llvm::RegisterTargetPassConfigCallback([](llvm::TargetMachine&, llvm::PassManagerBase&, llvm::TargetPassConfig* config) {
      config->disablePass(&llvm::LiveDebugValuesID);
    });
    return true;
  }();
  static_cast<void>(once);
}

} // namespace

HostCode::HostCode(std::unique_ptr<llvm::TargetMachine> machine, HostIsa isa) : machine_(std::move(machine)), isa_(isa) {}
HostCode::HostCode(HostCode&&) noexcept = default;
HostCode::~HostCode() = default;

Result<HostCode> HostCode::create(const HostCpu& host) {
  initialise_target();
  const llvm::Triple triple("x86_64-unknown-linux-gnu");
  std::string why;
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, why);
  if (!target) return error(ErrorCode::Unknown, "The code generator has no target: {}.", why);
  // The handlers leave the vector registers' upper halves dirty, and so may we.
  const std::string features = host.features + (host.features.empty() ? "" : ",") + "-vzeroupper,+prefer-no-gather";
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return HostCode(std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, host.name, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                  llvm::CodeGenOptLevel::Less, true)),
                  host.isa);
}

void HostCode::set_target(llvm::Module& module) const {
  module.setTargetTriple(machine_->getTargetTriple());
  module.setDataLayout(machine_->createDataLayout());
}

void HostCode::prepare(llvm::Module& module) const {
  for (llvm::Function& f : module) {
    f.removeFnAttr("target-cpu"), f.removeFnAttr("target-features"), f.removeFnAttr("tune-cpu");
    f.removeFnAttr("min-legal-vector-width"), f.removeFnAttr("prefer-vector-width");
    f.removeFnAttr("probe-stack"), f.removeFnAttr("stack-protector-buffer-size");
    f.removeFnAttr("frame-pointer"), f.removeFnAttr("no-trapping-math");
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", machine_->getTargetCPU());
    f.addFnAttr("target-features", machine_->getTargetFeatureString());
    f.addFnAttr("prefer-vector-width", "512");
    f.addFnAttr("min-legal-vector-width", "512");
    if (f.getCallingConv() == llvm::CallingConv::PreserveNone) { // a region
      f.addFnAttr("stackrealign"); // strips that have no register lie in one line each: a quarter of the time of tiled GEMMs
      continue;
    }
    f.setLinkage(llvm::GlobalValue::InternalLinkage);
    // Without a frame pointer LLVM cannot align a stack on which it saves vectors: most of them lie in two lines, some
    // in two pages.
    if (f.hasFnAttribute(llvm::Attribute::NoInline))
      f.addFnAttr("frame-pointer", "all");
    else
      f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

// Registers are allocas of one type, stored and loaded as a whole: mem2reg promotes them in a third of the time that SROA takes.
// SROA is left with the arrays of strips through which inlined functions of the library take operands and return results.
void HostCode::optimise(llvm::Module& module, Optimise how, bool rounds, llvm::function_ref<bool()> cancelled,
                        bool quick) const {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback([cancelled](llvm::StringRef, llvm::Any) { return !cancelled(); });
  llvm::PassBuilder builder(machine_.get(), llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::ModulePassManager passes;
  if (rounds) passes.addPass(llvm::createModuleToFunctionPassAdaptor(FollowRounding()));
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  llvm::FunctionPassManager f;
  if (how == Optimise::Nothing) return void(passes.run(module, modules));
  f.addPass(BlockValues());
  f.addPass(llvm::PromotePass());
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(true));
  f.addPass(MergeExits());
  f.addPass(llvm::SimplifyCFGPass());
  if (quick) {
    f.addPass(llvm::InstSimplifyPass());
    f.addPass(SplitLaneMasks());
    f.addPass(llvm::InstSimplifyPass());
    f.addPass(llvm::ADCEPass());
  } else {
    f.addPass(llvm::InstCombinePass());
    f.addPass(llvm::GVNPass());
    f.addPass(llvm::JumpThreadingPass());
    f.addPass(SplitLaneMasks());
    f.addPass(llvm::EarlyCSEPass());
    f.addPass(llvm::InstCombinePass());
    f.addPass(llvm::ADCEPass());
    f.addPass(llvm::SimplifyCFGPass());
  }
  f.addPass(JoinLaneMasks());
  f.addPass(SinkRare());
  if (!quick) f.addPass(OrderChains());
  if (isa_ != HostIsa::Avx512) f.addPass(ExpandLaneMasks());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(f)));
  passes.run(module, modules);
}

Result<std::vector<std::byte>> HostCode::generate(llvm::Module& module) const {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream object(bytes);
  llvm::legacy::PassManager generate;
  if (machine_->addPassesToEmitFile(generate, object, nullptr, llvm::CodeGenFileType::ObjectFile, true))
    return error(ErrorCode::Unknown, "The code generator cannot write objects.");
  generate.run(module);
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  return std::vector<std::byte>(data, data + bytes.size());
}

} // namespace hip::engine::compile
