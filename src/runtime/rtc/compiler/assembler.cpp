#include "runtime/rtc/compiler/assembler.h"

#include "runtime/rtc/compiler/llvm_options.h"

#include <llvm/MC/MCAsmBackend.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/MC/MCCodeEmitter.h>
#include <llvm/MC/MCContext.h>
#include <llvm/MC/MCInstrInfo.h>
#include <llvm/MC/MCObjectFileInfo.h>
#include <llvm/MC/MCObjectWriter.h>
#include <llvm/MC/MCParser/MCAsmParser.h>
#include <llvm/MC/MCParser/MCTargetAsmParser.h>
#include <llvm/MC/MCRegisterInfo.h>
#include <llvm/MC/MCStreamer.h>
#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/MCTargetOptions.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <optional>

namespace hip::rtc {
namespace {

struct AssemblerWords {
  std::string triple, processor, features, input, output;
  std::vector<std::string> include_folders, llvm_options;
  std::vector<std::pair<std::string, int64_t>> symbols;
  bool fatal_warnings = false, no_warnings = false;
};

// What the driver writes for assembly, and what users add to it. Nothing: a word that is not known.
std::optional<AssemblerWords> read_words(const std::vector<const char*>& words) {
  AssemblerWords out;
  for (size_t i = 0; i < words.size(); ++i) {
    const llvm::StringRef word = words[i];
    const auto value = [&]() -> std::string { return i + 1 < words.size() ? words[++i] : ""; };
    if (word == "-triple") {
      out.triple = value();
    } else if (word == "-target-cpu") {
      out.processor = value();
    } else if (word == "-target-feature") {
      if (!out.features.empty()) out.features += ',';
      out.features += value();
    } else if (word == "-o") {
      out.output = value();
    } else if (word == "-mllvm") {
      out.llvm_options.push_back(value());
    } else if (word == "-I") {
      out.include_folders.push_back(value());
    } else if (word == "-defsym") {
      auto [name, text] = llvm::StringRef(value()).split('=');
      int64_t number = 0;
      if (text.getAsInteger(0, number)) return std::nullopt;
      out.symbols.emplace_back(name.str(), number);
    } else if (word == "-filetype") {
      if (value() != "obj") return std::nullopt;
    } else if (word == "-main-file-name" || word == "-dwarf-debug-producer" || word == "-mrelocation-model") {
      value(); // debug information names them; code does not
    } else if (word.starts_with("-fdebug-compilation-dir=") || word.starts_with("-dwarf-version=") ||
               word == "-mrelax-relocations=no") {
    } else if (word == "-massembler-fatal-warnings") {
      out.fatal_warnings = true;
    } else if (word == "-massembler-no-warn") {
      out.no_warnings = true;
    } else if (!word.starts_with("-") && out.input.empty()) {
      out.input = word;
    } else {
      return std::nullopt;
    }
  }
  if (out.input.empty() || out.output.empty()) return std::nullopt;
  return out;
}

} // namespace

CompilerOutcome assemble(const std::vector<const char*>& words, std::string& log) {
  const auto read = read_words(words);
  if (!read || !llvm::StringRef(read->triple).starts_with("amdgcn")) return CompilerOutcome::Unsupported;
  const LlvmOptions options(read->llvm_options);
  llvm::raw_string_ostream text(log);
  if (!options.error().empty()) {
    text << options.error();
    return CompilerOutcome::Failed;
  }
  const llvm::Triple triple(read->triple);
  std::string problem;
  const llvm::Target* const target = llvm::TargetRegistry::lookupTarget(triple, problem);
  auto input = llvm::MemoryBuffer::getFile(read->input, /*IsText=*/true);
  if (!target || !input) {
    text << "error: " << (target ? read->input + ": " + input.getError().message() : problem) << "\n";
    return CompilerOutcome::Failed;
  }

  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*input), llvm::SMLoc());
  sources.setIncludeDirs(read->include_folders);
  sources.setVirtualFileSystem(llvm::vfs::getRealFileSystem());
  sources.setDiagHandler(
      [](const llvm::SMDiagnostic& diagnostic, void* to) {
        diagnostic.print(nullptr, *static_cast<llvm::raw_ostream*>(to), /*ShowColors=*/false);
      },
      &text);

  llvm::MCTargetOptions target_options;
  target_options.MCFatalWarnings = read->fatal_warnings;
  target_options.MCNoWarn = read->no_warnings;
  const std::unique_ptr<llvm::MCRegisterInfo> registers(target->createMCRegInfo(triple));
  const std::unique_ptr<llvm::MCAsmInfo> asm_info(target->createMCAsmInfo(*registers, triple, target_options));
  const std::unique_ptr<llvm::MCInstrInfo> instructions(target->createMCInstrInfo());
  const std::unique_ptr<llvm::MCSubtargetInfo> subtarget(
      target->createMCSubtargetInfo(triple, read->processor, read->features));
  llvm::MCContext context(triple, asm_info.get(), registers.get(), subtarget.get(), &sources, &target_options);
  const std::unique_ptr<llvm::MCObjectFileInfo> object_info(target->createMCObjectFileInfo(context, /*PIC=*/true));
  context.setObjectFileInfo(object_info.get());

  std::error_code failed;
  llvm::raw_fd_ostream file(read->output, failed);
  if (failed) {
    text << "error: " << read->output << ": " << failed.message() << "\n";
    return CompilerOutcome::Failed;
  }
  std::unique_ptr<llvm::MCCodeEmitter> emitter(target->createMCCodeEmitter(*instructions, context));
  std::unique_ptr<llvm::MCAsmBackend> backend(target->createMCAsmBackend(*subtarget, *registers, target_options));
  auto writer = backend->createObjectWriter(file);
  const std::unique_ptr<llvm::MCStreamer> streamer(target->createMCObjectStreamer(
      triple, context, std::move(backend), std::move(writer), std::move(emitter), *subtarget));
  const std::unique_ptr<llvm::MCAsmParser> parser(llvm::createMCAsmParser(sources, context, *streamer, *asm_info));
  for (const auto& [name, number] : read->symbols) context.setSymbolValue(*streamer, name, uint64_t(number));
  const std::unique_ptr<llvm::MCTargetAsmParser> of_target(
      target->createMCAsmParser(*subtarget, *parser, *instructions, target_options));
  parser->setTargetParser(*of_target);
  return parser->Run(/*NoInitialTextSection=*/false) ? CompilerOutcome::Failed : CompilerOutcome::Done;
}

} // namespace hip::rtc
