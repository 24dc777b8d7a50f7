// runtime/rtc/compiler/asked_names.cpp - see asked_names.h.
#include "runtime/rtc/compiler/asked_names.h"

#include <clang/Basic/CharInfo.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/PPCallbacks.h>
#include <clang/Lex/Preprocessor.h>

#include <memory>

namespace hip::rtc {
namespace {

class Collector : public clang::PPCallbacks {
public:
  Collector(clang::Preprocessor& preprocessor, AskedNames& names) : preprocessor_(preprocessor), names_(names) {}

  void If(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind) override { add(condition); }
  void Elif(clang::SourceLocation, clang::SourceRange condition, ConditionValueKind, clang::SourceLocation) override {
    add(condition);
  }
  void Ifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override { add(name); }
  void Ifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override { add(name); }
  void Elifdef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override { add(name); }
  void Elifndef(clang::SourceLocation, const clang::Token& name, const clang::MacroDefinition&) override { add(name); }
  // Of branches that are left out because one before them was taken.
  void Elifdef(clang::SourceLocation, clang::SourceRange condition, clang::SourceLocation) override { add(condition); }
  void Elifndef(clang::SourceLocation, clang::SourceRange condition, clang::SourceLocation) override { add(condition); }
  void Defined(const clang::Token& name, const clang::MacroDefinition&, clang::SourceRange) override { add(name); }

private:
  void add(const clang::Token& name) {
    if (const clang::IdentifierInfo* identifier = name.getIdentifierInfo()) names_.insert(identifier->getName().str());
  }
  void add(clang::SourceRange condition) {
    llvm::StringRef text = clang::Lexer::getSourceText(clang::CharSourceRange::getTokenRange(condition),
                                                       preprocessor_.getSourceManager(), preprocessor_.getLangOpts());
    while (!(text = text.drop_until([](char c) { return clang::isAsciiIdentifierStart(c); })).empty()) {
      const llvm::StringRef name = text.take_while([](char c) { return clang::isAsciiIdentifierContinue(c); });
      names_.insert(name.str());
      text = text.drop_front(name.size());
    }
  }

  clang::Preprocessor& preprocessor_;
  AskedNames& names_;
};

} // namespace

void collect_asked_names(clang::Preprocessor& preprocessor, AskedNames& names) {
  preprocessor.addPPCallbacks(std::make_unique<Collector>(preprocessor, names));
}

} // namespace hip::rtc
