// hipify/driver.h - runs the tool: command line, inputs, conversion of each file, output.
#pragma once

#include "inputs.h"
#include "knowledge.h"
#include "options.h"

#include <map>
#include <string>
#include <vector>

namespace hip::hipify {

// Exit codes, documented in docs/porting.md.
constexpr int kDone = 0;
constexpr int kFileFailed = 1;     // a file could not be read, converted or written; the others were
constexpr int kWrongCommand = 2;   // nothing was done
constexpr int kWarningsRemain = 3; // with -fail-on-warnings

// What the exact form knows before anything is converted.
struct ParsedProgram {
  struct Source {
    std::string file;              // its knowledge: key of `files`
    std::string error;             // not empty: it must not be converted, and why
    std::vector<Finding> findings; // what the user should know of the parse
    bool parsed = false;           // false: the quick form converts it
  };
  std::map<std::string, FileKnowledge> files;
  std::vector<Source> sources; // one per input
};
using ParseProgram = ParsedProgram (*)(const Options& options, const std::vector<Input>& inputs);

// `parse`: the compiler of the exact form; null for the quick form.
int run_hipify(int argc, char** argv, ParseProgram parse = nullptr);

} // namespace hip::hipify
