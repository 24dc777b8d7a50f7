// hipify/convert.h - converts the text of one CUDA source to HIP. Both forms do it here, token by token; the exact one
// brings what a compiler knows of the tokens. What was found and what was done comes back as findings, in the order of
// the file; the driver prints, counts and reports them.
//
// Comments, strings and everything that is not named by a finding stay as they are, byte for byte; lines keep their
// numbers, except that the #include of the runtime may be added in front of the first one.
//
// Thread safety: conversions share nothing but constants.
#pragma once

#include "knowledge.h"
#include "table/table.h"

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hip::hipify {

enum class LaunchSyntax { Cuda, Hip }; // keep k<<<...>>>(), or write hipLaunchKernelGGL
enum class Libraries { Hip, Roc };     // hipBLAS or rocBLAS, where both are there
enum class Language { C, Cpp };
// When a file that does not include HIP's runtime header gets the line: nvcc includes CUDA's by itself in files that it
// compiles as CUDA, which .cu files are, and others if they have kernels. A header gets it for the compiler of HIP
// alone, since other compilers may read it as well.
enum class RuntimeHeader { IfUsed, IfKernels, IfKernelsForHipOnly, Never };

struct ConvertOptions {
  LaunchSyntax launches = LaunchSyntax::Cuda;
  Libraries libraries = Libraries::Hip;
  bool experimental = false; // use counterparts whose interface may change
  Language language = Language::Cpp;
  RuntimeHeader runtime_header = RuntimeHeader::Never;
  bool cuda_shifts = true; // where that header may be added: ask for CUDA's shifts in files whose kernels may need them
  std::set<std::string, std::less<>> whitelist; // names to leave alone, without a warning
  // What other files of the program declare: not CUDA's, though it may look so.
  std::set<std::string, std::less<>> declared_elsewhere;
  // The exact form: what the compiler knows of this file. Null where it knows nothing, and in the quick form.
  const FileKnowledge* knowledge = nullptr;
  bool skip_dead_code = false; // with knowledge: what no compilation reads stays
};

struct Finding {
  enum class Kind : uint8_t {
    Converted, // a name or an include of the table was replaced
    Same,      // a name of the table that HIP spells the same
    Launch,    // k<<<...>>>(): kept, or replaced
    Rewritten, // something else was changed; `message` says what
    // The rest is left for the user, and is a warning.
    Unsupported,  // in the table, without counterpart
    Experimental, // the counterpart needs the option -experimental
    Unknown,      // looks like a name of CUDA, and is not in the table
    Look,         // correct only if the user says so
  };

  Kind kind{};
  uint32_t line = 0;
  uint32_t column = 0;
  std::string name;        // as in the source
  std::string replacement; // Converted, Launch: what stands there now
  std::string message;     // a sentence; for warnings what to do by hand
  bool has_row = false;    // the name is the table's, and its row has:
  hipify::Kind row_kind{};
  Api row_api{};

  void set_row(const Row& row) {
    has_row = true;
    row_kind = row.kind;
    row_api = row.api;
  }

  bool is_warning() const { return kind >= Kind::Unsupported; }
};

struct Conversion {
  std::string text;
  std::vector<Finding> findings;
  uint32_t lines = 0; // of the source
  bool changed = false;
};

// The names that the source declares and that could be taken for CUDA's.
std::vector<std::string> declared_names(std::string_view source);

// Sources must be smaller than 4 GiB.
Conversion convert(std::string_view source, const ConvertOptions& options);

} // namespace hip::hipify
