// hipcc/preamble.h - the includes at the top of a source, as far as they may be parsed once and kept.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

// The names that text includes before anything else, up to and with hip/hip_runtime.h: headers of the C and C++
// standard libraries in <>, then hip/hip_runtime.h in either form. Empty when hip/hip_runtime.h is not reached that
// way: a macro, a pragma, any other header or a conditional before it ends the search.
std::vector<std::string> leading_includes(const std::string& text);

inline constexpr const char* kRuntimeHeader = "hip/hip_runtime.h";

} // namespace hip::hipcc
