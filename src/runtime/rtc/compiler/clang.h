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
  std::string scratch;       // an existing folder; empty: there is none
};

// command[0] is clang's name and plays no part. What it says and reads is added to `report`.
struct ClangReport {
  std::string log;
  std::vector<std::string> files; // that were included, besides those of `ClangFiles`
};

CompilerOutcome run_clang(const std::vector<std::string>& command, const ClangFiles& files, ClangMode mode,
                          ClangReport& report);

} // namespace hip::rtc
