// Clang's index of declarations and its preprocessor's callbacks -> knowledge. Names are written down where they are
// spelled: in the file, in an argument of a macro or in its body.
#include "exact/collector.h"

#include "exact/places.h"
#include "exact/visitor.h"

#include <clang/Basic/DiagnosticSema.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Index/IndexDataConsumer.h>
#include <clang/Index/IndexingAction.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/PPCallbacks.h>

namespace hip::hipify {
namespace {

class Names final : public clang::index::IndexDataConsumer {
public:
  explicit Names(Places& places) : places_(places) {}

  bool handleDeclOccurrence(const clang::Decl* declaration, clang::index::SymbolRoleSet roles,
                            llvm::ArrayRef<clang::index::SymbolRelation>, clang::SourceLocation location,
                            ASTNodeInfo) override {
    if (!(roles & static_cast<clang::index::SymbolRoleSet>(clang::index::SymbolRole::Implicit)))
      places_.add(location, places_.owner(*declaration));
    return true;
  }

private:
  Places& places_;
};

class Directives final : public clang::PPCallbacks {
public:
  Directives(Places& places, ProgramKnowledge& knowledge) : places_(places), knowledge_(knowledge) {}

  void MacroExpands(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange,
                    const clang::MacroArgs*) override {
    use(name, macro);
  }
  void Defined(const clang::Token& name, const clang::MacroDefinition& macro, clang::SourceRange) override {
    use(name, macro);
  }
  void Ifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition& macro) override {
    use(name, macro);
  }
  void Ifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition& macro) override {
    use(name, macro);
  }
  void MacroDefined(const clang::Token& name, const clang::MacroDirective* directive) override {
    definition(name, directive->getMacroInfo());
  }
  void MacroUndefined(const clang::Token& name, const clang::MacroDefinition& macro,
                      const clang::MacroDirective*) override {
    use(name, macro);
  }

  void InclusionDirective(clang::SourceLocation, const clang::Token&, llvm::StringRef, bool,
                          clang::CharSourceRange range, clang::OptionalFileEntryRef file, llvm::StringRef,
                          llvm::StringRef, const clang::Module*, bool,
                          clang::SrcMgr::CharacteristicKind kind) override {
    if (file && !clang::SrcMgr::isSystem(kind) && !places_.is_cuda_folder(file->getName()))
      places_.add_place(range.getBegin(), kProgramName);
  }
  bool FileNotFound(llvm::StringRef name) override {
    knowledge_.missing_headers.insert(name.str());
    return true; // the program goes on without it
  }

  void SourceRangeSkipped(clang::SourceRange range, clang::SourceLocation) override {
    places_.add_skipped(range.getBegin(), range.getEnd());
  }
  void FileChanged(clang::SourceLocation location, FileChangeReason reason, clang::SrcMgr::CharacteristicKind,
                   clang::FileID) override {
    if (reason == EnterFile) places_.enter(location);
  }

private:
  void use(const clang::Token& name, const clang::MacroDefinition& macro) {
    if (macro) definition(name, macro.getMacroInfo());
  }
  void definition(const clang::Token& name, const clang::MacroInfo* macro) {
    // Names that begin with two underscores are the compiler's, even where a program defines them.
    const clang::IdentifierInfo* identifier = name.getIdentifierInfo();
    if (!macro || !identifier || identifier->getName().starts_with("__")) return;
    places_.add(name.getLocation(), places_.owner(macro->getDefinitionLoc()));
  }

  Places& places_;
  ProgramKnowledge& knowledge_;
};

class Action final : public clang::ASTFrontendAction {
public:
  Action(const CudaFolders& folders, ProgramKnowledge& knowledge) : folders_(folders), knowledge_(knowledge) {}

private:
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    places_ = std::make_unique<Places>(compiler.getSourceManager(), folders_, knowledge_);
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<Directives>(*places_, knowledge_));
    clang::index::IndexingOptions options;
    options.SystemSymbolFilter = clang::index::IndexingOptions::SystemSymbolFilterKind::None;
    options.IndexFunctionLocals = true;
    options.IndexParametersInDeclarations = true;
    options.IndexTemplateParameters = true;
    options.IndexMacros = false;
    std::vector<std::unique_ptr<clang::ASTConsumer>> consumers;
    consumers.push_back(clang::index::createIndexingASTConsumer(std::make_shared<Names>(*places_), options,
                                                                compiler.getPreprocessorPtr()));
    consumers.push_back(make_visitor(*places_));
    return std::make_unique<clang::MultiplexConsumer>(std::move(consumers));
  }
  void EndSourceFileAction() override { places_->finish(); }

  const CudaFolders& folders_;
  ProgramKnowledge& knowledge_;
  std::unique_ptr<Places> places_;
};

class ErrorListener final : public clang::DiagnosticConsumer {
public:
  explicit ErrorListener(ProgramKnowledge& knowledge) : knowledge_(knowledge) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < clang::DiagnosticsEngine::Error) return;
    // Textures are declared and not there on the GPU that the source is read for, which is no fault of the source.
    if (diagnostic.getID() == clang::diag::err_unavailable ||
        diagnostic.getID() == clang::diag::err_unavailable_message)
      return;
    ++knowledge_.error_count;
    constexpr size_t kKept = 32;
    if (knowledge_.errors.size() >= kKept) return;
    ParseError& error = knowledge_.errors.emplace_back();
    llvm::SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    error.message = message.str();
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return;
    const clang::PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation(), false);
    if (place.isInvalid()) return;
    error.file = place.getFilename();
    error.line = place.getLine();
    error.column = place.getColumn();
  }

private:
  ProgramKnowledge& knowledge_;
};

} // namespace

std::unique_ptr<clang::FrontendAction> make_collector(const CudaFolders& folders, ProgramKnowledge& knowledge) {
  return std::make_unique<Action>(folders, knowledge);
}

std::unique_ptr<clang::DiagnosticConsumer> make_error_listener(ProgramKnowledge& knowledge) {
  return std::make_unique<ErrorListener>(knowledge);
}

} // namespace hip::hipify
