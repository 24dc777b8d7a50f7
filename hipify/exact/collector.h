// hipify/exact/collector.h - listens to one compilation and writes down whose names the program uses.
#pragma once

#include "knowledge.h"

#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <memory>
#include <string>
#include <vector>

namespace hip::hipify {

// The folders whose headers declare CUDA: ours, or a toolkit's. Canonical, with a slash at the end.
using CudaFolders = std::vector<std::string>;

// The action of one compilation. `knowledge` outlives it.
std::unique_ptr<clang::FrontendAction> make_collector(const CudaFolders& folders, ProgramKnowledge& knowledge);

// Counts errors and keeps the first ones.
std::unique_ptr<clang::DiagnosticConsumer> make_error_listener(ProgramKnowledge& knowledge);

} // namespace hip::hipify
