// hipify/compile_commands.h - the sources that a compilation database names (compile_commands.json, as CMake writes
// it).
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

namespace hip::hipify {

// The files, each once, in the order of the database; relative ones are in their entry's folder. `name` is what
// messages call the database. Throws HipifyError where it is no such JSON.
std::vector<std::filesystem::path> read_compile_commands(std::string_view json, const std::string& name);

} // namespace hip::hipify
