#include "runtime/rtc/compiler/precompiled.h"

#include "runtime/rtc/compiler/asked_names.h"
#include "runtime/rtc/compiler/compiler.h"
#include "runtime/rtc/compiler/header_store.h"
#include "runtime/rtc/folder.h"
#include "runtime/rtc/program_words.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendActions.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <optional>
#include <vector>

namespace hip::rtc {
namespace {

// How many of the included headers belong to the precompiled one: all up to hiprtc's own; 0 when that is not included.
size_t leading_headers(const clang::PreprocessorOptions& options) {
  const auto it = std::find(options.Includes.begin(), options.Includes.end(), kNamesHeader);
  return it == options.Includes.end() ? 0 : size_t(it - options.Includes.begin()) + 1;
}

llvm::StringRef name_of(llvm::StringRef macro) {
  return macro.take_until([](char c) { return c == '=' || c == '('; });
}

bool is_own(llvm::StringRef macro) { return llvm::is_contained(kOwnMacros, name_of(macro)); }

// Definitions of a command line: the text, and whether it takes one away (-U).
using Macros = std::vector<std::pair<std::string, bool>>;

// The files' name without its ending: ".pch" is the header, ".names" the macros that it asks for. `asked` are the
// program's definitions of such.
std::string name_for(const clang::CompilerInvocation& invocation, const Macros& asked) {
  clang::CompilerInvocation key(invocation);
  clang::PreprocessorOptions& preprocessor = key.getPreprocessorOpts();
  llvm::erase_if(preprocessor.Macros, [](const auto& macro) { return !is_own(macro.first); });
  // What a target can do besides is no matter of the headers.
  llvm::erase_if(key.getTargetOpts().FeaturesAsWritten, [](const std::string& feature) {
    return llvm::StringRef(feature).drop_front() == "xnack" || llvm::StringRef(feature).drop_front() == "sramecc";
  });
  std::string headers;
  for (size_t i = 0; i < leading_headers(preprocessor); ++i) headers += preprocessor.Includes[i] + "\n";
  for (const auto& [text, undefines] : asked) headers += (undefines ? "-U" : "-D") + text + "\n";
  return key.getModuleHash() + "-" + llvm::utohexstr(llvm::xxh3_64bits(headers), true);
}
std::string stem_in_sdk(const std::string& sdk, const std::string& name) { return sdk + "/lib/omnihip/pch/" + name; }

// The program's definitions of macros that headers ask for, by the list of these.
Macros asked_of(const clang::PreprocessorOptions& options, const std::string& names_path) {
  Macros asked;
  if (llvm::all_of(options.Macros, [](const auto& macro) { return is_own(macro.first); })) return asked;
  const auto names = llvm::MemoryBuffer::getFile(names_path);
  for (const auto& macro : options.Macros)
    if (!is_own(macro.first) && (!names || (*names)->getBuffer().contains(("\n" + name_of(macro.first) + "\n").str())))
      asked.push_back(macro);
  return asked;
}

class PrecompileAction : public clang::GeneratePCHAction {
public:
  explicit PrecompileAction(std::string names_path) : names_path_(std::move(names_path)) {}
  bool BeginSourceFileAction(clang::CompilerInstance& compiler) override {
    collect_asked_names(compiler.getPreprocessor(), names_);
    return clang::GeneratePCHAction::BeginSourceFileAction(compiler);
  }
  void EndSourceFileAction() override {
    std::error_code failed;
    llvm::raw_fd_ostream file(names_path_, failed);
    file << "\n";
    for (const std::string& name : names_) file << name << "\n";
    clang::GeneratePCHAction::EndSourceFileAction();
  }

private:
  const std::string names_path_;
  AskedNames names_;
};

std::unique_ptr<clang::FrontendAction> prepare(clang::CompilerInvocation& invocation, const std::string& stem) {
  clang::PreprocessorOptions& preprocessor = invocation.getPreprocessorOpts();
  clang::FrontendOptions& frontend = invocation.getFrontendOpts();
  preprocessor.Includes.resize(leading_headers(preprocessor));
  preprocessor.Includes.pop_back(); // hiprtc's own is the main file
  const clang::InputKind kind = frontend.Inputs[0].getKind();
  frontend.Inputs.clear();
  frontend.Inputs.emplace_back(std::string(kSdkRoot) + "/include/" + kNamesHeader, kind);
  frontend.OutputFile = stem + ".pch";
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.IncludeTimestamps = false; // an installed copy of a header has the time of its installation
  return std::make_unique<PrecompileAction>(stem + ".names");
}

// Takes from a compilation what is the program's own: its macros but for those asked for, its folders, and what it
// wants besides code.
void leave_headers(clang::CompilerInvocation& invocation, const Macros& asked) {
  llvm::erase_if(invocation.getPreprocessorOpts().Macros,
                 [&](const auto& macro) { return !is_own(macro.first) && !llvm::is_contained(asked, macro); });
  llvm::erase_if(invocation.getHeaderSearchOpts().UserEntries, [](const auto& entry) {
    return !llvm::StringRef(entry.Path).starts_with(std::string(kSdkRoot) + "/") &&
           !llvm::StringRef(entry.Path).starts_with(std::string(kClangRoot) + "/");
  });
  invocation.getDependencyOutputOpts() = {};
  invocation.getFrontendOpts().StatsFile.clear();
  invocation.getDiagnosticOpts().IgnoreWarnings = true; // or they might be errors
}

// The stem of a header's files: in the SDK, or else in the scratch folder, from the cache on disk or made now and
// stored there. Empty: there is none.
std::string find_header(const clang::CompilerInvocation& invocation, const Macros& asked, const HeaderFolders& folders,
                        const RunCompilation& run) {
  const std::string name = name_for(invocation, asked);
  std::string stem = stem_in_sdk(folders.sdk, name);
  if (llvm::sys::fs::exists(stem + ".pch")) return stem;
  if (folders.scratch.empty()) return {};
  stem = folders.scratch + "/" + name;
  if (llvm::sys::fs::exists(stem + ".pch")) return stem; // of the command's job before
  HeaderStore store(folders.sdk);
  if (const std::optional<PrecompiledHeader> header = store.find(name))
    return write_file(stem + ".names", header->names) && write_file(stem + ".pch", header->pch) ? stem : std::string();
  const auto headers = std::make_shared<clang::CompilerInvocation>(invocation);
  leave_headers(*headers, asked);
  if (!run(headers, *prepare(*headers, stem))) return {};
  store.store(name, {.pch = read_file(stem + ".pch"), .names = read_file(stem + ".names")});
  return stem;
}

} // namespace

void use_precompiled(clang::CompilerInvocation& invocation, const HeaderFolders& folders, const RunCompilation& run) {
  clang::PreprocessorOptions& preprocessor = invocation.getPreprocessorOpts();
  const size_t count = leading_headers(preprocessor);
  if (count == 0 || !preprocessor.ImplicitPCHInclude.empty() || !preprocessor.MacroIncludes.empty()) return;
  if (invocation.getFrontendOpts().ProgramAction == clang::frontend::PrintPreprocessedInput)
    return; // which has the headers' text
  std::string stem = find_header(invocation, {}, folders, run);
  const Macros asked = stem.empty() ? Macros() : asked_of(preprocessor, stem + ".names");
  if (!asked.empty()) {
    stem = find_header(invocation, asked, folders, run);
    // One may lead to others, which these headers have not seen.
    if (!stem.empty() && asked_of(preprocessor, stem + ".names") != asked) stem.clear();
  }
  if (stem.empty()) return;
  preprocessor.Includes.erase(preprocessor.Includes.begin(), preprocessor.Includes.begin() + ptrdiff_t(count));
  preprocessor.ImplicitPCHInclude = stem + ".pch";
  // The file's name says that it fits. (Clang's own check refuses one for "gfx942" in "gfx942:xnack-".)
  preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::All;
}

std::unique_ptr<clang::FrontendAction> prepare_precompilation(clang::CompilerInvocation& invocation,
                                                              const std::string& sdk) {
  (void)llvm::sys::fs::create_directories(sdk +
                                          "/lib/omnihip/pch"); // what is written there next fails then, and says why
  return prepare(invocation, stem_in_sdk(sdk, name_for(invocation, {})));
}

} // namespace hip::rtc
