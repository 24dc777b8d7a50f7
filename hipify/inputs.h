// hipify/inputs.h - which files a command line means, and where each one's result goes.
#pragma once

#include "options.h"

#include <filesystem>
#include <string>
#include <vector>

namespace hip::hipify {

struct Input {
  std::filesystem::path path;   // "-": standard input
  std::filesystem::path output; // empty: standard output, or nowhere
  std::string error;            // not empty: it cannot be converted as asked, and why
  std::filesystem::path
      source;       // what is read: the path, or the copy of the original where it was converted in place before
  std::string text; // of standard input
  std::vector<std::string> words;  // the compiler's words for it, of a compilation database
  std::filesystem::path directory; // where relative paths in these begin; empty: here
};

// The copy of a file that is converted in place.
std::filesystem::path backup_of(const std::filesystem::path& path);

// Folders are searched, compilation databases read, what is excluded left out (and named in `skipped`). Files come
// once, in the order of the command line. Throws HipifyError where the command as a whole makes no sense.
std::vector<Input> find_inputs(const Options& options, std::vector<std::string>& skipped);

} // namespace hip::hipify
