// runtime/base/beside.h - finding the SDK's other files from where its library lies.
#pragma once

#include <string>

namespace hip {

// The file `name` beside the library or program that has `code` in it: in the folder that it was opened from, else in
// the one that a symbolic link leads to. Where neither has it, `name` alone, for the loader's own search.
std::string path_beside(const void* code, const char* name);

} // namespace hip
