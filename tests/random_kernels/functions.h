// functions.h - what kernels of a generated program call: structures, functions, recursion, tables of functions,
// virtual functions, procedures.
#pragma once

#include "writer.h"

namespace random_kernels {

/// Makes a program's structures and functions, and gives their text.
std::string write_functions(Random& random, Program& program);

} // namespace random_kernels
