// Words to options. One dash or two, "-o FILE" or "-o=FILE"; what follows "--" is for clang, and has no effect in the
// quick form.
#include "options.h"

#include <algorithm>
#include <charconv>

namespace hip::hipify {
namespace {

enum class OptionId {
  IncludeDirectory,
  Define,
  CudaPath,
  GpuArchitecture,
  ResourceDirectory,
  SkipDeadCode,
  FallBack,
  Strict,
  TemporaryDirectory,
  Verbose,
#define HIPIFY_OPTION(id, name, value, help) id,
#define HIPIFY_EXACT(id, name, value, help)
#define HIPIFY_IGNORED(name, value)
#define HIPIFY_REFUSED(name, why)
#include "options.def"
  Ignored,
  Refused,
};

struct OptionRow {
  OptionId id;
  std::string_view name;
  std::string_view value; // what --help calls it; empty: takes none
  std::string_view text;  // help, or why it is refused
  bool exact = false;     // of the exact form alone
};

constexpr OptionRow kRows[] = {
#define HIPIFY_OPTION(id, name, value, help) {OptionId::id, name, value, help},
#define HIPIFY_EXACT(id, name, value, help) {OptionId::id, name, value, help, true},
#define HIPIFY_IGNORED(name, value) {OptionId::Ignored, name, value, ""},
#define HIPIFY_REFUSED(name, why) {OptionId::Refused, name, "", why},
#include "options.def"
};

// One option of the command line with its value.
struct Argument {
  const OptionRow* row = nullptr;
  std::string value;
  bool has_value = false;
};

Argument split_option(const std::string& word) {
  std::string_view text = word;
  text.remove_prefix(text.starts_with("--") ? 2 : 1);
  Argument argument;
  const size_t equals = text.find('=');
  argument.has_value = equals != std::string_view::npos;
  if (argument.has_value) argument.value = text.substr(equals + 1);
  const std::string_view name = text.substr(0, equals);
  for (const OptionRow& row : kRows) {
    if (row.name == name) argument.row = &row;
  }
  if (!argument.row && (word.starts_with("-I") || word.starts_with("-D"))) { // -Ifolder, -DNAME=value
    argument.row = std::find_if(std::begin(kRows), std::end(kRows),
                                [&](const OptionRow& row) { return row.name == word.substr(1, 1); });
    argument.value = word.substr(2);
    argument.has_value = true;
  }
  if (!argument.row) throw HipifyError("there is no option '" + word + "'; --help lists them");
  if (argument.has_value && argument.row->value.empty())
    throw HipifyError("the option '-" + std::string(argument.row->name) + "' takes no value, and '" + argument.value +
                      "' was given");
  return argument;
}

void split_list(const std::string& text, std::vector<std::string>& into) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) into.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

class Parser {
public:
  explicit Parser(Form form) : form_(form) {}

  Options run(const std::vector<std::string>& words) {
    for (size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (word == "--") {
        if (i + 1 < words.size()) follow(words.data() + i + 1, words.data() + words.size());
        break;
      }
      if (word.size() < 2 || word[0] != '-') {
        options_.inputs.push_back(word);
        continue;
      }
      Argument argument = split_option(word);
      if (!argument.row->value.empty() && !argument.has_value) {
        if (i + 1 == words.size())
          throw HipifyError("the option '" + word + "' needs a value, " + std::string(argument.row->value));
        argument.value = words[++i];
      }
      apply(argument);
    }
    finish();
    return std::move(options_);
  }

private:
  // What follows "--".
  void follow(const std::string* begin, const std::string* end) {
    if (form_ == Form::Quick)
      options_.ignored.push_back("what follows '--'");
    else
      options_.exact.clang_words.insert(options_.exact.clang_words.end(), begin, end);
  }

  void apply(const Argument& argument) {
    const std::string& value = argument.value;
    if (argument.row->exact && form_ == Form::Quick) {
      options_.ignored.push_back("'-" + std::string(argument.row->name) + "'");
      return;
    }
    switch (argument.row->id) {
    case OptionId::Output:
      set_destination(Options::Destination::File, value);
      break;
    case OptionId::OutputDirectory:
      set_destination(Options::Destination::Directory, value);
      break;
    case OptionId::InPlace:
      set_destination(Options::Destination::InPlace, {});
      break;
    case OptionId::Examine:
      options_.print_stats = true;
      [[fallthrough]];
    case OptionId::NoOutput:
      no_output_ = true;
      break;
    case OptionId::NoBackup:
      options_.backup = false;
      break;
    case OptionId::PrintStats:
      options_.print_stats = true;
      break;
    case OptionId::PrintStatsCsv:
      options_.print_stats_csv = true;
      break;
    case OptionId::StatsFile:
      options_.stats_file = value;
      break;
    case OptionId::Report:
      options_.report_file = value;
      break;
    case OptionId::NoCudaShifts:
      options_.convert.cuda_shifts = false;
      break;
    case OptionId::HipLaunches:
      options_.convert.launches = LaunchSyntax::Hip;
      break;
    case OptionId::CudaLaunches: // the default; as upstream, -hip-kernel-execution-syntax overrides it
      break;
    case OptionId::Roc:
    case OptionId::Miopen:
      options_.convert.libraries = Libraries::Roc;
      break;
    case OptionId::Experimental:
      options_.convert.experimental = true;
      break;
    case OptionId::Whitelist: {
      std::vector<std::string> names;
      split_list(value, names);
      options_.convert.whitelist.insert(names.begin(), names.end());
      break;
    }
    case OptionId::ExcludeDirs:
      split_list(value, options_.excluded_directories);
      break;
    case OptionId::ExcludeFiles:
      split_list(value, options_.excluded_files);
      break;
    case OptionId::QuietWarnings:
      options_.quiet_warnings = true;
      break;
    case OptionId::FailOnWarnings:
      options_.fail_on_warnings = true;
      break;
    case OptionId::BuildPath:
      options_.build_path = value;
      break;
    case OptionId::Jobs:
      set_jobs(value);
      break;
    case OptionId::IncludeDirectory:
      options_.exact.clang_words.insert(options_.exact.clang_words.end(), {"-I", value});
      break;
    case OptionId::Define:
      options_.exact.clang_words.insert(options_.exact.clang_words.end(), {"-D", value});
      break;
    case OptionId::CudaPath:
      options_.exact.cuda_path = value;
      break;
    case OptionId::GpuArchitecture:
      options_.exact.gpu_architecture = value;
      break;
    case OptionId::ResourceDirectory:
      options_.exact.resource_directory = value;
      break;
    case OptionId::SkipDeadCode:
      options_.convert.skip_dead_code = true;
      break;
    case OptionId::FallBack:
      options_.exact.fall_back = true;
      break;
    case OptionId::Strict:
      options_.exact.strict = true;
      break;
    case OptionId::TemporaryDirectory:
      options_.exact.temporary_directory = value;
      break;
    case OptionId::Verbose:
      options_.exact.verbose = true;
      break;
    case OptionId::Help:
      options_.request = Options::Request::Help;
      break;
    case OptionId::Version:
      options_.request = Options::Request::Version;
      break;
    case OptionId::Versions:
      options_.request = Options::Request::Versions;
      break;
    case OptionId::TableMarkdown:
      options_.request = Options::Request::TableMarkdown;
      break;
    case OptionId::TableCsv:
      options_.request = Options::Request::TableCsv;
      break;
    case OptionId::Ignored:
      options_.ignored.push_back("'-" + std::string(argument.row->name) + "'");
      break;
    case OptionId::Refused:
      throw HipifyError("the option '-" + std::string(argument.row->name) +
                        "' is not offered: " + std::string(argument.row->text));
    }
  }

  void set_destination(Options::Destination destination, const std::string& where) {
    if (options_.destination != Options::Destination::StandardOutput && options_.destination != destination)
      throw HipifyError("only one of -o, -o-dir and -inplace can be given");
    options_.destination = destination;
    options_.output = where;
    if (destination != Options::Destination::InPlace && where.empty())
      throw HipifyError("-o and -o-dir need the name of a file or folder");
  }

  void set_jobs(const std::string& value) {
    const char* end = value.data() + value.size();
    const auto [stop, error] = std::from_chars(value.data(), end, options_.jobs);
    if (error != std::errc() || stop != end || options_.jobs == 0)
      throw HipifyError("-j takes a number from 1, not '" + value + "'");
  }

  void finish() {
    if (no_output_) options_.destination = Options::Destination::Nowhere;
    if (options_.request != Options::Request::Convert) return;
    if (options_.inputs.empty() && options_.build_path.empty())
      throw HipifyError("no input files; --help tells how to call it");
    if (!options_.stats_file.empty() && !options_.print_stats_csv) options_.print_stats = true;
  }

  Form form_;
  Options options_;
  bool no_output_ = false;
};

} // namespace

Options parse_options(const std::vector<std::string>& words, Form form) { return Parser(form).run(words); }

std::string help_text(Form form) {
  const bool exact = form == Form::Exact;
  std::string text =
      std::string(exact ? "Usage: hipify-clang [options] files and folders... [-- options of clang]\n\n"
                          "Converts CUDA sources to HIP, and asks clang whose a name is. "
                        : "Usage: hipify-perl [options] files and folders...\n\n"
                          "Converts CUDA sources to HIP without compiling them. ") +
      "Without -o, -o-dir and -inplace the result goes to "
      "standard\n"
      "output; \"-\" is standard input. Folders are searched for sources and headers, with everything below.\n\n";
  constexpr size_t kColumn = 34;
  for (const OptionRow& row : kRows) {
    if (row.id == OptionId::Ignored || row.id == OptionId::Refused || (row.exact && !exact)) continue;
    std::string line = "  -" + std::string(row.name);
    if (!row.value.empty()) line.append("=").append(row.value);
    line.resize(std::max(line.size() + 1, kColumn), ' ');
    text.append(line).append(row.text).append("\n");
  }
  return text + "\nExit codes: 0 done; 1 a file could not be read, converted or written; 2 the command line is wrong;\n"
                "3 with -fail-on-warnings: done, and something is left to do by hand.\n";
}

} // namespace hip::hipify
