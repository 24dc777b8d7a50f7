// runtime/engine/compile/translator.cpp - see translator.h: decode, analyse, emit, optimise, generate code.
#include "runtime/engine/compile/translator.h"

#include "runtime/base/format.h"
#include "runtime/engine/compile/emit/emit.h"
#include "runtime/engine/compile/codegen/lane_masks.h"
#include "runtime/engine/compile/phase_times.h"
#include "runtime/engine/compile/analysis/roots.h"
#include "runtime/engine/compile/codegen/sink_rare.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/IPO/AlwaysInliner.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ADCE.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/JumpThreading.h>
#include <llvm/Transforms/Scalar/LICM.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SROA.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>

#include <cstdlib>

namespace hip::engine::compile {
namespace {

// Larger regions gain nothing and cost more than linearly.
constexpr uint32_t kRegionLimit = 384;

// Whether OMNIHIP_TIER_DUMP (runtime/base/env.def) asks for this.
bool dumps(std::string_view what) {
  const char* wanted = std::getenv("OMNIHIP_TIER_DUMP");
  return wanted && what == wanted;
}

void prepare_functions(llvm::Module& module, const llvm::TargetMachine& machine) {
  for (llvm::Function& f : module) {
    f.removeFnAttr("target-cpu"), f.removeFnAttr("target-features"), f.removeFnAttr("tune-cpu");
    f.removeFnAttr("min-legal-vector-width"), f.removeFnAttr("prefer-vector-width");
    f.removeFnAttr("probe-stack"), f.removeFnAttr("stack-protector-buffer-size");
    f.removeFnAttr("frame-pointer"), f.removeFnAttr("no-trapping-math");
    if (f.isDeclaration()) continue;
    f.addFnAttr("target-cpu", machine.getTargetCPU());
    f.addFnAttr("target-features", machine.getTargetFeatureString());
    f.addFnAttr("prefer-vector-width", "512");
    f.addFnAttr("min-legal-vector-width", "512");
    if (f.getCallingConv() == llvm::CallingConv::PreserveNone) continue; // a region
    f.setLinkage(llvm::GlobalValue::InternalLinkage);
    if (!f.hasFnAttribute(llvm::Attribute::NoInline)) f.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

// `cancelled`: then the rest is left out.
void optimise(llvm::Module& module, llvm::TargetMachine& machine, Optimise how, llvm::function_ref<bool()> cancelled) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  llvm::PassInstrumentationCallbacks callbacks;
  callbacks.registerShouldRunOptionalPassCallback([cancelled](llvm::StringRef, llvm::Any) { return !cancelled(); });
  llvm::PassBuilder builder(&machine, llvm::PipelineTuningOptions(), std::nullopt, &callbacks);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  llvm::ModulePassManager passes;
  passes.addPass(llvm::AlwaysInlinerPass());
  passes.addPass(llvm::GlobalDCEPass());
  llvm::FunctionPassManager f;
  if (how == Optimise::Nothing) return void(passes.run(module, modules));
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::EarlyCSEPass(true));
  f.addPass(llvm::SimplifyCFGPass());
  f.addPass(llvm::InstCombinePass());
  f.addPass(llvm::SROAPass(llvm::SROAOptions::ModifyCFG));
  f.addPass(llvm::GVNPass());
  f.addPass(llvm::JumpThreadingPass());
  f.addPass(SplitLaneMasks());
  f.addPass(llvm::EarlyCSEPass());
  f.addPass(llvm::InstCombinePass());
  f.addPass(llvm::ADCEPass());
  f.addPass(llvm::SimplifyCFGPass());
  f.addPass(JoinLaneMasks());
  f.addPass(SinkRare());
  passes.addPass(llvm::createModuleToFunctionPassAdaptor(std::move(f)));
  passes.run(module, modules);
}

// s_setreg of MODE's fields for rounding and denormals: the optimiser takes them for what they usually are.
bool sets_float_mode(const RawInst& raw) {
  constexpr uint32_t kMode = 1, kFloatBits = 8;
  const uint32_t field = uint32_t(raw.simm16);
  if (raw.opcode == Opcode::s_round_mode || raw.opcode == Opcode::s_denorm_mode) return true;
  return row_of(raw.opcode).sets_mode && (field & 63) == kMode && (field >> 6 & 31) < kFloatBits;
}

class X86Translator final : public Translator {
public:
  X86Translator() {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
  }
  Result<Translation> translate(const Request& request) noexcept override;

private:
  static std::unique_ptr<llvm::TargetMachine> make_machine(const HostCpu& host, std::string& why);
};

std::unique_ptr<llvm::TargetMachine> X86Translator::make_machine(const HostCpu& host, std::string& why) {
  const llvm::Triple triple("x86_64-unknown-linux-gnu");
  const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, why);
  if (!target) return nullptr;
  // The handlers leave the vector registers' upper halves dirty, and so may we.
  const std::string features = host.features + (host.features.empty() ? "" : ",") + "-vzeroupper,+prefer-no-gather";
  llvm::TargetOptions options;
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(
      target->createTargetMachine(triple, host.name, features, options, llvm::Reloc::PIC_, llvm::CodeModel::Small,
                                  llvm::CodeGenOptLevel::Less, true));
}

Result<Translation> X86Translator::translate(const Request& request) noexcept {
  const auto cancelled = [&] { return request.cancelled && request.cancelled->load(std::memory_order_relaxed); };
  const Status was_cancelled = error(ErrorCode::Unknown, "The translation was cancelled.");
  PhaseTimes times(dumps("times"));
  llvm::LLVMContext context;
  RT_TRY_ASSIGN(std::unique_ptr<Library> library, Library::load(context, request.host.isa));
  library->use_features(request.host.features);
  RT_TRY_ASSIGN(std::unique_ptr<Decoder> decoder, Decoder::create(request.target));
  times.begin("read");
  Code code = read_code(*decoder, *library, request.begin, request.end);
  if (code.nodes.empty()) return error(ErrorCode::InvalidImage, "There is no instruction at {:#x}.", request.begin);
  for (const Instr& i : code.instrs)
    if (sets_float_mode(i.raw))
      return error(ErrorCode::NotSupported, "The function at {:#x} sets how numbers are rounded, at {:#x}.", request.begin,
                   i.raw.address);
  Start start = request.is_kernel ? request.start : Start();
  start.without_facts = request.optimise == Optimise::Nothing;
  times.begin("facts");
  const Facts facts(code, start);
  times.begin("analyses");
  find_roots(code, *library, facts);
  Liveness liveness(code);
  liveness.leave_out_unreached(code, facts);
  const Regions regions = find_regions(code, kRegionLimit);

  times.begin("emit");
  llvm::Module& module = library->module();
  std::string why;
  std::unique_ptr<llvm::TargetMachine> machine = make_machine(request.host, why);
  if (!machine) return error(ErrorCode::Unknown, "The code generator has no target: {}.", why);
  module.setTargetTriple(machine->getTargetTriple());
  module.setDataLayout(machine->createDataLayout());
  llvm::DIBuilder debug(module);
  llvm::DIFile* file = debug.createFile("guest", "");
  llvm::DICompileUnit* unit = debug.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "omnihip", true, "", 0, "",
                                                      llvm::DICompileUnit::LineTablesOnly);
  llvm::DISubprogram* scope =
      debug.createFunction(unit, "guest", "", file, 1, debug.createSubroutineType(debug.getOrCreateTypeArray({})), 1,
                           llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);

  if (dumps("foreign"))
    for (const Instr& i : code.instrs)
      if (i.kind == Kind::Foreign || i.kind == Kind::Called) llvm::errs() << name_of(i.raw.opcode) << (i.kind == Kind::Called ? " (called)\n" : "\n");
  Translation out;
  PrefetchPlan prefetches(code, regions);
  const FunctionAnalysis function{code, facts, liveness, regions, request.is_kernel};
  for (uint32_t k = 0; k < regions.regions.size(); ++k) {
    if (cancelled()) return was_cancelled;
    EmittedRegion region = RegionEmitter(function, k, fmt::format("r{}", k), *library, prefetches, scope).emit();
    out.exits.push_back(std::move(region.exits));
    out.calls.push_back(std::move(region.calls));
    out.batches.push_back(region.starts ? Translation::kStartingBatch : regions.regions[k].batches ? Translation::kBatch : Translation::kAlone);
    out.native += regions.regions[k].instructions;
  }
  llvm::IRBuilder<> at_pauses(context);
  prefetches.emit(at_pauses);
  debug.finalize();
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  times.begin("materialize");
  RT_TRY(library->materialize_called());
  prepare_functions(module, *machine);
  if (dumps("ir")) module.print(llvm::errs(), nullptr);
  times.begin("verify");
  std::string problems;
  llvm::raw_string_ostream stream(problems);
  if (llvm::verifyModule(module, &stream))
    return error(ErrorCode::Unknown, "The translation of the function at {:#x} is not valid IR: {}", request.begin, problems);
  if (cancelled()) return was_cancelled;
  times.begin("optimise");
  optimise(module, *machine, request.optimise, cancelled);
  if (cancelled()) return was_cancelled;
  if (dumps("optimised")) module.print(llvm::errs(), nullptr);

  times.begin("generate");
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream object(bytes);
  llvm::legacy::PassManager generate;
  if (machine->addPassesToEmitFile(generate, object, nullptr, llvm::CodeGenFileType::ObjectFile, true))
    return error(ErrorCode::Unknown, "The code generator cannot write objects.");
  generate.run(module);
  times.begin("results");
  const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
  out.object.assign(data, data + bytes.size());

  for (const Instr& i : code.instrs) out.lines.push_back(i.raw.address);
  for (uint32_t n = 0; n < code.nodes.size(); ++n) {
    const uint64_t offset = code.instrs[code.nodes[n].first].raw.address;
    if (code.is_foreign(n)) {
      out.elements.push_back({offset, Translation::kNoRegion});
      ++out.foreign;
    } else if (regions.headed[n] != kNoNode) {
      out.elements.push_back({offset, regions.headed[n]});
    }
  }
  return out;
}

} // namespace
} // namespace hip::engine::compile

hip::engine::compile::Translator* omnihip_translator_create(uint32_t abi_version) {
  if (abi_version != hip::engine::compile::kTranslatorAbiVersion) return nullptr;
  static auto* translator = new hip::engine::compile::X86Translator;
  return translator;
}
