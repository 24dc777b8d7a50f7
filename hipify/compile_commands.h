// hipify/compile_commands.h - the sources that a compilation database names (compile_commands.json, as CMake writes
// it).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace hip::hipify {

struct CompileCommand {
  std::filesystem::path file;
  std::filesystem::path directory; // where the compiler runs
  std::vector<std::string> words;  // behind the compiler's name
};

// The files, each once with its first command, in the order of the database; relative ones are in their entry's folder.
// `name` is what messages call the database. Throws HipifyError where it is no such JSON.
std::vector<CompileCommand> read_compile_commands(std::string_view json, const std::string& name);

} // namespace hip::hipify
