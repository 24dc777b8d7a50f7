// runtime/rtc/compiler/compiler.h - the main function of libomnihip_compiler.so: hipcc's work for device code in this
// process. The library holds clang, LLVM and lld; libhiprtc and libamd_comgr load it when something is compiled first.
//
// Thread safety: any number of threads may compile at once. Code generation with other -mllvm options, and links, wait
// for each other, because LLVM keeps those options in global variables.
#pragma once

#include <cstddef>

namespace hip::rtc {

enum class CommandOf : int { Hipcc, Clang, Lld }; // Lld: ld.lld, for ELF files

struct CompilerRequest {
  CommandOf command = CommandOf::Hipcc;
  const char* sdk = nullptr;           // the SDK's root
  const char* clang_headers = nullptr; // the folder that holds clang's own `include`
  const char* scratch = nullptr;       // an existing folder for what lies between two steps
  const char* const* words = nullptr;  // the command line without its name
  size_t count = 0;
  void (*say)(void* listener, const char* text, size_t bytes) = nullptr; // diagnostics, as they come
  // Names each file that was read, besides those of the SDK and of the scratch folder.
  void (*read)(void* listener, const char* path, size_t bytes) = nullptr;
  void* listener = nullptr;
};

enum class CompilerOutcome : int {
  Done,
  Failed,      // say() has told why
  Unsupported, // only a compiler in a process of its own does this
  Crashed,     // the compiler ended by a signal; it must not be called in this process again
};

// The type of `omnihip_compile`, the exported function.
using CompilerFunction = CompilerOutcome(const CompilerRequest*);
inline constexpr const char* kCompilerFunctionName = "omnihip_compile";

// Of the same type: writes the precompiled header that a hipcc command would use into the SDK (lib/omnihip/pch). Run
// when an SDK is built.
inline constexpr const char* kPrecompileFunctionName = "omnihip_precompile";

// The SDK and clang's headers have these names while code is compiled, wherever they lie: what depends on paths
// (precompiled headers, debug information, assertions) is the same for each copy of an SDK.
inline constexpr const char* kSdkRoot = "/omnihip";
inline constexpr const char* kClangRoot = "/omnihip-clang";

} // namespace hip::rtc
