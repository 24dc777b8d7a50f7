// runtime/rtc/compiler_cache.h - caches on disk of what the SDK's compiler makes.
#pragma once

#include "runtime/base/code_cache.h"

#include <string>

namespace hip::rtc {

// The cache in folder `name` of all caches, for the build of libomnihip_compiler.so in the SDK and for the hash of what
// it compiles with besides (lib/omnihip/rtc.id). Keeps nothing where the SDK has no compiler for this process.
CodeCache open_compiler_cache(const std::string& name, const std::string& sdk);

} // namespace hip::rtc
