// hipify/options.h - the command line, by the table in options.def.
#pragma once

#include "convert.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace hip::hipify {

// A fault of the command line, or of a file; what() is the sentence that the user reads.
class HipifyError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

struct Options {
  enum class Request { Convert, Help, Version, Versions };
  enum class Destination { StandardOutput, File, Directory, InPlace, Nowhere };

  Request request = Request::Convert;
  std::vector<std::string> inputs; // files and folders; "-" is standard input
  std::string build_path;          // -p
  Destination destination = Destination::StandardOutput;
  std::string output; // a file or a folder, as destination says
  bool backup = true;
  bool print_stats = false;
  bool print_stats_csv = false;
  std::string stats_file;
  std::string report_file;
  std::vector<std::string> excluded_directories;
  std::vector<std::string> excluded_files;
  bool quiet_warnings = false;
  bool fail_on_warnings = false;
  unsigned jobs = 0;                // 0: one per core
  std::vector<std::string> ignored; // options without effect in the quick form, to tell the user
  ConvertOptions convert;           // but for what depends on the file
};

// Throws HipifyError.
Options parse_options(const std::vector<std::string>& words);

std::string help_text();

} // namespace hip::hipify
