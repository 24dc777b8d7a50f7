// runtime/rtc/compiler/precompiled.h - the headers that every program of hiprtc begins with, parsed when the SDK is
// built.
//
// A precompiled header serves the compilations that would parse those headers in the same way: its file is named after
// a hash of the target, the language and all other options that take part (clang's own hash, as for modules). Macros of
// the command line take part when the headers mention their names, which a file beside the header lists.
#pragma once

#include <clang/Frontend/CompilerInvocation.h>
#include <clang/Frontend/FrontendAction.h>

#include <memory>
#include <string>

namespace hip::rtc {

// Makes a compilation read the precompiled header, where the SDK in folder `sdk` has one that fits.
void use_precompiled(clang::CompilerInvocation& invocation, const std::string& sdk);

// Makes of a compilation the one that writes the header that it would use, and returns that one's action.
std::unique_ptr<clang::FrontendAction> prepare_precompilation(clang::CompilerInvocation& invocation,
                                                              const std::string& sdk);

} // namespace hip::rtc
