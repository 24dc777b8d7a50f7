// hipify/exact/sources.h - the inputs before clang reads them: which ones are worth compiling, and in which text.
#pragma once

#include "inputs.h"
#include "options.h"

#include <string>
#include <vector>

namespace hip::hipify {

struct SourceFacts {
  bool readable = false;
  // A name of CUDA is in it, or in an input that it includes: its compilation tells what those are.
  bool has_cuda = false;
  bool has_kernels = false;
  std::string closed_up; // not empty: the text that clang reads instead, of the same length, without "<< <"
};

// One per input. An input that cannot be read has no facts; the conversion will meet the same fault.
std::vector<SourceFacts> find_facts(const Options& options, const std::vector<Input>& inputs);

} // namespace hip::hipify
