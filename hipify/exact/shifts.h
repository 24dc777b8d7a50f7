// hipify/exact/shifts.h - shifts in device code whose amount may be too large, by their types and values.
#pragma once

#include <clang/AST/Expr.h>

namespace hip::hipify {

// A function that the source marks for the device.
bool is_for_device(const clang::FunctionDecl& function);

// A shift of a number by an amount that is neither a constant nor cut off by '&' or '%' and one.
bool is_unknown_shift(const clang::BinaryOperator& operation, const clang::ASTContext& context);

} // namespace hip::hipify
