// hipcc/omnicc.h - nvcc's command line for CUDA sources: words of nvcc become words of hipcc, by the table in
// omnicc.def. The program omnicc (also under the name nvcc) is hipcc behind this translation.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

struct OmniccCommand {
  std::vector<std::string> words;    // for hipcc, without the program's name
  std::vector<std::string> warnings; // sentences for the user
  std::string answer;                // what to print instead of compiling; empty: compile
};

// Throws DriverError for an option that nvcc does not have, a value that is none, an architecture that is none, and
// what omnicc refuses. Reads the objects that are linked, to find device code that wants a link of its own, and options
// files.
OmniccCommand translate_nvcc(const std::vector<std::string>& nvcc_words);

int run_omnicc(int argc, char** argv);

} // namespace hip::hipcc
