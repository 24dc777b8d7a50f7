// The exact form's part of ../shifts.cpp: what macros and types hide from the tokens.
#include "exact/shifts.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/ExprCXX.h>
#include <optional>

namespace hip::hipify {
namespace {

using clang::Expr;

const Expr* plain(const Expr* expression) {
  for (;;) {
    expression = expression->IgnoreParenImpCasts();
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expression);
    if (!cast || !cast->getType()->isIntegerType()) return expression;
    expression = cast->getSubExpr();
  }
}

std::optional<llvm::APSInt> value_of(const Expr* expression, const clang::ASTContext& context) {
  Expr::EvalResult result;
  if (expression->isValueDependent() || expression->isTypeDependent() || !expression->EvaluateAsInt(result, context))
    return std::nullopt;
  return result.Val.getInt();
}

// A constant, be it of a template's arguments.
bool is_constant(const Expr* expression, const clang::ASTContext& context) {
  expression = plain(expression);
  if (!expression->isValueDependent() && !expression->isTypeDependent())
    return value_of(expression, context).has_value();
  if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable ? variable->isConstexpr() || (variable->getType().isConstQualified() && variable->getInit() &&
                                                  is_constant(variable->getInit(), context))
                    : llvm::isa<clang::NonTypeTemplateParmDecl, clang::EnumConstantDecl>(reference->getDecl());
  }
  if (llvm::isa<clang::UnaryExprOrTypeTraitExpr, clang::DependentScopeDeclRefExpr, clang::SizeOfPackExpr>(expression))
    return true;
  if (!llvm::isa<clang::UnaryOperator, clang::BinaryOperator, clang::ConditionalOperator, clang::ParenExpr,
                 clang::CXXUnresolvedConstructExpr>(expression))
    return false;
  for (const clang::Stmt* part : expression->children()) {
    const auto* operand = llvm::dyn_cast<Expr>(part);
    if (!operand || !is_constant(operand, context)) return false;
  }
  return true;
}

// True where the value of a constant is not known to be above `most`.
bool is_at_most(const Expr* constant, unsigned most, const clang::ASTContext& context) {
  const std::optional<llvm::APSInt> value = value_of(constant, context);
  return !value || (!value->isNegative() && value->ule(most));
}

bool is_known(const Expr* amount, unsigned width, const clang::ASTContext& context) {
  amount = plain(amount);
  if (amount->getType()->isBooleanType() || is_constant(amount, context)) return true;
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(amount))
    return is_known(choice->getTrueExpr(), width, context) && is_known(choice->getFalseExpr(), width, context);
  const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(amount);
  if (!operation) return false;
  const Expr *left = operation->getLHS(), *right = operation->getRHS();
  if (operation->getOpcode() == clang::BO_Rem) return is_constant(right, context) && is_at_most(right, width, context);
  if (operation->getOpcode() != clang::BO_And) return false;
  return (is_constant(right, context) && is_at_most(right, width - 1, context)) ||
         (is_constant(left, context) && is_at_most(left, width - 1, context));
}

} // namespace

bool is_for_device(const clang::FunctionDecl& function) {
  const auto marked = [](const auto* attribute) { return attribute && !attribute->isImplicit(); };
  return marked(function.getAttr<clang::CUDADeviceAttr>()) || marked(function.getAttr<clang::CUDAGlobalAttr>());
}

bool is_unknown_shift(const clang::BinaryOperator& operation, const clang::ASTContext& context) {
  if (!operation.isShiftOp() && !operation.isShiftAssignOp()) return false;
  const clang::QualType type = operation.getLHS()->getType();
  constexpr unsigned kWidest = 64; // of numbers whose type a template's arguments say
  unsigned width = kWidest;
  if (!type->isDependentType()) {
    if (!type->isIntegralOrUnscopedEnumerationType()) return false;
    width = std::max(context.getIntWidth(type), context.getIntWidth(context.IntTy)); // after promotion
  }
  return !is_known(operation.getRHS(), width, context);
}

} // namespace hip::hipify
