// hipify/driver.h - runs the tool: command line, inputs, conversion of each file, output.
#pragma once

namespace hip::hipify {

// Exit codes, documented in docs/porting.md.
constexpr int kDone = 0;
constexpr int kFileFailed = 1;     // a file could not be read, converted or written; the others were
constexpr int kWrongCommand = 2;   // nothing was done
constexpr int kWarningsRemain = 3; // with -fail-on-warnings

int run_hipify(int argc, char** argv);

} // namespace hip::hipify
