// runtime/engine/compile/translator.cpp - see translator.h: decode, analyse, emit, optimise, generate code.
#include "runtime/engine/compile/translator.h"

#include "runtime/engine/compile/analysis/roots.h"
#include "runtime/engine/compile/analysis/validate.h"
#include "runtime/engine/compile/codegen/code_parts.h"
#include "runtime/engine/compile/codegen/host_code.h"
#include "runtime/engine/compile/dump.h"
#include "runtime/engine/compile/emit/emit.h"
#include "runtime/engine/compile/phase_times.h"
#include "runtime/engine/compile/left_on_throw.h"
#include "runtime/engine/compile/quick/quick_code.h"
#include "runtime/engine/compile/read/ahead.h"
#include "runtime/engine/compile/read/renames.h"
#include "runtime/engine/decode/llvm_memory.h"

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <new>

namespace hip::engine::compile {
namespace {

// Larger regions gain nothing and cost more than linearly.
constexpr uint32_t kRegionLimit = 384;

// Whether what each pass hands on is looked at (analysis/validate.h).
#ifdef NDEBUG
constexpr bool kValidates = false;
#else
constexpr bool kValidates = true;
#endif

// Whether waves may come to a node from anywhere, in any state: it begins a called function, or follows a call.
bool is_entered_by_jumps(const Code& code, const Facts& facts, uint32_t node, bool is_kernel) {
  for (const Version version : kAllVersions)
    if (!facts.at({node, version}).reached) return false;
  if (node == 0 && !is_kernel) return true;
  return std::ranges::any_of(code.nodes[node].from, [&](uint32_t from) {
    const Instr& last = code.last(code.nodes[from]);
    return code.nodes[from].next == node && last.kind == Kind::Foreign && row_of(last.raw.opcode).unit == Unit::Jump;
  });
}

class X86Translator final : public Translator {
public:
  Result<Translation> translate(const Request& request) noexcept override;
};

Result<Translation> translate_or_throw(const Request& request) {
  const auto cancelled = [&] { return request.cancelled && request.cancelled->load(std::memory_order_relaxed); };
  const Status was_cancelled = error(ErrorCode::Unknown, "The translation was cancelled.");
  PhaseTimes times(dumps("times"));
  const LeftOnThrow<llvm::LLVMContext> context;
  context->setDiscardValueNames(!dumps("ir") && !dumps("optimised"));
  RT_TRY_ASSIGN(std::unique_ptr<Library> loaded, Library::load(*context, request.host.isa, request.wave_lanes));
  const LeftOnThrow<Library> library(std::move(loaded));
  library->use_features(request.host.features);
  RT_TRY_ASSIGN(std::unique_ptr<Decoder> decoder, Decoder::create(request.target, request.wave_lanes));
  times.begin("read");
  Code code = read_code(*decoder, *library, request.begin, request.end, request.float_mode);
  if (!code.rounds) library->round_to_nearest();
  if (code.nodes.empty()) return error(ErrorCode::InvalidImage, "There is no instruction at {:#x}.", request.begin);
  // Tools are told of the guest's registers.
  if (request.form == CodeForm::Plain) rename_temporaries(code);
  find_ahead(code, {.is_kernel = request.is_kernel, .computes = request.form == CodeForm::Plain});
  if constexpr (kValidates) RT_TRY(validate_code(code));
  Start start;
  if (request.is_kernel)
    start = request.start;
  else
    start.any_version = true;
  start.without_facts = request.optimise != Optimise::Everything;
  times.begin("facts");
  Liveness liveness(code); // facts under a partial EXEC hold of what is written in all lanes
  const Facts facts(code, start);
  if constexpr (kValidates) RT_TRY(validate_facts(code, facts));
  times.begin("analyses");
  find_roots(code, *library, facts);
  liveness.leave_out_unreached(code, facts);
  const Regions regions = find_regions(code, request.is_kernel, kRegionLimit);
  if constexpr (kValidates) {
    RT_TRY(validate_liveness(code, liveness));
    RT_TRY(validate_regions(code, regions));
  }

  times.begin("emit");
  llvm::Module& module = library->module();
  RT_TRY_ASSIGN(const HostCode host, HostCode::create(request.host));
  host.set_target(module);
  const LeftOnThrow<llvm::DIBuilder> debug(module);
  llvm::DIFile* file = debug->createFile("guest", "");
  llvm::DICompileUnit* unit = debug->createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C), file, "omnihip", true, "", 0, "",
                                                      llvm::DICompileUnit::LineTablesOnly);
  llvm::DISubprogram* scope =
      debug->createFunction(unit, "guest", "", file, 1, debug->createSubroutineType(debug->getOrCreateTypeArray({})), 1,
                           llvm::DINode::FlagZero, llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized);

  if (dumps("foreign"))
    for (const Instr& i : code.instrs)
      if (i.kind == Kind::Foreign || i.kind == Kind::Called) llvm::errs() << name_of(i.raw.opcode) << (i.kind == Kind::Called ? " (called)\n" : "\n");
  Translation out;
  out.usual_mode = code.usual_mode;
  PrefetchPlan prefetches(code, regions);
  const FunctionAnalysis function{code, facts, liveness, regions, request.form, request.is_kernel};
  for (uint32_t k = 0; k < regions.regions.size(); ++k) {
    if (cancelled()) return was_cancelled;
    EmittedRegion region = RegionEmitter(function, k, region_name(k), *library, prefetches, scope).emit();
    out.exits.push_back(std::move(region.exits));
    out.calls.push_back(std::move(region.calls));
    out.batches.push_back(region.starts ? Translation::kStartingBatch : regions.regions[k].batches ? Translation::kBatch : Translation::kAlone);
    out.native += regions.regions[k].instructions;
  }
  llvm::IRBuilder<> at_pauses(*context);
  prefetches.emit(at_pauses);
  debug->finalize();
  module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  module.addModuleFlag(llvm::Module::Warning, "Dwarf Version", 4);
  times.begin("materialize");
  RT_TRY(library->materialize_called(Library::OutOfLine::Precompiled));
  if (cancelled()) return was_cancelled;
  times.begin("parts");
  // Functions that round otherwise than to nearest are LLVM's constrained operations, which quick code has none of.
  out.quick = request.quick && has_quick_code(request.host) && !code.rounds && request.optimise != Optimise::Nothing;
  RT_TRY_ASSIGN(GeneratedParts parts,
                generate_parts(module, parts_of(regions, out.quick), request, code.rounds, out.quick));
  out.objects = std::move(parts.objects), out.refusals = std::move(parts.refusals);
  if (cancelled()) return was_cancelled;
  times.begin("results");

  for (const Instr& i : code.instrs) out.lines.push_back(i.raw.address);
  for (uint32_t n = 0; n < code.nodes.size(); ++n) {
    const uint64_t offset = code.instrs[code.nodes[n].first].raw.address;
    if (code.is_foreign(n)) {
      out.elements.push_back({offset, Translation::kNoRegion});
      ++out.foreign;
    } else if (regions.headed[n] != kNoNode) {
      out.elements.push_back({offset, regions.headed[n]});
      const KnownMode& mode = code.instrs[code.nodes[n].first].mode;
      if (mode.unknown == 0 && is_entered_by_jumps(code, facts, n, request.is_kernel)) out.entries.push_back({offset, mode.value});
    }
  }
  return out;
}

Result<Translation> X86Translator::translate(const Request& request) noexcept try {
  return translate_or_throw(request);
} catch (const std::bad_alloc&) {
  return Status::no_memory();
}

} // namespace
} // namespace hip::engine::compile

hip::engine::compile::Translator* omnihip_translator_create(uint32_t abi_version) {
  if (abi_version != hip::engine::compile::kTranslatorAbiVersion) return nullptr;
  static auto* translator = [] {
    hip::engine::let_llvm_throw();
    return new hip::engine::compile::X86Translator;
  }();
  return translator;
}
