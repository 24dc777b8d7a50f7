// hipcc/options.h - reads a command line by the table in options.def. Values stay with their options, the order of all
// arguments is kept, response files (@file) are opened, and nothing is interpreted yet.
#pragma once

#include "split_words.h"

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace hip::hipcc {

// A fault of the command line or of the installation; what() is the sentence that the user reads.
class DriverError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

enum class OptionId {
  Input,   // no option: a file, or "-"
  Unknown, // starts with '-' and no row names it
  CompileOnly,
  AssembleOnly,
  PreprocessOnly,
  SyntaxOnly,
  DependenciesOnly,
  EmitLlvm,
  Output,
  Genco,
  GencoText,
  HostOnly,
  Language,
  OffloadArch,
  Wave64,
  NoWave64,
  NoOffloadArch,
  Compress,
  NoCompress,
  CompressLevel,
  Help,
  Version,
  ShortVersion,
  CxxFlags,
  LdFlags,
  Verbose,
  DryRun,
  RocmPath,
  ParallelJobs,
  HipPch,
  NoHipPch,
  HipLink,
  Cuda,
  SoftwareTextures,
  CudaShifts,
  NoCudaShifts,
  NoHipRt,
  WholeDriver,
  Rdc,
  NoRdc,
  Define,
  IncludeDir,
  Forward,
  Standard,
  Cuid,
  Optimise,
  DependencyFile,
  Dependency,
  LinkInput,
  NvccTarget,
};
enum class Form { Flag, Joined, Separate, Either, JoinedAnd };
enum class Use { Driver, Compile, Link, Order, Host, Any };
enum class Pch { None, Key, Dirs, Off };

struct OptionRow {
  OptionId id;
  std::string_view spelling;
  Form form;
  Use use;
  Pch pch;
};

struct Argument {
  const OptionRow* option;        // never null: inputs and unknown options have rows of their own
  std::vector<std::string> words; // as written, ready to be passed on
  std::string value;              // the option's value, or the input
  OptionId id() const { return option->id; }
};

// Replaces every @file by the words in it (GNU quoting; files may name files). A file that cannot be read stays as the
// word it is, as with clang. Throws DriverError when files name each other without end.
std::vector<std::string> expand_response_files(const std::vector<std::string>& words);

// Throws DriverError when an option's value is missing.
std::vector<Argument> parse_arguments(const std::vector<std::string>& words);

} // namespace hip::hipcc
