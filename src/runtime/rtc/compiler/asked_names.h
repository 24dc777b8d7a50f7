// runtime/rtc/compiler/asked_names.h - the macros that headers ask for: the names in the conditions of #if and its
// like. Definitions of other names mean nothing to the headers, whose own identifiers may be called the same.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <set>
#include <string>

namespace clang {
class Preprocessor;
}

namespace hip::rtc {

using AskedNames = std::set<std::string>;

// Has the preprocessor add to `names`, which must outlive it, what it meets from now on.
void collect_asked_names(clang::Preprocessor& preprocessor, AskedNames& names);

} // namespace hip::rtc
