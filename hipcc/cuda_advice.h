// hipcc/cuda_advice.h - what the compiler's errors mean in a CUDA source: inline PTX, texture references, headers of
// CUDA's libraries.
#pragma once

#include <string>

namespace hip::hipcc {

// Sentences to stand behind the diagnostics of a failed compilation, each with file and line; empty where there is
// nothing to add.
std::string cuda_advice(const std::string& diagnostics);

} // namespace hip::hipcc
