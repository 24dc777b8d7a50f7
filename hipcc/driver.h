// hipcc/driver.h - hipcc as a function: from the command line to the exit code.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

// Runs the whole of hipcc. Messages go to stderr, what was asked for (--version, --cxxflags) to stdout. May replace the
// process by the compiler when one command of it is all there is to do.
int run_hipcc(int argc, char** argv);

// The same for words without the program's name.
int run_hipcc(std::vector<std::string> words);

} // namespace hip::hipcc
