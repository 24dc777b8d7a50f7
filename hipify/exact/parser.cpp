// All inputs: sources first; then the headers among them that no source included, as if they were sources.
#include "exact/parser.h"

#include "exact/child.h"
#include "exact/command.h"
#include "exact/sources.h"
#include "files.h"
#include "parallel.h"
#include "passes.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <mutex>
#include <set>

namespace hip::hipify {
namespace fs = std::filesystem;
namespace {

std::string real_path(const fs::path& path) {
  std::error_code error;
  const fs::path real = fs::weakly_canonical(path, error);
  return (error ? path : real).string();
}

bool is_header(const fs::path& path) {
  const std::string extension = path.extension().string();
  for (std::string_view header : {".cuh", ".h", ".hh", ".hpp", ".hxx", ".inc", ".inl", ".hdl", ".H"}) {
    if (extension == header) return true;
  }
  return false;
}

// A folder of this run's own, for the text of standard input and precompiled headers.
class TemporaryFolder {
public:
  explicit TemporaryFolder(const std::string& parent) {
    std::error_code error;
    const fs::path folder = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
    std::string name = (folder / "hipify-XXXXXX").string();
    if (!::mkdtemp(name.data())) throw HipifyError("no folder can be made in '" + folder.string() + "'");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const fs::path& path() const { return path_; }

private:
  fs::path path_;
};

// CUDA's headers as clang read them once, for the sources that are compiled with the same words.
class PrecompiledHeaders {
public:
  PrecompiledHeaders(const Commands& commands, const fs::path& folder) : commands_(commands), folder_(folder) {}

  // The words that begin a compilation with CUDA's headers.
  std::vector<std::string> words(const std::vector<std::string>& command, Side side, bool many) {
    const std::string header = commands_.first_header();
    if (header.empty()) return {};
    if (!many) return {"-include", header};
    Entry* entry = nullptr;
    {
      const std::lock_guard lock(mutex_);
      entry = &entries_[{side, command}];
      if (entry->file.empty()) entry->file = (folder_ / (std::to_string(entries_.size()) + ".pch")).string();
    }
    std::call_once(entry->made, [&] {
      std::vector<std::string> words = {"-p", entry->file, "--"};
      words.insert(words.end(), command.begin(), command.end());
      // Else each source instantiates the templates that the headers use, which takes longer than many a source.
      words.insert(words.end(), {"-fpch-instantiate-templates", header});
      run_child(words, {});
      std::error_code error;
      entry->usable = fs::file_size(entry->file, error) > 0 && !error;
    });
    return entry->usable ? std::vector<std::string>{"-include-pch", entry->file}
                         : std::vector<std::string>{"-include", header};
  }

private:
  struct Entry {
    std::once_flag made;
    std::string file;
    bool usable = false;
  };
  const Commands& commands_;
  const fs::path folder_;
  std::map<std::pair<Side, std::vector<std::string>>, Entry> entries_;
  std::mutex mutex_; // entries_, not what they hold
};

bool is_library_namespace(const std::string& name) { return name == "thrust" || name == "cub" || name == "cuda"; }

// An error that the source is not to blame for: a name of CUDA's libraries, which no header of ours declares.
bool is_of_table(const std::string& message) {
  for (size_t at = 0; (at = message.find('\'', at)) != std::string::npos;) {
    const size_t end = message.find('\'', at + 1);
    if (end == std::string::npos) return false;
    const std::string name = message.substr(at + 1, end - at - 1);
    Row row;
    if (find_row(name, row) || looks_like_cuda(name) || is_library_namespace(name)) return true;
    at = end + 1;
  }
  return false;
}

class Parser {
public:
  Parser(const Options& options, const std::vector<Input>& inputs)
      : options_(options), inputs_(inputs), commands_(options.exact), folder_(options.exact.temporary_directory),
        precompiled_(commands_, folder_.path()), facts_(find_facts(options, inputs)) {
    program_.sources.resize(inputs.size());
    std::string replaced;
    for (size_t i = 0; i < inputs.size(); ++i) {
      fs::path source = inputs[i].source;
      if (!facts_[i].closed_up.empty()) {
        source = folder_.path() / (std::to_string(i) + ".txt");
        std::ofstream(source, std::ios::binary) << facts_[i].closed_up;
      }
      if (inputs[i].path == "-" || source == inputs[i].path) continue;
      replaced.append(real_path(inputs[i].path)).append(1, '\0').append(real_path(source)).append(1, '\0');
    }
    if (replaced.empty()) return;
    replaced_file_ = (folder_.path() / "replaced").string();
    std::ofstream(replaced_file_, std::ios::binary) << replaced;
  }

  ParsedProgram run() {
    std::vector<size_t> sources, headers;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (inputs_[i].error.empty()) (is_header(inputs_[i].path) ? headers : sources).push_back(i);
    }
    parse(sources);
    std::erase_if(headers, [&](size_t i) { return included_.contains(real_path(inputs_[i].path)); });
    parse(headers);
    // A file that some compilation understood is as that one says.
    program_.files.merge(doubtful_);
    // Errors of a file that others include are theirs, if it is no header by its name either.
    for (size_t i = 0; i < inputs_.size(); ++i) {
      ParsedProgram::Source& source = program_.sources[i];
      source.file = real_path(place_of(inputs_[i]));
      if (included_.contains(source.file) && source.parsed) {
        source.findings.clear();
        source.error.clear();
      }
    }
    return std::move(program_);
  }

private:
  void parse(const std::vector<size_t>& which) {
    in_parallel(options_.jobs, which.size(), [&](size_t i) { parse_one(which[i]); });
  }

  void parse_one(size_t number) {
    const Input& input = inputs_[number];
    ParsedProgram::Source& source = program_.sources[number];
    const SourceFacts& facts = facts_[number];
    if (!facts.has_cuda) return;
    if (input.path == "-")
      std::ofstream(place_of(input), std::ios::binary) << (facts.closed_up.empty() ? input.text : facts.closed_up);
    const std::string file = real_path(place_of(input));
    std::vector<std::string> words;
    for (const std::string& folder : commands_.cuda_folders()) words.insert(words.end(), {"-f", folder});
    if (!replaced_file_.empty()) words.insert(words.end(), {"-r", replaced_file_});
    const SourceLanguage language = language_of(input.path, facts);
    // Two sources that are the first to be read have one half each precompiled, at the same time.
    if (number % 2 && language == SourceLanguage::Cuda) first_words(input, Side::Device);
    for (Side side : {Side::Host, Side::Device}) {
      if (side == Side::Device && language != SourceLanguage::Cuda) continue;
      std::vector<std::string> command = commands_.command(language, side, input.words, input.directory);
      if (language == SourceLanguage::Cuda) {
        const std::vector<std::string> first = first_words(input, side);
        command.insert(command.end(), first.begin(), first.end());
      }
      command.push_back(file);
      words.push_back("--");
      words.insert(words.end(), command.begin(), command.end());
    }
    const ChildResult result = run_child(words, input.directory.string());
    const std::lock_guard lock(mutex_);
    for (const auto& [name, knowledge] : result.knowledge.files) {
      (result.knowledge.error_count ? doubtful_ : program_.files)[name].merge(knowledge);
      if (name != file && knowledge.was_read()) included_.insert(name);
    }
    source.file = file;
    judge(input, result, source);
  }

  std::vector<std::string> first_words(const Input& input, Side side) {
    return precompiled_.words(commands_.command(SourceLanguage::Cuda, side, input.words, input.directory), side,
                              inputs_.size() >= kManySources);
  }

  fs::path place_of(const Input& input) const {
    return input.path == "-" ? folder_.path() / "stdin.cu" : fs::absolute(input.path);
  }

  static SourceLanguage language_of(const fs::path& path, const SourceFacts& facts) {
    const std::string extension = path.extension().string();
    const bool cuda = extension == ".cu" || extension == ".cuh" || path == "-" || facts.has_kernels;
    if (cuda) return SourceLanguage::Cuda;
    return extension == ".c" ? SourceLanguage::C : SourceLanguage::Cpp;
  }

  void judge(const Input& input, const ChildResult& result, ParsedProgram::Source& source) const {
    if (!result.failure.empty()) {
      const std::string what = "clang, reading '" + input.path.string() + "', " + result.failure;
      if (!options_.exact.fall_back && !is_header(input.path))
        source.error = what + "; the file is not converted: -fallback converts it by the quick form";
      else
        look(source, 1, 1, what + "; the quick form converted the file");
      return;
    }
    source.parsed = true;
    const std::string missing = missing_headers(result.knowledge);
    const ParseError* error = own_error(result.knowledge);
    const std::string count =
        std::to_string(result.knowledge.error_count) + (result.knowledge.error_count == 1 ? " error" : " errors");
    if (!missing.empty()) {
      look(source, 1, 1,
           "headers are not found (-I names their folders), and what they declare is not known: " + missing +
               (error ? "; clang finds " + count : ""));
    } else if (error && options_.exact.strict) {
      source.error = "'" + input.path.string() + "' does not compile (" + count + "; " + place(*error) +
                     error->message + ") and is not converted";
    } else if (error && !is_header(input.path)) { // a header alone need not compile
      const bool here = real_path(error->file) == source.file;
      look(source, here ? error->line : 1, here ? error->column : 1,
           "clang finds " + count + " in this source, this first: " + (here ? "" : place(*error)) + error->message +
               "; what it did not understand is converted by the table alone");
    }
  }

  static std::string place(const ParseError& error) {
    return error.file.empty()
               ? ""
               : error.file + ":" + std::to_string(error.line) + ":" + std::to_string(error.column) + ": ";
  }

  // The first error, if it is not about CUDA's libraries. Those behind one that is may come of it: a variable whose
  // type is not known is not declared either.
  static const ParseError* own_error(const ProgramKnowledge& knowledge) {
    if (knowledge.errors.empty() || is_of_table(knowledge.errors[0].message)) return nullptr;
    return &knowledge.errors[0];
  }

  static std::string missing_headers(const ProgramKnowledge& knowledge) {
    std::string names;
    for (const std::string& header : knowledge.missing_headers) {
      Row row;
      if (find_row(header, row) || header.starts_with("cub/") || header.starts_with("cuda/") ||
          header.starts_with("thrust/") || header.starts_with("nvtx3/"))
        continue;
      names.append(names.empty() ? "" : ", ").append(header);
    }
    return names;
  }

  static void look(ParsedProgram::Source& source, uint32_t line, uint32_t column, std::string message) {
    Finding& finding = source.findings.emplace_back();
    finding.kind = Finding::Kind::Look;
    finding.line = line;
    finding.column = column;
    finding.message = std::move(message);
  }

  static constexpr size_t kManySources = 3; // fewer are read sooner than CUDA's headers are precompiled

  const Options& options_;
  const std::vector<Input>& inputs_;
  Commands commands_;
  TemporaryFolder folder_;
  PrecompiledHeaders precompiled_;
  const std::vector<SourceFacts> facts_;
  std::string replaced_file_; // names the inputs that clang reads as they were before a conversion, or closed up
  ParsedProgram program_;
  std::map<std::string, FileKnowledge> doubtful_; // of compilations with errors
  std::set<std::string> included_;                // files that another file includes
  std::mutex mutex_;                              // program_.files, doubtful_, included_
};

} // namespace

ParsedProgram parse_program(const Options& options, const std::vector<Input>& inputs) {
  return Parser(options, inputs).run();
}

} // namespace hip::hipify
