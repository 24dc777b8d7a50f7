// hipify/exact/child.h - one process that compiles one source.
#pragma once

#include "knowledge.h"

#include <string>
#include <vector>

namespace hip::hipify {

struct ChildResult {
  ProgramKnowledge knowledge; // incomplete where the process did not come to its end
  std::string failure;        // why it did not: "was ended by signal 11 (Segmentation fault)"
};

// Starts this program with these words behind its name, in `directory` if that is not empty, and waits for it.
ChildResult run_child(const std::vector<std::string>& words, const std::string& directory);

} // namespace hip::hipify
