// runtime/rtc/compiler/clang.h - one command of clang's driver, in this process: its compilations by clang's front end
// and LLVM, its links by lld.
#pragma once

#include "runtime/rtc/compiler/compiler.h"

#include <string>
#include <vector>

namespace hip::rtc {

enum class ClangMode { Compile, Precompile }; // Precompile: makes the header that such a command would use

struct ClangFiles {
  std::string sdk;           // the SDK's root, which commands call kSdkRoot
  std::string clang_headers; // what commands call kClangRoot
};

// command[0] is clang's name and plays no part. What clang says is added to `log`.
CompilerOutcome run_clang(const std::vector<std::string>& command, const ClangFiles& files, ClangMode mode,
                          std::string& log);

} // namespace hip::rtc
