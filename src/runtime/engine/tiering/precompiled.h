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
// The section of their code; a C identifier, so that the linker says where it begins and ends.
inline constexpr char kPrecompiledSection[] = "omnihip_precompiled";
// Whether host code at `pc` belongs to them. The instruction that such code works for is Wave::guest_pc.
bool is_precompiled_code(const void* pc) noexcept;
// By name.
std::span<const PrecompiledFunction> precompiled_functions();

} // namespace hip::engine
