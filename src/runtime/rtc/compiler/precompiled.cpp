#include "runtime/rtc/compiler/precompiled.h"

#include "runtime/rtc/compiler/compiler.h"
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

// The file without its ending: ".pch" is the header, ".names" what it mentions.
std::string stem_for(const clang::CompilerInvocation& invocation, const std::string& sdk) {
  clang::CompilerInvocation key(invocation);
  clang::PreprocessorOptions& preprocessor = key.getPreprocessorOpts();
  llvm::erase_if(preprocessor.Macros,
                 [](const auto& macro) { return !llvm::is_contained(kOwnMacros, name_of(macro.first)); });
  // What a target can do besides is no matter of the headers.
  llvm::erase_if(key.getTargetOpts().FeaturesAsWritten, [](const std::string& feature) {
    return llvm::StringRef(feature).drop_front() == "xnack" || llvm::StringRef(feature).drop_front() == "sramecc";
  });
  std::string headers;
  for (size_t i = 0; i < leading_headers(preprocessor); ++i) headers += preprocessor.Includes[i] + "\n";
  return sdk + "/lib/omnihip/pch/" + key.getModuleHash() + "-" + llvm::utohexstr(llvm::xxh3_64bits(headers), true);
}

// Whether a macro of the command line means something to the headers, or the list of what they mention is not there.
bool mentions_macros(const std::string& names_path, const clang::PreprocessorOptions& options) {
  const auto is_own = [](llvm::StringRef name) { return llvm::is_contained(kOwnMacros, name); };
  if (llvm::all_of(options.Macros, [&](const auto& macro) { return is_own(name_of(macro.first)); })) return false;
  const auto names = llvm::MemoryBuffer::getFile(names_path);
  return !names || llvm::any_of(options.Macros, [&](const auto& macro) {
    const llvm::StringRef name = name_of(macro.first);
    return !is_own(name) && (*names)->getBuffer().contains(("\n" + name + "\n").str());
  });
}

// Lists all identifiers that the preprocessor has met as well: whatever a conditional asks for is one.
class PrecompileAction : public clang::GeneratePCHAction {
public:
  explicit PrecompileAction(std::string names_path) : names_path_(std::move(names_path)) {}
  void EndSourceFileAction() override {
    std::error_code failed;
    llvm::raw_fd_ostream names(names_path_, failed);
    names << "\n";
    for (const auto& name : getCompilerInstance().getPreprocessor().getIdentifierTable())
      names << name.getKey() << "\n";
    clang::GeneratePCHAction::EndSourceFileAction();
  }

private:
  const std::string names_path_;
};

} // namespace

void use_precompiled(clang::CompilerInvocation& invocation, const std::string& sdk) {
  clang::PreprocessorOptions& preprocessor = invocation.getPreprocessorOpts();
  const size_t count = leading_headers(preprocessor);
  if (count == 0 || !preprocessor.ImplicitPCHInclude.empty() || !preprocessor.MacroIncludes.empty()) return;
  const std::string stem = stem_for(invocation, sdk);
  if (!llvm::sys::fs::exists(stem + ".pch") || mentions_macros(stem + ".names", preprocessor)) return;
  preprocessor.Includes.erase(preprocessor.Includes.begin(), preprocessor.Includes.begin() + ptrdiff_t(count));
  preprocessor.ImplicitPCHInclude = stem + ".pch";
  // The file's name says that it fits. (Clang's own check refuses one for "gfx942" in "gfx942:xnack-".)
  preprocessor.DisablePCHOrModuleValidation = clang::DisableValidationForModuleKind::All;
}

std::unique_ptr<clang::FrontendAction> prepare_precompilation(clang::CompilerInvocation& invocation,
                                                              const std::string& sdk) {
  const std::string stem = stem_for(invocation, sdk);
  clang::PreprocessorOptions& preprocessor = invocation.getPreprocessorOpts();
  clang::FrontendOptions& frontend = invocation.getFrontendOpts();
  llvm::sys::fs::create_directories(sdk + "/lib/omnihip/pch");
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

} // namespace hip::rtc
