// hipcc/driver.h - hipcc as a function: from the command line to the exit code.
#pragma once

namespace hip::hipcc {

// Runs the whole of hipcc. Messages go to stderr, what was asked for (--version, --cxxflags) to stdout. May replace the
// process by clang when that is all there is to do.
int run_hipcc(int argc, char** argv);

} // namespace hip::hipcc
