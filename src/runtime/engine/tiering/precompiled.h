// runtime/engine/tiering/precompiled.h - the library's functions that translations call out of line: host code in the
// engine, which the build makes from the library's bitcode (compile/library_code.cpp) in the calling convention that the
// translator's code generator uses.
#pragma once

#include <span>
#include <string_view>

namespace hip::engine {

struct PrecompiledFunction {
  std::string_view name; // in translations' objects
  const void* address;
};
// By name.
std::span<const PrecompiledFunction> precompiled_functions();

} // namespace hip::engine
