// The run: files are read, converted and written by several threads; what there is to print comes in the order of the
// command line.
#include "driver.h"

#include "files.h"
#include "hipify_version.h"
#include "inputs.h"
#include "options.h"
#include "parallel.h"
#include "report.h"
#include "table/documents.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <set>
#include <string>
#include <vector>

namespace hip::hipify {
namespace fs = std::filesystem;
namespace {

ConvertOptions options_for(const Options& options, const fs::path& path) {
  ConvertOptions convert = options.convert;
  const std::string extension = path.extension().string();
  if (extension == ".c") convert.language = Language::C;
  if (extension == ".cu" || extension == ".CU" || path == "-")
    convert.runtime_header = RuntimeHeader::IfUsed;
  else if (extension == ".cpp" || extension == ".cc" || extension == ".cxx")
    convert.runtime_header = RuntimeHeader::IfKernels;
  else
    convert.runtime_header = RuntimeHeader::IfKernelsForHipOnly;
  return convert;
}

void write_result(const Options& options, const Input& input, const std::string& source, FileResult& result) {
  const Conversion& conversion = result.conversion;
  if (input.output.empty()) return; // standard output is written in order, by print()
  if (options.destination == Options::Destination::InPlace) {
    if (!conversion.changed && !fs::exists(backup_of(input.path))) return;
    require_writable(input.path);
    if (options.backup && !fs::exists(backup_of(input.path))) write_source(backup_of(input.path), source, input.path);
  } else if (input.output.has_parent_path()) {
    std::error_code error;
    fs::create_directories(input.output.parent_path(), error);
    if (error)
      throw HipifyError("the folder '" + input.output.parent_path().string() + "' cannot be made: " + error.message());
  }
  write_source(input.output, conversion.text, input.path);
  result.output = input.output.string();
}

// The findings of the parse come in front of those of the conversion in the same line.
void add_findings(const std::vector<Finding>& parse, Conversion& conversion) {
  if (conversion.findings.empty()) return; // nothing of CUDA is in the file
  for (const Finding& finding : parse) {
    const auto place = std::find_if(conversion.findings.begin(), conversion.findings.end(),
                                    [&](const Finding& other) { return other.line >= finding.line; });
    conversion.findings.insert(place, finding);
  }
}

void convert_input(const Options& options, const ParsedProgram& program, size_t number, const Input& input,
                   FileResult& result) {
  try {
    if (!input.error.empty()) throw HipifyError(input.error);
    const std::string source = input.path == "-" ? input.text : read_source(input.source);
    ConvertOptions convert_options = options_for(options, input.path);
    if (!program.sources.empty()) {
      const ParsedProgram::Source& parsed = program.sources[number];
      if (!parsed.error.empty()) throw HipifyError(parsed.error);
      const auto file = program.files.find(parsed.file);
      if (file != program.files.end()) convert_options.knowledge = &file->second;
    }
    result.conversion = convert(source, convert_options);
    if (!program.sources.empty()) add_findings(program.sources[number].findings, result.conversion);
    write_result(options, input, source, result);
    if (options.destination != Options::Destination::StandardOutput) result.conversion.text = {};
  } catch (const HipifyError& error) {
    result.error = error.what();
  } catch (const fs::filesystem_error& error) {
    result.error = error.what();
  } catch (const std::bad_alloc&) {
    result.error = "there is not enough memory";
  }
}

// What the files declare, for one another: a header's macro is no unknown name of CUDA where another file uses it.
std::set<std::string, std::less<>> names_of_program(const Options& options, const std::vector<Input>& inputs) {
  std::vector<std::vector<std::string>> names(inputs.size());
  in_parallel(options.jobs, inputs.size(), [&](size_t i) {
    try {
      if (inputs[i].path != "-" && inputs[i].error.empty()) names[i] = declared_names(read_source(inputs[i].source));
    } catch (const HipifyError&) {
      // The conversion will say it.
    }
  });
  std::set<std::string, std::less<>> all;
  for (const std::vector<std::string>& some : names) all.insert(some.begin(), some.end());
  return all;
}

std::vector<FileResult> convert_all(Options& options, const ParsedProgram& program, const std::vector<Input>& inputs) {
  if (inputs.size() > 1) options.convert.declared_elsewhere = names_of_program(options, inputs);
  std::vector<FileResult> results(inputs.size());
  in_parallel(options.jobs, inputs.size(), [&](size_t i) {
    results[i].name = inputs[i].path == "-" ? "<stdin>" : inputs[i].path.string();
    convert_input(options, program, i, inputs[i], results[i]);
  });
  return results;
}

// False where standard output did not take everything.
bool print(const Options& options, const std::vector<FileResult>& results) {
  for (const FileResult& result : results) {
    if (!result.error.empty()) {
      std::fprintf(stderr, "hipify: error: %s\n", result.error.c_str());
      continue;
    }
    if (!options.quiet_warnings) std::fputs(warnings_text(result).c_str(), stderr);
    if (options.destination == Options::Destination::StandardOutput)
      std::fwrite(result.conversion.text.data(), 1, result.conversion.text.size(), stdout);
  }
  if (std::fflush(stdout) == 0 && !std::ferror(stdout)) return true;
  std::fprintf(stderr, "hipify: error: standard output cannot be written\n");
  return false;
}

void write_statistics(const Options& options, const std::vector<FileResult>& results) {
  std::string text;
  if (options.print_stats) {
    Counts total;
    for (const FileResult& result : results) {
      if (!result.error.empty()) continue;
      Counts counts;
      counts.add(result.conversion);
      total.add(result.conversion);
      if (counts.references + counts.warnings + counts.launches) text += statistics_text(result.name, counts);
    }
    if (results.size() > 1) text += statistics_text("GLOBAL", total);
  }
  if (options.print_stats_csv) text += statistics_csv(results);
  if (options.stats_file.empty())
    std::fputs(text.c_str(), stderr);
  else
    write_source(options.stats_file, text, {});
}

int convert_files(Options& options, ParseProgram parse) {
  std::vector<std::string> skipped;
  std::vector<Input> inputs = find_inputs(options, skipped);
  for (Input& input : inputs) {
    if (input.path == "-") input.text = read_standard_input();
  }
  if (!options.quiet_warnings) {
    for (const std::string& file : skipped) std::fprintf(stderr, "hipify: '%s' is excluded\n", file.c_str());
    for (const std::string& option : options.ignored)
      std::fprintf(stderr, "hipify: %s has no effect in the quick form, which compiles nothing\n", option.c_str());
  }
  const ParsedProgram program = parse ? parse(options, inputs) : ParsedProgram{};
  const std::vector<FileResult> results = convert_all(options, program, inputs);
  bool failed = !print(options, results);
  size_t warnings = 0;
  for (const FileResult& result : results) {
    failed |= !result.error.empty();
    for (const Finding& finding : result.conversion.findings) warnings += finding.is_warning();
  }
  try {
    write_statistics(options, results);
    if (!options.report_file.empty()) write_source(options.report_file, markdown_report(results), {});
  } catch (const HipifyError& error) {
    std::fprintf(stderr, "hipify: error: %s\n", error.what());
    failed = true;
  }
  if (failed) return kFileFailed;
  return options.fail_on_warnings && warnings ? kWarningsRemain : kDone;
}

// The newest version of CUDA that the table has a name of.
std::string newest_cuda() {
  double newest = 0; // the second part of CUDA's versions has one digit
  std::string text;
  for (size_t i = 0; i < row_count(); ++i) {
    const std::string added(row(i).cuda_added);
    const double version = std::strtod(added.c_str(), nullptr); // those of libraries, and bounds, are no numbers
    if (version > newest) text = added;
    newest = std::max(newest, version);
  }
  return text;
}

// The table, a document for each interface, into the folder of -o-dir or this one.
void write_documents(const Options& options) {
  const DocumentFormat format =
      options.request == Options::Request::TableCsv ? DocumentFormat::Csv : DocumentFormat::Markdown;
  fs::path folder = ".";
  if (options.destination == Options::Destination::Directory) folder = options.output;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw HipifyError("the folder '" + folder.string() + "' cannot be made: " + error.message());
  for (size_t i = 0; i < kApiCount; ++i) {
    const Api api = static_cast<Api>(i);
    write_source(folder / document_name(api, format), document(api, format), {});
  }
}

int answer(const Options& options, Form form) {
  switch (options.request) {
  case Options::Request::TableMarkdown:
  case Options::Request::TableCsv:
    write_documents(options);
    break;
  case Options::Request::Help:
    std::fputs(help_text(form).c_str(), stdout);
    break;
  case Options::Request::Version:
    std::printf("HIP version %s\n", OMNIHIP_HIPIFY_VERSION);
    break;
  default:
    std::printf("HIP version %s\nCUDA version %s\nnames in the table: %zu\n", OMNIHIP_HIPIFY_VERSION,
                newest_cuda().c_str(), row_count());
  }
  return kDone;
}

} // namespace

int run_hipify(int argc, char** argv, ParseProgram parse) {
  const Form form = parse ? Form::Exact : Form::Quick;
  Options options;
  try {
    options = parse_options({argv + std::min(argc, 1), argv + argc}, form);
    if (options.request != Options::Request::Convert) return answer(options, form);
  } catch (const HipifyError& error) {
    std::fprintf(stderr, "hipify: error: %s\n", error.what());
    return kWrongCommand;
  }
  try {
    return convert_files(options, parse);
  } catch (const HipifyError& error) {
    std::fprintf(stderr, "hipify: error: %s\n", error.what());
    return kWrongCommand;
  }
}

} // namespace hip::hipify
