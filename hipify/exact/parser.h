// hipify/exact/parser.h - compiles the inputs of a run as far as their syntax trees, each in a process of its own.
#pragma once

#include "driver.h"

namespace hip::hipify {

// Throws HipifyError where there is no SDK or no clang.
ParsedProgram parse_program(const Options& options, const std::vector<Input>& inputs);

} // namespace hip::hipify
