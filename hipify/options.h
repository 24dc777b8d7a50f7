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

enum class Form { Quick, Exact };

// What only the exact form has.
struct ExactOptions {
  std::vector<std::string> clang_words; // -I, -D and what follows "--"
  std::string cuda_path;                // of a toolkit; empty: our own headers
  std::string gpu_architecture;
  std::string resource_directory;
  std::string temporary_directory;
  bool fall_back = false; // what cannot be read is converted by the quick form
  bool strict = false;    // what does not compile is not converted
  bool verbose = false;
};

struct Options {
  enum class Request { Convert, Help, Version, Versions, TableMarkdown, TableCsv };
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
  ExactOptions exact;
  ConvertOptions convert; // but for what depends on the file
};

// Throws HipifyError.
Options parse_options(const std::vector<std::string>& words, Form form = Form::Quick);

std::string help_text(Form form = Form::Quick);

} // namespace hip::hipify
