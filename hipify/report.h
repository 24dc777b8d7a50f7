// hipify/report.h - what a run says of its work: warnings, statistics as text and as CSV, and the report in Markdown.
// All of them are made from findings.
#pragma once

#include "convert.h"

#include <map>
#include <string>
#include <vector>

namespace hip::hipify {

// One input with what came of it.
struct FileResult {
  std::string name;
  std::string output; // where the converted source went; empty: nowhere
  std::string error;  // not empty: it was not converted, and why
  Conversion conversion;
};

struct Counts {
  std::map<std::string, std::map<std::string, size_t>> converted; // CUDA's name, HIP's name: how often
  std::map<std::string, size_t> by_kind;                          // kind of name: conversions
  std::map<std::string, size_t> by_api;                           // interface: conversions
  size_t references = 0;                                          // conversions, and names that stay the same
  size_t unchanged = 0;                                           // of these, names that stay the same
  size_t launches = 0;
  size_t rewritten = 0;
  size_t warnings = 0;
  size_t lines = 0;

  void add(const Conversion& conversion);
};

// "file:line:column: warning: ..." lines, as compilers print them.
std::string warnings_text(const FileResult& file);

// The layout of hipify-perl's -print-stats: a block of the file, or of all files as "GLOBAL".
std::string statistics_text(const std::string& name, const Counts& counts);
// One line per name, with the header line first.
std::string statistics_csv(const std::vector<FileResult>& files);

std::string markdown_report(const std::vector<FileResult>& files);

} // namespace hip::hipify
