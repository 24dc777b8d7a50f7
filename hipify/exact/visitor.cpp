// The syntax tree, walked once at its end.
#include "exact/visitor.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace hip::hipify {
namespace {

bool takes_mask(llvm::StringRef function) {
  return function == "__syncwarp" || (function.starts_with("__") && function.ends_with("_sync"));
}

class Visitor final : public clang::RecursiveASTVisitor<Visitor> {
public:
  Visitor(Places& places, clang::ASTContext& context) : places_(places), context_(context) {}

  // Overloads, of which a template's arguments choose one.
  bool VisitOverloadExpr(clang::OverloadExpr* expression) {
    uint8_t bits = 0;
    for (const clang::NamedDecl* candidate : expression->decls())
      bits |= places_.owner(*candidate->getUnderlyingDecl());
    places_.add(expression->getNameLoc(), bits & kCudaName ? kCudaName : bits);
    return true;
  }
  // Members of what a template's argument is: CUDA has no such members.
  bool VisitCXXDependentScopeMemberExpr(clang::CXXDependentScopeMemberExpr* expression) {
    places_.add(expression->getMemberLoc(), kProgramName);
    return true;
  }
  bool VisitDependentScopeDeclRefExpr(clang::DependentScopeDeclRefExpr* expression) {
    places_.add(expression->getLocation(), kProgramName);
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    const clang::Expr* callee = call->getCallee()->IgnoreParenImpCasts();
    clang::SourceLocation place;
    clang::DeclarationName name;
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(callee)) {
      place = reference->getLocation();
      name = reference->getDecl()->getDeclName();
    } else if (const auto* lookup = llvm::dyn_cast<clang::UnresolvedLookupExpr>(callee)) {
      place = lookup->getNameLoc();
      name = lookup->getName();
    }
    if (!name.isIdentifier() || call->getNumArgs() == 0) return true;
    const clang::IdentifierInfo* identifier = name.getAsIdentifierInfo();
    if (identifier && takes_mask(identifier->getName()))
      places_.add(place, mask_of(call->getArg(0)->IgnoreParenImpCasts()));
    return true;
  }

private:
  uint8_t mask_of(const clang::Expr* mask) const {
    if (llvm::isa<clang::CXXDefaultArgExpr>(mask)) return 0;
    const clang::QualType type = mask->getType();
    if (mask->isTypeDependent() || mask->isValueDependent() || !type->isIntegralOrEnumerationType()) return 0;
    if (context_.getTypeSize(type) > 32) return kWideMask;
    clang::Expr::EvalResult result;
    if (mask->EvaluateAsInt(result, context_)) {
      const llvm::APSInt& value = result.Val.getInt();
      if (value.trunc(std::min(32u, value.getBitWidth())).isAllOnes() && value.getBitWidth() >= 32)
        return kAllLanesMask;
    }
    return kNarrowMask;
  }

  Places& places_;
  clang::ASTContext& context_;
};

class Consumer final : public clang::ASTConsumer {
public:
  explicit Consumer(Places& places) : places_(places) {}

private:
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    for (clang::Decl* declaration : group) {
      if (places_.owner(declaration->getLocation()) == kProgramName) declarations_.push_back(declaration);
    }
    return true;
  }
  void HandleTranslationUnit(clang::ASTContext& context) override {
    Visitor visitor(places_, context);
    for (clang::Decl* declaration : declarations_) visitor.TraverseDecl(declaration);
  }

  Places& places_;
  std::vector<clang::Decl*> declarations_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> make_visitor(Places& places) { return std::make_unique<Consumer>(places); }

} // namespace hip::hipify
