// runtime/rtc/compiler/precompiled.h - the headers that every program of hiprtc begins with, parsed when the SDK is
// built for what most programs ask for, and else when a program asks first (header_store.h).
//
// A precompiled header serves the compilations that would parse those headers in the same way: its file is named after
// a hash of the target, the language and all other options that take part (clang's own hash, as for modules), and of
// those macros of the program's that the headers ask for (asked_names.h), which a file beside the header lists. Other
// macros of the command line are the program's alone: -DT=float means nothing to a parameter T of HIP's headers.
#pragma once

#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>

#include <functional>
#include <memory>
#include <string>

namespace hip::rtc {

struct HeaderFolders {
  std::string sdk;     // the SDK's root
  std::string scratch; // where headers that are not the SDK's are put for the compilation; empty: none are used
};
// Runs a compilation that nothing is heard of. False: it has failed.
using RunCompilation = std::function<bool(std::shared_ptr<clang::CompilerInvocation>, clang::FrontendAction&)>;

// Makes a compilation read the precompiled header, where there is one that fits or `run` makes one.
void use_precompiled(clang::CompilerInvocation& invocation, const HeaderFolders& folders, const RunCompilation& run);

// Makes of a compilation the one that writes the header that it would find in the SDK, and returns that one's action.
std::unique_ptr<clang::FrontendAction> prepare_precompilation(clang::CompilerInvocation& invocation,
                                                              const std::string& sdk);

} // namespace hip::rtc
