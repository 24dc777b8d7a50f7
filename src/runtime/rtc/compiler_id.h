// runtime/rtc/compiler_id.h - what tells one SDK's compiler from another's, for caches of what it makes.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace hip::rtc {

// The build of libomnihip_compiler.so in the SDK and the hash of what it compiles with besides (lib/omnihip/rtc.id).
// Empty where the SDK has no compiler for this process.
std::vector<std::byte> compiler_id(const std::string& sdk);

} // namespace hip::rtc
