// runtime/core/graph/dot.h - a graph in the language of Graphviz, for people.
#pragma once

#include "runtime/core/graph/graph.h"

#include <string>

namespace hip::core {

// `flags` are hipGraphDebugDotFlags' numbers. Errors: InvalidValue; OperatingSystem when the file cannot be written.
Status print_dot(Handle graph, const char* path, unsigned flags);

} // namespace hip::core
