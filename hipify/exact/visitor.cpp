// The syntax tree, walked once at its end.
#include "exact/visitor.h"

#include "exact/shifts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>

namespace hip::hipify {
namespace {

bool takes_mask(llvm::StringRef function) {
  return function == "__syncwarp" || (function.starts_with("__") && function.ends_with("_sync"));
}

// An address of the driver's interface: a number that CUDA names so.
bool is_address(clang::QualType type) {
  while (const auto* alias = type->getAs<clang::TypedefType>()) {
    if (alias->getDecl()->getName() == "CUdeviceptr") return true;
    type = alias->desugar();
  }
  return false;
}
// What a cast in front of it binds to as a whole.
bool is_primary(const clang::Expr* expression) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(expression))
    return unary->getOpcode() == clang::UO_Deref;
  return llvm::isa<clang::DeclRefExpr, clang::MemberExpr, clang::ParenExpr, clang::CallExpr, clang::ArraySubscriptExpr,
                   clang::CStyleCastExpr, clang::IntegerLiteral>(expression);
}

// The types of the two interfaces' errors, which are one in HIP.
bool is_error(clang::QualType type, llvm::StringRef name) {
  const auto* alias = type->getAs<clang::TypedefType>();
  return alias && alias->getDecl()->getName() == name;
}
bool differs_in_errors(const clang::FunctionDecl& one, const clang::FunctionDecl& other) {
  if (one.getNumParams() != other.getNumParams()) return false;
  bool differs = false;
  for (unsigned i = 0; i < one.getNumParams(); ++i) {
    const clang::QualType mine = one.getParamDecl(i)->getType(), its = other.getParamDecl(i)->getType();
    if (mine.getCanonicalType() == its.getCanonicalType()) continue;
    if (!is_error(mine, "CUresult") || !is_error(its, "cudaError_t")) return false;
    differs = true;
  }
  return differs;
}

class Visitor final : public clang::RecursiveASTVisitor<Visitor> {
public:
  Visitor(Places& places, clang::ASTContext& context) : places_(places), context_(context) {}

  // Overloads, of which a template's arguments choose one.
  bool VisitOverloadExpr(clang::OverloadExpr* expression) {
    TokenBits bits = 0;
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

  // Two functions that are one in HIP. The driver's becomes a template: a function is preferred to it.
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
    if (function->isTemplated() || function->getPrimaryTemplate() || function->isExternC() ||
        (method && method->isVirtual()) || llvm::isa<clang::CXXConstructorDecl>(function) ||
        function->getNumParams() == 0)
      return true;
    for (const clang::NamedDecl* found : function->getDeclContext()->lookup(function->getDeclName())) {
      const auto* other = llvm::dyn_cast<clang::FunctionDecl>(found);
      if (other && differs_in_errors(*function, *other)) places_.add_place(function->getOuterLocStart(), kSecondError);
    }
    return true;
  }

  // Functions for the device, whatever says so in the source.
  bool TraverseDecl(clang::Decl* declaration) {
    const auto* function = llvm::dyn_cast_or_null<clang::FunctionDecl>(declaration);
    const DeviceCode code(*this, function);
    return RecursiveASTVisitor::TraverseDecl(declaration);
  }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) {
    const DeviceCode code(*this, lambda->getCallOperator());
    return RecursiveASTVisitor::TraverseLambdaExpr(lambda);
  }

  // Addresses of the driver's interface are numbers in CUDA and pointers in HIP.
  bool VisitBinaryOperator(clang::BinaryOperator* operation) {
    if (device_depth_ != 0 && is_unknown_shift(*operation, context_))
      places_.add_origin(operation->getOperatorLoc(), kUnknownShift);
    const clang::Expr* left = operation->getLHS()->IgnoreImpCasts();
    const clang::Expr* right = operation->getRHS()->IgnoreImpCasts();
    const bool sum = operation->getOpcode() == clang::BO_Add || operation->getOpcode() == clang::BO_Sub;
    if (sum && is_address(left->getType()) && !is_address(right->getType()) && is_primary(left))
      places_.add_place(left->getBeginLoc(), kAddressSum);
    if (operation->getOpcode() == clang::BO_Assign && is_address(left->getType())) becomes_address(right);
    return true;
  }
  bool VisitVarDecl(clang::VarDecl* variable) {
    if (variable->getInit() && !llvm::isa<clang::ParmVarDecl>(variable) && is_address(variable->getType()))
      becomes_address(variable->getInit()->IgnoreImpCasts());
    return true;
  }

  bool VisitCallExpr(clang::CallExpr* call) {
    add_location(*call);
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
  // Counts the functions for the device that the walk is in.
  class DeviceCode {
  public:
    DeviceCode(Visitor& visitor, const clang::FunctionDecl* function)
        : depth_(visitor.device_depth_), is_device_(function && is_for_device(*function)) {
      depth_ += is_device_;
    }
    ~DeviceCode() { depth_ -= is_device_; }
    DeviceCode(const DeviceCode&) = delete;

  private:
    unsigned& depth_;
    const bool is_device_;
  };

  void becomes_address(const clang::Expr* value) {
    if (!is_primary(value) || is_address(value->getType()) || !value->getType()->isIntegerType()) return;
    const auto* literal = llvm::dyn_cast<clang::IntegerLiteral>(value);
    if (!literal || literal->getValue() != 0) places_.add_place(value->getBeginLoc(), kAddressValue);
  }

  // cudaMemPrefetchAsync and cudaMemAdvise have a device's number, or a structure that says where.
  void add_location(const clang::CallExpr& call) {
    const clang::FunctionDecl* function = call.getDirectCallee();
    const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(call.getCallee()->IgnoreParenImpCasts());
    if (!function || !reference || places_.owner(*function) != kCudaName) return;
    for (const clang::ParmVarDecl* parameter : function->parameters()) {
      const auto* record = parameter->getType()->getAsRecordDecl();
      if (!record) continue;
      const llvm::StringRef name = record->getName();
      if (name.contains("MemLocation") || name.contains("memLocation"))
        places_.add(reference->getLocation(), kLocation);
    }
  }

  TokenBits mask_of(const clang::Expr* mask) const {
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
  unsigned device_depth_ = 0;
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
