// runtime/engine/compile/library/function_types.h - the function types of signatures.h as LLVM's, by which the bitcode
// is checked and calls are made (FunctionBuilder::call).
#pragma once

#include "runtime/engine/compile/library/library.h"

#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <type_traits>

namespace hip::engine::compile {

// The LLVM type of a parameter or a result, as clang passes it on x86-64.
template<class T> llvm::Type* llvm_type(llvm::LLVMContext& context) {
  if constexpr (std::is_void_v<T>) {
    return llvm::Type::getVoidTy(context);
  } else if constexpr (std::is_same_v<T, bool>) {
    return llvm::Type::getInt1Ty(context);
  } else if constexpr (std::is_integral_v<T>) {
    return llvm::Type::getIntNTy(context, 8 * sizeof(T));
  } else if constexpr (std::is_pointer_v<T>) {
    return llvm::PointerType::getUnqual(context);
  } else {
    static_assert(std::is_same_v<T, library::Strip>);
    return llvm::FixedVectorType::get(llvm::Type::getInt32Ty(context), 16);
  }
}

template<class R, class... A>
llvm::FunctionType* function_type(llvm::LLVMContext& context, const LibraryFunction<R(A...)>&) {
  return llvm::FunctionType::get(llvm_type<R>(context), {llvm_type<A>(context)...}, false);
}

// Whether it has the type that it is declared with; null has any.
template<class Signature> bool has_signature(const LibraryFunction<Signature>& f) {
  return !f || f.function()->getFunctionType() == function_type(f.function()->getContext(), f);
}

} // namespace hip::engine::compile
