// hipcc/environment.h - what the process's environment says.
#pragma once

#include <string>
#include <vector>

namespace hip::hipcc {

// The value of a variable; empty when it is not set.
std::string environment(const char* name);

// The folders of PATH in their order. Empty entries, which shells take for the current folder, are left out: tools that
// nobody chose are not run from there.
std::vector<std::string> path_folders();

} // namespace hip::hipcc
